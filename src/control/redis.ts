import { Redis } from 'ioredis';
import type { Logger } from './log.js';

export type { Redis };

/**
 * A connection that keeps trying for ever and fails commands at once while Redis is away: what could not be done is still
 * in PostgreSQL, or in the stream, and is tried again. Says once when the connection is lost and once when it is back.
 */
export function connectRedis(
  url: string,
  log: Logger,
  { name = 'demarc-control', commandTimeout = 2_000 }: { name?: string; commandTimeout?: number } = {},
): Redis {
  const options = {
    // A server that hangs is a server that is away.
    commandTimeout,
    connectionName: name,
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    retryStrategy: (attempt: number): number => Math.min(50 * 2 ** Math.min(attempt, 5), 1_000),
  };
  const redis = url.startsWith('/') ? new Redis({ ...options, path: url }) : new Redis(url, options);
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
  redis.connect().catch(() => {});
  return redis;
}
