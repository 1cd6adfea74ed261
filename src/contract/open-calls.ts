/**
 * Calls without a record, in Redis, so that control can record the calls of an edge that was killed. A field is written when the
 * call is admitted, rewritten when it rings and is answered, and deleted in the same transaction that puts the call's record
 * into the stream: a call is in one of the two, never in both and never in none.
 */

/** Set: processes (edge id and a random part) that may have such a hash. */
export const openCallOwnersKey = 'demarc:open-call-owners';

/** Hash: call id → JSON of a `LiveCall`. */
export const openCallsKey = (owner: string): string => `demarc:open-calls:${owner}`;

/** Control records the calls of a dead edge within a minute; a hash that control never read goes away after this long. */
export const openCallsMilliseconds = 7 * 86_400_000;
