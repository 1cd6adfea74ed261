import type { Redis } from '../../base/redis.js';
import { maximumNoticeLength, type Notice, noticeChannel } from '../../contract/live.js';

/**
 * Publishes a transient notice to the organization's subscribers. No caller waits for it and nothing depends on it: it never
 * rejects, and is lost while Redis is down.
 */
export async function publishNotice(redis: Redis, notice: Notice): Promise<void> {
  const json = JSON.stringify(notice);
  if (json.length > maximumNoticeLength) return;
  await redis.publish(noticeChannel, json).catch(() => {});
}
