import { randomUUID } from 'node:crypto';
import { pause } from '../../base/pause.js';
import type { Redis } from '../../base/redis.js';
import { numberBarrierChannel, numberConfirmationsKey, readyEdgesKey } from '../../contract/keys.js';

const pollMilliseconds = 10;
/** An edge that says no more that it takes calls is busy or hangs: it may take some, but is not worth the whole time. */
const unreadyMilliseconds = 1_000;

/**
 * True when every edge that takes calls, and every other one that is subscribed, knows of the changes that are in Redis now; also
 * when there is none. Edges that are not subscribed cannot confirm, and are not waited for. Rejects with what Redis answers.
 * @param until monotonic milliseconds
 */
export async function confirmedByEdges(redis: Redis, until: number): Promise<boolean> {
  const [seconds] = await redis.time();
  const edges = await redis.zrangebyscore(readyEdgesKey, Number(seconds) * 1_000, '+inf');
  const token = randomUUID();
  const asked = await redis.publish(numberBarrierChannel, token);
  const unreadyUntil = Math.min(until, performance.now() + unreadyMilliseconds);
  for (;;) {
    const confirmed = asked === 0 ? new Set() : new Set(await redis.smembers(numberConfirmationsKey(token)));
    const isByReady = edges.every((edge) => confirmed.has(edge));
    if (confirmed.size >= asked) return isByReady;
    if (performance.now() >= (isByReady ? unreadyUntil : until)) return false;
    await pause(pollMilliseconds);
  }
}
