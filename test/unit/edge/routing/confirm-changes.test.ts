import { expect, it } from 'vitest';
import { numberConfirmationsKey } from '../../../../src/contract/keys.js';
import { confirmChanges } from '../../../../src/edge/routing/confirm-changes.js';
import { MemoryRedis } from '../../../support/memory-redis.js';

it('names each edge that knows the changes, for longer than control waits', async () => {
  const redis = new MemoryRedis();
  for (const edge of ['edge-1', 'edge-2']) await confirmChanges(redis.asRedis, edge, 'token');
  expect(redis.sets.get(numberConfirmationsKey('token'))).toEqual(new Set(['edge-1', 'edge-2']));
  expect(redis.lifetimes.get(numberConfirmationsKey('token'))).toBe(10_000);
});

it('never rejects', async () => {
  const redis = new MemoryRedis();
  redis.isDown = true;
  await expect(confirmChanges(redis.asRedis, 'edge-1', 'token')).resolves.toBeUndefined();
});
