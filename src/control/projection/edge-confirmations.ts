import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from '../../base/redis.js';
import { numberBarrierChannel, numberConfirmationsKey, readyEdgesKey } from '../../contract/keys.js';

const pollMilliseconds = 10;

/**
 * True when every edge that takes calls knows of the changes that are in Redis now, also when there is no such edge. Edges that
 * are not subscribed cannot confirm, and are not waited for. Rejects with what Redis answers.
 * @param until monotonic milliseconds
 */
export async function confirmedByEdges(redis: Redis, until: number): Promise<boolean> {
  const [seconds] = await redis.time();
  const edges = await redis.zrangebyscore(readyEdgesKey, Number(seconds) * 1_000, '+inf');
  if (edges.length === 0) return true;
  const token = randomUUID();
  const asked = await redis.publish(numberBarrierChannel, token);
  for (;;) {
    const confirmed = new Set(await redis.smembers(numberConfirmationsKey(token)));
    if (edges.every((edge) => confirmed.has(edge))) return true;
    if (confirmed.size >= asked || performance.now() >= until) return false;
    await sleep(pollMilliseconds);
  }
}
