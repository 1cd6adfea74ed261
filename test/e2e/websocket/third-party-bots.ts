import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { RealtimeAgent, RealtimeSession } from '@openai/agents/realtime';
import { TwilioRealtimeTransportLayer } from '@openai/agents-extensions';
import twilio from 'twilio';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Baresip } from '../../../dev/softphone/baresip.js';
import { hearTone } from '../../../dev/softphone/tone.js';
import { botStateKey } from '../../../src/contract/agent-stream.js';
import { callSidOf, idOfSid } from '../../../src/contract/stream-ids.js';
import { until } from '../../../src/testkit/waiting.js';
import { freePort } from '../../support/free-ports.js';
import { TestProcess } from '../../support/processes.js';
import { RealtimeStandIn } from '../../support/realtime-stand-in.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { StreamBot } from '../../support/stream-bot.js';
import { secondsHeard, waitForSilence, waitForTone } from '../hearing.js';
import { phoneToneHertz, type Stack } from '../stack.js';

/** Bots and clients that others have written, unchanged, and our examples, in calls of a softphone over TLS and SRTP. */
const modelHertz = 600;
const folder = join(import.meta.dirname, '..', '..', '..');
const python = '/usr/bin/python3';
const hasWebsockets = spawnSync(python, ['-c', 'import websockets']).status === 0;

let stack: Stack;
let model: RealtimeStandIn;
const running: { stop(): Promise<unknown> }[] = [];

async function startModel(): Promise<void> {
  model = await RealtimeStandIn.start(modelHertz);
  running.push(model);
}

/** A call to a number whose agent is this URL, answered. */
async function call(url: string, stream: Record<string, unknown> = {}) {
  const called = await stack.number({ inbound: { agent_uri: url, streams: [{ url, ...stream }] } });
  const phone = await stack.phone();
  await phone.dial(stack.uri(called));
  await phone.waitFor('CALL_ESTABLISHED', 20_000);
  return { called, phone };
}

/** The model talks and is interrupted; the bot truncates its turn within 300 ms of what the caller has heard. */
async function interruptModel(phone: Baresip): Promise<void> {
  await waitForTone(phone, modelHertz, 1.5);
  const sound = (): number =>
    hearTone(
      { samples: Float32Array.from(model.samples(10), (sample) => sample / 32_768), rate: 8_000 },
      phoneToneHertz,
    ).seconds;
  await until(() => sound() >= 0.5, 20_000, "the caller's tone at the model");
  expect(model.outputFormat).toMatchObject({ type: 'audio/pcmu' });
  const watch = Stopwatch.start();
  model.hearSpeech();
  await until(() => model.of('conversation.item.truncate').length > 0, 5_000, 'the truncation');
  await waitForSilence(phone, modelHertz);
  const heard = secondsHeard(phone, modelHertz);
  const [{ audio_end_ms: end } = {}] = model.of('conversation.item.truncate');
  expect(
    Math.abs(Number(end) - heard * 1_000),
    `heard ${heard} s, truncated at ${String(end)} ms`,
    // Hearing is in windows of 50 ms. What the bot sends to stop the audio waits for a processor in two processes.
  ).toBeLessThan(watch.bound(300));
  expect(model.errors).toEqual([]);
}

export function thirdPartyBots(stage: () => Stack): void {
  describe('bots that others have written', () => {
    beforeAll(() => {
      stack = stage();
    });

    afterEach(async () => {
      for (const each of running.splice(0)) await each.stop();
    });

    describe("OpenAI's agents SDK with its Twilio transport", () => {
      it('answers a call, and truncates the model’s turn at what was heard when it is interrupted', async () => {
        await startModel();
        const bot = await StreamBot.start({ certificate: await stack.authority.issue('sdk', ['localhost']) });
        running.push(bot);
        const failures: unknown[] = [];
        bot.serve = ({ socket }) => {
          const transport = new TwilioRealtimeTransportLayer({ twilioWebSocket: socket });
          const agent = new RealtimeAgent({ name: 'Front desk', instructions: 'Answer the phone.' });
          // Without formats the SDK asks the model for 24 kHz, which it would pass on as μ-law.
          const format = { type: 'audio/pcmu' } as const;
          const config = { audio: { input: { format }, output: { format } } };
          const session = new RealtimeSession(agent, {
            transport,
            config,
            model: 'stand-in',
            tracingDisabled: true,
          });
          session.on('error', (error) => failures.push(error));
          session.connect({ apiKey: RealtimeStandIn.key, url: model.url }).then(
            () => session.sendMessage('Greet the caller.'),
            (error: unknown) => failures.push(error),
          );
        };
        const { called, phone } = await call(bot.url());
        await interruptModel(phone);
        expect(failures).toEqual([]);
        await phone.hangup();
        await until(() => !model.isConnected, 5_000, 'the session of the model ends with the call');
        expect(await stack.recordOf(called)).toMatchObject({ outcome: 'completed' });
      });
    });

    describe('the example bridge to a Realtime endpoint', () => {
      it('lets the model talk, and truncates its turn at what was heard', async () => {
        await startModel();
        const port = await freePort();
        const bridge = new TestProcess(process.execPath, [join(folder, 'examples', 'realtime-bridge.mjs')], {
          env: {
            ...process.env,
            PORT: String(port),
            REALTIME_URL: model.url,
            REALTIME_KEY: RealtimeStandIn.key,
          },
        });
        running.push(bridge);
        await bridge.line(/A bot waits/, 20_000);
        const { called, phone } = await call(`ws://127.0.0.1:${port}/`);
        await interruptModel(phone);
        await phone.hangup();
        await until(() => !model.isConnected, 5_000, 'the session of the model ends with the call');
        expect(await stack.recordOf(called)).toMatchObject({ outcome: 'completed' });
      });
    });

    describe("Twilio's SDK at a bot", () => {
      it('validates the signature of the handshake over the configured URL', async () => {
        const bot = await StreamBot.start({
          certificate: await stack.authority.issue('signed', ['localhost']),
        });
        running.push(bot);
        const secret = 'signing secret';
        const { called, phone } = await call(bot.url(), {
          signing_secrets: [stack.sealStreamSecret(secret)],
        });
        const [stream] = bot.streams;
        const callId = String(stream!.headers['x-demarc-call-id']);
        const key = botStateKey(idOfSid(callId, 'CA')!);
        let state: string | null = null;
        await until(
          async () => {
            state = await stack.redisClient.get(key);
            return state?.includes('"connected":true') === true && !state.includes('"latency_ms":null');
          },
          10_000,
          () => `the state of the bot: ${state}`,
        );
        expect(JSON.parse(state!)).toMatchObject({ url: bot.url(), reconnects: 0 });
        const signature = String(stream!.headers['x-twilio-signature']);
        const validates = (key: string, url: string): boolean =>
          twilio.validateRequest(key, signature, url, {});
        expect(validates(secret, bot.url())).toBe(true);
        expect(validates('another secret', bot.url())).toBe(false);
        expect(validates(secret, bot.url('/other'))).toBe(false);
        await phone.hangup();
        const record = await stack.recordOf(called);
        expect(stream!.start).toMatchObject({ start: { callSid: callSidOf(record.call_id) } });
      });
    });

    describe('a bot in Python on python3-websockets', () => {
      beforeEach(({ skip }) => skip(!hasWebsockets, 'the package python3-websockets is not installed'));

      it('answers over TLS, repeats the caller, gets digits and marks, and hangs up', async () => {
        const { certFile, keyFile } = await stack.authority.issue('python', ['localhost']);
        const port = await freePort();
        const bot = new TestProcess(python, [
          join(import.meta.dirname, 'echo_bot.py'),
          certFile,
          keyFile,
          String(port),
        ]);
        running.push(bot);
        await bot.line(/^ready/m, 20_000);
        const { called, phone } = await call(`wss://localhost:${port}/`);
        await waitForTone(phone, phoneToneHertz, 0.5);
        await phone.sendDtmf('7');
        await phone.waitFor('CALL_CLOSED', 10_000);
        await until(() => bot.output.includes('mark digit'), 5_000, 'the mark');
        expect(bot.output).toContain('digit 7');
        expect(await stack.recordOf(called)).toMatchObject({ outcome: 'completed', ended_by: 'agent' });
      });
    });
  });
}
