import { expect, it } from 'vitest';
import { backoff } from '../../../src/base/backoff.js';

it('a delay is doubled with each failure up to the longest, however many there are', () => {
  const delays = [1, 2, 3, 4, 5, 2_000].map((failures) => backoff({ first: 100, longest: 1_000 }, failures));
  expect(delays).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});

it('chance takes up to its share of the delay', () => {
  const range = { first: 100, longest: 1_000, jitter: 0.25 };
  expect([0, 0.5, 1].map((random) => backoff(range, 2, random))).toEqual([150, 175, 200]);
});
