/** Names in Redis that edge and control agree on. */

/** JSON of a `NumberDocument`; `digits` without plus. */
export const numberKey = (digits: string): string => `demarc:number:${digits}`;

export const numberKeyPattern = 'demarc:number:*';

/** Pub/sub: the message is the digits of the number that changed, or `*` for all. */
export const numberChannel = 'demarc:number-changed';

/** Stream of call records (edge → control); one entry, field `record`, JSON of a `CallRecord`. */
export const callStream = 'demarc:calls';
