import { z } from 'zod';

/**
 * An agent that is a WebSocket server: what control stores of it, what an edge reads, and what the edge orders from a media-stream
 * process. The process knows nothing else of the call: no database, no document of the number.
 */

/** `media-streams`: the public message shapes of Twilio Media Streams, μ-law in base64. `pcm`: JSON control, binary linear samples. */
export const streamFormats = ['media-streams', 'pcm'] as const;
export const streamRates = [8_000, 16_000, 24_000] as const;

/** The bot reads name and value together from one field of 500 characters, as vendors of this format allow. */
const maximumParameterLength = 500;
const maximumParameters = 30;
/** Of all together: the order travels in one header of an INVITE. */
const maximumParametersLength = 4_000;
export const maximumStreamHeaders = 10;

/** Sealed with the service's key (`contract/secret.ts`). */
const sealedSchema = z.string().regex(/^v[12]:[A-Za-z0-9_-]+:[A-Za-z0-9_-]+$/);

const parameterNameSchema = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/);

export const streamParametersSchema = z
  .record(parameterNameSchema, z.string().max(maximumParameterLength))
  .superRefine((parameters, context) => {
    const entries = Object.entries(parameters);
    if (entries.length > maximumParameters)
      context.addIssue({ code: 'custom', message: `at most ${maximumParameters} parameters` });
    let total = 0;
    for (const [name, value] of entries) {
      total += name.length + value.length;
      if (name.length + value.length >= maximumParameterLength)
        context.addIssue({
          code: 'custom',
          path: [name],
          message: `name and value together must be shorter than ${maximumParameterLength} characters`,
        });
    }
    if (total > maximumParametersLength)
      context.addIssue({
        code: 'custom',
        message: `all parameters together have at most ${maximumParametersLength} characters`,
      });
  });

/** Why a text is no URL of a WebSocket agent; undefined: it is one. `ws:` is a matter of settings and addresses, not of this check. */
export function streamUrlProblem(text: string): string | undefined {
  if (text.length > 512) return 'must have at most 512 characters';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'wss:' && url.protocol !== 'ws:')) return 'must be a wss:// URL';
  if (url.hostname === '') return 'must name a host';
  if (url.username !== '' || url.password !== '')
    return 'must not contain a user or password: use headers, which are stored encrypted';
  if (url.search !== '' || text.includes('?'))
    return 'must have no query: it would be in the logs of every proxy. Use parameters or headers';
  if (url.hash !== '' || text.includes('#')) return 'must have no fragment';
  return undefined;
}

export const isStreamUrl = (uri: string): boolean => /^wss?:\/\//i.test(uri);

export const streamUrlSchema = z.string().superRefine((text, context) => {
  const problem = streamUrlProblem(text);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

/** One WebSocket agent, as edges read it. */
export const agentStreamSchema = z.strictObject({
  url: streamUrlSchema,
  format: z.enum(streamFormats).default('media-streams'),
  /** Of `pcm`, in hertz; `media-streams` always has 8000. */
  sample_rate: z.union(streamRates.map((rate) => z.literal(rate))).default(16_000),
  /** Of `pcm`. `listen`: the first message is the one that bots for jambonz `listen` read. */
  preamble: z.enum(['demarc', 'listen']).default('demarc'),
  /** Passed on in `start`. */
  parameters: streamParametersSchema.default({}),
  /** Sealed JSON of header fields of the handshake, such as `Authorization`. */
  headers: sealedSchema.optional(),
  /** Sealed secrets that handshakes are signed with: the current one first, then one that still verifies. */
  signing_secrets: z.array(sealedSchema).max(2).default([]),
  /** When the caller's INVITE is answered: once the bot's server has accepted the stream, or at its first audio. */
  answer_on: z.enum(['start', 'first_audio']).default('start'),
  /** True: the caller hears a soft tone while the bot is silent before its first audio. */
  comfort_tone: z.boolean().default(false),
  /** SIP URI of the agent that takes the call if the bot's connection is lost and cannot be had again; absent: the call ends. */
  fallback: z.string().min(5).max(256).optional(),
});

export type AgentStream = z.infer<typeof agentStreamSchema>;

/** The header of the edge's INVITE to a media-stream process that carries a sealed `StreamOrder`. */
export const streamOrderHeader = 'X-Demarc-Stream';

/** What the edge wants from a media-stream process: one call at one bot. */
export const streamOrderSchema = z.strictObject({
  version: z.literal(1),
  call_id: z.string().min(1).max(64),
  organization: z.string().min(1).max(64),
  /** The other party, as the bot reads it: E.164 where it is a number. */
  from: z.string().max(128),
  to: z.string().max(128),
  direction: z.enum(['inbound', 'outbound']),
  /** Call-ID of the trunk's dialog. */
  sip_call_id: z.string().max(256),
  /** What SIP agents read in `X-Demarc-` headers, such as `persona_id` and `token`. */
  facts: z.record(z.string().max(64), z.string().max(20_000)).optional(),
  stream: agentStreamSchema,
});

export type StreamOrder = z.infer<typeof streamOrderSchema>;

/** Begins the text of the Reason (503) by which a media-stream process refuses a call that another one can take; bots' refusals have other texts. */
export const processRefusal = 'Media stream: ';

/** Set of the media-stream processes that have announced themselves, by id. */
export const streamProcessesKey = 'demarc:media-streams';

/** JSON of a `StreamProcess`; lives while the process renews it. */
export const streamProcessKey = (id: string): string => `demarc:media-stream:${id}`;

/** Written by the process while it runs; its remaining time gives its age. Calls that it left longer ago have been given up by their edges. */
export const streamAliveKey = (id: string): string => `demarc:stream-alive:${id}`;

/** Hash of one process: call id → sealed octets of what its successor continues the call from. */
export const streamCallsKey = (id: string): string => `demarc:stream-calls:${id}`;

/** What edges choose a media-stream process by. */
export const streamProcessSchema = z.object({
  /** SIP URI without user: `sip:10.0.0.4:5090;transport=tcp`. */
  uri: z.string(),
  calls: z.int().min(0),
  /** False: it is stopping, or full. */
  accepts: z.boolean(),
  /** True: it is stopping, and another one usually takes its place. Absent in entries of earlier releases. */
  is_leaving: z.boolean().optional(),
  /** True: its frames are late, so that other processes get the calls where there are some. */
  is_late: z.boolean(),
  /** Milliseconds within which 99 of 100 of its frames leave. */
  lateness_p99: z.number(),
});
export type StreamProcess = z.infer<typeof streamProcessSchema>;

/** JSON of a `BotState`, by call id; lives while the media-stream process of the call renews it. */
export const botStateKey = (callId: string): string => `demarc:bot-state:${callId}`;

/** The connection of an active call to its bot, for people who watch. */
export const botStateSchema = z.object({
  url: z.string(),
  /** False: it is being made, or was lost and is being made again. */
  connected: z.boolean(),
  /** How often it was lost and made again. */
  reconnects: z.int().min(0),
  /** Round trip of the last answered ping; null: none yet. */
  latency_ms: z.number().nullable(),
  /** Audio of the bot that waits to be played. */
  queued_ms: z.number(),
});
export type BotState = z.infer<typeof botStateSchema>;

/** The header of an INFO of the edge, in its dialog with a media-stream process, that carries a sealed `StreamAction`. */
export const streamActionHeader = 'X-Demarc-Stream-Action';

/** Of the call that the dialog is of: a header that was sent in another call's dialog has no effect. */
const acting = { version: z.literal(1), call_id: z.string().min(1).max(64) };

/** What is longer is refused. */
const bounded = { maximum_milliseconds: z.int().min(0).max(600_000) };

/** What the API has a bot's call do. */
export const streamActionSchema = z.discriminatedUnion('action', [
  /** Another bot takes the call, once its server has accepted the connection; else the bot that has it keeps it. */
  z.strictObject({ ...acting, action: z.literal('connect'), stream: agentStreamSchema }),
  /** The caller hears a file at this URL in place of what the bot has queued. */
  z.strictObject({ ...acting, action: z.literal('play'), url: z.string().min(1).max(2_000), ...bounded }),
  /** The same with the sound that Redis has at `streamSoundKey`. */
  z.strictObject({ ...acting, action: z.literal('play_sound'), sound: z.uuid(), ...bounded }),
]);
export type StreamAction = z.infer<typeof streamActionSchema>;

/** The body of the 200 to a `StreamAction`, JSON. */
export const streamActionResultSchema = z.object({
  /** Of what will be played. */
  milliseconds: z.int().min(0),
});

/** The header of a REFER by which a media-stream process hands its caller to the fallback agent: a sealed `StreamFallback`. */
export const streamFallbackHeader = 'X-Demarc-Stream-Fallback';

/** Proves that the target is the fallback agent of the number, which transfer policies do not concern. */
export const streamFallbackSchema = z.strictObject({ ...acting, uri: z.string().min(5).max(256) });
export type StreamFallback = z.infer<typeof streamFallbackSchema>;

/** Content type of the INFO by which a media-stream process reports that its bot is lost for good: JSON of an `AgentLost`. */
export const agentLostType = 'application/vnd.demarc.agent-lost+json';

export const agentLostSchema = z.object({
  /** Why, for the record of the call. */
  detail: z.string().max(300),
});
export type AgentLost = z.infer<typeof agentLostSchema>;

/** μ-law at 8000 Hz, for a minute. */
export const streamSoundKey = (id: string): string => `demarc:stream-sound:${id}`;
