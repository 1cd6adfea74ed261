import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/base/seeded-random.js';
import { PlayoutQueue } from '../../../../src/media-stream/audio/playout-queue.js';
import { shorten, shortenedFrom } from '../../../../src/media-stream/audio/shorten.js';
import { decode, encode, samplesPerPacket } from '../../../../src/rtp/g711.js';

type Sound = (at: number) => number;

const amplitude = 8_000;
const tone =
  (hertz: number): Sound =>
  (at) =>
    amplitude * Math.sin((2 * Math.PI * hertz * at) / 8_000);
const chord: Sound = (at) => (tone(262)(at) + tone(330)(at) + tone(392)(at)) / 3;
const random = seededRandom(3);
const noise: Sound = () => amplitude * (2 * random() - 1);

const samplesOf = (sound: Sound, length: number, from = 0): Int16Array =>
  Int16Array.from({ length }, (_, at) => Math.round(sound(from + at)));

/** What a sine of that pitch leaves of three samples in a row: its jumps and bends. */
function roughness(samples: Int16Array, hertz: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hertz) / 8_000);
  let largest = 0;
  for (let at = 2; at < samples.length; at++)
    largest = Math.max(largest, Math.abs(samples[at]! - factor * samples[at - 1]! + samples[at - 2]!));
  return largest;
}

const levelOf = (samples: Int16Array): number =>
  Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length);

describe('shortened audio', () => {
  it.each([100, 220, 440, 1_000, 1_900])(
    'continues a tone of %i Hz without a jump, at its level',
    (hertz) => {
      const before = samplesOf(tone(hertz), samplesPerPacket);
      const original = samplesOf(tone(hertz), shortenedFrom + samplesPerPacket, samplesPerPacket);
      const { frame, leftOut } = shorten(original)!;
      const after = original.subarray(samplesPerPacket + leftOut, 2 * samplesPerPacket + leftOut);
      const joined = Int16Array.from([...before, ...frame, ...after]);
      expect(leftOut).toBeGreaterThanOrEqual(20);
      expect(leftOut).toBeLessThanOrEqual(samplesPerPacket);
      // A cut without overlap leaves up to 16,000; rounding leaves 2.
      expect(roughness(joined, hertz)).toBeLessThan(0.02 * amplitude);
      expect(Math.abs(20 * Math.log10(levelOf(joined) / (amplitude / Math.SQRT2)))).toBeLessThan(0.5);
    },
  );

  it('is made of a chord, and of nothing that does not repeat itself', () => {
    expect(shorten(samplesOf(chord, shortenedFrom))?.leftOut).toBeGreaterThanOrEqual(20);
    expect(shorten(samplesOf(noise, shortenedFrom))).toBeUndefined();
    expect(shorten(new Int16Array(shortenedFrom))).toBeUndefined();
  });

  /** A bot that has a lead of 400 ms and sends that sound without a pause; what its caller hears in that time. */
  const play = (sound: Sound, milliseconds: number) => {
    const queue = new PlayoutQueue({ codec: 'PCMU', maximumMilliseconds: 10_000 });
    let sent = 0;
    const send = (length: number, now: number): void => {
      queue.push(encode('PCMU', samplesOf(sound, length * 8, sent)), now);
      sent += length * 8;
    };
    send(400, 0);
    const heard: number[] = [];
    const frame = new Uint8Array(samplesPerPacket);
    for (let now = 0; now < milliseconds; now += 20) {
      send(20, now);
      queue.take(frame, now);
      heard.push(...decode('PCMU', Buffer.from(frame)));
      // The lead is judged for twice four seconds first.
      if (now === 7_900) expect(queue.trimmedMilliseconds).toBe(0);
    }
    return { queue, heard: Int16Array.from(heard) };
  };

  it('takes the lead from a bot that plays music without a pause, less than 2 % at a time', () => {
    const { queue, heard } = play(tone(440), 40_000);
    expect(queue.queuedMilliseconds).toBeLessThan(140);
    expect(queue.trimmedMilliseconds + queue.queuedMilliseconds).toBe(400);
    // 256 are steps of mu-law at this amplitude.
    expect(roughness(heard, 440)).toBeLessThan(4 * 256);
    expect(queue.playedMilliseconds).toBe(40_000 + queue.trimmedMilliseconds);
  });

  it('leaves noise as it is, with its lead', () => {
    expect(play(noise, 12_000).queue.trimmedMilliseconds).toBe(0);
  });
});
