import { describe, expect, it } from 'vitest';
import { within, withinOrThrow } from '../../../src/base/within.js';

const never = new Promise<number>(() => {});

describe('a bounded wait', () => {
  it('gives the value in time, and nothing when it is late or refused', async () => {
    expect(await within(1_000, Promise.resolve(1))).toBe(1);
    expect(await within(1_000, Promise.reject(new Error('no')))).toBeUndefined();
    expect(await within(1, never)).toBeUndefined();
  });

  it('reports whether it was late or refused when it may throw', async () => {
    expect(await withinOrThrow(1_000, Promise.resolve(1), 'late')).toBe(1);
    await expect(withinOrThrow(1_000, Promise.reject(new Error('no')), 'late')).rejects.toThrow('no');
    await expect(withinOrThrow(1, never, 'late')).rejects.toThrow('late');
  });

  it('takes a value that arrived while the process was stalled beyond the bound', async () => {
    const arrives = new Promise<number>((resolve) => setTimeout(resolve, 1, 7));
    const answer = within(5, arrives);
    for (const end = performance.now() + 20; performance.now() < end; );
    expect(await answer).toBe(7);
  });
});
