import { readdirSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import pg from 'pg';
import { isRunning, type ProcessIdentity } from '../../src/base/process-identity.js';
import type { LaunchedSystem } from '../survival/launched-system.js';
import type { Expected } from './notice.js';

export interface Fault {
  readonly name: string;
  /** Begins it; resolves with what ends it. */
  readonly begin: (system: LaunchedSystem) => Promise<() => Promise<void>>;
  readonly expected: Expected;
}

const red = (...words: string[]): Expected => ({ tone: 'bad', words });

/** Processes with their children: PostgreSQL has many. */
function withChildren(identities: readonly ProcessIdentity[]): number[] {
  const wanted = new Set(identities.map(({ pid }) => pid));
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      if (wanted.has(parent)) wanted.add(Number(name));
    } catch {
      // It has ended.
    }
  }
  return [...wanted];
}

/** Stopped processes keep their connections, and answer nothing: worse than dead ones, which are noticed at once. */
const hung =
  (...names: readonly string[]) =>
  async (system: LaunchedSystem) => {
    const running = system.processes();
    const identities = names.flatMap((name) => running.get(name) ?? []);
    if (identities.length < names.length) throw new Error(`Not all of ${names.join(', ')} run.`);
    const stopped = withChildren(identities);
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    return async () => {
      // The launcher has replaced some meanwhile.
      if (!identities.some(isRunning)) return;
      for (const pid of stopped) {
        try {
          process.kill(pid, 'SIGCONT');
        } catch {
          // It has ended.
        }
      }
    };
  };

/** As a replica answers during a failover, or a Redis with full memory. */
async function refuseWrites({ facts }: LaunchedSystem) {
  const redis = new Redis(facts.redis.url);
  await redis.config('SET', 'min-replicas-to-write', '1');
  return async () => {
    await redis.config('SET', 'min-replicas-to-write', '0');
    redis.disconnect();
  };
}

const lockedTables = 'call_minutes, endpoint_health, configurations, alerts';

async function lockTables({ facts }: LaunchedSystem) {
  const client = new pg.Client({ connectionString: facts.postgres!.url });
  await client.connect();
  await client.query(`begin; lock table ${lockedTables} in access exclusive mode`);
  return () => client.end();
}

export const faults: readonly Fault[] = [
  { name: 'Redis hangs', begin: hung('redis'), expected: red('Redis: down') },
  { name: 'Redis refuses writes', begin: refuseWrites, expected: red('Redis: down') },
  { name: 'PostgreSQL hangs', begin: hung('postgres'), expected: red('PostgreSQL: down') },
  {
    name: 'PostgreSQL is slow: its tables are locked',
    begin: lockTables,
    // It answers other requests until all of control's connections wait for these tables.
    expected: { tone: 'warn', words: ['PostgreSQL answers slowly'] },
  },
  {
    name: 'one of two edges hangs',
    begin: hung('edge-1'),
    expected: { tone: 'warn', words: ['edges: degraded'] },
  },
  { name: 'both edges hang', begin: hung('edge-1', 'edge-2'), expected: red('edges: down') },
  { name: 'the engine hangs', begin: hung('engine'), expected: red('edges: down') },
  { name: 'rtpengine hangs', begin: hung('rtpengine'), expected: red('media (rtpengine): down') },
  { name: 'control hangs', begin: hung('control'), expected: { tone: 'unknown', words: ['Unknown'] } },
];
