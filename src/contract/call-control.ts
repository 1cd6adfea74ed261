import { z } from 'zod';
import { agentMetadataSchema } from './agent-metadata.js';
import { streamActionSchema } from './agent-stream.js';
import { dtmfSequenceSchema } from './commands.js';
import { maximumListenerName } from './listening.js';

/**
 * API commands for an active call, inbound or outbound: control asks all edges, each replies at once, and the edge that has
 * the call acts. A command that no edge has read is lost: the sender gets an error and repeats it.
 */

const asked = {
  request_id: z.uuid(),
  call_id: z.string().min(1).max(300),
  /** Calls of others are not found. */
  organization: z.string().min(1).max(64),
};

export const callControlSchema = z.discriminatedUnion('action', [
  z.strictObject({ ...asked, action: z.literal('stop') }),
  z.strictObject({ ...asked, action: z.literal('send_digits'), digits: dtmfSequenceSchema }),
  /** `music`: played to the trunk meanwhile; silence without it. */
  z.strictObject({ ...asked, action: z.literal('hold'), music: z.boolean() }),
  z.strictObject({ ...asked, action: z.literal('resume') }),
  /** Of a warm transfer: the caller talks to the target, and the agent leaves; or the target leaves. */
  z.strictObject({ ...asked, action: z.literal('complete_transfer') }),
  z.strictObject({ ...asked, action: z.literal('cancel_transfer') }),
  /** Values for the call's record, over those that its agent has set. */
  z.strictObject({ ...asked, action: z.literal('note'), values: agentMetadataSchema }),
  /** Of a call at a WebSocket agent. */
  z.strictObject({ ...asked, action: z.literal('stream'), order: streamActionSchema }),
  /** Publish the audio of the call (`contract/listening.ts`), or no longer. `listener`: who gets it, as others see it. */
  z.strictObject({
    ...asked,
    action: z.literal('listen'),
    listening_id: z.uuid(),
    listener: z.string().max(maximumListenerName),
  }),
  z.strictObject({ ...asked, action: z.literal('end_listening'), listening_id: z.uuid() }),
]);
export type CallControl = z.infer<typeof callControlSchema>;

/** What is asked, without who asks. */
export type CallAction = CallControl extends infer Order
  ? Order extends CallControl
    ? Omit<Order, keyof typeof asked>
    : never
  : never;

export const callControlReplySchema = z.strictObject({
  /** The process that replies, as in `contract/live.ts`. */
  owner: z.string(),
  /**
   * `unknown`: it has no such call. `conflict`: the call is in no state for it. `invalid`: the call cannot take these values.
   * `failed`: it could not be done.
   */
  result: z.enum(['done', 'unknown', 'conflict', 'invalid', 'failed']),
  detail: z.string().nullable(),
  /** Length of the audio that will be played. */
  milliseconds: z.int().optional(),
  /** All values that the record will have. */
  metadata: agentMetadataSchema.optional(),
});
export type CallControlReply = z.infer<typeof callControlReplySchema>;

/** Pub/sub: JSON of a `CallControl`. */
export const callControlChannel = 'demarc:call-control';

/** List: JSON of a `CallControlReply` of each edge; read by the sender of the order, else it expires. */
export const callControlReplyKey = (requestId: string): string => `demarc:call-control-reply:${requestId}`;
export const callControlReplyMilliseconds = 10_000;
