import { expect, it } from 'vitest';
import { guardedLookup } from '../../../src/base/guarded-lookup.js';

type Outcome = readonly [error: string | undefined, found: unknown];

const look = (name: string, all: boolean, mayReach: (address: string) => boolean): Promise<Outcome> =>
  new Promise((resolve) => {
    const lookup = guardedLookup(mayReach, () => new Error('forbidden'));
    lookup(name, { all } as never, (error, found) => resolve([error?.message, found]));
  });

it('returns the addresses that may be reached, one or all', async () => {
  expect(await look('127.0.0.1', false, () => true)).toEqual([undefined, '127.0.0.1']);
  const [, all] = await look('127.0.0.1', true, () => true);
  expect(all).toEqual([{ address: '127.0.0.1', family: 4 }]);
});

it('reports a name whose addresses are all forbidden', async () => {
  for (const all of [true, false])
    expect(await look('127.0.0.1', all, () => false)).toEqual(['forbidden', []]);
});

it('reports a name that cannot be looked up', async () => {
  const [error, found] = await look('a'.repeat(300), true, () => true);
  expect(error).toContain('getaddrinfo');
  expect(found).toEqual([]);
});
