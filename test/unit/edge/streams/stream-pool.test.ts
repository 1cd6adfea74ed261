import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import type { Redis } from '../../../../src/base/redis.js';
import type { StreamProcess } from '../../../../src/contract/agent-stream.js';
import {
  codecsFor,
  isProcessFailure,
  newSearch,
  streamOf,
  symmetryFor,
} from '../../../../src/edge/streams/invite-stream.js';
import { StreamPool } from '../../../../src/edge/streams/stream-pool.js';
import { until } from '../../../../src/testkit/waiting.js';

const uriOf = (name: string): string => `sip:${name}:5090;transport=tcp`;

/** The keys of processes; null: a process that no longer renews its own. */
class Announced {
  readonly removed: string[] = [];
  constructor(readonly entries: Record<string, Partial<StreamProcess> | null>) {}

  readonly redis = {
    smembers: async () => Object.keys(this.entries),
    mget: async () =>
      Object.entries(this.entries).map(([name, entry]) =>
        entry === null
          ? null
          : JSON.stringify({
              uri: uriOf(name),
              calls: 0,
              accepts: true,
              is_late: false,
              lateness_p99: 1,
              ...entry,
            }),
      ),
    srem: async (_key: string, ...ids: string[]) => this.removed.push(...ids),
  } as unknown as Redis;
}

describe('the media-stream processes', () => {
  const pools: StreamPool[] = [];
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.stop())));

  const poolOf = async (announced: Announced): Promise<StreamPool> => {
    const pool = new StreamPool(announced.redis, pino({ level: 'silent' }));
    pools.push(pool);
    pool.start();
    const usable = Object.values(announced.entries).filter((entry) => entry && entry.accepts !== false);
    await until(() => pool.usable === usable.length, 5_000, 'the processes are read');
    return pool;
  };
  const nobody: ReadonlySet<string> = new Set();

  it('share the calls by their load, those given since it was read included', async () => {
    const pool = await poolOf(new Announced({ a: { calls: 3 }, b: { calls: 1 }, c: { calls: 1 } }));
    const chosen = Array.from({ length: 7 }, () => pool.choose(nobody)!.uri);
    const counts = ['a', 'b', 'c'].map((name) => chosen.filter((uri) => uri === uriOf(name)).length);
    expect(counts).toEqual([1, 3, 3]);
  });

  it('have the number of calls that they announce, once they are read again', async () => {
    const announced = new Announced({ a: { calls: 0 }, b: { calls: 9 } });
    const pool = await poolOf(announced);
    for (let count = 0; count < 4; count++) pool.choose(nobody);
    announced.entries.c = { calls: 2 };
    await until(() => pool.usable === 3, 5_000, 'the processes are read again');
    expect([pool.choose(nobody)!.uri, pool.choose(nobody)!.uri]).toEqual([uriOf('a'), uriOf('a')]);
  });

  it('get no call while they are full, stopping or late and another is not, or were tried', async () => {
    const pool = await poolOf(
      new Announced({
        full: { accepts: false },
        late: { is_late: true },
        gone: { calls: 1 },
        busy: { calls: 9 },
      }),
    );
    const tried = new Set<string>();
    const order = Array.from({ length: 4 }, () => {
      const uri = pool.choose(tried)?.uri;
      if (uri !== undefined) tried.add(uri);
      return uri;
    });
    expect(order).toEqual([uriOf('gone'), uriOf('busy'), uriOf('late'), undefined]);
  });

  it('are forgotten when they no longer announce themselves', async () => {
    const announced = new Announced({ a: {}, b: null });
    const pool = await poolOf(announced);
    expect(announced.removed).toContain('b');
    announced.entries.a = null;
    await until(() => pool.usable === 0, 5_000, 'none is there');
    expect(pool.choose(nobody)).toBeUndefined();
  });

  it('are waited for while one restarts, not where one is full or was never there', async () => {
    const wanted = () => true;
    const announced = new Announced({ a: {} });
    const pool = await poolOf(announced);
    announced.entries.a = { accepts: false, is_leaving: true };
    await until(() => pool.usable === 0, 5_000, 'it leaves');
    const search = newSearch();
    search.tried.add(uriOf('a'));
    const found = pool.waitForOne(search, wanted);
    announced.entries.a = {};
    expect(await found).toBe(true);
    expect(pool.choose(search.tried)?.uri).toBe(uriOf('a'));

    announced.entries.a = { accepts: false };
    await until(() => pool.usable === 0, 5_000, 'it is full');
    expect(await pool.waitForOne(newSearch(), wanted)).toBe(false);
    announced.entries.a = { accepts: false, is_leaving: true };
    expect(await pool.waitForOne(newSearch(), () => false)).toBe(false);

    const none = await poolOf(new Announced({}));
    await until(async () => !(await none.waitForOne(newSearch(), wanted)), 5_000, 'none is expected');
  });

  it('are waited for where the edge has just started', async () => {
    const pool = new StreamPool(new Announced({ a: {} }).redis, pino({ level: 'silent' }));
    pools.push(pool);
    expect(pool.choose(nobody)).toBeUndefined();
    expect(await pool.waitForOne(newSearch(), () => true)).toBe(true);
    expect(pool.choose(nobody)?.uri).toBe(uriOf('a'));
  });

  it('are given up where none comes back', async () => {
    const announced = new Announced({ a: {} });
    const pool = await poolOf(announced);
    announced.entries.a = null;
    const search = newSearch();
    search.tried.add(uriOf('a'));
    while (await pool.waitForOne(search, () => true)) search.tried.add(uriOf('a'));
    expect(performance.now() - search.since).toBeGreaterThan(2_000);
  });
});

describe('an INVITE to a bot', () => {
  const refusal = (status: number, reason: string, isMadeUp = false) => ({
    status,
    res: {
      get: (name: string) => (name === 'Reason' ? reason : undefined),
      source_address: '192.0.2.1',
      source_port: isMadeUp ? 0 : 5_090,
    },
  });

  it('goes to the next process when this one is unreachable or takes none, not when the bot refuses', () => {
    expect(isProcessFailure(refusal(503, 'SIP;cause=503;text="Media stream: full"'))).toBe(true);
    expect(isProcessFailure({ status: 408 })).toBe(true);
    expect(isProcessFailure(refusal(503, '', true))).toBe(true);
    expect(isProcessFailure(refusal(503, 'SIP;cause=503;text="bot: 503"'))).toBe(false);
    expect(isProcessFailure(refusal(486, ''))).toBe(false);
    expect(isProcessFailure(new Error('a defect'))).toBe(false);
  });

  it('has the settings of its URL, or the defaults, and G.711 beside what the trunk has', () => {
    const url = 'wss://bot.example.com/';
    expect(streamOf(undefined, url)).toMatchObject({ url, format: 'media-streams', comfort_tone: false });
    expect(streamOf(undefined, 'sip:agent@example.com')).toBeUndefined();
    const codecs = { order: ['opus' as const], transcode: false };
    expect(codecsFor(codecs, [url])).toEqual({ order: ['opus', 'PCMU'], transcode: true });
    expect(codecsFor(codecs, ['sip:agent@example.com'])).toEqual(codecs);
  });

  it('learns the source of a SIP agent alone', () => {
    const [stream, sip] = ['wss://bot.example.com/a', 'sip:agent@example.com'];
    expect([symmetryFor(true, [sip]), symmetryFor(true, [stream, sip])]).toEqual([true, true]);
    expect([symmetryFor(undefined, [sip]), symmetryFor(true, [])]).toEqual([undefined, true]);
    expect([symmetryFor(true, [stream]), symmetryFor(undefined, [stream])]).toEqual([false, false]);
  });
});
