import { z } from 'zod';

/**
 * One answered call moves from one edge to another on the same engine: two calls can be joined only where both are. The edge that
 * has it writes its document under a separate holder, which only the edge that asked adopts (`held-call.ts`).
 */

/** Pub/sub: JSON of a `CallMove`. */
export const callMoveChannel = 'demarc:call-moves';

const identity = { version: z.literal(1), id: z.uuid(), from: z.string(), to: z.string() };

export const callMoveSchema = z.discriminatedUnion('type', [
  z.object({
    ...identity,
    type: z.literal('request'),
    /** A dialog of the call: our tag is the to-tag (RFC 3891 §3). */
    dialog: z.object({ callId: z.string(), toTag: z.string(), fromTag: z.string() }),
    /** The side that the dialog must be of, and the call's owner. */
    side: z.enum(['trunk', 'agent']),
    organization: z.string(),
  }),
  z.object({
    ...identity,
    type: z.literal('answer'),
    /** `busy`: a moment later the call may be free to move. */
    result: z.enum(['left', 'refused', 'busy']),
    /** The holder that the call was left under. */
    holder: z.string().nullable(),
  }),
]);
export type CallMove = z.infer<typeof callMoveSchema>;
export type CallMoveRequest = Extract<CallMove, { type: 'request' }>;
