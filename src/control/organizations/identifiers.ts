import { randomBytes } from 'node:crypto';

/** `org_4f…`: shows what it names and cannot be guessed. */
export const newId = (
  kind:
    | 'org'
    | 'key'
    | 'agt'
    | 'ssc'
    | 'cfg'
    | 'disc'
    | 'dlv'
    | 'alt'
    | 'whe'
    | 'evt'
    | 'usr'
    | 'mem'
    | 'inv'
    | 'mwn'
    | 'inc'
    | 'shr',
): string => `${kind}_${randomBytes(12).toString('hex')}`;
