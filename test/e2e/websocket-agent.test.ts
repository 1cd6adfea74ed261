import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hearTone } from '../../dev/softphone/tone.js';
import { until } from '../../src/testkit/waiting.js';
import { type BotStream, StreamBot } from '../support/stream-bot.js';
import { waitForTone } from './hearing.js';
import { phoneToneHertz, Stack } from './stack.js';

const botHertz = 600;

let stack: Stack;
let bot: StreamBot;
beforeAll(async () => {
  stack = await Stack.start();
  await stack.startMediaStream();
  bot = await StreamBot.start({ certificate: await stack.authority.issue('bot', ['localhost']) });
});
afterAll(async () => {
  await bot?.stop();
  await stack?.finish();
});
afterEach(() => stack.endTest());

/** A number whose agent is the bot. */
const number = (fields: Record<string, unknown> = {}): Promise<string> =>
  stack.number({ inbound: { agent_uri: bot.url(), streams: [{ url: bot.url(), ...fields }] } });

const heardByBot = (stream: BotStream, hertz: number): number =>
  hearTone(
    { samples: Float32Array.from(stream.samples(10), (sample) => sample / 32_768), rate: 8_000 },
    hertz,
  ).seconds;

describe('a number whose agent is a WebSocket server', () => {
  it('takes a call over TLS with SRTP: tones both ways, and the caller hangs up', async () => {
    bot.serve = (stream) => stream.socket.once('message', () => stream.tone(botHertz));
    const called = await number({ parameters: { tenant: 'blue' } });
    const phone = await stack.phone();
    await phone.dial(stack.uri(called));
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    await waitForTone(phone, botHertz, 1);
    const stream = bot.streams.at(-1)!;
    await until(() => heardByBot(stream, phoneToneHertz) >= 1, 20_000, "the caller's tone at the bot");
    await phone.hangup();
    await until(() => stream.closedWith !== undefined, 5_000, 'the end of the stream');
    const [first, second] = stream.messages;
    expect(first).toEqual({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    expect(second).toMatchObject({
      event: 'start',
      sequenceNumber: '1',
      start: {
        streamSid: expect.stringMatching(/^MZ[0-9a-f]{32}$/),
        callSid: expect.stringMatching(/^CA[0-9a-f]{32}$/),
        accountSid: expect.stringMatching(/^AC[0-9a-f]{32}$/),
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
        customParameters: { tenant: 'blue', direction: 'inbound' },
      },
    });
    expect(stream.messages.at(-1)).toMatchObject({ event: 'stop' });
    expect(stream.closedWith).toBe(1_000);
    const record = await stack.recordOf(called);
    expect(record).toMatchObject({ outcome: 'completed', end_reason: 'caller_hung_up' });
  });
});
