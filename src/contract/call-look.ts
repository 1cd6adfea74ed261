import { z } from 'zod';
import { callRecordSchema } from './call-record.js';
import { consultationStages, transferRecordSchema } from './transfer.js';

/**
 * Trace request for a call without a record: control asks all edges, each answers, and the edge that has the call returns what it
 * knows. Calls without a trace request write nothing.
 */

export const callLookSchema = z.strictObject({
  look_id: z.uuid(),
  call_id: z.string().min(1).max(300),
  /** Calls of others are not found. */
  organization: z.string().min(1).max(64),
});
export type CallLook = z.infer<typeof callLookSchema>;

/** Pub/sub: JSON of a `CallLook`. */
export const callLookChannel = 'demarc:call-look';

/** List: JSON of a `CallLookReply` of each edge; read by the process that asked, else it expires. */
export const callLookReplyKey = (lookId: string): string => `demarc:call-look-reply:${lookId}`;
export const callLookReplyMilliseconds = 10_000;

/** Octets of all messages that an edge returns for one call; the rest is left out, and `trace_truncated` is set. */
export const maximumLookOctets = 1024 * 1024;

/** `ending`: over, but the legs are still being torn down. */
export const unfinishedStates = ['setup', 'ringing', 'answered', 'ending'] as const;

/** A transfer that has no outcome yet. */
export const openTransferSchema = transferRecordSchema.pick({
  mode: true,
  requested_by: true,
  target: true,
  requested_at: true,
});
export type OpenTransfer = z.infer<typeof openTransferSchema>;

/** What its record would say of a call now; what is not decided is null. Media counters are those of this moment. */
const callSnapshotSchema = callRecordSchema.extend({
  state: z.enum(unfinishedStates),
  /** ISO 8601: when the edge reported this. */
  at: z.string(),
  ended_at: callRecordSchema.shape.ended_at.nullable(),
  outcome: callRecordSchema.shape.outcome.nullable(),
  ended_by: callRecordSchema.shape.ended_by.nullable(),
  end_reason: callRecordSchema.shape.end_reason.nullable(),
  open_transfer: openTransferSchema.nullable(),
  /** Stage of a warm transfer; null: there is none. Earlier edges do not tell. */
  consultation: z.enum(consultationStages).nullable().default(null),
  /** By the API; earlier edges do not tell. */
  on_hold: z.boolean().default(false),
  /** Who listens to it, and since when (ISO 8601); absent from earlier edges. */
  listeners: z.array(z.object({ name: z.string(), since: z.string() })).default([]),
});
export type CallSnapshot = z.infer<typeof callSnapshotSchema>;

export const callLookReplySchema = z.strictObject({
  /** The process that answers, as in `contract/live.ts`. */
  owner: z.string(),
  /** `recorded`: its record is on its way to control. `busy`: too many concurrent trace requests. */
  found: z.enum(['call', 'recorded', 'nothing', 'busy']),
  /** Only with `call`. */
  call: callSnapshotSchema.optional(),
});
export type CallLookReply = z.infer<typeof callLookReplySchema>;
