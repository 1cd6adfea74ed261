import { z } from 'zod';
import { agentStreamSchema } from './agent-stream.js';
import { attemptSchema } from './call-record.js';
import { agentUriSchema, maximumKnowledgeBases, voiceSchema } from './number.js';

/** Digits as one presses them, `w` for half a second of waiting. */
export const dtmfSequenceSchema = z
  .string()
  .regex(/^[0-9*#w]{1,64}$/, 'Must be 1 to 64 characters of 0-9, *, # and w');

/** A variable becomes a header of an INVITE, which over UDP has little room. */
export const maximumVariableLength = 256;

/** Id of a persona, a tool or a knowledge base: a UUID, an id of this service, or of an earlier one (`KB-…`). */
export const agentReferenceSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/, 'Must be an id: letters, digits, hyphens and underscores');
export const maximumTools = 100;

/** An order to place a call. An edge claims it before it dials; a claimed order is never dialled again. */
export const callCommandSchema = z.strictObject({
  version: z.literal(1),
  call_id: z.uuid(),
  organization: z.string().min(1).max(64),
  /** E.164 digits without plus: the attached number that calls, and the number that is called. */
  number: z.string().regex(/^[0-9]{3,15}$/),
  phone_number: z.string().regex(/^[0-9]{3,15}$/),
  max_duration_seconds: z.int().min(1).max(86_400),
  /** Sent to the trunk when it has answered, before the agent is heard. */
  precall_dtmf_sequence: dtmfSequenceSchema.optional(),
  /** For the agent, as `X-Demarc-Persona-ID`, `X-Demarc-Persona-Version` and `X-Demarc-Tools`. */
  persona_id: agentReferenceSchema.optional(),
  persona_version: z.int().min(1).optional(),
  /** As `X-Demarc-Pathway-ID`, `X-Demarc-Pathway-Version` and `X-Demarc-Voice`. */
  pathway_id: z.uuid().optional(),
  pathway_version: z.int().min(1).optional(),
  voice: voiceSchema.optional(),
  tools: z.array(agentReferenceSchema).max(maximumTools).optional(),
  /** Knowledge bases of persona and pathway and those among the tools, as `X-Demarc-Knowledge`. */
  knowledge_ids: z.array(z.uuid()).max(maximumKnowledgeBases).optional(),
  /** Of the order, for the number's header mappings; what the agent says under the same name goes before. */
  variables: z.record(z.string().max(64), z.string().max(maximumVariableLength)).optional(),
  /** The agent of this call in place of the number's; a WebSocket server has its `stream` beside it. */
  agent_uri: agentUriSchema.optional(),
  stream: agentStreamSchema.optional(),
  /** Not taken into the number's line after this moment: no edge was there. */
  expires_at: z.iso.datetime(),
  /** Not dialled after this moment, however long the line is; absent: `expires_at`. */
  wait_until: z.iso.datetime().optional(),
  /** No agent is called: an announcement is played to the trunk, and the number itself is called at its server. */
  test: z.literal(true).optional(),
});
export type CallCommand = z.infer<typeof callCommandSchema>;

/** How long an order waits for an edge. */
export const orderSeconds = 60;

/** What an ordered call has come to. `expired`: no edge took it in time, or its turn did not come in time. `ended`: its record is on the way or there. */
const orderedPhases = ['claimed', 'dialling', 'ringing', 'answered', 'ended', 'expired'] as const;
export type OrderedPhase = (typeof orderedPhases)[number];

/** The progress of an ordered call, in the terms of its record. Moments are ISO 8601 in UTC. */
export const callProgressSchema = z.object({
  started_at: z.string(),
  ringing_at: z.string().nullable(),
  answered_at: z.string().nullable(),
  /** The last one has no status while it is under way. */
  attempts: z.array(attemptSchema),
  on_hold: z.boolean(),
});
export type CallProgress = z.infer<typeof callProgressSchema>;

/**
 * The fields of an ordered call's hash. `ordered` is written with the order; `command` and `until` (Unix milliseconds) when an
 * edge has taken it into the number's line. `claimed_by` names the process and is written once, by the process that takes the call out
 * of the line. `stop` is set before the message on the stop channel. `progress` is JSON of a `CallProgress`.
 */
export interface OrderedCall {
  readonly ordered?: string;
  readonly command?: string;
  readonly until?: string;
  readonly claimed_by?: string;
  readonly phase?: OrderedPhase;
  readonly stop?: string;
  readonly progress?: string;
}

/** The hash outlives every order, every retry and the longest usual call. */
export const orderedCallSeconds = 86_400;
/** A process that has not said for this long that it lives is dead; it says so every two seconds. */
export const edgeLeaseMilliseconds = 8_000;

/** Orders of one millisecond keep their order. */
export const lineScoreFactor = 4_096;

/** The place in a number's line of an order with that id in the stream (`milliseconds-sequence`). */
export function lineScore(entryId: string): number {
  const [milliseconds, sequence] = entryId.split('-').map(Number);
  return (milliseconds ?? 0) * lineScoreFactor + Math.min(sequence ?? 0, lineScoreFactor - 1);
}
