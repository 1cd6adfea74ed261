import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hearTone } from '../../../dev/softphone/tone.js';
import { processorTime } from '../../../src/base/processor-time.js';
import {
  agentLostType,
  streamActionHeader,
  streamFallbackHeader,
  streamFallbackSchema,
} from '../../../src/contract/agent-stream.js';
import { readBotState } from '../../../src/control/calls/history/bot-state.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { sdp } from '../../support/peer-call.js';
import { stays } from '../../support/stays.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { type BotStream, toneOctets } from '../../support/stream-bot.js';
import { FloodingBot } from './flooding-bot.js';
import { type HeardPacket, StreamBench, type StreamedCall } from './stream-bench.js';

const botHertz = 600;
const callerHertz = 400;

let bench: StreamBench;
beforeAll(async () => {
  bench = await StreamBench.start({ DEMARC_STREAM_RECONNECT_SECONDS: '1' });
});
afterAll(() => bench?.stop());
const calls: StreamedCall[] = [];
afterEach(async () => {
  bench.bot.serve = () => {};
  bench.bot.refuse = () => undefined;
  for (const call of calls.splice(0)) await call.end();
});

async function call(called?: Parameters<StreamBench['call']>[0]): Promise<StreamedCall> {
  const begun = await bench.call(called);
  calls.push(begun);
  return begun;
}

/** A call that ends by the other side. */
const isOver = (ended: StreamedCall): void => {
  calls.splice(calls.indexOf(ended), 1);
  ended.close();
};

const sound = (samples: Int16Array) => ({
  samples: Float32Array.from(samples, (sample) => sample / 32_768),
  rate: 8_000,
});

const peak = (payload: Uint8Array, from = 0): boolean =>
  payload.subarray(from).some((octet) => octet !== 0xff && octet !== 0x7f);

describe('the audio of a bot', () => {
  it.each([
    ['pieces of 100 ms', 800],
    ['one octet more than a frame', 161],
  ])('is one stream where it comes in %s', async (_name, size) => {
    const { stream, heard } = await call();
    // Two seconds in which each place is recognized by its octets; none of them is silence.
    const octets = Buffer.from(
      Array.from({ length: 16_000 }, (_, index) => 1 + ((index * 7 + (index >> 7)) % 120)),
    );
    for (let at = 0; at < octets.length; at += size) {
      stream.media(octets.subarray(at, at + size));
      await pause(size / 8);
    }
    const spoken = (): Buffer =>
      Buffer.from(Buffer.concat(heard.map(({ payload }) => payload)).filter((octet) => octet !== 0xff));
    await until(() => spoken().length >= octets.length, 10_000, 'all of the audio');
    expect(spoken().equals(octets)).toBe(true);
  });

  it('is gone from the RTP of the caller within 40 ms of clear', async () => {
    const { stream, heard } = await call();
    const watch = Stopwatch.start();
    const waits: number[] = [];
    for (let round = 0; round < 100; round++) {
      stream.media(toneOctets(botHertz, 2_000));
      const spoken = heard.length;
      await until(() => heard.slice(spoken).some(({ payload }) => peak(payload, 40)), 5_000, 'the tone');
      // Not in step with the ticks of the process.
      await pause(Math.random() * 20);
      const from = performance.now();
      stream.send({ event: 'clear', streamSid: stream.streamSid });
      const before = heard.length;
      // The first frame after it fades out within 5 ms.
      const silent = () => heard.slice(before).find(({ payload }) => !peak(payload, 40));
      await until(() => silent() !== undefined, 5_000, 'silence');
      waits.push(silent()!.at - from);
    }
    waits.sort((left, right) => left - right);
    // p99: the longest but one of a hundred.
    expect(waits[98]).toBeLessThan(watch.bound(40));
  });
});

describe('the audio of a caller', () => {
  it('reaches the bot in an even cadence through 10 % loss and 40 ms of jitter, and so does that of the bot', async () => {
    const streamed = await call();
    const { stream, heard } = streamed;
    streamed.talk(callerHertz, () => (Math.random() < 0.1 ? undefined : Math.random() * 40));
    stream.tone(botHertz);
    // The last five of at least six seconds, in which the buffer knows how late packets are: a stall of this process has no tone.
    const shareOfTone = (): number =>
      hearTone(sound(stream.samples(stream.audio.length / 50).subarray(-40_000)), callerHertz).seconds / 5;
    await until(
      () => stream.audio.length >= 300 && shareOfTone() > 0.75,
      20_000,
      'five seconds of the caller at the bot',
    );
    const media = stream.of('media').map(({ media }) => media as { chunk: string; timestamp: string });
    expect(media.map(({ timestamp }) => timestamp)).toEqual(media.map((_, index) => String(index * 20)));
    const atCaller = sound(streamed.samples());
    expect(hearTone(atCaller, botHertz).seconds).toBeGreaterThan(3);
    const sequences = heard.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => (sequences[0]! + index) & 0xffff));
  });

  it('keeps its cadence while the call is on hold', async () => {
    const { dialog, stream, heard } = await call();
    await until(() => stream.audio.length > 10, 5_000, 'frames');
    const held = sdp('1', '127.0.0.1', 40_000).replace('a=rtpmap', 'a=inactive\r\na=rtpmap');
    await dialog.invite({ body: held });
    const { message } = await dialog.response(200);
    await dialog.ack(message);
    expect(message.body).toContain('a=inactive');
    // If this process was stalled, packets of that time are read first.
    await stays(() => expect(stream.closedWith).toBeUndefined(), 100);
    const before = stream.audio.length;
    const packets = heard.length;
    const from = performance.now();
    const watch = Stopwatch.start();
    await until(() => stream.audio.length >= before + 50, 5_000, 'a second of frames');
    const elapsed = performance.now() - from;
    const frames = (milliseconds: number): number => milliseconds / 20;
    expect(stream.audio.length - before).toBeLessThan(frames(elapsed + watch.bound(200)));
    expect(heard.length).toBeLessThan(packets + 5);
    const media = stream.of('media').map(({ media }) => media as { timestamp: string });
    expect(media.map(({ timestamp }) => timestamp)).toEqual(media.map((_, index) => String(index * 20)));
  });
});

describe('a bot that has not spoken yet', () => {
  it('leaves the caller a soft tone where its number says so, until it speaks', async () => {
    const quiet = await call({ stream: { comfort_tone: true } });
    const toneSeconds = (from = 0): number => hearTone(sound(quiet.samples(from)), 440).seconds;
    await until(() => toneSeconds() > 0.15, 10_000, 'the tone');
    expect(quiet.heard[0]!.isMarked).toBe(true);
    quiet.stream.tone(botHertz);
    await until(() => hearTone(sound(quiet.samples()), botHertz).seconds > 0.2, 10_000, 'the bot');
    const from = quiet.heard.length;
    await until(() => quiet.heard.length > from + 150, 10_000, 'three seconds more');
    expect(toneSeconds(from)).toBe(0);
  });
});

describe('the connection of a call to its bot', () => {
  it('is published while the call is active, for control to show', async () => {
    const { callId, stream } = await call();
    const redis = bench.redis.client();
    onTestFinished(() => redis.disconnect());
    const published = () => readBotState(redis, callId);
    await until(async () => (await published())?.latency_ms != null, 20_000, 'its latency');
    expect(await published()).toMatchObject({ url: bench.bot.url(), connected: true, reconnects: 0 });
    stream.socket.terminate();
    await until(async () => (await published())?.reconnects === 1, 20_000, 'that it was made again');
  });
});

describe('the orders of a bot', () => {
  it('hold the caller and resume', async () => {
    const { dialog, stream, heard } = await call();
    await until(() => heard.length > 5, 5_000, 'frames');
    for (const [on, direction] of [
      [true, 'sendonly'],
      [false, 'sendrecv'],
    ] as const) {
      stream.send({ event: 'hold', on });
      const request = await bench.peer.expectRequest('INVITE', { callId: dialog.callId });
      expect(request.message.body).toContain(`a=${direction}`);
      const answer = sdp('1', '127.0.0.1', 40_000);
      await dialog.respond(request, 200, {
        body: on ? answer.replace('a=rtpmap', 'a=recvonly\r\na=rtpmap') : answer,
      });
      await bench.peer.expectRequest('ACK', { callId: dialog.callId });
    }
  });

  it('hang up behind what is queued, and write to the log; what no format has is counted and has no effect', async () => {
    const ended = await call();
    const { dialog, stream } = ended;
    stream.send({ event: 'no such event', streamSid: stream.streamSid });
    stream.send({ event: 'log', text: 'the caller wants an invoice' });
    stream.media(toneOctets(botHertz, 1_000));
    stream.send({ event: 'hangup', reason: 'all is said' });
    const bye = await bench.peer.expectRequest('BYE', { callId: dialog.callId });
    expect(bye.message.headers.get('Reason')).toContain('all is said');
    await dialog.respond(bye, 200);
    // The last pieces of the recording may be on their way.
    await until(() => hearTone(sound(ended.samples()), botHertz).seconds > 0.85, 2_000, 'what was queued');
    isOver(ended);
    expect(bench.process.output).toContain('the caller wants an invoice');
    const [, http] = /"http":"([^"]+)"/.exec(bench.process.output)!;
    const page = await fetch(`${http}/metrics`).then((response) => response.text());
    expect(page).toMatch(/^demarc_stream_messages_ignored_total(?:\{[^}]*\})? 1$/m);
    // By default native sockets carry the audio of all these tests, where they can.
    if (process.platform === 'linux')
      expect(page).toMatch(/^demarc_stream_rtp_sockets\{[^}]*kind="native"[^}]*\} 1$/m);
  });
});

describe('a bot that refuses the call', () => {
  it('has its reason in the response to the INVITE', async () => {
    bench.bot.serve = (stream) => {
      stream.socket.once('message', () =>
        stream.send({ event: 'reject', status: 486, reason: 'line 2 is "busy"' }),
      );
    };
    const stream = { answer_on: 'first_audio' } as const;
    expect(await bench.refusal({ stream })).toEqual({
      status: 486,
      reason: `SIP;cause=486;text="line 2 is  busy "`,
    });
    bench.bot.refuse = () => 600;
    expect(await bench.refusal({ stream })).toEqual({
      status: 600,
      reason: `SIP;cause=600;text="Bot: the server answered the handshake with HTTP 600"`,
    });
  });
});

describe('a call that is moved to another bot', () => {
  it('takes the trace context of the call along', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { dialog, callId, stream } = await call({ headers: { traceparent } });
    expect(stream.headers.traceparent).toBe(traceparent);
    const action = {
      version: 1,
      call_id: callId,
      action: 'connect',
      stream: { url: bench.bot.url('/next') },
    };
    await dialog.send('INFO', { headers: { [streamActionHeader]: bench.seal(action) } });
    await dialog.response(200, 'INFO');
    const next = bench.bot.streams.at(-1)!;
    expect(next.path).toBe('/next');
    expect(next.headers.traceparent).toBe(traceparent);
    await until(() => stream.closedWith !== undefined, 5_000, 'the end of the stream before');
  });
});

describe('a call whose bot is lost for good', () => {
  /** Ends the bot's connection and refuses the next ones. */
  const lose = (stream: BotStream): void => {
    bench.bot.refuse = () => 503;
    stream.socket.terminate();
  };

  it('has the edge end it with its announcement, after a tone', async () => {
    const lost = await call();
    const { dialog, stream, heard } = lost;
    lose(stream);
    const info = await bench.peer.expectRequest('INFO', { callId: dialog.callId, milliseconds: 15_000 });
    expect(info.message.headers.get('Content-Type')).toBe(agentLostType);
    expect(JSON.parse(info.message.body)).toEqual({ detail: expect.stringMatching(/^Bot lost: .*503/) });
    expect(hearTone(sound(lost.samples()), 425).seconds).toBeGreaterThan(0.1);
    const began = performance.now();
    await dialog.respond(info, 200);
    // The announcement is not mixed with anything.
    const isQuiet = () => performance.now() - Math.max(began, heard.at(-1)!.at) > 200;
    await until(isQuiet, 5_000, 'no more packets');
  });

  it('ends it with a cause where the edge has no announcement', async () => {
    const lost = await call();
    const { dialog, stream } = lost;
    lose(stream);
    const info = await bench.peer.expectRequest('INFO', { callId: dialog.callId, milliseconds: 15_000 });
    await dialog.respond(info, 415);
    const bye = await bench.peer.expectRequest('BYE', { callId: dialog.callId });
    expect(bye.message.headers.get('Reason')).toMatch(/cause=503.*Bot lost/);
    await dialog.respond(bye, 200);
    isOver(lost);
  });

  it.each(['REFER itself', 'outcome'])(
    'gives it to the fallback agent; ends it when the %s says no',
    async (what) => {
      const fallback = 'sip:desk@127.0.0.1:5099;transport=tcp';
      const { dialog, callId, stream } = await call({ stream: { fallback } });
      lose(stream);
      const refer = await bench.peer.expectRequest('REFER', { callId: dialog.callId, milliseconds: 15_000 });
      expect(refer.message.headers.get('Refer-To')).toBe(`<${fallback}>`);
      const proof = bench.secrets.open(refer.message.headers.get(streamFallbackHeader) ?? '');
      expect(streamFallbackSchema.parse(JSON.parse(proof))).toEqual({
        version: 1,
        call_id: callId,
        uri: fallback,
      });
      if (what === 'outcome') {
        await dialog.respond(refer, 202);
        await dialog.send('NOTIFY', {
          headers: {
            Event: 'refer',
            'Subscription-State': 'terminated',
            'Content-Type': 'message/sipfrag;version=2.0',
          },
          body: 'SIP/2.0 486 Busy Here\r\n',
        });
        await dialog.response(200, 'NOTIFY');
      } else await dialog.respond(refer, 603);
      const info = await bench.peer.expectRequest('INFO', { callId: dialog.callId });
      expect(info.message.headers.get('Content-Type')).toBe(agentLostType);
      await dialog.respond(info, 200);
    },
  );
});

const windowMilliseconds = 1_500;

/** How late the packets of calls were from those places on, against the most punctual one of each call, and the longest wait for one, ms. */
function lateness(heardByCalls: readonly (readonly HeardPacket[])[], from: readonly number[]) {
  const late: number[] = [];
  let longestGap = 0;
  for (const [call, heard] of heardByCalls.entries()) {
    const packets = heard.slice(from[call]);
    const waits = packets.map(({ at, timestamp }) => at - ((timestamp - packets[0]!.timestamp) | 0) / 8);
    const least = Math.min(...waits);
    late.push(...waits.map((wait) => wait - least));
    for (let index = 1; index < packets.length; index++)
      longestGap = Math.max(longestGap, packets[index]!.at - packets[index - 1]!.at);
  }
  late.sort((left, right) => left - right);
  return { p99: late[Math.floor(late.length * 0.99)]!, longestGap };
}

describe('a process that ends for the next one', () => {
  it.each(['SIGUSR2', 'SIGTERM'] as const)(
    'leaves answered calls to it at %s, and lets others go elsewhere',
    async (signal) => {
      const own = await StreamBench.start();
      try {
        const answered = await own.call();
        answered.talk(callerHertz);
        const unanswered = own.refusal({ stream: { answer_on: 'first_audio' } });
        await until(() => own.bot.streams.length === 2, 5_000, 'the socket of the other call');
        await own.replaceProcess(signal);
        expect(await unanswered).toMatchObject({
          status: 503,
          reason: expect.stringContaining('"Media stream: it is stopping"'),
        });
        await until(() => own.bot.streams.length > 2, 15_000, 'the next stream of the call');
        const next = own.bot.streams.at(-1)!;
        await until(() => next.audio.length > 50, 10_000, "the caller's audio at the next stream");
        expect(next.start).toMatchObject({ start: { reconnected: true } });
        expect(own.bot.streams.length).toBe(3);
        expect(own.peer.inbox.notTaken).not.toContain('BYE');
        answered.close();
      } finally {
        await own.stop();
      }
    },
  );
});

describe('a bot that floods, stalls, sends garbage or a gigabyte', () => {
  it('hurts its own call alone', async () => {
    const flood = await FloodingBot.start(await bench.authority.issue('flood', ['localhost']));
    const streamed: StreamedCall[] = [];
    try {
      for (let batch = 0; batch < 10; batch++)
        streamed.push(
          ...(await Promise.all(
            Array.from({ length: 10 }, () => bench.call({ stream: { url: flood.url('quiet') } })),
          )),
        );
      const measure = async () => {
        const usedBefore = processorTime(bench.process.pid!, 'all')!.used;
        const before = streamed.map(({ heard }) => heard.length);
        const from = performance.now();
        await until(() => performance.now() - from >= windowMilliseconds, 5_000, 'the end of the window');
        const elapsed = performance.now() - from;
        const used = processorTime(bench.process.pid!, 'all')!.used - usedBefore;
        // Audio of all of them continues, at whatever pace this machine has.
        const isHeard = () => streamed.every(({ heard }, index) => heard.length > before[index]! + 20);
        await until(isHeard, 10_000, 'frames of all other calls');
        const heardByCalls = streamed.map(({ heard }) => heard);
        return { load: used / elapsed, ...lateness(heardByCalls, before) };
      };
      const watch = Stopwatch.start();
      const usual = await measure();
      const floods = await Promise.all(
        ['audio', 'garbage', 'gigabyte', 'marks', 'stalls'].map((kind) =>
          bench.call({ stream: { url: flood.url(kind) } }),
        ),
      );
      const flooded = await measure();
      // Without a bound on what is read of one bot its process has nothing else to do.
      expect(flooded.load - usual.load).toBeLessThan(0.5);
      // A bot that is read without a bound stops all calls for as long as it sends.
      expect(flooded.p99).toBeLessThan(Math.max(4 * usual.p99, watch.bound(150)));
      expect(flooded.longestGap).toBeLessThan(Math.max(4 * usual.longestGap, watch.bound(500)));
      expect(flood.sentOctets).toBeGreaterThan(1_000_000);
      await Promise.all(floods.map((flooded) => flooded.dialog.send('BYE')));
      for (const flooded of floods) flooded.close();
    } finally {
      await Promise.all(streamed.map((call) => call.end()));
      await flood.stop();
    }
    expect(bench.process.isRunning).toBe(true);
  });
});
