import { Redis } from 'ioredis';
import type { Logger } from 'pino';

export type { Redis };

/** Times in milliseconds. */
export interface RedisConnectionOptions {
  /** Shown by Redis in CLIENT LIST. */
  readonly connectionName: string;
  /** A connection on which nothing came for this long although something is awaited is given up. */
  readonly socketTimeout?: number;
  readonly commandTimeout?: number;
  readonly lazyConnect?: boolean;
  /** True: commands wait for a Redis that is away, as BullMQ wants it. */
  readonly waits?: boolean;
}

/**
 * A connection that keeps trying for ever and fails commands at once while Redis is away: what may wait is the caller's to
 * decide. Says once when the connection is lost and once when it is back.
 * @param url `redis://`, `rediss://`, or the path of a socket
 */
export function connectRedis(
  url: string,
  log: Logger,
  { waits = false, ...options }: RedisConnectionOptions,
): Redis {
  const all = {
    enableOfflineQueue: waits,
    // A command in flight when the connection breaks fails instead of being sent twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: waits ? null : 0,
    connectTimeout: 2_000,
    retryStrategy: (attempt: number): number => Math.min(50 * 2 ** Math.min(attempt, 5), 1_000),
    ...options,
  };
  const redis = url.startsWith('/') ? new Redis({ ...all, path: url }) : new Redis(url, all);
  let isDown = false;
  redis.on('error', (error: Error) => {
    if (isDown) return;
    isDown = true;
    log.warn({ error: error.message }, 'Redis is not reachable.');
  });
  redis.on('close', () => {
    if (isDown) return;
    isDown = true;
    log.warn('Redis connection is lost.');
  });
  redis.on('ready', () => {
    if (isDown) log.info('Redis is back.');
    isDown = false;
  });
  return redis;
}
