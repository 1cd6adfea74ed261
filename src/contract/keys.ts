/** Names in Redis that edge and control agree on. */

/** JSON of a `NumberDocument`; `digits` without plus. */
export const numberKey = (digits: string): string => `demarc:number:${digits}`;

export const numberKeyPattern = 'demarc:number:*';

/**
 * A counter that every writer of number documents increments in the same transaction. It distinguishes a deleted number from a Redis
 * that lost its data: while the counter is absent, edges keep the documents they know.
 */
export const numberRevisionKey = 'demarc:number-revision';

/** Pub/sub: the message is the digits of the number that changed, or `*` for all. */
export const numberChannel = 'demarc:number-changed';

/**
 * Pub/sub: control asks whether the changes announced before have arrived; the message is a token. An edge hears both channels on
 * one connection, so that its confirmation follows those changes.
 */
export const numberBarrierChannel = 'demarc:number-barrier';

/** Set of the edge processes, named as in `readyEdgesKey`, that have the changes announced before the token. */
export const numberConfirmationsKey = (token: string): string => `demarc:number-confirmations:${token}`;

/** Stream of call records (edge → control); one entry, field `record`, JSON of a `CallRecord`. */
export const callStream = 'demarc:calls';

/** Stream of orders to place a call (control → one edge); one entry, field `command`, JSON of a `CallCommand`. */
export const commandStream = 'demarc:commands';

/** All edges share the orders. */
export const commandGroup = 'demarc-edges';

/** Hash of one ordered call, from its claim on: the fields are in `contract/commands.ts`. */
export const orderedCallKey = (callId: string): string => `demarc:ordered-call:${callId}`;

/**
 * Sorted set of a number's orders that wait for their turn, by `lineScore`: those whose order is in the stream still, and
 * those that an edge has put into the hash. Control counts it, edges take the first.
 */
export const orderLineKey = (number: string): string => `demarc:order-line:${number}`;

/** Sorted set of the numbers that have a line, by the Unix milliseconds at which looking again makes sense. */
export const orderLinesKey = 'demarc:order-lines';

/** Sorted set of all waiting orders, by the Unix milliseconds at which they are given up. */
export const waitingOrdersKey = 'demarc:waiting-orders';

/** Sorted set of the active calls from a number, by the end of their leases in Unix milliseconds. */
export const orderSlotsKey = (number: string): string => `demarc:order-slots:${number}`;

/** Theoretical arrival time of the next call from a number, Unix milliseconds (GCRA). */
export const orderRateKey = (number: string): string => `demarc:order-rate:${number}`;

/** Sorted set of the edge processes that share limits of calls to us, by the end of their leases in Unix milliseconds. */
export const limitSharersKey = 'demarc:limit-sharers';

/** Hash: edge process → slots of a limit of concurrent calls that it has leased, with `~` where some may be unused. */
export const limitSlotsKey = (limit: string): string => `demarc:limit-slots:${limit}`;

/**
 * Hash of a limit of calls per second: `tokens` of the shared bucket `at` a moment (Unix milliseconds), and edge process →
 * tokens that it has leased and not used.
 */
export const limitRateKey = (limit: string): string => `demarc:limit-rate:${limit}`;

/** Pub/sub: `slots KEY` or `rate KEY`, of which an edge has asked for more than is free: the others return what they do not use. */
export const limitRecallChannel = 'demarc:limit-recall';

/** Set of the calls that a process has taken and not ended. */
export const takenOrdersKey = (owner: string): string => `demarc:taken-orders:${owner}`;

/** Sorted set of the processes that take orders, by the end of their leases in Unix milliseconds. */
export const readyEdgesKey = 'demarc:ready-edges';

/** Lives as long as the edge process whose name it carries. */
export const edgeLeaseKey = (owner: string): string => `demarc:edge:${owner}`;

/** Pub/sub: the message is the id of an ordered call that shall end. */
export const stopChannel = 'demarc:call-stop';

/** Control's own: requests of one asker (`key …`, `address …`, `login …`) in the window that began with the first of them. */
export const rateCountKey = (asker: string): string => `demarc:rate:${asker}`;

/** Hash of control's own: number → revision of its last projected configuration, also of deleted ones. Edges never read it. */
export const projectedRevisionsKey = 'demarc:projected-revisions';

/** Hash of control's own: `database` (whose projection this is) and `total` (sum of the projected revisions). */
export const projectionKey = 'demarc:projection';

/** Control's own: the PostgreSQL that has all records of the call stream, by `serverIdentity`. */
export const storedServerKey = 'demarc:stored-server';

/** Written by control before it counts a process without a lease as dead. */
export const writeProofKey = 'demarc:write-proof';

/** Lives until the token of an agent test expires, once that has let the call with this Call-ID in. */
export const usedTestTokenKey = (sipCallId: string): string => `demarc:test-token:${sipCallId}`;
