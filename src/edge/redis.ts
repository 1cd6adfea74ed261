import type { RedisSettings } from '../config/edge-settings.js';
import { connectRedis as connect, type Redis } from '../redis.js';
import type { Logger } from './log.js';

export type { Redis };

/** The edge's connection; it is made in the background. */
export function connectRedis(settings: RedisSettings, log: Logger, name = 'demarc-edge'): Redis {
  // A server that hangs is a server that is away: its connection is given up, and the copies in memory answer.
  return connect(settings.url, log, { connectionName: name, socketTimeout: 3_000 });
}
