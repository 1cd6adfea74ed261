import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Baresip } from '../../dev/softphone/baresip.js';
import { hearTone } from '../../dev/softphone/tone.js';
import type { CallRecord } from '../../src/contract/call-record.js';
import { callCommandSchema } from '../../src/contract/commands.js';
import { commandStream } from '../../src/contract/keys.js';
import { traceparentOf } from '../../src/contract/trace-context.js';
import { decode } from '../../src/rtp/g711.js';
import { until } from '../../src/testkit/waiting.js';
import { Stopwatch } from '../support/stopwatch.js';
import { type BotStream, StreamBot, toneOctets } from '../support/stream-bot.js';
import { secondsHeard, waitForSilence, waitForTone } from './hearing.js';
import { agentToneHertz, phoneToneHertz, Stack } from './stack.js';
import { thirdPartyBots } from './websocket/third-party-bots.js';

const botHertz = 600;
const fileHertz = 900;

let stack: Stack;
let bot: StreamBot;
beforeAll(async () => {
  stack = await Stack.start({ edge: { DEMARC_TRACE_CONTEXT: 'true' } });
  await stack.startMediaStream();
  bot = await StreamBot.start({ certificate: await stack.authority.issue('bot', ['localhost']) });
});
afterAll(async () => {
  await bot?.stop();
  await stack?.finish();
});
afterEach(async () => {
  bot.refuse = () => undefined;
  await stack.endTest();
});

thirdPartyBots(() => stack);

/** With other settings. */
async function restartMediaStream(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  await stack.mediaStream!.stop();
  await stack.startMediaStream(environment);
}

/** A number whose agent is the bot. */
const number = (
  fields: Record<string, unknown> = {},
  more: Omit<Parameters<Stack['number']>[0] & object, 'inbound'> = {},
): Promise<string> =>
  stack.number({ ...more, inbound: { agent_uri: bot.url(), streams: [{ url: bot.url(), ...fields }] } });

const sound = (samples: Int16Array, rate = 8_000) => ({
  samples: Float32Array.from(samples, (sample) => sample / 32_768),
  rate,
});

const heardByBot = (stream: BotStream, hertz: number): number =>
  hearTone(sound(stream.samples(10)), hertz).seconds;

/** Plays the bot's tone as soon as the stream has begun. */
const playTone = (stream: BotStream): void => {
  stream.socket.once('message', () => stream.tone(botHertz));
};

interface Talk {
  readonly called: string;
  readonly phone: Baresip;
  readonly stream: BotStream;
}

/** A call that is answered by the bot, and whose tones are heard both ways. */
async function talk(
  fields: Record<string, unknown> = {},
  more: Parameters<typeof number>[1] = {},
): Promise<Talk> {
  const called = await number(fields, more);
  const phone = await stack.phone();
  await phone.dial(stack.uri(called));
  await phone.waitFor('CALL_ESTABLISHED', 20_000);
  await waitForTone(phone, botHertz, 0.5);
  const stream = bot.streams.at(-1)!;
  await until(() => heardByBot(stream, phoneToneHertz) >= 0.5, 20_000, "the caller's tone at the bot");
  return { called, phone, stream };
}

async function refused(called: string): Promise<{ readonly phone: Baresip; readonly record: CallRecord }> {
  const phone = await stack.phone();
  await phone.dial(stack.uri(called));
  await phone.waitFor('CALL_CLOSED', 20_000);
  return { phone, record: await stack.recordOf(called) };
}

describe('a number whose agent is a WebSocket server', () => {
  it('takes a call over TLS with SRTP: tones both ways, and the caller hangs up', async () => {
    bot.serve = playTone;
    const { called, phone, stream } = await talk({ parameters: { tenant: 'blue' } });
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
        customParameters: {
          tenant: 'blue',
          direction: 'inbound',
          from_number: 'caller',
          to_number: `+${called}`,
          From: 'caller',
        },
      },
    });
    const media = stream.of('media').map(({ media }) => media as { chunk: string; timestamp: string });
    expect(media.map(({ chunk }) => chunk)).toEqual(media.map((_, index) => String(index + 1)));
    expect(media.map(({ timestamp }) => timestamp)).toEqual(media.map((_, index) => String(index * 20)));
    expect(stream.messages.at(-1)).toMatchObject({ event: 'stop' });
    expect(stream.closedWith).toBe(1_000);
    const record = await stack.recordOf(called);
    expect(record).toMatchObject({ outcome: 'completed', end_reason: 'caller_hung_up' });
    // The trace of the call continues at the bot.
    expect(stream.headers.traceparent).toBe(traceparentOf(record.call_id, 'agent', 1));
  });

  it('is heard in A-law, and where the trunk has Opus or G.722 alone', async () => {
    bot.serve = playTone;
    for (const [codec, name] of [
      ['PCMA/8000/1', 'PCMA'],
      ['opus/48000/2', 'opus'],
      ['G722/16000/1', 'G722'],
    ] as const) {
      const called = await number({}, { codecs: { order: [name], transcode: false } });
      const phone = await stack.phone({ codecs: [codec] });
      await phone.dial(stack.uri(called));
      await phone.waitFor('CALL_ESTABLISHED', 20_000);
      await waitForTone(phone, botHertz, 0.5);
      const stream = bot.streams.at(-1)!;
      await until(() => heardByBot(stream, phoneToneHertz) >= 0.5, 20_000, `the tone over ${name}`);
      await phone.hangup();
      expect((await stack.recordOf(called)).media?.trunk_codec).toBe(name);
    }
  });

  it('ends the call when it closes the stream', async () => {
    bot.serve = playTone;
    const { called, phone, stream } = await talk();
    stream.socket.close();
    await phone.waitFor('CALL_CLOSED', 5_000);
    expect(await stack.recordOf(called)).toMatchObject({ end_reason: 'agent_hung_up', ended_by: 'agent' });
    expect(bot.streams.at(-1)).toBe(stream);
  });

  it('silences its audio at the phone within 0.3 s of clear, and gets all its marks back', async () => {
    bot.serve = (stream) => {
      stream.socket.once('message', () => {
        // A minute at once, as bridges to models send it.
        for (let second = 0; second < 60; second++) stream.media(toneOctets(botHertz, 1_000));
        stream.send({ event: 'mark', streamSid: stream.streamSid, mark: { name: 'end' } });
      });
    };
    const called = await number();
    const phone = await stack.phone();
    await phone.dial(stack.uri(called));
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    await waitForTone(phone, botHertz, 2);
    const stream = bot.streams.at(-1)!;
    expect(stream.of('mark')).toEqual([]);
    stream.send({ event: 'clear', streamSid: stream.streamSid });
    await until(() => stream.of('mark').length > 0, 5_000, 'the mark');
    expect(stream.of('mark').map(({ mark }) => mark)).toEqual([{ name: 'end' }]);
    const heard = secondsHeard(phone, botHertz);
    const watch = Stopwatch.start();
    stream.send({ event: 'mark', streamSid: stream.streamSid, mark: { name: 'empty' } });
    await until(() => stream.of('mark').length > 1, 1_000, 'a mark with nothing before it');
    await waitForSilence(phone, botHertz);
    // The recorder of the phone is some packets behind.
    expect(1_000 * (secondsHeard(phone, botHertz) - heard)).toBeLessThan(watch.bound(300));
    await phone.hangup();
    await stack.recordOf(called);
  });

  it('gets the digits that the caller presses, and presses some itself', async () => {
    bot.serve = playTone;
    const { called, phone, stream } = await talk();
    await phone.sendDtmf('42#');
    await until(() => stream.of('dtmf').length >= 3, 10_000, 'three digits');
    expect(stream.of('dtmf').map(({ dtmf }) => dtmf)).toEqual(
      ['4', '2', '#'].map((digit) => ({ track: 'inbound_track', digit })),
    );
    stream.send({ event: 'send_dtmf', digits: '7*' });
    await until(() => /7[\s\S]*\*/.test(eventsOf(phone)), 10_000, 'the digits at the phone');
    await phone.hangup();
    await stack.recordOf(called);
  });

  it('may refuse before the answer, by the handshake or by a message', async () => {
    bot.refuse = () => 486;
    const busy = await refused(await number());
    expect(busy.record).toMatchObject({ sip_status: 486, end_reason: 'agent_refused' });
    bot.refuse = () => undefined;
    bot.serve = (stream) => {
      stream.socket.once('message', () => stream.send({ event: 'reject', status: 603, reason: 'not today' }));
    };
    const declined = await refused(await number({ answer_on: 'first_audio' }));
    expect(declined.record).toMatchObject({ sip_status: 603, answered_at: null });
    expect(declined.record.detail).toMatch(/603.*not today/);
  });

  it('is not answered before its first audio where the number says so', async () => {
    let begin: (() => void) | undefined;
    bot.serve = (stream) => {
      stream.socket.once('message', () => {
        begin = () => stream.tone(botHertz);
      });
    };
    const called = await number({ answer_on: 'first_audio' });
    const phone = await stack.phone();
    await phone.dial(stack.uri(called));
    await phone.waitFor('CALL_RINGING', 10_000);
    await until(() => begin !== undefined, 5_000, 'the start');
    expect(phone.seen.some(({ type }) => type === 'CALL_ESTABLISHED')).toBe(false);
    begin!();
    await phone.waitFor('CALL_ESTABLISHED', 5_000);
    await waitForTone(phone, botHertz, 0.5);
    await phone.hangup();
    await stack.recordOf(called);
  });

  it('leaves the call to its fallback when it cannot be reached', async () => {
    bot.refuse = () => 500;
    const called = await number({ fallback: stack.agentUri('usual') });
    const phone = await stack.phone();
    await phone.dial(stack.uri(called));
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    await waitForTone(phone, agentToneHertz, 0.5);
    bot.refuse = () => undefined;
    await phone.hangup();
    expect(await stack.recordOf(called)).toMatchObject({ outcome: 'completed' });
  });

  it('rings together with SIP agents: the first that answers has the call', async () => {
    const ring = (behaviour: string, fields: Record<string, unknown>): Promise<string> =>
      stack.number({
        inbound: {
          agents: { strategy: 'ring_all', uris: [stack.agentUri(behaviour), bot.url()] },
          streams: [{ url: bot.url(), ...fields }],
        },
      });
    const talkWith = async (called: string, hertz: number): Promise<Baresip> => {
      const phone = await stack.phone();
      await phone.dial(stack.uri(called));
      await phone.waitFor('CALL_ESTABLISHED', 20_000);
      await waitForTone(phone, hertz, 0.5);
      return phone;
    };
    bot.serve = playTone;
    const atBot = await ring('busy', {});
    const first = await talkWith(atBot, botHertz);
    await first.hangup();
    expect(await stack.recordOf(atBot)).toMatchObject({ outcome: 'completed' });
    // It accepts the stream, and leaves the caller to the other one.
    bot.serve = () => {};
    const before = bot.streams.length;
    const atAgent = await ring('usual', { answer_on: 'first_audio' });
    const second = await talkWith(atAgent, agentToneHertz);
    const isLeft = () => bot.streams.slice(before).every(({ closedWith }) => closedWith !== undefined);
    await until(isLeft, 10_000, 'the end of the stream of the agent that did not answer');
    await second.hangup();
    expect(await stack.recordOf(atAgent)).toMatchObject({ outcome: 'completed' });
  });

  it('speaks PCM at 16 and 24 kHz', async () => {
    for (const rate of [16_000, 24_000]) {
      bot.serve = (stream) => {
        stream.socket.once('message', () => {
          const samples = Int16Array.from({ length: rate * 3 }, (_, index) =>
            Math.round(8_000 * Math.sin((2 * Math.PI * botHertz * index) / rate)),
          );
          stream.socket.send(Buffer.from(samples.buffer));
          stream.send({ event: 'mark', name: 'end' });
        });
      };
      const called = await number({ format: 'pcm', sample_rate: rate });
      const phone = await stack.phone();
      await phone.dial(stack.uri(called));
      await phone.waitFor('CALL_ESTABLISHED', 20_000);
      await waitForTone(phone, botHertz, 2);
      const stream = bot.streams.at(-1)!;
      expect(stream.start).toMatchObject({ version: 1, media: { encoding: 'pcm_s16le', sample_rate: rate } });
      await until(() => stream.of('mark').length > 0, 10_000, 'the mark');
      const [mark] = stream.of('mark');
      expect(mark).toMatchObject({ name: 'end', played: true });
      expect(mark!.played_ms).toBeGreaterThanOrEqual(2_980);
      expect(mark!.played_ms).toBeLessThanOrEqual(3_040);
      const octets = Buffer.concat(stream.binary.slice(-100));
      const samples = new Int16Array(octets.buffer, octets.byteOffset, octets.length / 2);
      expect(hearTone(sound(samples, rate), phoneToneHertz).seconds).toBeGreaterThan(1);
      await phone.hangup();
      await stack.recordOf(called);
    }
  });

  it('keeps its call when its connection is lost: the new stream says so, and there are never two', async () => {
    bot.serve = playTone;
    const { called, phone, stream } = await talk();
    const before = bot.streams.length;
    stream.socket.terminate();
    await until(() => bot.streams.length > before, 5_000, 'the next stream');
    const next = bot.streams.at(-1)!;
    await until(() => next.start !== undefined, 5_000, 'its start');
    expect(next.start).toMatchObject({
      start: { reconnected: true, callSid: (stream.start!.start as { callSid: string }).callSid },
    });
    const heard = secondsHeard(phone, botHertz);
    await until(() => secondsHeard(phone, botHertz) > heard + 0.5, 10_000, 'the tone again');
    expect(phone.seen.some(({ type }) => type === 'CALL_CLOSED')).toBe(false);
    expect(bot.streams.filter(({ closedWith }) => closedWith === undefined)).toEqual([next]);
    await phone.hangup();
    expect(await stack.recordOf(called)).toMatchObject({
      outcome: 'completed',
      end_reason: 'caller_hung_up',
    });
  });

  it('is taken over by its fallback when the bot is lost for good; without one it ends with a cause', async () => {
    await restartMediaStream({ DEMARC_STREAM_RECONNECT_SECONDS: '1' });
    bot.serve = playTone;
    const desk = await stack.phone({ user: 'desk', mediaEncryption: 'none', answersByItself: true });
    const [address] = [...desk.ownAddresses];
    const kept = await talk({ fallback: `sip:desk@${address}` });
    const ended = await talk();
    bot.refuse = () => 503;
    kept.stream.socket.terminate();
    ended.stream.socket.terminate();
    await ended.phone.waitFor('CALL_CLOSED', 20_000);
    expect(await stack.recordOf(ended.called)).toMatchObject({
      end_reason: 'agent_lost',
      detail: expect.stringMatching(/^Bot lost: .*503/),
    });
    // No policy lets this number transfer to that host: its own agent is no transfer of the bot.
    // The caller's phone no longer records after a re-INVITE.
    await waitForTone(desk, phoneToneHertz, 1);
    bot.refuse = () => undefined;
    await kept.phone.hangup();
    expect(await stack.recordOf(kept.called)).toMatchObject({
      outcome: 'completed',
      end_reason: 'caller_hung_up',
      transfers: [{ mode: 'bridge', status: 'completed' }],
    });
    await restartMediaStream();
  });

  it('outlives its media-stream process: the next one continues the call', async () => {
    bot.serve = playTone;
    const left = await talk();
    const { called, phone, stream } = await talk();
    const before = bot.streams.length;
    stack.mediaStream!.signal('SIGKILL');
    // Its BYE reaches no process.
    await left.phone.hangup();
    await stack.startMediaStream();
    const callOf = ({ start }: typeof stream) =>
      (start?.start as { readonly callSid: string } | undefined)?.callSid;
    const findNext = () =>
      bot.streams.slice(before).find((candidate) => callOf(candidate) === callOf(stream));
    await until(() => findNext() !== undefined, 15_000, 'the next stream and its start');
    const next = findNext()!;
    expect(next.start).toMatchObject({ start: { reconnected: true } });
    const heard = secondsHeard(phone, botHertz);
    await until(() => secondsHeard(phone, botHertz) > heard + 1, 10_000, 'the tone again');
    await until(() => heardByBot(next, phoneToneHertz) > 0.5, 10_000, "the caller's tone at the next stream");
    expect(stream.closedWith).toBe(1_006);
    // The call that had ended has no stream, or none that stays.
    await until(
      () => bot.streams.slice(before).every((open) => open === next || open.closedWith !== undefined),
      15_000,
      'the end of the call that was left',
    );
    expect(next.closedWith).toBeUndefined();
    await phone.hangup();
    await until(() => next.closedWith !== undefined, 5_000, 'the end of the stream');
    expect(await stack.recordOf(called)).toMatchObject({
      outcome: 'completed',
      end_reason: 'caller_hung_up',
    });
  });

  it('keeps its stream when the edge of the call is killed: another edge continues the call', async () => {
    bot.serve = playTone;
    const { called, phone, stream } = await talk();
    await stack.startFurtherEdge('e2e-2');
    const streams = bot.streams.length;
    stack.loseEdge('SIGKILL');
    const frames = stream.audio.length;
    const heard = secondsHeard(phone, botHertz);
    await until(() => stream.audio.length >= frames + 150, 20_000, "three seconds of the caller's audio");
    await until(() => secondsHeard(phone, botHertz) > heard + 1, 10_000, "the bot's tone at the caller");
    expect(heardByBot(stream, phoneToneHertz)).toBeGreaterThan(2);
    expect(bot.streams.length).toBe(streams);
    expect(stream.closedWith).toBeUndefined();
    await phone.hangup();
    await until(() => stream.closedWith !== undefined, 20_000, 'the end of the stream');
    expect(stream.closedWith).toBe(1_000);
    expect(await stack.recordOf(called)).toMatchObject({
      outcome: 'completed',
      end_reason: 'caller_hung_up',
      edge_id: 'e2e-2',
    });
  });

  it('talks to the callee of an ordered call, and says nothing before it has answered', async () => {
    const { cert, key } = await stack.authority.issue('phone');
    const certificateFile = join(stack.directory, 'callee.pem');
    writeFileSync(certificateFile, cert + key, { mode: 0o600 });
    const callee = await stack.phone({ user: '+14155550100', certificateFile });
    const [, tls] = [...callee.ownAddresses];
    const [host, port] = tls!.split(':');
    const from = await stack.number({
      outbound: [{ id: 'out', host, port: Number(port), transport: 'tls' }],
    });
    bot.serve = playTone;
    const before = bot.streams.length;
    const command = callCommandSchema.parse({
      version: 1,
      call_id: randomUUID(),
      organization: 'acme',
      number: from,
      phone_number: '14155550100',
      max_duration_seconds: 60,
      agent_uri: bot.url(),
      stream: { url: bot.url(), parameters: { campaign: 'spring' } },
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    });
    await stack.redisClient.xadd(commandStream, '*', 'command', JSON.stringify(command));
    await callee.waitFor('CALL_INCOMING', 20_000);
    expect(bot.streams.length).toBe(before + 1);
    await callee.answer();
    await waitForTone(callee, botHertz, 0.5);
    const stream = bot.streams.at(-1)!;
    await until(() => heardByBot(stream, phoneToneHertz) >= 0.5, 20_000, "the callee's tone at the bot");
    expect(stream.start).toMatchObject({
      start: {
        callSid: `CA${command.call_id.replaceAll('-', '')}`,
        customParameters: { direction: 'outbound', campaign: 'spring', to_number: '+14155550100' },
      },
    });
    // It outlives its process as a call that came in.
    stack.mediaStream!.signal('SIGKILL');
    await stack.startMediaStream();
    await until(() => bot.streams.at(-1) !== stream, 10_000, 'the next stream');
    const heard = secondsHeard(callee, botHertz);
    await until(() => secondsHeard(callee, botHertz) > heard + 1, 10_000, 'the tone again');
    await callee.hangup();
    expect(await stack.recordOf('14155550100')).toMatchObject({
      outcome: 'completed',
      direction: 'outbound',
    });
  });

  it('has the caller hear a file, and says when; says why it plays none', async () => {
    const tone = (seconds: number): Int16Array =>
      Int16Array.from({ length: 16_000 * seconds }, (_, index) =>
        Math.round(8_000 * Math.sin((2 * Math.PI * fileHertz * index) / 16_000)),
      );
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const files = createServer(async (request, response) => {
      if (request.url === '/tone.wav') {
        response.end(waveFile(tone(2), 16_000));
        return;
      }
      // Long enough to be cleared before its end.
      if (request.url === '/minute.wav') {
        response.end(waveFile(tone(60), 16_000));
        return;
      }
      // All of these are still being loaded when one more is asked for.
      await released;
      if (request.url === '/text.wav') response.end('no audio');
      else if (request.url === '/long') response.end(Buffer.alloc(5 * 1_024 * 1_024));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    try {
      const origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
      bot.serve = () => {};
      const called = await number();
      const phone = await stack.phone();
      await phone.dial(stack.uri(called));
      await phone.waitFor('CALL_ESTABLISHED', 20_000);
      const stream = bot.streams.at(-1)!;
      stream.send({ event: 'play', url: `${origin}/tone.wav`, id: 'hello' });
      await waitForTone(phone, fileHertz, 1.5);
      await until(() => stream.of('played').length > 0, 5_000, 'the end of the file');
      expect(stream.of('played')).toMatchObject([
        { played: { id: 'hello', url: `${origin}/tone.wav`, played: true, played_ms: expect.any(Number) } },
      ]);
      stream.send({ event: 'play', url: `${origin}/minute.wav` });
      await until(() => secondsHeard(phone, fileHertz) > 2.2, 10_000, 'the file again');
      stream.send({ event: 'clear', streamSid: stream.streamSid });
      await until(() => stream.of('played').length > 1, 5_000, 'the answer to clear');
      expect(stream.of('played')[1]).toMatchObject({ played: { played: false } });
      const failures = (): string[] =>
        stream.of('play_failed').map(({ play_failed: failure }) => (failure as { reason: string }).reason);
      for (const path of ['/missing', '/gone', '/text.wav', '/long', '/tone.wav'])
        stream.send({ event: 'play', url: origin + path });
      await until(() => failures().length > 0, 10_000, 'the refusal of one too many');
      expect(failures()).toEqual(['4 files are being loaded or played']);
      release();
      await until(() => failures().length >= 5, 10_000, 'four more refusals');
      stream.send({ event: 'play', url: 'https://bot.example.invalid/a.wav' });
      await until(() => failures().length >= 6, 10_000, 'the last refusal');
      expect(failures().sort()).toEqual([
        '4 files are being loaded or played',
        expect.stringMatching(/^the file has more than \d+ octets$/),
        expect.stringMatching(/^the file is neither WAV/),
        'the server answered 404',
        'the server answered 404',
        expect.stringMatching(/^the server is unreachable/),
      ]);
      await phone.hangup();
      await stack.recordOf(called);
    } finally {
      release();
      files.closeAllConnections();
      files.close();
    }
  });

  it('puts values into the record of the call, within bounds', async () => {
    bot.serve = playTone;
    const { called, phone, stream } = await talk();
    stream.send({ event: 'metadata', values: { intent: 'billing', score: '3' } });
    stream.send({ event: 'metadata', values: { score: '5' } });
    stream.send({
      event: 'metadata',
      values: Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`n${index}`, ''])),
    });
    await until(() => stream.of('metadata_failed').length > 0, 5_000, 'the refusal');
    expect(stream.of('metadata_failed')).toMatchObject([
      { metadata_failed: { reason: expect.stringContaining('at most 50 values') } },
    ]);
    await phone.hangup();
    expect((await stack.recordOf(called)).agent_metadata).toEqual({ intent: 'billing', score: '5' });
  });

  it('joins two of its calls, and leaves both', async () => {
    bot.serve = playTone;
    const first = await talk();
    const second = await talk();
    const { callSid } = second.stream.start!.start as { callSid: string };
    first.stream.send({ event: 'transfer', call: 'CA00000000000000000000000000000000' });
    await until(() => first.stream.of('transfer_failed').length > 0, 5_000, 'the refusal');
    expect(first.stream.of('transfer_failed')).toMatchObject([{ transfer_failed: { status: 404 } }]);
    first.stream.send({ event: 'transfer', call: callSid });
    await until(
      () => first.stream.closedWith !== undefined && second.stream.closedWith !== undefined,
      10_000,
      'the end of both streams',
    );
    expect(await stack.recordOf(second.called)).toMatchObject({ end_reason: 'transferred' });
    expect(first.phone.seen.some(({ type }) => type === 'CALL_CLOSED')).toBe(false);
    expect(second.phone.seen.some(({ type }) => type === 'CALL_CLOSED')).toBe(false);
    await first.phone.hangup();
    await second.phone.waitFor('CALL_CLOSED', 10_000);
    expect((await stack.recordOf(first.called)).transfers).toMatchObject([
      { mode: 'attended', status: 'completed' },
    ]);
  });

  it('hands the caller to another party, which its stream never hears', async () => {
    const { cert, key } = await stack.authority.issue('phone');
    const certificateFile = join(stack.directory, 'phone.pem');
    writeFileSync(certificateFile, cert + key, { mode: 0o600 });
    const partyHertz = 800;
    const party = await stack.phone({
      user: '1001',
      certificateFile,
      toneHertz: partyHertz,
      answersByItself: true,
    });
    const [, tls] = [...party.ownAddresses];
    const [host, port] = tls!.split(':');
    bot.serve = playTone;
    const outbound = [{ id: 'out', host, port: Number(port), transport: 'tls' }];
    const { called, phone, stream } = await talk({}, { outbound });
    stream.send({ event: 'transfer', to: '1001' });
    // The caller's phone no longer records after a re-INVITE.
    await waitForTone(party, phoneToneHertz, 1);
    await until(() => stream.closedWith !== undefined, 5_000, 'the end of the stream');
    const octets = Buffer.concat(stream.audio);
    expect(hearTone(sound(decode('PCMU', octets)), partyHertz).seconds).toBe(0);
    await phone.hangup();
    expect((await stack.recordOf(called)).transfers).toHaveLength(1);
  });
});

/** Mono, 16-bit. */
function waveFile(samples: Int16Array, rate: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples.byteLength, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(2 * rate, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([head, Buffer.from(samples.buffer)]);
}

/** What the phone has printed of telephone events. */
const eventsOf = (phone: Baresip): string =>
  phone.output
    .split('\n')
    .filter((line) => /event|dtmf/i.test(line))
    .join('\n');
