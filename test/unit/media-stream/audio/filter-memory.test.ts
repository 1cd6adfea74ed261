import { expect, it } from 'vitest';
import { FilterMemory } from '../../../../src/media-stream/audio/filter-memory.js';
import { Downsampler, filterOf, Upsampler } from '../../../../src/media-stream/audio/resampling.js';
import { vectorModule } from '../../../../src/media-stream/audio/vector-module.js';

/** Samples of full scale, the same in each run. */
function noise(length: number): Int16Array {
  let state = 1;
  return Int16Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state >> 16;
  });
}

it.each([
  [2, 16_000],
  [3, 24_000],
] as const)('filters by %i alike with and without vector instructions', (factor, rate) => {
  const vectors = vectorModule([32, 64, 96]);
  expect(vectors).toBeDefined();
  const [by, without] = [vectors, undefined].map((module) => filterOf(factor, new FilterMemory(module)));
  const samples = noise(24_000);
  const results = [by!, without!].map((filter) => {
    const [up, down] = [new Int16Array(samples.length * factor), new Int16Array(samples.length)];
    new Upsampler(rate, filter).process(samples, up);
    const count = new Downsampler(rate, filter).process(samples, down);
    return [...up, ...down.subarray(0, count)];
  });
  expect(results[0]).toEqual(results[1]);
  // Some of them were limited, not wrapped around.
  expect(results[0]).toContain(32_767);
  expect(results[0]).toContain(-32_768);
});

it('rejects taps whose products could exceed 32 bits', () => {
  const memory = new FilterMemory(undefined);
  expect(() => memory.store(new Float32Array(32).fill(0.13), 14)).toThrow(RangeError);
  expect(memory.store(new Float32Array(32).fill(0.12), 14)).toBeDefined();
});
