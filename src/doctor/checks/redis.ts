import { pino } from 'pino';
import { connectRedis, firstConnection, type Redis } from '../../base/redis.js';
import type { Check } from '../context.js';
import { type Finding, ok, problem, skipped, warning } from '../finding.js';
import { messageOf } from '../system.js';
import { judgeClockOf } from './clock.js';

const boundMilliseconds = 3_000;
const questions = 20;
/** The worst of twenty; a call waits for several replies. */
const slowMilliseconds = 20;
const leastVersion = [6, 2] as const;

type Facts = ReadonlyMap<string, string>;

export function readFacts(info: string): Facts {
  const lines = info.split(/\r?\n/).filter((line) => line.includes(':'));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}

/**
 * @param info reply to INFO
 * @param configuration of CONFIG GET; undefined: it may not be asked
 */
export function judgeRedis(info: Facts, configuration: Facts | undefined): Finding[] {
  const findings: Finding[] = [];
  const version = info.get('redis_version') ?? '0';
  const name = info.has('valkey_version') ? `Valkey ${info.get('valkey_version')}` : `Redis ${version}`;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < leastVersion[0] || (major === leastVersion[0] && minor < leastVersion[1]))
    findings.push(problem(`${name} is too old.`, 'Install Redis 6.2 or later, or Valkey.'));
  else findings.push(ok(`${name}, ${info.get('used_memory_human') ?? '?'} in use`));
  if (info.get('role') === 'slave')
    findings.push(
      problem('It is a replica, which accepts no writes.', 'Name the primary in DEMARC_REDIS_URL.'),
    );
  if (info.get('aof_enabled') === '1' && info.get('aof_last_write_status') === 'err')
    findings.push(
      problem(
        'It could not write its file: the disk may be full.',
        'Free the disk; Redis refuses writes meanwhile.',
      ),
    );
  if (info.get('rdb_last_bgsave_status') === 'err')
    findings.push(problem('Its last snapshot failed.', 'Look at the log of Redis: disk and memory.'));
  if (configuration === undefined) {
    findings.push(skipped('CONFIG GET is not allowed: persistence and eviction were not looked at.'));
    return findings;
  }
  const policy = configuration.get('maxmemory-policy') ?? 'noeviction';
  const limit = Number(configuration.get('maxmemory') ?? 0);
  if (policy !== 'noeviction')
    findings.push(
      (limit > 0 ? problem : warning)(
        `maxmemory-policy is ${policy}: Redis would delete trunks and calls when its memory is full.`,
        'Set maxmemory-policy noeviction.',
      ),
    );
  const used = Number(info.get('used_memory') ?? 0);
  if (limit > 0 && used > 0.8 * limit)
    findings.push(
      problem(
        `${Math.round((100 * used) / limit)} % of maxmemory are in use.`,
        'Raise maxmemory: writes are refused above it.',
      ),
    );
  if (configuration.get('appendonly') !== 'yes' && (configuration.get('save') ?? '') === '')
    findings.push(
      problem(
        'Nothing is written to disk (appendonly no, no save).',
        'Set appendonly yes: records that control has not read, and calls, are lost with Redis.',
      ),
    );
  else if (configuration.get('appendonly') !== 'yes')
    findings.push(
      warning(
        'Only snapshots are written to disk.',
        'Set appendonly yes: the last minutes are lost otherwise.',
      ),
    );
  if (policy === 'noeviction' && configuration.get('appendonly') === 'yes')
    findings.push(ok('It writes to disk (appendonly), and evicts nothing.'));
  return findings;
}

export function judgeDelay(name: string, milliseconds: readonly number[], slow: number): Finding {
  const worst = Math.max(...milliseconds);
  const text = `Slowest of ${milliseconds.length} replies of ${name}: ${worst.toFixed(1)} ms`;
  return worst > slow
    ? warning(text, 'Bring it nearer, or find what keeps it busy: calls wait for it.')
    : ok(text);
}

export const redis: Check = {
  name: 'redis',
  title: 'Redis',
  async run({ edge, control, mediaStream, now }) {
    const servers = (edge ?? control ?? mediaStream)?.redis;
    if (servers === undefined) return [];
    const client = connectRedis(servers, pino({ level: 'silent' }), 'demarc-doctor', {
      commandTimeout: boundMilliseconds,
    });
    let failure: Error | undefined;
    client.on('error', (error: Error) => {
      failure = error;
    });
    try {
      await firstConnection(client, boundMilliseconds);
      if (client.status !== 'ready') throw failure ?? new Error('no connection');
      return await look(client, now);
    } catch (error) {
      return [
        problem(
          `It cannot be used: ${messageOf(error)}.`,
          'Check DEMARC_REDIS_URL, the sentinels, the network and the password. Edges continue with the configuration that they have.',
        ),
      ];
    } finally {
      client.disconnect();
    }
  },
};

async function look(client: Redis, now: () => number): Promise<Finding[]> {
  const delays: number[] = [];
  for (let at = 0; at < questions; at++) {
    const began = performance.now();
    await client.ping();
    delays.push(performance.now() - began);
  }
  const asked = now();
  const [seconds, microseconds] = await client.time();
  const answered = now();
  const serverTime = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
  const skew = judgeClockOf('Redis', serverTime - (asked + answered) / 2, (answered - asked) / 2);
  const info = readFacts(await client.info());
  const configuration = await readConfiguration(client);
  return [
    ...judgeRedis(info, configuration),
    judgeDelay('Redis', delays, slowMilliseconds),
    ...(skew ? [skew] : []),
  ];
}

async function readConfiguration(client: Redis): Promise<Facts | undefined> {
  const facts = new Map<string, string>();
  try {
    for (const name of ['maxmemory', 'maxmemory-policy', 'appendonly', 'save']) {
      const [, value = ''] = (await client.config('GET', name)) as string[];
      facts.set(name, value);
    }
  } catch {
    return undefined;
  }
  return facts;
}
