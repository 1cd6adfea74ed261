import { expect, it } from 'vitest';
import type { Redis } from '../../../../src/base/redis.js';
import { trimStream } from '../../../../src/control/streams/stream-position.js';

it('removes many entries by commands that each remove few, and then the rest of a node', async () => {
  let left = 25_050;
  const removed: number[] = [];
  const xtrim = async (_stream: string, _by: string, ...how: string[]): Promise<number> => {
    const isPart = how[0] === '~';
    // Redis: 100 times the entries of a node.
    const most = isPart ? Math.min(10_000, left - (left % 100)) : left;
    left -= most;
    removed.push(most);
    return most;
  };
  await trimStream({ xtrim } as unknown as Redis, 'calls', '5-0');
  expect(removed).toEqual([10_000, 10_000, 5_000, 0, 50]);
});
