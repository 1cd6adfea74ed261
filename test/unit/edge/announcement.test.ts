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
  const file = announcement();

  it('is a WAV file of µ-law that holds three notes, one after the other', () => {
    expect(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
    expect(file.readUInt32LE(4)).toBe(file.length - 8);
    expect(file.readUInt16LE(20)).toBe(7);
    const samples = Float32Array.from(file.subarray(44), linear);
    expect(file.readUInt32LE(40)).toBe(samples.length);
    const heard = [523, 659, 784].map((hertz) => hearTone({ samples, rate: 8_000 }, hertz));
    for (const { seconds } of heard) expect(seconds).toBeGreaterThan(0.5);
    expect(heard.map(({ from }) => from!)).toEqual(heard.map(({ from }) => from!).toSorted((a, b) => a - b));
    expect(announcementMilliseconds).toBeCloseTo(3 * (samples.length / 8));
  });

  it('fits into one datagram', () => {
    expect(file.length).toBeLessThan(32_000);
  });
});
