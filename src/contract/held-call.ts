import { z } from 'zod';
import { agentMetadataSchema } from './agent-metadata.js';
import { attemptSchema } from './call-record.js';
import { outboundHeaderMappingsSchema } from './header-mapping.js';
import { codecPolicySchema } from './number.js';
import { qualitySamplesSchema } from './quality.js';
import { transferRecordSchema } from './transfer.js';

/**
 * Held calls in Redis: what a successor needs to continue the answered calls of an edge that is gone. A field is written when the
 * call is confirmed and at each change, and deleted in the transaction that puts the call's record into the stream.
 */

/**
 * Of the documents below. Edges of the release before adopt calls of this one and the other way round while a system is being
 * replaced: each change of the document has a new version, and `held-call-versions.ts` reads the one before.
 */
export const heldCallVersion = 4;

/** Hash: process (edge id and a random part) → JSON of a `HolderFacts`. */
export const holdersKey = 'demarc:call-holders';

/** Hash: call id → sealed octets: JSON of a `HeldCall`, a line feed, and its messages so far as entries of `hep/trace-frame.ts`. */
export const heldCallsKey = (holder: string): string => `demarc:held-calls:${holder}`;

/** Lives while its process renews it: only then are the calls its own. */
export const holderLeaseKey = (holder: string): string => `demarc:call-holder:${holder}`;

/** Name of the holder that has adopted the calls of this one; until then absent. A process that finds it has lost its calls. */
export const adoptedByKey = (holder: string): string => `demarc:calls-adopted:${holder}`;

/**
 * Hash: the held calls of a holder whose calls are being adopted, in portions and by several edges. They are moved here in one step, so
 * that nothing that the holder still writes counts.
 */
export const leftCallsKey = (holder: string): string => `demarc:left-calls:${holder}`;

/** Longer than any call lasts. */
export const heldCallsMilliseconds = 2 * 86_400_000;

export const holderFactsSchema = z.object({
  edge_id: z.string(),
  /** Of the engine process that has its dialogs. */
  engine: z.string(),
  /** Its listeners: only one process at a time has them, so another engine with the same ones has replaced that one. */
  listeners: z.string().default(''),
  /** Names under which the engine keeps them: its own, and those of holders whose calls it is adopting. */
  owners: z.array(z.string()),
  /** It is stopping, so other holders leave no calls to it. */
  is_leaving: z.boolean().default(false),
  /** It has left its calls to the others. */
  has_left: z.boolean().default(false),
  /** The holder that its call was left for (`call-move.ts`): while that one lives, no other adopts it. */
  left_for: z.string().nullable().default(null),
  /** Where others on its machine can see whether it runs. */
  process: z
    .object({
      /** Where the pid has a meaning. */
      space: z.string(),
      pid: z.int().positive(),
      /** Distinguishes it from a later one with the same pid. */
      started: z.string(),
    })
    .nullable()
    .default(null),
  /** Where it answers pings of edges on other machines; null: nowhere. */
  ping: z.object({ host: z.string(), port: z.int() }).nullable().default(null),
  /** Of the documents of its calls. An edge that reads only earlier ones leaves them to others. */
  document_version: z.int().default(1),
  /** Unix milliseconds of the last renewal. */
  at: z.number(),
});
export type HolderFacts = z.infer<typeof holderFactsSchema>;

/** Unix milliseconds. */
const moment = z.number().int();

const leg = z.strictObject({
  role: z.enum(['uas', 'uac']),
  sip_call_id: z.string(),
  /** The engine's id of the dialog. */
  dialog_id: z.string(),
  local_tag: z.string(),
  /** Empty: the peer has none (RFC 2543). */
  remote_tag: z.string(),
  /** From and To of our requests, without tags. */
  local_party: z.string(),
  remote_party: z.string(),
  /** Request-URI of the INVITE. */
  request_uri: z.string(),
  /** Our Contact, as a header value. */
  local_contact: z.string(),
  /** Remote target (RFC 3261 §12.1): the peer's Contact. */
  remote_target: z.string(),
  /** In the order of Record-Route in the message that formed the dialog. */
  record_route: z.array(z.string()),
  /** CSeq number of the INVITE. */
  sequence: z.number().int(),
  /** Where the peer's message came from. */
  source: z.strictObject({ address: z.string(), port: z.number().int(), protocol: z.string() }),
  /** The peer's Allow; null: it sent none. */
  allow: z.string().nullable(),
  /** Our 200 waits for the peer's ACK. */
  owes_ack: z.boolean(),
  /** RFC 4028; null: none was agreed. `is_ours`: the engine refreshes. */
  session_timer: z.strictObject({ seconds: z.number(), is_ours: z.boolean() }).nullable(),
  /** Last descriptions received from the peer and sent to it. They hold SRTP keys. */
  remote_description: z.string().nullable(),
  local_description: z.string().nullable(),
  /** A transfer has put this peer in the place of the first one. */
  is_new_party: z.boolean(),
  /** User of the number's credentials that answers this peer's challenges; null: none. */
  credential: z.string().nullable(),
});

const mediaSide = z.strictObject({
  profile: z.enum(['RTP/SAVP', 'RTP/AVP']),
  /** Of the `o=` line that this side was sent last (RFC 3264 §8). */
  session_id: z.number().int(),
  version: z.number().int(),
  /** The egress policy decides on its addresses. */
  is_foreign: z.boolean(),
  /** Setting of the number for symmetric RTP; absent: the edge's settings decide. */
  is_symmetric: z.boolean().optional(),
  /** Where its packets come from (symmetric RTP); absent: from the described address. */
  learned: z.strictObject({ described: z.string(), address: z.string(), port: z.number().int() }).optional(),
});

const heldMediaSchema = z.strictObject({
  /** rtpengine's call-id. */
  id: z.string(),
  node: z.string().nullable(),
  codecs: codecPolicySchema,
  group: z.string(),
  plays_digits: z.boolean(),
  /** A tag that rtpengine knows from the first command on. */
  first_offerer: z.enum(['trunk', 'agent']),
  /** Who made the offer that is agreed; null: nothing is. */
  offerer: z.enum(['trunk', 'agent']).nullable(),
  /** Why the parties do not hear each other; null: they do. */
  held: z.enum(['music', 'silence']).nullable(),
  sides: z.strictObject({ trunk: mediaSide, agent: mediaSide }),
});
export type HeldMedia = z.infer<typeof heldMediaSchema>;

/** A slot of a call that was not ordered, in the hash of its number's slots (`contract/keys.ts`). */
const sharedSlotSchema = z.strictObject({
  number: z.string(),
  id: z.string(),
  /** The key that it is counted under. */
  key: z.string(),
});
export type SharedSlot = z.infer<typeof sharedSlotSchema>;

/**
 * An answered call, as the process that holds it would hand it over to another one. Secret: descriptions hold keys, so the
 * document is sealed before it leaves the process.
 */
export const heldCallSchema = z.strictObject({
  version: z.literal(heldCallVersion),
  call_id: z.string(),
  direction: z.enum(['inbound', 'outbound']),
  phase: z.enum(['answered', 'confirmed']),
  /** The API ordered it: its progress is reported in the order's hash. */
  is_ordered: z.boolean(),
  organization: z.string().nullable(),
  number: z.string().nullable(),
  from: z.string(),
  to: z.string(),
  source: z.strictObject({ address: z.string(), port: z.number().int(), protocol: z.string() }),
  agent_uri: z.string().nullable(),
  /** Absent: no agent test. */
  test_run_id: z.string().optional(),
  sip_call_ids: z.strictObject({ trunk: z.string(), agent: z.string().nullable() }),
  earlier_sip_call_ids: z.array(z.string()),
  other_agent_sip_call_ids: z.array(z.string()),
  attempts: z.array(attemptSchema),
  started_at: moment,
  ringing_at: moment.nullable(),
  answered_at: moment,
  sip_status: z.number().int().nullable(),
  sip_reason: z.string().nullable(),
  /** Absent: its dialog is not there yet, or has ended while a transfer runs. */
  legs: z.strictObject({ trunk: leg.nullable(), agent: leg.nullable() }),
  media: heldMediaSchema.nullable(),
  /** rtpengine's call-id of the replacement session, or null. */
  next_media_id: z.string().nullable(),
  /** True: an offer waits for its answer, so a side may hold either description. */
  is_modifying: z.boolean(),
  is_transferring: z.boolean(),
  /** The transfer under way; null: none, or it has its outcome. */
  open_transfer: z
    .strictObject({
      mode: z.enum(['refer', 'bridge', 'attended', 'replaced']),
      requested_by: z.enum(['trunk', 'agent', 'api']),
      target: z.string(),
      requested_at: z.string(),
      /** rtpengine's call-id of the session with the new party. */
      media_id: z.string().nullable(),
      /** The transferor waits for the NOTIFY with the outcome; `id`: as in its `Event`. */
      subscription: z
        .strictObject({ side: z.enum(['trunk', 'agent']), id: z.string().nullable() })
        .nullable(),
    })
    .nullable(),
  /** Its slots within limits that all edges share. */
  shared_slots: z.array(sharedSlotSchema),
  transfers: z.array(transferRecordSchema),
  header_mappings: outboundHeaderMappingsSchema,
  maximum_seconds: z.number(),
  deadline: z
    .strictObject({
      kind: z.enum(['agent_response', 'agent_answer', 'trunk_progress', 'trunk_answer', 'maximum_duration']),
      at: z.number(),
    })
    .nullable(),
  /** Edges that held the call before, and when each of them was replaced. */
  adoptions: z.array(z.strictObject({ at: moment, edge_id: z.string() })),
  /** What the agent noted. */
  agent_metadata: agentMetadataSchema,
  /** Of its audio; absent: it was never sampled. */
  samples: qualitySamplesSchema.optional(),
  /** Media nodes that were lost, as in the call record. */
  media_moves: z.array(
    z.strictObject({ at: moment, from: z.string().nullable(), to: z.string(), milliseconds: z.number() }),
  ),
});

export type HeldCall = z.infer<typeof heldCallSchema>;
export type HeldLeg = HeldCall['legs']['trunk'];
