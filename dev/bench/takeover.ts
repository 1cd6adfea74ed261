import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { callRecordSchema } from '../../src/contract/call-record.js';
import { heldCallsKey, leftCallsKey } from '../../src/contract/held-call.js';
import { callStream } from '../../src/contract/keys.js';
import { until } from './children.js';
import { type DemarcSystem, startDemarc } from './demarc-system.js';
import { environmentOf, FurtherEdges } from './further-edges.js';
import { startLoad } from './load.js';
import type { Options } from './options.js';
import { described, RedisProcessor } from './redis-processor.js';
import { Session } from './session.js';
import type { Setting } from './step.js';

type Print = (line: string) => void;

/** Beside the edge that dies; the launcher starts that one again, and it takes its part as well. */
const survivors = 2;
/** The processes are cold. */
const highestRate = 50;
/** Between the last answer and the first BYE, so that the takeover is over by then. */
const marginSeconds = 60;
const longestTakeoverMilliseconds = 60_000;
/** As for the other measurements, and no node counts as lost on a busy machine. */
const environment = { DEMARC_SETUP_DELAY_MS: '0', DEMARC_RTPENGINE_TIMEOUT_MS: '5000' };
/** Commands that are shorter cannot be the longest one that matters. */
const slowMicroseconds = 1_000;
const shownCommands = 5;
/** Milliseconds. */
const goals = { longestCommand: 50, continued: 10_000 } as const;

/**
 * `--takeover`: an edge holds so many calls and is killed; how long until the other edges of the engine continue all of them, how
 * long Redis is busy with one command, and what becomes of the calls although all edges lose their connections to Redis halfway.
 */
export async function measureTakeover(
  options: Options,
  setting: Setting,
  calls: number,
  print: Print,
): Promise<void> {
  const session = new Session(setting, options);
  const clone = options.clones[0]!;
  const system = await session.add('demarc', clone, (plan) =>
    startDemarc(plan, clone.directory, environment),
  );
  const directory = join(setting.directory, 'edges');
  mkdirSync(directory);
  const further = new FurtherEdges(system, {
    directory,
    node: clone.node,
    file: join(clone.directory, 'dist', 'cli.js'),
  });
  const redis = new Redis(system.redisUrl);
  try {
    print(system.description);
    const callsPerSecond = Math.min(highestRate, ...options.rates);
    const seconds = calls / callsPerSecond;
    const { directory: files, keys } = setting;
    const load = { callsPerSecond, seconds, holdMilliseconds: (seconds + marginSeconds) * 1_000 };
    const records = new Records(system.redisUrl);
    const running = await startLoad({ ...system, directory: files, keys, load });
    try {
      const held = async () => (await heldCalls(redis)) >= calls;
      await until(held, `${calls} held calls`, (seconds + marginSeconds / 2) * 1_000);
      for (let each = 0; each < survivors; each++) await further.start();
      const isInTime = await takeOver(redis, system, further, calls, print);
      const { succeeded, failed, refused } = await running.result;
      print(`hung up by their callers: ${succeeded} of ${calls}; refused ${refused}, failed ${failed}`);
      const { whole, repeated } = await records.of(calls);
      print(`records that name the dead edge: ${whole} of ${calls}; repeated ${repeated}`);
      if (succeeded < calls || whole < calls || repeated > 0) throw new Error('Calls were lost.');
      if (!isInTime)
        throw new Error(`The goals are ${goals.longestCommand} ms and ${goals.continued / 1_000} s.`);
    } finally {
      running.stop();
      records.stop();
    }
  } finally {
    redis.disconnect();
    await further.stop();
    await session.stop();
  }
}

/** False: too slow. */
async function takeOver(
  redis: Redis,
  system: DemarcSystem,
  further: FurtherEdges,
  calls: number,
  print: Print,
): Promise<boolean> {
  const dead = system.processes().find(({ name }) => name === 'edge')!;
  const octets = await documentOctets(redis);
  const urls = [urlOf(dead.pid), ...further.processes.map(({ pid }) => urlOf(pid))];
  const processor = await RedisProcessor.watch(redis, slowMicroseconds);
  const began = performance.now();
  process.kill(dead.pid, 'SIGKILL');
  const broken = breakConnections(redis, calls / 2);
  let shares: readonly number[] = [];
  await until(
    async () => {
      shares = await Promise.all(urls.map(callsAt));
      return shares.reduce((sum, share) => sum + share, 0) >= calls && (await leftCalls(redis)) === 0;
    },
    `${calls} continued calls`,
    longestTakeoverMilliseconds,
  ).finally(() => processor.stop());
  const continued = performance.now() - began;
  const longest = await processor.longest(shownCommands);
  print(
    `${calls} calls of ${(octets / 1_000).toFixed(1)} kB continue ${(continued / 1_000).toFixed(1)} s after kill -9 of their edge: ` +
      `${shares.join(', ')} at the ${shares.length} edges; ${await broken} connections to Redis broken halfway`,
  );
  if (longest.length === 0) print('longest commands of Redis: all are shorter than 1 ms');
  for (const command of longest) print(`long command of Redis: ${described(command)}`);
  return (longest[0]?.milliseconds ?? 0) <= goals.longestCommand && continued <= goals.continued;
}

/** Closes the connections of all edges once so many calls have been taken; resolves with their number. */
async function breakConnections(redis: Redis, taken: number): Promise<number> {
  await until(
    async () => (await leftCalls(redis)) >= taken,
    'the first portions',
    longestTakeoverMilliseconds,
  );
  await until(async () => (await leftCalls(redis)) < taken, 'half of the calls', longestTakeoverMilliseconds);
  const clients = (await redis.client('LIST')) as string;
  const ids = [...clients.matchAll(/^id=(\d+) .*\bname=demarc-edge\b/gm)].map(([, id]) => id!);
  for (const id of ids) await redis.client('KILL', 'ID', id);
  return ids.length;
}

async function lengths(redis: Redis, pattern: string): Promise<number> {
  const keys = await redis.keys(pattern);
  const each = await Promise.all(keys.map((key) => redis.hlen(key)));
  return each.reduce((sum, length) => sum + length, 0);
}

const heldCalls = (redis: Redis): Promise<number> => lengths(redis, heldCallsKey('*'));
const leftCalls = (redis: Redis): Promise<number> => lengths(redis, leftCallsKey('*'));

/** Of an average document. */
async function documentOctets(redis: Redis): Promise<number> {
  const [key] = await redis.keys(heldCallsKey('*'));
  const documents = (await redis.hrandfield(key!, 100, 'WITHVALUES')) as string[];
  const sizes = await Promise.all(
    documents.filter((_, at) => at % 2 === 0).map((id) => redis.hstrlen(key!, id)),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
}

const urlOf = (pid: number): string => `http://127.0.0.1:${environmentOf(pid).DEMARC_HTTP_PORT}`;

/** Calls that it has; 0: it is not there. */
async function callsAt(url: string): Promise<number> {
  const text = await fetch(`${url}/metrics`).then(
    (response) => response.text(),
    () => '',
  );
  return Number(/^demarc_active_calls\{direction="inbound",state="answered"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** Reads call records from their stream as they are written. */
class Records {
  private readonly client: Redis;
  private readonly seen = new Map<string, number>();
  private repeated = 0;
  private isStopped = false;

  constructor(url: string) {
    this.client = new Redis(url);
    void this.read();
  }

  /** Once there are so many, or no more come. */
  async of(calls: number): Promise<{ readonly whole: number; readonly repeated: number }> {
    await until(async () => this.seen.size >= calls, 'all records', 30_000).catch(() => {});
    await sleep(1_000);
    return { whole: this.seen.size, repeated: this.repeated };
  }

  stop(): void {
    this.isStopped = true;
    this.client.disconnect();
  }

  private async read(): Promise<void> {
    for (let from = '0'; !this.isStopped; ) {
      const read = await this.client.xread('BLOCK', 1_000, 'STREAMS', callStream, from).catch(() => null);
      for (const [id, fields] of read?.[0]?.[1] ?? []) {
        from = id;
        const { call_id, adoptions = [] } = callRecordSchema.parse(JSON.parse(fields[1]!));
        if (adoptions.length === 0) continue;
        if (this.seen.has(call_id)) this.repeated++;
        this.seen.set(call_id, adoptions.length);
      }
    }
  }
}
