import { describe, expect, it } from 'vitest';
import { Deferred } from '../../../src/base/deferred.js';

describe('a deferred promise', () => {
  it('settles those who waited before and those who ask later', async () => {
    const deferred = new Deferred();
    const settled: string[] = [];
    const first = deferred.promise.then(() => settled.push('first'));
    const second = deferred.promise.then(() => settled.push('second'));
    await Promise.resolve();
    expect(deferred.isResolved).toBe(false);
    expect(settled).toEqual([]);
    deferred.resolve();
    deferred.resolve();
    expect(deferred.isResolved).toBe(true);
    await deferred.promise;
    await Promise.all([first, second]);
    expect(settled).toEqual(['first', 'second']);
  });

  it('settles at once where it was resolved before anyone waited', async () => {
    const deferred = new Deferred();
    deferred.resolve();
    await expect(deferred.promise).resolves.toBeUndefined();
  });
});
