import { Redis } from 'ioredis';
import type { RedisSettings } from '../config/edge-settings.js';
import type { Logger } from './log.js';

export type { Redis };

/**
 * A connection that keeps trying for ever and fails commands at once while Redis is away: what may wait is the
 * caller's to decide. Connects in the background; says once when the connection is lost and once when it is back.
 */
export function connectRedis(settings: RedisSettings, log: Logger, name = 'demarc-edge'): Redis {
  const options = {
    connectionName: name,
    enableOfflineQueue: false,
    // A command in flight when the connection breaks fails instead of being sent twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    // A server that hangs is a server that is away: its connection is given up, and the copies in memory answer.
    socketTimeout: 3_000,
    retryStrategy: (attempt: number): number => Math.min(50 * 2 ** Math.min(attempt, 5), 1_000),
  };
  const redis = settings.url.startsWith('/')
    ? new Redis({ ...options, path: settings.url })
    : new Redis(settings.url, options);
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
