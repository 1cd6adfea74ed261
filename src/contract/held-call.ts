import { z } from 'zod';
import { attemptSchema } from './call-record.js';
import { outboundHeaderMappingsSchema } from './header-mapping.js';
import { transferRecordSchema } from './transfer.js';

/** Unix milliseconds. */
const moment = z.number().int();

const leg = z.strictObject({
  sip_call_id: z.string(),
  /** The engine's id of the dialog. */
  dialog_id: z.string(),
  local_tag: z.string(),
  remote_tag: z.string(),
  /** Remote target (RFC 3261 §12.1): the peer's Contact. */
  remote_target: z.string(),
  /** Our 200 waits for the peer's ACK. */
  owes_ack: z.boolean(),
  /** RFC 4028; null: none was agreed. `is_ours`: the engine refreshes. */
  session_timer: z.strictObject({ seconds: z.number(), is_ours: z.boolean() }).nullable(),
  /** Last descriptions received from the peer and sent to it. They hold SRTP keys. */
  remote_description: z.string().nullable(),
  local_description: z.string().nullable(),
  /** A transfer has put this peer in the place of the first one. */
  is_new_party: z.boolean(),
});

const mediaSide = z.strictObject({
  profile: z.enum(['RTP/SAVP', 'RTP/AVP']),
  /** Of the `o=` line that this side was sent last (RFC 3264 §8). */
  session_id: z.number().int(),
  version: z.number().int(),
  /** The egress policy decides on its addresses. */
  is_foreign: z.boolean(),
});

/**
 * An answered call, as the process that holds it would hand it over to another one. Secret: descriptions hold keys, so the
 * document is sealed before it leaves the process.
 */
export const heldCallSchema = z.strictObject({
  version: z.literal(1),
  call_id: z.string(),
  direction: z.enum(['inbound', 'outbound']),
  phase: z.enum(['answered', 'confirmed']),
  organization: z.string().nullable(),
  number: z.string().nullable(),
  from: z.string(),
  to: z.string(),
  source: z.strictObject({ address: z.string(), port: z.number().int(), protocol: z.string() }),
  agent_uri: z.string().nullable(),
  earlier_sip_call_ids: z.array(z.string()),
  attempts: z.array(attemptSchema),
  started_at: moment,
  ringing_at: moment.nullable(),
  answered_at: moment,
  sip_status: z.number().int().nullable(),
  sip_reason: z.string().nullable(),
  /** Absent: its dialog is not there yet, or has ended while a transfer runs. */
  legs: z.strictObject({ trunk: leg.nullable(), agent: leg.nullable() }),
  media: z
    .strictObject({
      /** rtpengine's call-id. */
      id: z.string(),
      node: z.string().nullable(),
      sides: z.strictObject({ trunk: mediaSide, agent: mediaSide }),
    })
    .nullable(),
  /** True: an offer waits for its answer, so a side may hold either description. */
  is_modifying: z.boolean(),
  is_transferring: z.boolean(),
  transfers: z.array(transferRecordSchema),
  header_mappings: outboundHeaderMappingsSchema,
  maximum_seconds: z.number(),
  deadline: z
    .strictObject({
      kind: z.enum(['agent_response', 'agent_answer', 'trunk_progress', 'trunk_answer', 'maximum_duration']),
      at: z.number(),
    })
    .nullable(),
});

export type HeldCall = z.infer<typeof heldCallSchema>;
export type HeldLeg = HeldCall['legs']['trunk'];
