import { createHmac } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createSecureContext } from 'node:tls';
import { describe, expect, it, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { hearTone } from '../../../dev/softphone/tone.js';
import { streamUrlProblem } from '../../../src/contract/agent-stream.js';
import { compatibleSignature } from '../../../src/contract/stream-signatures.js';
import { Phases } from '../../../src/media-stream/audio/phases.js';
import { PlayoutQueue } from '../../../src/media-stream/audio/playout-queue.js';
import { Downsampler } from '../../../src/media-stream/audio/resampling.js';
import { answerOffer, makeOffer } from '../../../src/media-stream/audio-description.js';
import { BotLink, type BotLinkListener } from '../../../src/media-stream/bot/bot-link.js';
import { botSockets } from '../../../src/media-stream/bot/bot-socket.js';
import { Handshakes } from '../../../src/media-stream/bot/handshakes.js';
import { MediaStreamsFormat } from '../../../src/media-stream/formats/media-streams.js';
import { PcmFormat } from '../../../src/media-stream/formats/pcm.js';
import { EgressPolicy } from '../../../src/naming/egress.js';
import { DigitReader, DigitWriter } from '../../../src/rtp/digits.js';
import { decode, encode } from '../../../src/rtp/g711.js';
import { JitterBuffer } from '../../../src/rtp/jitter-buffer.js';
import { type RtpPacket, readPacket } from '../../../src/rtp/packet.js';
import { ManualClock } from '../../../src/testkit/manual-clock.js';
import { until } from '../../../src/testkit/waiting.js';
import { answeredCall, type HeldSocket, holdSockets, testOrder } from './answered-call.js';

/** Mistakes of other bridges that their users reported, one test for each; the number is the one in the research. */

const silence = 0xff;
const frame = (): Uint8Array => new Uint8Array(160);
const tone = (hertz: number, milliseconds: number, rate = 8_000): Int16Array =>
  Int16Array.from({ length: (rate / 1_000) * milliseconds }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hertz * index) / rate)),
  );
const queueOf = (maximumMilliseconds = 120_000): PlayoutQueue =>
  new PlayoutQueue({ codec: 'PCMU', maximumMilliseconds });

/** Runs the cadence with timers that are late by these milliseconds, in turn; returns what each tick had. */
async function cadence(lateness: readonly number[], milliseconds: number) {
  const clock = new ManualClock();
  let timers = 0;
  const lazy = {
    now: () => clock.now(),
    after: (after: number, act: () => void) =>
      clock.after(after + lateness[timers++ % lateness.length]!, act),
  };
  const ticks: { readonly frames: number; readonly skipped: number; readonly at: number }[] = [];
  const phases = new Phases(({ phase, frames, skipped }) => {
    if (phase === 0) ticks.push({ frames, skipped, at: clock.now() });
  }, lazy);
  phases.start();
  await clock.advance(milliseconds);
  phases.stop();
  return ticks;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** What a link reports. */
function reporting(events: string[]): BotLinkListener {
  return {
    started: (isReconnected) => events.push(isReconnected ? 'again' : 'started'),
    lost: () => events.push('lost'),
    over: () => events.push('over'),
    congested() {},
    audio: () => events.push('audio'),
    mark: () => events.push('mark'),
    clear() {},
    order() {},
    unknown: () => events.push('unknown'),
  };
}

const linkDeps = {
  headers: {},
  secrets: ['secret'],
  makeFormat: () => new MediaStreamsFormat('PCMU'),
  reconnectMilliseconds: 10_000,
  version: 'test',
  facts: {},
};

/** A link whose sockets are under the test's control. */
function linked() {
  const opened: HeldSocket[] = [];
  const events: string[] = [];
  const link = new BotLink(
    { ...linkDeps, order: testOrder, open: holdSockets(opened) },
    reporting(events),
    false,
  );
  link.connect();
  return { link, opened, events };
}

/** A link to a real server without TLS; `serve` gets each connection. */
async function linkedTo(
  serve: (bot: WebSocket) => void,
  before: (port: number) => Promise<number> | number = (port) => port,
) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', serve);
  await once(server, 'listening');
  const port = await before((server.address() as AddressInfo).port);
  const order = { ...testOrder, stream: { ...testOrder.stream, url: `ws://127.0.0.1:${port}/` } };
  const open = botSockets({
    secureContext: createSecureContext(),
    egress: new EgressPolicy({ allowPrivate: true }),
    handshakes: new Handshakes(),
  });
  const events: string[] = [];
  const link = new BotLink({ ...linkDeps, order, open }, reporting(events), false);
  link.connect();
  const stop = (): void => {
    link.end('hangup');
    for (const bot of server.clients) bot.terminate();
    server.close();
  };
  return { link, events, server, stop };
}

/** A proxy that drops connections without traffic for a minute, as most do; returns its port. */
async function idleProxy(target: number): Promise<{ readonly port: number; stop(): void }> {
  const proxy = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    let idle: NodeJS.Timeout | undefined;
    const drop = (): void => {
      clearTimeout(idle);
      near.destroy();
      far.destroy();
    };
    const touch = (): void => {
      clearTimeout(idle);
      idle = setTimeout(drop, 60_000);
    };
    touch();
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', touch);
      from.on('error', drop);
      from.on('close', drop);
      from.pipe(to);
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { port: (proxy.address() as AddressInfo).port, stop: () => proxy.close() };
}

const toneMessage = (milliseconds: number): object => ({
  event: 'media',
  media: { payload: encode('PCMU', tone(600, milliseconds)).toString('base64') },
});

describe('mistakes of other bridges', () => {
  it('1: timers that add their lateness do not drift over ten minutes', async () => {
    const ticks = await cadence([0, 3, 1, 2], 600_000);
    const frames = sum(ticks.map((tick) => tick.frames + tick.skipped));
    expect(Math.abs(frames * 20 - 600_000)).toBeLessThanOrEqual(20);
    expect(ticks.every(({ skipped }) => skipped === 0)).toBe(true);
  });

  it('2: chunks of any size are one stream of audio', () => {
    const octets = encode('PCMU', tone(600, 2_000));
    for (const size of [159, 160, 161, 800, 4_001]) {
      const queue = queueOf();
      for (let at = 0; at < octets.length; at += size) queue.push(octets.subarray(at, at + size), 0);
      const heard: number[] = [];
      const into = frame();
      for (let now = 0; heard.length < octets.length; now += 20)
        if (queue.take(into, now)) heard.push(...into);
      expect(Buffer.from(heard).equals(octets), `pieces of ${size}`).toBe(true);
    }
  });

  it('3: a frame of a full queue moves nothing of what waits behind it', () => {
    // 120 s at once: shifting a list of 6,000 frames for each frame would copy 18 million entries.
    const queue = queueOf();
    queue.push(new Uint8Array(960_000), 0);
    const copied: number[] = [];
    const into = new (class extends Uint8Array {
      override set(octets: Uint8Array, offset?: number): void {
        copied.push(octets.length);
        super.set(octets, offset);
      }
    })(160);
    const moves = vi.spyOn(Uint8Array.prototype, 'copyWithin');
    const shifts = vi.spyOn(Array.prototype, 'shift');
    let frames = 0;
    try {
      while (queue.queuedMilliseconds > 0) queue.take(into, frames++ * 20);
      expect(moves).not.toHaveBeenCalled();
      expect(shifts).not.toHaveBeenCalled();
    } finally {
      vi.restoreAllMocks();
    }
    expect(frames).toBe(6_000);
    expect(sum(copied)).toBe(960_000);
  });

  it.each([10, 25])('4: stalls of %i ms of the event loop leave no frame out', async (milliseconds) => {
    const ticks = await cadence([0, 0, 0, milliseconds], 60_000);
    expect(sum(ticks.map(({ skipped }) => skipped))).toBe(0);
    expect(sum(ticks.map(({ frames }) => frames))).toBeGreaterThanOrEqual(2_998);
  });

  it('5: a backlog is caught up, and what cannot be is counted', async () => {
    const ticks = await cadence([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 200], 10_000);
    expect(Math.max(...ticks.map(({ frames }) => frames))).toBe(3);
    expect(sum(ticks.map(({ skipped }) => skipped))).toBeGreaterThan(0);
    expect(sum(ticks.map(({ frames, skipped }) => frames + skipped)) * 20).toBeGreaterThan(9_700);
  });

  it('6: clear makes room for as much as before', () => {
    const queue = queueOf(1_000);
    for (let round = 0; round < 5; round++) {
      expect(queue.push(new Uint8Array(8_000), 0)).toBe(0);
      expect(queue.push(new Uint8Array(8), 0)).toBe(8);
      queue.clear();
      expect(queue.queuedMilliseconds).toBe(0);
    }
  });

  it('7: the odd tail of a clip is heard with the next tick, padded with silence', () => {
    const queue = queueOf();
    queue.push(new Uint8Array(485).fill(1), 0);
    const into = frame();
    for (const now of [0, 20, 40]) expect(queue.take(into, now)).toBe(true);
    expect(queue.take(into, 60)).toBe(true);
    expect([...into.subarray(0, 6)]).toEqual([1, 1, 1, 1, 1, silence]);
    expect(new Set(into.subarray(5))).toEqual(new Set([silence]));
  });

  it('8: many small chunks do not stutter: 60 ms are gathered after a pause', () => {
    const queue = queueOf();
    const into = frame();
    const heard: boolean[] = [];
    // Pieces of 10 ms at real time, each up to 15 ms late.
    for (let now = 0, sent = 0; now < 2_000; now += 20) {
      while (sent * 10 + (sent % 4) * 5 <= now) {
        queue.push(new Uint8Array(80).fill(1), now);
        sent++;
      }
      heard.push(queue.take(into, now));
    }
    expect(heard.slice(heard.indexOf(true)).includes(false)).toBe(false);
  });

  it('9: clear works on what is queued although the bot has sent its last word', () => {
    const queue = queueOf();
    queue.push(new Uint8Array(16_000), 0);
    queue.mark('end');
    const into = frame();
    for (let now = 0; now < 200; now += 20) queue.take(into, now);
    expect(queue.clear().map(({ name }) => name)).toEqual(['end']);
    queue.take(into, 200);
    expect(queue.take(into, 220)).toBe(false);
  });

  it('9: what was queued before clear is never heard, and its marks are not reached later', () => {
    const queue = queueOf();
    queue.push(new Uint8Array(16_000).fill(1), 0);
    queue.mark('first turn');
    const into = frame();
    for (let now = 0; now < 200; now += 20) queue.take(into, now);
    queue.clear();
    queue.push(new Uint8Array(16_000).fill(2), 200);
    queue.mark('second turn');
    // The frame that fades out.
    queue.take(into, 200);
    const heard = new Set<number>();
    for (let now = 220; queue.take(into, now); now += 20) for (const octet of into) heard.add(octet);
    expect(heard).toEqual(new Set([2]));
    expect(queue.dueMarks().map(({ name }) => name)).toEqual(['second turn']);
  });

  it('9: audio and marks of a stream before this one are not heard, and not returned to this one', async () => {
    const { call, sockets, say, end } = await answeredCall();
    say(toneMessage(10_000));
    say({ event: 'mark', mark: { name: 'stale' } });
    expect(call.queuedMilliseconds).toBe(10_000);
    sockets[0]!.listener.end({ kind: 'lost', text: 'closed with code 1006' });
    await until(() => sockets.length === 2, 5_000, 'the next connection');
    sockets[1]!.listener.open();
    expect(call.queuedMilliseconds).toBe(0);
    expect(sockets[1]!.sent.join()).not.toContain('stale');
    end();
  });

  it('9: what a bot sends after the end of its stream is ignored', async () => {
    let isClosed = false;
    const { link, events, stop } = await linkedTo((bot) => {
      bot.on('message', (data) => {
        if (!String(data).includes('"stop"')) return;
        bot.send(JSON.stringify(toneMessage(1_000)));
        bot.send(JSON.stringify({ event: 'mark', mark: { name: 'late' } }));
      });
      // The peer has read all that was sent before.
      bot.on('close', () => {
        isClosed = true;
      });
      bot.once('message', () => bot.send(JSON.stringify(toneMessage(20))));
    });
    try {
      await until(() => events.includes('audio'), 5_000, 'audio in time');
      link.end('moved');
      await until(() => isClosed, 5_000, 'the end of the connection');
      expect(events).toEqual(['started', 'audio']);
    } finally {
      stop();
    }
  });

  it('10: pcm tells a mark that was played from one that clear returned', () => {
    const format = new PcmFormat('PCMU', { sampleRate: 8_000, preamble: 'demarc' });
    expect(JSON.parse(format.mark('a', true, 100))).toMatchObject({ played: true });
    expect(JSON.parse(format.mark('a', false, 100))).toMatchObject({ played: false });
  });

  it('11: after clear the tone is gone within 40 ms', () => {
    const queue = queueOf();
    queue.push(encode('PCMU', tone(600, 10_000)), 0);
    const into = frame();
    for (let now = 0; now < 1_000; now += 20) queue.take(into, now);
    queue.clear();
    const after: number[] = [];
    for (let now = 1_000; now < 1_200; now += 20) {
      queue.take(into, now);
      after.push(Math.max(...decode('PCMU', into).map(Math.abs)));
    }
    expect(after.slice(1).every((peak) => peak === 0)).toBe(true);
  });

  it('12: played_ms counts what the caller was sent, not what was queued', () => {
    const queue = queueOf();
    queue.push(new Uint8Array(80_000), 0);
    queue.mark('end');
    const into = frame();
    for (let now = 0; now < 500; now += 20) queue.take(into, now);
    expect(queue.clear()).toMatchObject([{ isPlayed: false, playedMilliseconds: 500 }]);
  });

  it('13: URLs have no query, and parameters travel in start', () => {
    expect(streamUrlProblem('wss://bot.example.com/stream?token=1')).toMatch(/no query/);
    const { opened } = linked();
    opened[0]!.listener.open();
    expect(opened[0]!.target.url).not.toContain('?');
    expect(JSON.parse(opened[0]!.sent[1]!)).toMatchObject({
      start: { customParameters: { tenant: 'blue' } },
    });
  });

  it('14: the signature is over the wss URL', () => {
    const url = 'wss://bot.example.com/stream';
    expect(compatibleSignature('secret', url)).toBe(
      createHmac('sha1', 'secret').update(url).digest('base64'),
    );
  });

  it('15: the handshake is signed, before anything of the call is said', () => {
    const { opened } = linked();
    expect(opened[0]!.target.headers).toMatchObject({
      'X-Demarc-Signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
      'X-Twilio-Signature': expect.any(String),
    });
    expect(opened[0]!.sent).toEqual([]);
  });

  it('16: A-law of the trunk is μ-law at the bot, both ways', () => {
    const samples = tone(600, 20);
    const format = new MediaStreamsFormat('PCMA');
    const { media } = JSON.parse(String(format.media(encode('PCMA', samples), 0))) as {
      media: { payload: string };
    };
    const heard = decode('PCMU', Buffer.from(media.payload, 'base64'));
    for (const [index, sample] of samples.entries())
      expect(Math.abs(heard[index]! - sample)).toBeLessThan(600);
    let back: Int16Array = new Int16Array();
    const payload = encode('PCMU', samples).toString('base64');
    format.read(Buffer.from(JSON.stringify({ event: 'media', media: { payload } })), false, {
      audio: (octets) => {
        back = decode('PCMA', octets);
      },
      mark() {},
      clear() {},
      order() {},
      unknown() {},
    });
    for (const [index, sample] of samples.entries())
      expect(Math.abs(back[index]! - sample)).toBeLessThan(600);
  });

  it('17: the second socket of a call is opened only when the first one has ended', async () => {
    const { link, opened, events } = linked();
    opened[0]!.listener.open();
    expect(opened).toHaveLength(1);
    opened[0]!.listener.end({ kind: 'lost', text: 'closed with code 1006' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(opened).toHaveLength(2);
    opened[1]!.listener.open();
    expect(events).toEqual(['started', 'lost', 'again']);
    expect(opened[1]!.sent[1]).toContain('"reconnected":true');
    link.end('hangup');
    expect(opened[1]!.closed).toBe(1_000);
  });

  it('18: connected and start are sent when the socket opens, before the answer', () => {
    const { opened, events } = linked();
    opened[0]!.listener.open();
    expect(opened[0]!.sent.map((text) => JSON.parse(text).event)).toEqual(['connected', 'start']);
    expect(events).toEqual(['started']);
  });

  it('19: nothing is sent after the end of a stream', () => {
    const { link, opened } = linked();
    opened[0]!.listener.open();
    link.end('transferred');
    const sent = opened[0]!.sent.length;
    link.media(frame(), 20);
    link.mark('late', true, 0);
    link.digit('1');
    expect(opened[0]!.sent).toHaveLength(sent);
    expect(opened[0]!.sent.at(-1)).toContain('"stop"');
  });

  it('19: a transfer waits until the announcement before it was heard', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { call, requests, say, end } = await answeredCall();
      say(toneMessage(10_000));
      say({ event: 'transfer', to: '+13125550123' });
      let queued = call.queuedMilliseconds;
      while (requests.length === 0 && performance.now() < 20_000) {
        call.speak({ phase: 0, frames: 1, skipped: 0, now: performance.now() });
        queued = call.queuedMilliseconds;
        await vi.advanceTimersByTimeAsync(20);
      }
      expect(requests).toEqual(['REFER']);
      expect(queued).toBe(0);
      expect(performance.now()).toBeGreaterThan(10_000);
      end();
    } finally {
      vi.useRealTimers();
    }
  });

  it('19: a transfer survives that the caller interrupts the announcement', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { call, requests, say, end } = await answeredCall();
      say(toneMessage(10_000));
      say({ event: 'transfer', to: '+13125550123' });
      while (performance.now() < 3_000) {
        call.speak({ phase: 0, frames: 1, skipped: 0, now: performance.now() });
        await vi.advanceTimersByTimeAsync(20);
      }
      expect(requests).toEqual([]);
      say({ event: 'clear' });
      await vi.advanceTimersByTimeAsync(100);
      expect(requests).toEqual(['REFER']);
      await vi.advanceTimersByTimeAsync(20_000);
      expect(requests).toEqual(['REFER']);
      end();
    } finally {
      vi.useRealTimers();
    }
  });

  it('20: 24 kHz has a filter before 8 kHz, whose state is kept between chunks', () => {
    const down = (samples: Int16Array, piece: number): Int16Array => {
      const filter = new Downsampler(24_000);
      const out = new Int16Array(samples.length);
      const into = new Int16Array(samples.length);
      let length = 0;
      for (let at = 0; at < samples.length; at += piece) {
        const count = filter.process(samples.subarray(at, at + piece), into);
        out.set(into.subarray(0, count), length);
        length += count;
      }
      return out.subarray(0, length);
    };
    // 5 kHz would become 3 kHz.
    const hissing = down(tone(5_000, 1_000, 24_000), 480);
    expect(Math.max(...hissing.subarray(200).map(Math.abs))).toBeLessThan(8_000 / 1_000);
    const clear = tone(1_000, 1_000, 24_000);
    expect(down(clear, 480)).toEqual(down(clear, clear.length));
  });

  it('21: the loss of a bot does not end its call while it is tried again', () => {
    const { opened, events, link } = linked();
    opened[0]!.listener.open();
    opened[0]!.listener.end({ kind: 'lost', text: 'no pong within 12 s' });
    expect(events).toEqual(['started', 'lost']);
    link.end('hangup');
  });

  it('21: a stream on which nothing is said is kept by pings through a proxy that drops idle connections', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    let pings = 0;
    let connections = 0;
    let proxy: Awaited<ReturnType<typeof idleProxy>> | undefined;
    const { link, events, server, stop } = await linkedTo(
      (bot) => {
        connections++;
        bot.on('ping', () => pings++);
      },
      async (port) => {
        proxy = await idleProxy(port);
        return proxy.port;
      },
    );
    const turns = async (until: () => boolean): Promise<void> => {
      const end = performance.now() + 10_000;
      while (!until() && performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
    };
    try {
      await turns(() => pings === 1 && link.state.latency_ms !== null);
      // Five minutes without a message: the timers run ahead of the sockets, which are real.
      for (let interval = 1; interval <= 25; interval++) {
        await vi.advanceTimersByTimeAsync(12_000);
        await turns(() => pings > interval);
        // The answer to a ping has come, too, once another one is answered.
        const [bot] = server.clients;
        let isAnswered = false;
        bot?.once('pong', () => {
          isAnswered = true;
        });
        bot?.ping();
        await turns(() => isAnswered);
      }
      expect(pings).toBe(26);
      expect(events).toEqual(['started']);
      // Where a proxy drops the connection all the same, the call gets another one.
      for (const bot of server.clients) bot.terminate();
      await turns(() => events.includes('lost'));
      await vi.advanceTimersByTimeAsync(100);
      await turns(() => events.includes('again'));
      expect(events).toEqual(['started', 'lost', 'again']);
      expect(connections).toBe(2);
    } finally {
      vi.useRealTimers();
      stop();
      proxy?.stop();
    }
  });

  it('22: a digit counts once by its timestamp, whichever of its packets are lost', () => {
    const writer = new DigitWriter();
    writer.write('5');
    const packets: Buffer[] = [];
    while (writer.isBusy) {
      const packet = writer.next();
      if (packet !== undefined) packets.push(Buffer.from(packet.payload));
    }
    for (let first = 0; first < packets.length; first++) {
      const reader = new DigitReader();
      const digits = packets.slice(first).map((payload) => reader.read(payload, 8_000));
      expect(digits.filter((digit) => digit !== undefined)).toEqual(['5']);
    }
  });

  it('23: the RTP timestamp follows the samples sent, whenever they are sent, after a bot has sent ahead', async () => {
    const caller = createSocket('udp4');
    caller.bind(0, '127.0.0.1');
    await once(caller, 'listening');
    const packets: RtpPacket[] = [];
    caller.on('message', (packet) => packets.push(readPacket(packet)!));
    const { call, say, end } = await answeredCall(caller.address().port);
    try {
      // A minute at once: each frame is recognized by its octets.
      const octets = Buffer.from(
        Array.from({ length: 480_000 }, (_, index) => Math.floor(index / 160) % 100),
      );
      say({ event: 'media', media: { payload: octets.toString('base64') } });
      // The socket of the call is connected, which takes a turn.
      let now = performance.now() + 1_000;
      const isSent = (): boolean => {
        call.speak({ phase: 0, frames: 1, skipped: 0, now });
        return packets.length > 0;
      };
      await until(isSent, 5_000, 'the first packet');
      const before = packets.length;
      // Ticks in time, late ones that catch up, an early one, and frames that are left out.
      const ticks = [
        { after: 20, frames: 1, skipped: 0 },
        { after: 61, frames: 3, skipped: 0 },
        { after: 3, frames: 1, skipped: 0 },
        { after: 140, frames: 3, skipped: 4 },
        { after: 20, frames: 1, skipped: 0 },
      ];
      for (const { after, frames, skipped } of ticks) {
        now += after;
        call.speak({ phase: 0, frames, skipped, now });
      }
      await until(() => packets.length >= before + 9, 5_000, 'all packets');
      for (const [index, packet] of packets.entries()) {
        const last = packets[index - 1];
        if (last === undefined) continue;
        expect(packet.sequence).toBe((last.sequence + 1) & 0xffff);
        // RFC 3550 §5.1: samples that were left out have their time, too, and what follows is marked.
        const isAfterGap = index === packets.length - 4;
        expect((packet.timestamp - last.timestamp) >>> 0).toBe(isAfterGap ? 5 * 160 : 160);
        expect(packet.isMarked).toBe(isAfterGap);
        expect(packet.payload[0]).toBe((last.payload[0]! + 1) % 100);
      }
    } finally {
      end();
      caller.close();
    }
  });

  it('24: the role is the WebSocket that rtpengine has not: it speaks RTP with rtpengine and nothing else', () => {
    // Plain RTP/AVP with G.711 is what rtpengine makes of every trunk; SRTP, Opus and G.722 are its business.
    const local = { address: '127.0.0.1', port: 40_000, sessionId: 1, version: 1 };
    expect(makeOffer(local, 'sendrecv')).toMatch(/^m=audio 40000 RTP\/AVP 0 8 101\r$/m);
    const offer = (protocol: string, codec: string): string =>
      `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 30000 ${protocol} 96\r\na=rtpmap:96 ${codec}\r\n`;
    expect(answerOffer(offer('RTP/AVP', 'PCMA/8000'), local, 'sendrecv')?.agreed).toMatchObject({
      codec: 'PCMA',
      remote: { address: '127.0.0.1', port: 30_000 },
    });
    expect(answerOffer(offer('RTP/AVP', 'opus/48000/2'), local, 'sendrecv')).toBeUndefined();
    expect(answerOffer(offer('RTP/SAVP', 'PCMU/8000'), local, 'sendrecv')).toBeUndefined();
  });
});

describe('a bad network', () => {
  it('keeps the cadence through 10 % loss and 40 ms of jitter, and the tone is heard', () => {
    const buffer = new JitterBuffer('PCMU');
    const octets = encode('PCMU', tone(400, 1_000));
    let seed = 1;
    const random = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return seed / 0x7fffffff;
    };
    const packets = Array.from({ length: 500 }, (_, index) => ({ index, at: index * 20 + random() * 40 }))
      .filter(() => random() > 0.1)
      .sort((left, right) => left.at - right.at);
    const heard: number[] = [];
    const into = frame();
    for (let now = 0; now < 10_000; now += 20) {
      for (let [packet] = packets; packet !== undefined && packet.at <= now; [packet] = packets) {
        const start = (packet.index * 160) % octets.length;
        buffer.put(packet.index, packet.index * 160, 1, octets.subarray(start, start + 160), packet.at);
        packets.shift();
      }
      buffer.take(into, now);
      heard.push(...decode('PCMU', into));
    }
    expect(heard).toHaveLength(80_000);
    const samples = Float32Array.from(heard, (sample) => sample / 32_768);
    expect(hearTone({ samples, rate: 8_000 }, 400).seconds).toBeGreaterThan(7);
  });
});
