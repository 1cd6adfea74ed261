import { describe, expect, it } from 'vitest';
import { rangeOf } from '../../../../src/control/agent-testing/runs/octet-range.js';
import { Loudness } from '../../../../src/control/agent-testing/voice/loudness.js';
import { stereoHeader } from '../../../../src/rtp/stereo-wave.js';

describe('a range of a file', () => {
  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, 999],
    ['bytes=-10', 990, 999],
    ['bytes=-5000', 0, 999],
    ['Bytes = 5-5000', 5, 999],
  ])('%s: %i to %i', (header, first, last) => {
    expect(rangeOf(header, 1_000)).toEqual({ first, last });
  });

  it.each([undefined, '', 'bytes=-', 'bytes=0-1,5-6', 'lines=0-1', 'bytes=5-4'])(
    '%s: the whole file',
    (header) => {
      expect(rangeOf(header, 1_000)).toBeUndefined();
    },
  );

  it.each(['bytes=1000-', 'bytes=-0', 'bytes=1000-1001'])('%s: refused', (header) => {
    expect(() => rangeOf(header, 1_000)).toThrow(/of 1000 octets/);
  });
});

describe('the file of a recording', () => {
  it('has a header with the length of the sound', () => {
    const header = stereoHeader(32_000);
    expect(header.toString('latin1', 0, 4) + header.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
    expect(header.readUInt32LE(4)).toBe(header.length - 8 + 32_000);
    // Format μ-law, two channels, 8000 samples and 16000 octets a second.
    expect([header.readUInt16LE(20), header.readUInt16LE(22), header.readUInt32LE(24)]).toEqual([
      7, 2, 8_000,
    ]);
    expect([header.readUInt32LE(28), header.readUInt32LE(46), header.readUInt32LE(54)]).toEqual([
      16_000, 16_000, 32_000,
    ]);
  });
});

describe('the loudness of speech', () => {
  const sine = (peak: number, seconds: number): Int16Array =>
    Int16Array.from(
      { length: 8_000 * seconds },
      (_, at) => peak * Math.sin((2 * Math.PI * at * 400) / 8_000),
    );

  it('is its mean level without pauses, in dBov', () => {
    const loudness = new Loudness();
    expect(loudness.dBov).toBeNull();
    loudness.add(new Int16Array(8_000));
    expect(loudness.dBov).toBeNull();
    // A sine has 3 dB less than a square wave of its peak, and a tenth of full scale is −20 dB.
    loudness.add(sine(3_276.8, 1));
    expect(loudness.dBov).toBe(-23);
    loudness.add(sine(32_767, 1));
    expect(loudness.dBov).toBeCloseTo(10 * Math.log10((0.5 + 0.005) / 2), 1);
  });
});
