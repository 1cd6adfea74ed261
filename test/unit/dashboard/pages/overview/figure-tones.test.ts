import { describe, expect, it } from 'vitest';
import { figureTones } from '../../../../../src/dashboard/pages/overview/figure-tones.js';

const figures = (attempts: number, answered: number, calls: number, failed: number) => ({
  attempts,
  answered,
  judged: { calls, failed, caller_errors: attempts - calls, worst: null },
});

describe('the colour of a figure', () => {
  it.each([
    ['no calls', figures(0, 0, 0, 0), undefined, undefined],
    ['calls that work', figures(100, 95, 100, 2), undefined, undefined],
    ['a fifth that fails', figures(100, 80, 100, 20), 'warn', 'warn'],
    ['half that fail', figures(100, 50, 100, 50), 'bad', 'bad'],
    ['none answered, all failed', figures(60, 0, 60, 60), 'bad', 'bad'],
    ['two calls that failed', figures(2, 0, 2, 2), 'warn', 'warn'],
    ['mistakes of callers alone', figures(60, 0, 0, 0), 'warn', undefined],
    ['too few mistakes of callers', figures(2, 0, 0, 0), undefined, undefined],
  ])('of %s', (_, given, answerRate, failed) => {
    expect(figureTones(given)).toEqual({ answerRate, failed });
  });
});
