import { z } from 'zod';
import type { RedisServers } from '../base/redis.js';
import { type HostPort, hostPort } from './environment.js';

/** The settings that say where Redis and PostgreSQL are. */

const withoutQuery = 'must have no options after ? or #: Demarc sets its own';

const redisUrl = z
  .string()
  .regex(/^(rediss?|unix):\/\/|^\//, 'must be redis://, rediss:// or the path of a socket')
  .regex(/^[^?#]*$/, `${withoutQuery} (encode ? and # of a password as %3F and %23)`)
  .refine((url) => url.startsWith('/') || url.startsWith('unix:') || URL.canParse(url), {
    error: 'must be redis://user:password@host:port/database; several hosts need DEMARC_REDIS_SENTINELS',
  });

const sentinelList = z.string().transform((text, context): readonly HostPort[] => {
  const parsed = text.split(',').map((part) => hostPort.safeParse(part.trim()));
  if (parsed.every(({ success }) => success)) return parsed.map(({ data }) => data!);
  context.addIssue({ code: 'custom', message: 'must be one or more host:port, separated by commas' });
  return z.NEVER;
});

export const redisVariables = {
  DEMARC_REDIS_URL: redisUrl.default('redis://127.0.0.1:6379'),
  /** Absent: the server of the URL is the only one. */
  DEMARC_REDIS_SENTINELS: sentinelList.optional(),
  /** The name that the sentinels monitor the servers under; no default, because another group would be another system. */
  DEMARC_REDIS_MASTER: z.string().max(200).optional(),
  DEMARC_REDIS_SENTINEL_PASSWORD: z.string().optional(),
};

type RedisRead = z.output<z.ZodObject<typeof redisVariables>>;

/** @param problems gets what is wrong */
export function redisServersOf(read: RedisRead, problems: string[]): RedisServers {
  const { DEMARC_REDIS_URL: url, DEMARC_REDIS_SENTINELS: sentinels, DEMARC_REDIS_MASTER: master } = read;
  if ((sentinels === undefined) !== (master === undefined))
    problems.push('DEMARC_REDIS_SENTINELS and DEMARC_REDIS_MASTER: set both or neither');
  if (sentinels === undefined || master === undefined) return { url };
  if (!/^rediss?:/.test(url))
    problems.push('DEMARC_REDIS_URL: must be redis:// or rediss:// with DEMARC_REDIS_SENTINELS');
  return { url, group: { sentinels, master, password: read.DEMARC_REDIS_SENTINEL_PASSWORD } };
}

/** What PostgreSQL's own clients call them; `db` and `encoding` belong to `socket:`. */
const databaseOptions = new Set([
  ...['host', 'port', 'user', 'password', 'db', 'encoding'],
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'uselibpqcompat'],
  'target_session_attrs',
]);

const databaseProblem = (url: string): string | undefined => {
  const [, query = ''] = url.split('?', 2);
  const options = new URLSearchParams(query);
  const unknown = [...options.keys()].find((name) => !databaseOptions.has(name));
  if (unknown !== undefined) return `must not have the option ${unknown}: Demarc sets its own`;
  const attributes = options.get('target_session_attrs');
  if (attributes !== null && attributes !== 'read-write' && attributes !== 'primary')
    return `must not have target_session_attrs=${attributes}: control writes (read-write)`;
  const hosts = databaseHosts(url);
  if (/^postgres(ql)?:\/\//.test(url) && !hosts.every((each) => URL.canParse(each, 'postgres://base')))
    return 'must be postgres://user:password@host:port,host:port/name';
  return undefined;
};

export const databaseUrl = z
  .string({ error: 'must be set, to postgres://… or socket:/directory?db=name' })
  .regex(/^(postgres(ql)?|socket):|^\//, 'must be postgres://… or socket:/directory?db=name')
  .superRefine((url, context) => {
    const problem = databaseProblem(url);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

/** One URL for each host of a URL with several (`postgres://user:password@one,two:5433/name`), in their order. */
export function databaseHosts(url: string): readonly string[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([\s\S]*)$/.exec(url);
  if (parts === null) return [url];
  const [, before = '', hosts = '', after = ''] = parts;
  const [path = '', query = ''] = after.split('?', 2);
  // Every host of several is asked whether it can be written to; the driver does not know the option.
  const options = new URLSearchParams(query);
  if (!hosts.includes(',') && !options.has('target_session_attrs')) return [url];
  options.delete('target_session_attrs');
  const rest = options.size === 0 ? path : `${path}?${options.toString()}`;
  return hosts.split(',').map((host) => `${before}${host}${rest}`);
}
