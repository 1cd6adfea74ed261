import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { Logger } from './log.js';

export type { Redis };

/** Times in milliseconds. A Redis that hangs counts as down: set one of the two times. */
export interface RedisConnectionOptions {
  /** The connection is closed when a command has been waiting this long and nothing arrived. */
  readonly socketTimeout?: number;
  /** A command fails after this time; the connection stays. */
  readonly commandTimeout?: number;
  /** True: connects with the first command. */
  readonly lazyConnect?: boolean;
  /** True: commands wait while Redis is down, as BullMQ requires. */
  readonly waits?: boolean;
}

/**
 * A connection that is made in the background, retries for ever, and fails commands at once while Redis is down: the caller
 * decides what may wait. Logs once when the connection is lost and once when it is back.
 * @param url `redis://`, `rediss://`, or the path of a socket
 * @param connectionName shown by Redis in CLIENT LIST
 */
export function connectRedis(
  url: string,
  log: Logger,
  connectionName: string,
  { waits = false, ...options }: RedisConnectionOptions = {},
): Redis {
  const all = {
    connectionName,
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
  const wentDown = (error?: Error): void => {
    if (isDown) return;
    isDown = true;
    if (error === undefined) log.warn('Redis connection lost.');
    else log.warn({ error: error.message }, 'Redis is unreachable.');
  };
  redis.on('error', wentDown);
  redis.on('close', () => wentDown());
  redis.on('ready', () => {
    if (isDown) log.info('Redis is reachable again.');
    isDown = false;
  });
  return redis;
}

/** Waits up to so many milliseconds for a connection's first success; resolves in any case. */
export async function firstConnection(redis: Redis, milliseconds: number): Promise<void> {
  if (redis.status === 'ready') return;
  await once(redis, 'ready', { signal: AbortSignal.timeout(milliseconds) }).catch(() => {});
}
