/** Names in Redis that edge and control agree on. */

/** JSON of a `NumberDocument`; `digits` without plus. */
export const numberKey = (digits: string): string => `demarc:number:${digits}`;

export const numberKeyPattern = 'demarc:number:*';

/**
 * A counter that every writer of number documents raises in the same transaction. It tells a deleted number from a Redis
 * that lost its data: while the counter is absent, edges keep the documents they know.
 */
export const numberRevisionKey = 'demarc:number-revision';

/** Pub/sub: the message is the digits of the number that changed, or `*` for all. */
export const numberChannel = 'demarc:number-changed';

/** Stream of call records (edge → control); one entry, field `record`, JSON of a `CallRecord`. */
export const callStream = 'demarc:calls';

/** Hash of control's own: number → revision of its last projected configuration, also of deleted ones. Edges never read it. */
export const projectedRevisionsKey = 'demarc:projected-revisions';

/** Hash of control's own: `database` (whose projection this is) and `total` (sum of the projected revisions). */
export const projectionKey = 'demarc:projection';
