import { once } from 'node:events';
import { type ChainableCommander, Redis } from 'ioredis';
import { backoff } from './backoff.js';
import type { Logger } from './log.js';
import { OutageLog } from './outage-log.js';

export type { Redis };

const retries = { first: 100, longest: 1_000 };

/** Times in milliseconds. A Redis that hangs counts as down: set one of the two times. */
export interface RedisConnectionOptions {
  /** The connection is closed when a command has been waiting this long and nothing arrived. */
  readonly socketTimeout?: number;
  /** A command fails after this time; the connection stays. */
  readonly commandTimeout?: number;
  /** True: connects with the first command. */
  readonly lazyConnect?: boolean;
  /** True: commands wait while Redis is down, and those in flight are sent again, as BullMQ requires. */
  readonly waits?: boolean;
  /** True: leaves a server that has become a replica, because after a failover the same address leads to the new primary. */
  readonly needsPrimary?: boolean;
}

/** So that a group without a primary is not asked in a loop. */
const leaveMilliseconds = 5_000;

/** For `reconnectOnError`. */
function leaveReplica(): (error: Error) => boolean {
  let leftAt = Number.NEGATIVE_INFINITY;
  return ({ message }) => {
    if (!message.startsWith('READONLY') || performance.now() - leftAt < leaveMilliseconds) return false;
    leftAt = performance.now();
    return true;
  };
}

/**
 * A connection that is made in the background, retries for ever, and fails commands at once while Redis is down: the caller
 * decides what to retry. Logs once when the connection is lost and once when it is back.
 * @param url `redis://`, `rediss://`, or the path of a socket
 * @param connectionName shown by Redis in CLIENT LIST
 */
export function connectRedis(
  url: string,
  log: Logger,
  connectionName: string,
  { waits = false, needsPrimary = false, ...options }: RedisConnectionOptions = {},
): Redis {
  const all = {
    connectionName,
    enableOfflineQueue: waits,
    // Without retries a command in flight fails with its connection. With endless retries and no resending, ioredis would
    // forget it: its promise never settles.
    autoResendUnfulfilledCommands: waits,
    maxRetriesPerRequest: waits ? null : 0,
    ...(needsPrimary ? { reconnectOnError: leaveReplica() } : {}),
    connectTimeout: 2_000,
    retryStrategy: (attempt: number): number => backoff(retries, attempt),
    ...options,
  };
  const redis = url.startsWith('/') ? new Redis({ ...all, path: url }) : new Redis(url, all);
  const outage = new OutageLog(log, { down: 'Redis is unreachable.', up: 'Redis is reachable again.' });
  redis.on('error', (error: Error) => outage.failed(error));
  redis.on('close', () => outage.failed(new Error('the connection was closed')));
  redis.on('ready', () => outage.passed());
  return redis;
}

/** What Redis replies while it cannot do its work, although it is reachable. */
const unableReplies =
  /(?:^|-)(?:READONLY|LOADING|OOM|MISCONF|NOAUTH|WRONGPASS|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY)\b/;
/** Of the client, for a connection that is not there, breaks or is silent. */
const connectionFailures =
  /^(?:Command timed out|Command aborted|Connection is closed|Socket timeout|Socket closed|Stream isn't writeable)/;
const connectionCodes = /^(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)$/;

/** Whether a command failed because Redis is down, silent, or refuses its work; false: the command itself is wrong. */
export function isRedisDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isRedisDown);
  const { name, message, code } = error as NodeJS.ErrnoException;
  if (name === 'MaxRetriesPerRequestError' || connectionFailures.test(message)) return true;
  if (name === 'ReplyError') return unableReplies.test(message);
  return code !== undefined && connectionCodes.test(code);
}

/** Sends a pipeline or transaction. The replies of its commands, in order; throws the first one that is an error. */
export async function execute(commands: ChainableCommander): Promise<unknown[]> {
  return ((await commands.exec()) ?? []).map(([error, reply]) => {
    if (error !== null) throw error;
    return reply;
  });
}

/** Waits up to so many milliseconds for a connection's first success; resolves in any case. */
export async function firstConnection(redis: Redis, milliseconds: number): Promise<void> {
  if (redis.status === 'ready') return;
  await once(redis, 'ready', { signal: AbortSignal.timeout(milliseconds) }).catch(() => {});
}
