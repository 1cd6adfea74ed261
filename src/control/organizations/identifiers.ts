import { randomBytes } from 'node:crypto';

/** `org_4f…`: what it names is seen at a glance, and nobody can guess another one. */
export const newId = (
  kind:
    | 'org'
    | 'key'
    | 'agt'
    | 'cfg'
    | 'disc'
    | 'dlv'
    | 'alt'
    | 'whe'
    | 'evt'
    | 'usr'
    | 'mem'
    | 'inv'
    | 'mwn',
): string => `${kind}_${randomBytes(12).toString('hex')}`;
