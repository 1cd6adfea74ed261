import { describe, expect, it } from 'vitest';
import { hearTone } from '../../../dev/softphone/tone.js';
import { announcement, announcementMilliseconds } from '../../../src/edge/test-call/announcement.js';

/** ITU-T G.711, the other way round. */
function linear(octet: number): number {
  const value = ~octet & 0xff;
  const magnitude = (((value & 0x0f) << 3) + 0x84) << ((value >> 4) & 7);
  return ((value & 0x80) === 0 ? magnitude - 0x84 : 0x84 - magnitude) / 32_768;
}

describe('the announcement of test calls', () => {
  it('is a WAV file of µ-law that holds three notes, one after the other', () => {
    expect(announcement.toString('latin1', 0, 4) + announcement.toString('latin1', 8, 16)).toBe(
      'RIFFWAVEfmt ',
    );
    expect(announcement.readUInt32LE(4)).toBe(announcement.length - 8);
    expect(announcement.readUInt16LE(20)).toBe(7);
    const samples = Float32Array.from(announcement.subarray(44), linear);
    expect(announcement.readUInt32LE(40)).toBe(samples.length);
    const heard = [523, 659, 784].map((hertz) => hearTone({ samples, rate: 8_000 }, hertz));
    for (const { seconds } of heard) expect(seconds).toBeGreaterThan(0.5);
    expect(heard.map(({ from }) => from!)).toEqual(heard.map(({ from }) => from!).toSorted((a, b) => a - b));
    expect(announcementMilliseconds).toBeCloseTo(3 * (samples.length / 8));
  });

  it('fits into one datagram', () => {
    expect(announcement.length).toBeLessThan(32_000);
  });
});
