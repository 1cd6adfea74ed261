import { createHmac } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { hearTone } from '../../../dev/softphone/tone.js';
import { streamOrderSchema, streamUrlProblem } from '../../../src/contract/agent-stream.js';
import { compatibleSignature } from '../../../src/contract/stream-signatures.js';
import { JitterBuffer } from '../../../src/media-stream/audio/jitter-buffer.js';
import { Phases } from '../../../src/media-stream/audio/phases.js';
import { PlayoutQueue } from '../../../src/media-stream/audio/playout-queue.js';
import { Downsampler } from '../../../src/media-stream/audio/resampling.js';
import { answerOffer, makeOffer } from '../../../src/media-stream/audio-description.js';
import { BotLink, type BotLinkListener } from '../../../src/media-stream/bot/bot-link.js';
import type { BotSocketListener, BotTarget } from '../../../src/media-stream/bot/bot-socket.js';
import { MediaStreamsFormat } from '../../../src/media-stream/formats/media-streams.js';
import { PcmFormat } from '../../../src/media-stream/formats/pcm.js';
import { DigitReader, DigitWriter } from '../../../src/rtp/digits.js';
import { decode, encode } from '../../../src/rtp/g711.js';
import { ManualClock } from '../../../src/testkit/manual-clock.js';

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

/** A link whose sockets are under the test's control. */
function linked() {
  const opened: {
    readonly target: BotTarget;
    readonly listener: BotSocketListener;
    sent: string[];
    closed?: number;
  }[] = [];
  const events: string[] = [];
  const listener: BotLinkListener = {
    started: (isReconnected) => events.push(isReconnected ? 'again' : 'started'),
    lost: () => events.push('lost'),
    over: () => events.push('over'),
    congested() {},
    audio: () => events.push('audio'),
    mark() {},
    clear() {},
    order() {},
    unknown: () => events.push('unknown'),
  };
  const order = streamOrderSchema.parse({
    version: 1,
    call_id: '9e107d9d-372b-4682-8bd8-1d3542a419d6',
    organization: 'acme',
    from: '+13125550100',
    to: '+13125550199',
    direction: 'inbound',
    sip_call_id: 'x',
    stream: { url: 'wss://bot.example.com/stream', parameters: { tenant: 'blue' } },
  });
  const link = new BotLink(
    {
      order,
      headers: {},
      secrets: ['secret'],
      open: (target, socketListener) => {
        const socket: (typeof opened)[number] = { target, listener: socketListener, sent: [] };
        opened.push(socket);
        return {
          buffered: 0,
          latency: undefined,
          awaitsPong: false,
          ping: () => {},
          send: (message) => socket.sent.push(String(message)),
          sendAudio: (message) => socket.sent.push(String(message)),
          isClosed: () => false,
          close: (code) => {
            socket.closed = code;
          },
        };
      },
      makeFormat: () => new MediaStreamsFormat('PCMU'),
      reconnectMilliseconds: 10_000,
      version: 'test',
      facts: {},
    },
    listener,
    false,
  );
  link.connect();
  return { link, opened, events };
}

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
    const { media } = JSON.parse(format.media(encode('PCMA', samples), 0)) as { media: { payload: string } };
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

  it('23: audio that comes ahead of its time keeps its place by timestamp', () => {
    const buffer = new JitterBuffer('PCMU');
    const into = frame();
    // Ten packets at once, then in time: the timestamp says where each belongs.
    const heard: number[] = [];
    let next = 0;
    for (let now = 0; now < 2_000; now += 20) {
      const until = Math.min(100, now === 0 ? 3 : now / 20 + 3);
      for (; next < until; next++)
        buffer.put(next, next * 160, 1, new Uint8Array(160).fill((next % 100) + 1), now);
      if (buffer.take(into, now) === 'voice') heard.push(into[0]!);
    }
    expect(heard).toEqual([...heard].sort((one, other) => one - other));
    expect(new Set(heard).size).toBe(heard.length);
    expect(heard.length).toBeGreaterThan(90);
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
      .sort((one, other) => one.at - other.at);
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
