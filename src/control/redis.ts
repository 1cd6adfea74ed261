import { once } from 'node:events';
import { connectRedis as connect, type Redis } from '../redis.js';
import type { Logger } from './log.js';

export type { Redis };

/** A connection of control's: what could not be done is still in PostgreSQL, or in the stream, and is tried again. */
export function connectRedis(
  url: string,
  log: Logger,
  { name = 'demarc-control', commandTimeout = 2_000 }: { name?: string; commandTimeout?: number } = {},
): Redis {
  // A server that hangs is a server that is away.
  const redis = connect(url, log, { connectionName: name, commandTimeout, lazyConnect: true });
  redis.connect().catch(() => {});
  return redis;
}

/** For a queue of BullMQ's, which retries by itself and blocks for some seconds while there is nothing to do. */
export function connectQueueRedis(url: string, log: Logger, name: string): Redis {
  return connect(url, log, { connectionName: name, waits: true, socketTimeout: 20_000 });
}

/** Waits a moment for a connection's first success, which is no outage before; resolves in any case. */
export async function firstConnection(redis: Redis, milliseconds: number): Promise<void> {
  if (redis.status === 'ready') return;
  await once(redis, 'ready', { signal: AbortSignal.timeout(milliseconds) }).catch(() => {});
}
