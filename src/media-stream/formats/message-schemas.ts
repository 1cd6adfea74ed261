import { z } from 'zod';
import { agentMetadataSchema } from '../../contract/agent-metadata.js';

/** The messages of both formats as JSON, for `docs/agent-websocket.schema.json` and tests. What is read from bots is in the formats. */

const sid = (prefix: string) => z.string().regex(new RegExp(`^${prefix}[0-9a-f]{32}$`));
const [streamSid, callSid, accountSid] = [sid('MZ'), sid('CA'), sid('AC')];
/** Numbers as texts. */
const count = z.string().regex(/^[0-9]+$/);
const digit = z.string().regex(/^[0-9*#A-D]$/);
const payload = z.base64();
const texts = z.record(z.string(), z.string());
const reason = z.string().max(120).optional();
const markName = z.string().max(500);
const heard = z.int().min(0).describe('Milliseconds of audio that the caller has been sent since the answer');

const played = { id: z.string().optional(), url: z.string(), played: z.boolean(), played_ms: heard };
const playFailed = { id: z.string().optional(), url: z.string(), reason: z.string() };
const transferFailed = { status: z.int().min(300).max(699), reason: z.string() };
const metadataFailed = { reason: z.string() };
const hears = {
  party: z.enum(['caller', 'target']),
  address: z.string().optional().describe('Of the target, as the transfer was ordered'),
};

const numbered = { sequenceNumber: count, streamSid };
const answer = <Name extends string, Shape extends z.ZodRawShape>(event: Name, shape: Shape) =>
  z.strictObject({ event: z.literal(event), ...numbered, [event]: z.strictObject(shape) });

/** `media-streams`, to the bot. */
export const mediaStreamsToBot = z.union([
  z.strictObject({
    event: z.literal('connected'),
    protocol: z.literal('Call'),
    version: z.literal('1.0.0'),
  }),
  z.strictObject({
    event: z.literal('start'),
    ...numbered,
    start: z.strictObject({
      accountSid,
      streamSid,
      callSid,
      tracks: z.tuple([z.literal('inbound')]),
      mediaFormat: z.strictObject({
        encoding: z.literal('audio/x-mulaw'),
        sampleRate: z.literal(8_000),
        channels: z.literal(1),
      }),
      customParameters: texts,
      reconnected: z.literal(true).optional(),
    }),
  }),
  z.strictObject({
    event: z.literal('media'),
    ...numbered,
    media: z.strictObject({
      track: z.literal('inbound'),
      chunk: count,
      timestamp: count.describe('Milliseconds since the first frame'),
      payload,
    }),
  }),
  z.strictObject({
    event: z.literal('dtmf'),
    ...numbered,
    dtmf: z.strictObject({ track: z.literal('inbound_track'), digit }),
  }),
  z.strictObject({ event: z.literal('mark'), ...numbered, mark: z.strictObject({ name: markName }) }),
  z.strictObject({ event: z.literal('stop'), ...numbered, stop: z.strictObject({ accountSid, callSid }) }),
  answer('played', played),
  answer('play_failed', playFailed),
  answer('transfer_failed', transferFailed),
  answer('metadata_failed', metadataFailed),
  answer('hears', hears),
]);

/** `pcm` with the preamble `demarc`, to the bot; audio is in binary messages. */
export const pcmToBot = z.union([
  z.strictObject({
    event: z.literal('start'),
    version: z.literal(1),
    stream_id: streamSid,
    call_id: callSid,
    account_id: accountSid,
    from: z.string(),
    to: z.string(),
    direction: z.enum(['inbound', 'outbound']),
    sip_call_id: z.string(),
    reconnected: z.boolean(),
    media: z.strictObject({
      encoding: z.literal('pcm_s16le'),
      sample_rate: z.union([z.literal(8_000), z.literal(16_000), z.literal(24_000)]),
      channels: z.literal(1),
      frame_ms: z.literal(20),
    }),
    agent: texts.optional(),
    headers: texts,
    parameters: texts,
  }),
  z.strictObject({ event: z.literal('mark'), name: markName, played: z.boolean(), played_ms: heard }),
  z.strictObject({ event: z.literal('dtmf'), digit }),
  z.strictObject({ event: z.literal('stop'), reason: z.string() }),
  z.strictObject({ event: z.literal('played'), ...played }),
  z.strictObject({ event: z.literal('play_failed'), ...playFailed }),
  z.strictObject({ event: z.literal('transfer_failed'), ...transferFailed }),
  z.strictObject({ event: z.literal('metadata_failed'), ...metadataFailed }),
  z.strictObject({ event: z.literal('hears'), ...hears }),
]);

/** Commands of both formats. Bots may add fields: they have no effect. */
export const commandsOfBot = z.union([
  z.object({ event: z.literal('hangup'), reason }),
  z.object({ event: z.literal('transfer'), to: z.string().min(1).max(256) }),
  z.object({ event: z.literal('transfer'), call: callSid }),
  z.object({ event: z.literal('hold'), on: z.boolean().optional() }),
  z.object({
    event: z.literal('send_dtmf'),
    digits: z.string().regex(/^[0-9*#A-Dw,]{1,64}$/),
    duration_ms: z.int().min(40).max(2_000).optional(),
  }),
  z.object({
    event: z.literal('play'),
    url: z.string().min(1).max(2_000),
    id: z.string().min(1).max(64).optional(),
  }),
  z.object({ event: z.literal('metadata'), values: agentMetadataSchema }),
  z.object({ event: z.literal('log'), text: z.string().min(1).max(500) }),
  z.object({ event: z.literal('accept') }),
  z.object({ event: z.literal('reject'), status: z.int().min(400).max(699).optional(), reason }),
]);

export const mediaStreamsFromBot = z.union([
  z.object({ event: z.literal('media'), media: z.object({ payload }) }),
  z.object({ event: z.literal('mark'), mark: z.object({ name: markName }) }),
  z.object({ event: z.literal('clear') }),
  commandsOfBot,
]);

export const pcmFromBot = z.union([
  z.object({ event: z.literal('mark'), name: markName }),
  z.object({ event: z.literal('clear') }),
  commandsOfBot,
]);

/** One definition for each direction of each format. */
export function messagesSchema(): object {
  const definition = (schema: z.ZodType) => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema);
    return rest;
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Messages between Demarc and agents by WebSocket',
    $defs: {
      media_streams_to_bot: definition(mediaStreamsToBot),
      media_streams_from_bot: definition(mediaStreamsFromBot),
      pcm_to_bot: definition(pcmToBot),
      pcm_from_bot: definition(pcmFromBot),
    },
  };
}
