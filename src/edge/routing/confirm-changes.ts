import type { Redis } from '../../base/redis.js';
import { numberConfirmationsKey } from '../../contract/keys.js';

/** Longer than control waits for confirmations. */
const keptSeconds = 10;

/** Confirms to control that this edge knows of all changes announced before the token. Never rejects. */
export async function confirmChanges(redis: Redis, edge: string, token: string): Promise<void> {
  const key = numberConfirmationsKey(token);
  try {
    await redis.multi().sadd(key, edge).expire(key, keptSeconds).exec();
  } catch {
    // Control reports the change as unconfirmed.
  }
}
