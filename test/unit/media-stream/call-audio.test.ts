import { beforeEach, describe, expect, it } from 'vitest';
import { CallAudio, firstWordsMilliseconds } from '../../../src/media-stream/call-audio.js';
import type { RtpLeg } from '../../../src/media-stream/rtp-leg.js';

const silence = { PCMU: 0xff, PCMA: 0xd5 } as const;
const octets = (value: number, frames = 1): Uint8Array => new Uint8Array(160 * frames).fill(value);

/** Tones begin with a zero, which is also that of silence. */
const heardAt = 5;

let audio: CallAudio;
/** An octet of each frame. */
let toBot: number[];
let toCaller: number[];
let skipped: number[];
let events: number;
let reached: string[];
let rtp: RtpLeg;
beforeEach(() => {
  [toBot, toCaller, skipped, reached, events] = [[], [], [], [], 0];
  audio = new CallAudio({
    queueMilliseconds: 200,
    toBot: (frame) => toBot.push(frame[heardAt]!),
    reached: ({ name }) => reached.push(name),
  });
  const frame = new Uint8Array(160);
  rtp = {
    frame,
    sendFrame: () => toCaller.push(frame[heardAt]!),
    sendEvent: () => {
      events += 1;
    },
    skip: (frames: number) => skipped.push(frames),
  } as unknown as RtpLeg;
});

const tick = (now: number, fields = {}) => ({ phase: 0, frames: 1, skipped: 0, now, ...fields }) as never;

/** The caller speaks for so many frames, each of which the bot hears when it is due. */
function callerSpeaks(frames: number): void {
  for (let index = 0; index < frames; index++) {
    audio.voice(index, 160 * index, 9, octets(7), 20 * index);
    audio.hear(tick(20 * index));
  }
}

describe('what the bot hears', () => {
  it('is the caller', () => {
    callerSpeaks(10);
    expect(toBot).toHaveLength(10);
    expect(toBot.slice(-5)).toEqual([7, 7, 7, 7, 7]);
  });

  it.each(['PCMU', 'PCMA'] as const)('is silence of %s while the bot leaves the call', (codec) => {
    audio.useCodec(codec);
    audio.isMuted = true;
    callerSpeaks(10);
    expect(toBot.slice(-5)).toEqual(Array(5).fill(silence[codec]));
    audio.isMuted = false;
    audio.voice(10, 1_600, 9, octets(7), 200);
    audio.hear(tick(200));
    expect(toBot.at(-1)).toBe(7);
  });
});

describe('what the caller hears', () => {
  it('is the bot, then silence', () => {
    audio.push(octets(3, 2), 0);
    for (const now of [200, 220, 240]) audio.speak(rtp, tick(now));
    expect(toCaller).toEqual([3, 3, silence.PCMU]);
    expect(skipped).toEqual([]);
  });

  it('is the first words of the bot only once its path is open', () => {
    audio.answered(1_000);
    audio.push(octets(3, 3), 1_000);
    audio.speak(rtp, tick(1_000 + firstWordsMilliseconds - 1));
    audio.speak(rtp, tick(1_000 + firstWordsMilliseconds));
    expect(toCaller).toEqual([silence.PCMU, 3]);
  });

  it('is the first words at once where the caller is heard already', () => {
    audio.answered(1_000);
    audio.push(octets(3), 1_000);
    audio.voice(0, 0, 9, octets(7), 1_000);
    audio.speak(rtp, tick(1_000 + firstWordsMilliseconds / 2));
    expect(toCaller).toEqual([3]);
  });

  it('is nothing while the edge plays an announcement, and time that passes all the same', () => {
    audio.isQuiet = true;
    audio.push(octets(3), 0);
    audio.speak(rtp, tick(180, { skipped: 2 }));
    expect([toCaller, skipped]).toEqual([[], [2]]);
    audio.isQuiet = false;
    audio.speak(rtp, tick(200));
    expect(toCaller).toEqual([3]);
  });

  it('is the tone where the bot is silent', () => {
    audio.tone = 'hold';
    audio.push(octets(3), 0);
    for (let index = 0; index < 20; index++) audio.speak(rtp, tick(200 + 20 * index));
    expect(toCaller[0]).toBe(3);
    expect(toCaller.slice(1, 5)).not.toContain(silence.PCMU);
    audio.tone = undefined;
    audio.speak(rtp, tick(600));
    expect(toCaller.at(-1)).toBe(silence.PCMU);
  });

  it('is digits in place of the bot, which speaks on behind them', () => {
    audio.press('5', 100);
    audio.push(octets(3), 0);
    for (let index = 0; index < 20; index++) audio.speak(rtp, tick(20 * index));
    expect(events).toBeGreaterThan(0);
    expect(toCaller.filter((octet) => octet === 3)).toHaveLength(1);
  });
});

describe('sounds and marks', () => {
  it('are queued while there is room', () => {
    expect(audio.playSound(octets(4, 10), 1)).toBe(true);
    expect(audio.playSound(octets(4, 1), 2)).toBe(false);
    expect(audio.queuedMilliseconds).toBe(200);
  });

  it('come to the bot when what is before them was heard, or at once', () => {
    audio.mark('none');
    expect(reached).toEqual(['none']);
    audio.push(octets(3), 0);
    audio.mark('said');
    expect(reached).toEqual(['none']);
    audio.speak(rtp, tick(200));
    expect(reached).toEqual(['none', 'said']);
  });

  it('are given back when the queue is cleared', () => {
    audio.push(octets(3, 2), 0);
    audio.mark('said');
    expect(audio.clear().map(({ name }) => name)).toEqual(['said']);
    audio.speak(rtp, tick(200));
    expect(toCaller).toEqual([silence.PCMU]);
  });

  it('say how much of the bot was dropped, and the first time', () => {
    expect(audio.push(octets(3, 10), 0)).toEqual({ dropped: 0, isFirst: false });
    expect(audio.push(octets(3, 1), 0)).toEqual({ dropped: 20, isFirst: true });
    expect(audio.push(octets(3, 1), 0)).toEqual({ dropped: 20, isFirst: false });
  });
});
