import { describe, expect, it } from 'vitest';
import { levelOf, StereoReader } from '../../../src/dashboard/api/call-audio.js';
import { encode } from '../../../src/rtp/g711.js';
import { stereoHeader } from '../../../src/rtp/stereo-wave.js';

/** So many pairs, whose left channel rises and whose right one falls. */
const pairs = 200;
const wave = Buffer.concat([
  stereoHeader(),
  encode(
    'PCMU',
    Int16Array.from({ length: 2 * pairs }, (_, index) => (index % 2 === 0 ? 50 : -50) * (index >> 1)),
  ),
]);

describe('the audio of a call in the browser', () => {
  it.each([1, 7, 58, 59, 100, wave.length])(
    'has two channels when it arrives %s octets at a time',
    (size) => {
      const reader = new StereoReader();
      const [left, right]: [number[], number[]] = [[], []];
      for (let start = 0; start < wave.length; start += size) {
        const piece = reader.read(wave.subarray(start, start + size));
        left.push(...(piece?.left ?? []));
        right.push(...(piece?.right ?? []));
      }
      expect([left.length, right.length]).toEqual([pairs, pairs]);
      expect(left.every((sample, index) => Math.abs(sample - (50 * index) / 32_768) < 0.02)).toBe(true);
      expect(right.every((sample, index) => Math.abs(sample + (50 * index) / 32_768) < 0.02)).toBe(true);
    },
  );
});

describe('the level of a channel', () => {
  it('is 0 for silence, 1 for full scale, and half of it for -30 dB', () => {
    expect(levelOf(new Float32Array(800))).toBe(0);
    expect(levelOf(new Float32Array(800).fill(1))).toBe(1);
    expect(levelOf(new Float32Array(800).fill(10 ** (-30 / 20)))).toBeCloseTo(0.5, 3);
    expect(levelOf(new Float32Array(800).fill(0.000_1))).toBe(0);
  });
});
