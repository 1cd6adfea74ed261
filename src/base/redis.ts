import { once } from 'node:events';
import { type ChainableCommander, Redis, type RedisOptions } from 'ioredis';
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

/** One of them may hang; the others know the primary too. */
const sentinelMilliseconds = 1_000;

/** For `reconnectOnError`. */
function leaveReplica(): (error: Error) => boolean {
  let leftAt = Number.NEGATIVE_INFINITY;
  return ({ message }) => {
    if (!message.startsWith('READONLY') || performance.now() - leftAt < leaveMilliseconds) return false;
    leftAt = performance.now();
    return true;
  };
}

/** One server, or a group whose primary its sentinels name. */
export interface RedisServers {
  /** `redis://`, `rediss://`, or the path of a socket; of a group, only scheme, user, password and database count. */
  readonly url: string;
  readonly group?: {
    readonly sentinels: readonly { readonly host: string; readonly port: number }[];
    /** The name that the sentinels know the group by. */
    readonly master: string;
    readonly password?: string | undefined;
  };
}

/**
 * A connection that is made in the background, retries for ever, and fails commands at once while Redis is down: the caller
 * decides what to retry. Logs once when the connection is lost and once when it is back.
 * @param servers or the URL of the only one
 * @param connectionName shown by Redis in CLIENT LIST
 */
export function connectRedis(
  servers: string | RedisServers,
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
    // `Subscriber` does it: ioredis does not handle a failure of that, after which the channels are lost.
    autoResubscribe: false,
    ...(needsPrimary ? { reconnectOnError: leaveReplica() } : {}),
    connectTimeout: 2_000,
    retryStrategy: (attempt: number): number => backoff(retries, attempt),
    ...options,
  };
  const address = typeof servers === 'string' ? { url: servers } : servers;
  const where = locate(address);
  const isUrl = Object.keys(where).length === 0;
  const redis = isUrl ? new Redis(address.url, all) : new Redis({ ...where, ...all });
  const outage = new OutageLog(log, { down: 'Redis is unreachable.', up: 'Redis is reachable again.' });
  redis.on('error', (error: Error) => outage.failed(error));
  redis.on('close', () => outage.failed(new Error('the connection was closed')));
  redis.on('ready', () => outage.passed());
  return redis;
}

/** Where the server is, as options of ioredis. */
function locate({ url, group }: RedisServers): Omit<RedisOptions, 'protocol' | 'replyMapping'> {
  if (url.startsWith('/')) return { path: url };
  if (group === undefined) return {};
  const { protocol, username, password, pathname } = new URL(url);
  return {
    sentinels: [...group.sentinels],
    name: group.master,
    role: 'master',
    db: Number(pathname.slice(1)),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(group.password === undefined ? {} : { sentinelPassword: group.password }),
    ...(protocol === 'rediss:' ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    sentinelCommandTimeout: sentinelMilliseconds,
    sentinelRetryStrategy: (attempt: number): number => backoff(retries, attempt),
  };
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
