import { describe, expect, it } from 'vitest';
import { PlayoutQueue } from '../../../../src/media-stream/audio/playout-queue.js';
import { encode } from '../../../../src/rtp/g711.js';
import { answeredCall } from '../answered-call.js';

const silence = 0xff;
const loud = encode('PCMU', new Int16Array(1).fill(8_000))[0]!;

const queueOf = (options: { maximumMilliseconds?: number; prebufferMilliseconds?: number } = {}) =>
  new PlayoutQueue({ codec: 'PCMU', maximumMilliseconds: 1_000, ...options });

const audio = (milliseconds: number, octet = loud): Uint8Array =>
  new Uint8Array(milliseconds * 8).fill(octet);

/** Takes one frame: `audio`, `silence`, or a mix of both. */
function frame(queue: PlayoutQueue, now: number): string {
  const into = new Uint8Array(160);
  queue.take(into, now);
  const kinds = new Set([...into].map((octet) => (octet === silence ? 'silence' : 'audio')));
  return [...kinds].join('+');
}

describe('a playout queue', () => {
  it('gathers 60 ms after a pause, and plays what is less once that has waited as long', () => {
    const queue = queueOf();
    queue.push(audio(40), 0);
    expect(frame(queue, 0)).toBe('silence');
    queue.push(audio(20), 20);
    expect(frame(queue, 20)).toBe('audio');
    const short = queueOf();
    short.push(audio(20), 0);
    expect([0, 20, 40].map((now) => frame(short, now))).toEqual(['silence', 'silence', 'silence']);
    expect(frame(short, 60)).toBe('audio');
  });

  it('does not gather again between pieces that follow each other', () => {
    const queue = queueOf({ prebufferMilliseconds: 0 });
    queue.push(audio(20), 0);
    expect(frame(queue, 0)).toBe('audio');
    queue.push(audio(20), 15);
    expect(frame(queue, 20)).toBe('audio');
  });

  it('plays the tail that is no whole frame when the bot pauses, padded with silence', () => {
    const queue = queueOf({ prebufferMilliseconds: 0 });
    queue.push(audio(30), 0);
    expect(frame(queue, 0)).toBe('audio');
    expect(frame(queue, 19)).toBe('silence');
    expect(frame(queue, 20)).toBe('audio+silence');
    expect(queue.queuedMilliseconds).toBe(0);
  });

  it('drops what is new when it is full, and counts it', () => {
    const queue = queueOf({ maximumMilliseconds: 100 });
    expect(queue.push(audio(80), 0)).toBe(0);
    expect(queue.push(audio(80), 0)).toBe(60 * 8);
    expect(queue.droppedMilliseconds).toBe(60);
    expect(queue.queuedMilliseconds).toBe(100);
  });

  it('warns once about all that a bot sends beyond 120 s', async () => {
    const { call, say, warnings, end } = await answeredCall();
    const minute = { event: 'media', media: { payload: Buffer.alloc(480_000, loud).toString('base64') } };
    say(minute);
    say(minute);
    expect(warnings).toEqual([]);
    for (let more = 0; more < 3; more++) say(minute);
    expect(call.queuedMilliseconds).toBe(120_000);
    expect(warnings).toEqual(['The bot is too far ahead of what is heard; its audio is dropped.']);
    end();
  });

  it('returns a mark when what was before it has been taken, and at once when nothing waits', () => {
    const queue = queueOf({ prebufferMilliseconds: 0 });
    expect(queue.mark('empty')).toEqual({ name: 'empty', isPlayed: true, playedMilliseconds: 0 });
    queue.push(audio(30), 0);
    expect(queue.mark('after 30 ms')).toBeUndefined();
    queue.push(audio(30), 0);
    frame(queue, 0);
    expect(queue.dueMarks()).toEqual([]);
    frame(queue, 20);
    expect(queue.dueMarks()).toEqual([{ name: 'after 30 ms', isPlayed: true, playedMilliseconds: 40 }]);
    expect(queue.dueMarks()).toEqual([]);
  });

  it('gives back the pending marks in order when it is cleared, not played, with what was heard', () => {
    const queue = queueOf({ prebufferMilliseconds: 0 });
    queue.push(audio(100), 0);
    queue.mark('first');
    queue.push(audio(100), 0);
    queue.mark('second');
    frame(queue, 0);
    expect(queue.clear()).toEqual([
      { name: 'first', isPlayed: false, playedMilliseconds: 20 },
      { name: 'second', isPlayed: false, playedMilliseconds: 20 },
    ]);
    expect(queue.queuedMilliseconds).toBe(0);
    queue.push(audio(20), 100);
    // The fade, then the new audio.
    frame(queue, 160);
    frame(queue, 180);
    expect(queue.playedMilliseconds).toBe(40);
  });

  it('fades out over 2.5 ms after a clear, and is silent with the next frame', () => {
    const queue = queueOf({ prebufferMilliseconds: 0 });
    queue.push(audio(200), 0);
    frame(queue, 0);
    queue.clear();
    const into = new Uint8Array(160);
    queue.take(into, 20);
    const audible = into.findLastIndex((octet) => octet !== silence);
    expect(audible).toBeGreaterThan(10);
    expect(audible).toBeLessThan(20);
    expect(frame(queue, 40)).toBe('silence');
  });

  it('answers the oldest of more than 1,000 marks, and keeps the order', () => {
    const queue = queueOf({ prebufferMilliseconds: 0 });
    queue.push(audio(100), 0);
    for (let index = 0; index < 1_001; index++) queue.mark(String(index));
    expect(queue.dueMarks().map(({ name }) => name)).toEqual(['0']);
    expect(queue.clear().map(({ name }) => name)[0]).toBe('1');
  });

  it('loses the lead of a bot that keeps pace, in silence alone', () => {
    const queue = queueOf({ maximumMilliseconds: 10_000 });
    queue.push(audio(400), 0);
    const kinds: string[] = [];
    // Speech for 5 s, then silence: only that is left out.
    for (let now = 0; now < 10_000; now += 20) {
      queue.push(audio(20, now < 5_000 ? loud : silence), now);
      kinds.push(frame(queue, now));
      if (now === 4_980) expect(queue.trimmedMilliseconds).toBe(0);
    }
    expect(queue.trimmedMilliseconds).toBeGreaterThan(200);
    expect(queue.queuedMilliseconds).toBeLessThanOrEqual(100);
    expect(kinds.filter((kind) => kind === 'audio')).toHaveLength(5_400 / 20);
  });

  it('leaves alone what a bot sends faster than real time', () => {
    const queue = queueOf({ maximumMilliseconds: 120_000 });
    for (let now = 0; now < 10_000; now += 20) {
      queue.push(audio(60, silence), now);
      frame(queue, now);
    }
    expect(queue.trimmedMilliseconds).toBe(0);
  });

  it('leaves alone the pauses of what a bot sends at once', () => {
    const queue = queueOf({ maximumMilliseconds: 120_000 });
    queue.push(audio(20_000, silence), 0);
    for (let now = 0; now < 15_000; now += 20) frame(queue, now);
    expect(queue.trimmedMilliseconds).toBe(0);
    expect(queue.queuedMilliseconds).toBe(5_000);
  });

  it('holds all in order over any pushes and takes, as a list would', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const queue = queueOf({ maximumMilliseconds: 5_000, prebufferMilliseconds: 0 });
    const model: number[] = [];
    const into = new Uint8Array(160);
    for (let step = 0; step < 3_000; step++) {
      const length = random(700);
      // No octet of μ-law silence, and nothing that is trimmed or, because it repeats itself, shortened.
      const octets = Uint8Array.from({ length }, () => random(100));
      const dropped = queue.push(octets, step * 20);
      model.push(...octets.subarray(0, length - dropped));
      for (let takes = random(4); takes > 0; takes--) {
        if (!queue.take(into, step * 20)) continue;
        const expected = model.splice(0, 160);
        expect([...into.subarray(0, expected.length)]).toEqual(expected);
      }
      expect(queue.queuedMilliseconds * 8).toBe(model.length);
    }
  });
});
