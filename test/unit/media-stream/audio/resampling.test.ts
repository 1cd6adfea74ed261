import { describe, expect, it } from 'vitest';
import { Downsampler, Upsampler } from '../../../../src/media-stream/audio/resampling.js';

/** Amplitude of a tone in samples, by correlation over their middle. */
function level(samples: readonly number[], rate: number, hertz: number): number {
  const from = 400;
  const count = samples.length - 800;
  let [sine, cosine] = [0, 0];
  for (let index = from; index < from + count; index++) {
    // Hann, so that other tones do not leak into this one.
    const window = 1 - Math.cos((2 * Math.PI * (index - from)) / count);
    const phase = (2 * Math.PI * hertz * index) / rate;
    sine += window * samples[index]! * Math.sin(phase);
    cosine += window * samples[index]! * Math.cos(phase);
  }
  return (2 * Math.hypot(sine, cosine)) / count;
}

const decibels = (ratio: number): number => 20 * Math.log10(ratio);

const tone = (rate: number, hertz: number, seconds = 1): Int16Array =>
  Int16Array.from({ length: rate * seconds }, (_, index) =>
    Math.round(16_000 * Math.sin((2 * Math.PI * hertz * index) / rate)),
  );

/** Through the filter in frames of 20 ms, or other pieces. */
function through(filter: Upsampler | Downsampler, samples: Int16Array, pieces: readonly number[]): number[] {
  const out: number[] = [];
  const into = new Int16Array(30_000);
  for (let at = 0, piece = 0; at < samples.length; piece++) {
    const length = pieces[piece % pieces.length]!;
    const count = filter.process(samples.subarray(at, at + length), into);
    out.push(...into.subarray(0, count));
    at += length;
  }
  return out;
}

describe.each([16_000, 24_000] as const)('between 8 kHz and %d Hz', (rate) => {
  const factor = rate / 8_000;

  it.each([300, 1_000, 2_500, 3_400])('%d Hz passes both ways within 0.1 dB', (hertz) => {
    const up = through(new Upsampler(rate), tone(8_000, hertz), [160]);
    expect(up).toHaveLength(rate);
    expect(Math.abs(decibels(level(up, rate, hertz) / 16_000))).toBeLessThan(0.1);
    const down = through(new Downsampler(rate), tone(rate, hertz), [20 * (rate / 1_000)]);
    expect(down).toHaveLength(8_000);
    expect(Math.abs(decibels(level(down, 8_000, hertz) / 16_000))).toBeLessThan(0.1);
  });

  it.each([300, 1_000, 3_400])('%d Hz has no image above 4.6 kHz above -60 dB', (hertz) => {
    const up = through(new Upsampler(rate), tone(8_000, hertz), [160]);
    for (
      let image = 8_000 - hertz;
      image < rate / 2;
      image += image === 8_000 - hertz ? 2 * hertz : 8_000 - 2 * hertz
    )
      expect(decibels(level(up, rate, image) / 16_000)).toBeLessThan(-60);
  });

  it.each([4_600, 5_500, 7_000, 7_900])('%d Hz leaves no alias above -60 dB', (hertz) => {
    const down = through(new Downsampler(rate), tone(rate, hertz), [20 * (rate / 1_000)]);
    expect(decibels(level(down, 8_000, 8_000 - hertz) / 16_000)).toBeLessThan(-60);
  });

  it('gives the same samples whatever pieces they come in', () => {
    const input = tone(8_000, 700, 0.5);
    expect(through(new Upsampler(rate), input, [1, 7, 160, 33])).toEqual(
      through(new Upsampler(rate), input, [4_000]),
    );
    const wide = tone(rate, 700, 0.25);
    expect(through(new Downsampler(rate), wide, [1, 2, 5, 160])).toEqual(
      through(new Downsampler(rate), wide, [8_000]),
    );
  });

  it('keeps what it was given as every other (or third) sample', () => {
    const input = Int16Array.from({ length: 100 }, (_, index) => index * 11);
    const up = through(new Upsampler(rate), input, [20]);
    expect(up.filter((_, index) => index % factor === 0).slice(16)).toEqual([...input.subarray(0, 84)]);
  });

  it('does not wrap around at full scale', () => {
    const square = Int16Array.from({ length: 800 }, (_, index) => (index % 40 < 20 ? 32_767 : -32_768));
    const up = through(new Upsampler(rate), square, [160]);
    expect(Math.max(...up)).toBe(32_767);
    expect(Math.min(...up)).toBe(-32_768);
    for (const [index, sample] of up.entries()) {
      const phase = (((index / factor - 16) % 40) + 40) % 40;
      if (index > 100 && phase > 3 && phase < 17) expect(sample).toBeGreaterThan(25_000);
    }
  });
});
