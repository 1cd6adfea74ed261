import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { readOrder } from '../../../../src/media-stream/formats/bot-orders.js';
import { MediaStreamsFormat } from '../../../../src/media-stream/formats/media-streams.js';
import {
  commandsOfBot,
  mediaStreamsFromBot,
  mediaStreamsToBot,
  messagesSchema,
  pcmFromBot,
  pcmToBot,
} from '../../../../src/media-stream/formats/message-schemas.js';
import { PcmFormat } from '../../../../src/media-stream/formats/pcm.js';

const schemaFile = 'docs/agent-websocket.schema.json';
const document = readFileSync('docs/agent-websocket.md', 'utf8');
/** The part of a section of the document. */
const section = (heading: string): string => document.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!;
const examples = (heading: string): object[] =>
  [...section(heading).matchAll(/```json\n(.*?)\n```/gs)].map(([, json]) => JSON.parse(json!) as object);
const inlineExamples = (text: string): object[] =>
  [...text.matchAll(/`(\{"event":.*?\})`/g)].map(
    ([, json]) => JSON.parse(json!.replace('CA9e10…', call)) as object,
  );

const call = `CA${'2'.repeat(32)}`;
const facts = {
  streamSid: `MZ${'1'.repeat(32)}`,
  callSid: call,
  accountSid: `AC${'3'.repeat(32)}`,
  from: '+13125550100',
  to: '+13125550199',
  direction: 'inbound',
  sipCallId: 'abc@trunk',
  parameters: { tenant: 'blue' },
  headers: { 'x-customer': '4711' },
  agent: { persona_id: 'p' },
  isReconnected: true,
} as const;

const accepts = (schema: z.ZodType, messages: readonly object[]): void => {
  expect(messages.length).toBeGreaterThan(0);
  for (const message of messages)
    expect(schema.safeParse(message).error?.message, JSON.stringify(message)).toBeUndefined();
};

describe('the JSON schema of the messages', () => {
  it('is the one in the documentation', () => {
    const schema = messagesSchema();
    // `UPDATE_SCHEMA=1 npx vitest run --project unit <this file>` writes it.
    if (process.env.UPDATE_SCHEMA === '1') writeFileSync(schemaFile, JSON.stringify(schema));
    expect(JSON.parse(readFileSync(schemaFile, 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
  });

  it('accepts every example of the documentation', () => {
    const isFromBot = (message: object): boolean => 'streamSid' in message && !('sequenceNumber' in message);
    const streams = examples('`media-streams`');
    accepts(
      mediaStreamsToBot,
      streams.filter((message) => !isFromBot(message)),
    );
    accepts(mediaStreamsFromBot, streams.filter(isFromBot));
    accepts(pcmToBot, [...examples('`pcm`'), ...examples('Commands')]);
    accepts(pcmFromBot, inlineExamples(section('`pcm`')));
    accepts(commandsOfBot, inlineExamples(section('Commands')));
  });

  it('accepts every message that the formats write', () => {
    const streams = new MediaStreamsFormat('PCMU');
    const pcm = new PcmFormat('PCMU', { sampleRate: 24_000, preamble: 'demarc' });
    const url = 'https://example.com/hello.wav';
    for (const [format, schema] of [
      [streams, mediaStreamsToBot],
      [pcm, pcmToBot],
    ] as const) {
      const messages = [
        ...format.opening(facts),
        ...(format.hasTextAudio ? [format.media(new Uint8Array(160), 20).toString()] : []),
        format.digit('#'),
        format.mark('end', false, 12.4),
        format.notice('played', { url, played: true, played_ms: 40 }),
        format.notice('play_failed', { id: 'a', url, reason: 'the server answered 404' }),
        format.notice('transfer_failed', { status: 486, reason: 'Busy' }),
        format.notice('metadata_failed', { reason: 'too many' }),
        format.notice('hears', { party: 'target', address: '+13125550123' }),
        format.notice('hears', { party: 'caller' }),
        format.ending('hangup'),
      ];
      accepts(
        schema,
        messages.map((message) => JSON.parse(String(message)) as object),
      );
    }
  });

  it('accepts the commands that are read, and no others', () => {
    const commands: readonly (readonly [object, boolean])[] = [
      [{ event: 'hangup' }, true],
      [{ event: 'transfer', to: '+13125550123' }, true],
      [{ event: 'transfer', call }, true],
      [{ event: 'transfer' }, false],
      [{ event: 'hold' }, true],
      [{ event: 'hold', on: 'yes' }, false],
      [{ event: 'send_dtmf', digits: '1w2', duration_ms: 40 }, true],
      [{ event: 'send_dtmf', digits: '1', duration_ms: 20 }, false],
      [{ event: 'send_dtmf', digits: 'x' }, false],
      [{ event: 'play', url: 'https://example.com/a.wav', id: 'a' }, true],
      [{ event: 'play' }, false],
      [{ event: 'metadata', values: { intent: 'billing' } }, true],
      [{ event: 'metadata', values: { 'two words': '' } }, false],
      [{ event: 'metadata', values: { count: 3 } }, false],
      [{ event: 'log', text: 'hello' }, true],
      [{ event: 'log' }, false],
      [{ event: 'accept' }, true],
      [{ event: 'reject', status: 486, reason: 'busy' }, true],
      [{ event: 'reject', status: 200 }, false],
    ];
    for (const [command, isRead] of commands) {
      const read = readOrder((command as { event: string }).event, command);
      expect(read !== undefined && 'order' in read, JSON.stringify(command)).toBe(isRead);
      expect(commandsOfBot.safeParse(command).success, JSON.stringify(command)).toBe(isRead);
    }
  });
});
