import type { Redis } from 'ioredis';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectRedis } from '../../../src/base/redis.js';
import { limitSlotsKey } from '../../../src/contract/keys.js';
import type { NumberDocument } from '../../../src/contract/number.js';
import { CallLimits, type Place } from '../../../src/edge/admission/call-limits.js';
import type { Admission } from '../../../src/edge/admission/chain.js';
import { LimitFleet } from '../../../src/edge/admission/fleet/limit-fleet.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { RedisMonitor } from '../../support/redis-monitor.js';
import { sideBySide } from '../../support/side-by-side.js';
import { stays } from '../../support/stays.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { chainOver, invite, numberDocument, settings } from '../../unit/edge/admission/request.js';
import { PrivateRedis } from './private-redis.js';

/** Longer than this process may be stalled: an edge whose lease ends loses its slots to the others. */
const leaseMilliseconds = 4_000;
const renewMilliseconds = 375;
/** Longer than Redis may be stalled: an edge that gets no answer admits its part alone. */
const waitMilliseconds = 2_500;
/** For tests in which Redis hangs. */
const shortWaitMilliseconds = 500;
/** After this, the whole rate is free again. */
const refillMilliseconds = 1_100;

sideBySide(2, () => {
  class TestEdge {
    readonly redis: Redis;
    readonly fleet: LimitFleet;
    readonly limits: CallLimits;

    constructor(
      readonly holder: string,
      own: Partial<typeof settings>,
      waitMilliseconds: number,
    ) {
      this.redis = connectRedis(server.url, pino({ level: 'silent' }), 'test', { socketTimeout: 3_000 });
      const { redis } = this;
      this.fleet = new LimitFleet({
        redis,
        holder,
        leaseMilliseconds,
        renewMilliseconds,
        waitMilliseconds,
      });
      const now = () => performance.now();
      this.limits = new CallLimits({ ...settings, ...own }, now, { isOverloaded: false }, this.fleet);
    }

    /** Its process dies: nothing is renewed or answered any more. */
    die(): void {
      this.redis.disconnect();
      void this.fleet.stop();
    }
  }

  let server: PrivateRedis;
  let client: Redis;
  let edges: TestEdge[];
  beforeAll(async () => {
    server = await PrivateRedis.start();
    client = server.client();
  });
  afterAll(async () => {
    client?.disconnect();
    await server?.stop();
  });
  beforeEach(() => client.flushall());
  afterEach(async () => {
    for (const { fleet, redis } of edges) {
      await fleet.stop();
      redis.disconnect();
    }
  });

  async function fourEdges(
    own: Partial<typeof settings> = {},
    wait: number = waitMilliseconds,
  ): Promise<TestEdge[]> {
    edges = ['one', 'two', 'three', 'four'].map((name) => new TestEdge(`${name} 1`, own, wait));
    for (const { fleet, redis } of edges) {
      await until(() => redis.status === 'ready', 5_000, 'connection');
      await fleet.start();
    }
    // Each knows of those that started after it.
    await until(() => edges.every(({ fleet }) => fleet.part === 1 / 4), 5_000, 'knowledge of all edges');
    return edges;
  }

  const caller = '192.0.2.1';
  const spreads: readonly (readonly number[])[] = [
    [40, 0, 0, 0],
    [10, 10, 10, 10],
    [37, 1, 1, 1],
    [1, 1, 1, 37],
  ];
  const concurrent = numberDocument({ limits: { concurrent_calls: 20 } });
  const paced = numberDocument({ limits: { calls_per_second: 20 } });

  /** All at once. */
  const callEach = (spread: readonly number[], document = concurrent): Promise<Place[]> =>
    Promise.all(
      spread.flatMap((calls, index) =>
        Array.from({ length: calls }, () => edges[index]!.limits.enter(document, caller)),
      ),
    );
  /** Calls go round the edges that still have some, each after the answer to the one before. */
  async function callInTurn(spread: readonly number[], document = concurrent): Promise<Place[]> {
    const left = [...spread];
    const places: Place[] = [];
    while (left.some((calls) => calls > 0)) {
      for (const [index, calls] of left.entries()) {
        if (calls === 0) continue;
        left[index]!--;
        places.push(await edges[index]!.limits.enter(document, caller));
      }
    }
    return places;
  }
  const admitted = (places: readonly Place[]) => places.filter((place) => place.ok);
  const releaseAll = (places: readonly Place[]): void => {
    for (const place of admitted(places)) place.release();
  };

  /** Slots of the number that edges have. */
  const leased = async (): Promise<number> =>
    (await client.hvals(limitSlotsKey('number 14155550100'))).reduce(
      (sum, own) => sum + Number.parseInt(own, 10),
      0,
    );
  /** What was given back has reached Redis: no edge has slots that are all in use. */
  const allReturned = (): Promise<void> =>
    until(
      async () => (await client.hvals(limitSlotsKey('number 14155550100'))).every((own) => own.endsWith('~')),
      2_000,
      'returned slots',
    );

  describe('a limit of 20 concurrent calls of a number', () => {
    it.each(spreads)('admits 20 of 40 calls at four edges: %i, %i, %i, %i', async (...spread) => {
      await fourEdges();
      for (const call of [callEach, callInTurn, callEach]) {
        const places = await call(spread);
        expect(admitted(places)).toHaveLength(20);
        releaseAll(places);
        await allReturned();
      }
    });

    it('gives a slot that was returned at one edge to another', async () => {
      await fourEdges();
      const places = await callEach([20, 0, 0, 0]);
      expect(admitted(places)).toHaveLength(20);
      for (const place of admitted(places).slice(0, 5)) {
        expect(await edges[2]!.limits.enter(concurrent, caller)).toMatchObject({ ok: false });
        place.release();
        await until(
          async () => (await edges[1]!.limits.enter(concurrent, caller)).ok,
          2_000,
          'the slot at another edge',
        );
      }
      expect(await edges[2]!.limits.enter(concurrent, caller)).toMatchObject({ ok: false });
    });

    it('holds for all numbers of an organization in the same way', async () => {
      await fourEdges({ organizationMaximumCalls: 20 });
      const firstNumber = numberDocument();
      const secondNumber = numberDocument({ number: '14155550101' });
      const places = (
        await Promise.all([callEach([5, 5, 5, 5], firstNumber), callEach([17, 1, 1, 1], secondNumber)])
      ).flat();
      expect(admitted(places)).toHaveLength(20);
      expect(places.find((place) => !place.ok)).toMatchObject({
        refusal: { detail: expect.stringContaining('DEMARC_ORGANIZATION_MAX_CALLS') },
      });
    });

    it('lets each edge admit its part while Redis hangs, and counts those calls when it is back', async () => {
      await fourEdges({}, shortWaitMilliseconds);
      server.hang();
      const places = await callEach([10, 10, 10, 10]);
      expect(admitted(places)).toHaveLength(20);
      const watch = Stopwatch.start();
      expect(await edges[0]!.limits.enter(concurrent, caller)).toMatchObject({
        ok: false,
        refusal: { detail: expect.stringContaining('Redis is down') },
      });
      // Only the first calls wait for it.
      expect(watch.milliseconds).toBeLessThan(watch.bound(100));
      server.resume();
      await until(() => edges.every(({ fleet }) => fleet.isUp), 10_000, 'the edges are together again');
      await until(async () => (await leased()) === 20, 5_000, 'the calls in Redis');
      expect(admitted(await callEach([5, 5, 5, 5]))).toHaveLength(0);
      for (const place of admitted(places).slice(0, 3)) place.release();
      await until(async () => (await leased()) === 17, 5_000, 'returned slots');
      expect(admitted(await callEach([0, 0, 0, 10]))).toHaveLength(3);
    });

    it('counts the calls again in a Redis that has lost its data', async () => {
      await fourEdges();
      await callEach([6, 6, 6, 0]);
      await client.flushall();
      await until(async () => (await leased()) === 18, 5_000, 'the calls in Redis');
      expect(admitted(await callEach([0, 0, 3, 3]))).toHaveLength(2);
    });

    it('frees the slots of an edge that died when its lease ends', async () => {
      await fourEdges();
      expect(admitted(await callEach([20, 1, 0, 0]))).toHaveLength(20);
      edges[0]!.die();
      await until(
        async () => (await edges[1]!.limits.enter(concurrent, caller)).ok,
        leaseMilliseconds + 2_000,
        'a slot of the dead edge',
      );
      const more = await callEach([0, 20, 20, 20]);
      expect(admitted(more).length).toBeGreaterThanOrEqual(18);
      expect(admitted(more).length).toBeLessThanOrEqual(20);
    });

    it('counts the calls of an edge that died once, at the edges that adopt them', async () => {
      await fourEdges();
      expect(admitted(await callEach([15, 0, 0, 0]))).toHaveLength(15);
      edges[0]!.die();
      for (let call = 0; call < 15; call++) {
        const { limits } = edges[1 + (call % 2)]!;
        limits.occupy(concurrent.number, concurrent.organization, { most: 20, holder: edges[0]!.holder });
      }
      // At no moment do they count less. What the dead edge had leased and not used is free when its lease ends.
      let admittedCalls = admitted(await callEach([0, 10, 10, 10])).length;
      await until(
        async () => {
          admittedCalls += admitted(await callEach([0, 1, 1, 1])).length;
          return admittedCalls >= 5;
        },
        leaseMilliseconds + 2_000,
        'the slots that are left',
      );
      expect(admitted(await callEach([0, 5, 5, 5]))).toHaveLength(0);
      expect(admittedCalls).toBe(5);
    });
  });

  /** What one bucket of 20 a second would admit of the same attempts: on a busy machine they come late, and are fewer. */
  class IdealRate {
    admitted = 0;
    private at = performance.now();

    constructor(private tokens: number) {}

    attempt(count: number): void {
      const now = performance.now();
      this.tokens = Math.min(20, this.tokens + ((now - this.at) / 1_000) * 20);
      this.at = now;
      const taken = Math.min(count, Math.floor(this.tokens));
      this.tokens -= taken;
      this.admitted += taken;
    }
  }

  describe('a limit of 20 calls per second of a number', () => {
    it.each(spreads)('admits 20 of 40 calls at once at four edges: %i, %i, %i, %i', async (...spread) => {
      await fourEdges();
      const startedAt = performance.now();
      const places = await callEach(spread, paced);
      const refilled = Math.ceil(((performance.now() - startedAt) / 1_000) * 20);
      expect(admitted(places).length).toBeGreaterThanOrEqual(20);
      expect(admitted(places).length).toBeLessThanOrEqual(20 + refilled);
    });

    it.each(spreads.slice(2, 3))('admits 20 of 40 a second over time: %i, %i, %i, %i', async (...spread) => {
      await fourEdges();
      await callEach([40, 0, 0, 0], paced);
      const startedAt = performance.now();
      let calls = 0;
      const ideal = new IdealRate(0);
      const attempts = spread.flatMap((times, index) => Array.from({ length: times }, () => index));
      for (let round = 0; round < 40; round++) {
        // An even order of the edges, whatever the spread is.
        for (let attempt = 0; attempt < 2; attempt++) {
          const index = attempts[(round * 2 + attempt * 21) % attempts.length]!;
          if ((await edges[index]!.limits.enter(paced, caller)).ok) calls++;
        }
        ideal.attempt(2);
        await pause(50);
      }
      const seconds = (performance.now() - startedAt) / 1_000;
      expect(calls).toBeGreaterThan(0.8 * ideal.admitted);
      expect(calls / seconds).toBeLessThan(21.5);
    });

    it('keeps a source that calls now and then from being crowded out by a flood at all edges', async () => {
      await fourEdges();
      const refused: string[] = [];
      let flood = 0;
      const startedAt = performance.now();
      const ideal = new IdealRate(20);
      for (let round = 0; round < 60; round++) {
        const places = await Promise.all(edges.map(({ limits }) => limits.enter(paced, '192.0.2.66')));
        flood += admitted(places).length;
        if (round % 10 === 9) {
          const place = await edges[((round / 10) % 4) | 0]!.limits.enter(paced, caller);
          if (!place.ok) refused.push(place.refusal.detail);
        }
        ideal.attempt(4);
        await pause(40);
      }
      expect(refused).toEqual([]);
      const seconds = (performance.now() - startedAt) / 1_000;
      // With the first burst.
      expect(flood).toBeLessThan(20 + seconds * 21);
      expect(flood).toBeGreaterThan(0.5 * ideal.admitted);
    });

    it('lets each edge admit its part of the rate while Redis hangs', async () => {
      await fourEdges({}, shortWaitMilliseconds);
      server.hang();
      const watch = Stopwatch.start();
      const places = await callEach([10, 10, 10, 10], paced);
      server.resume();
      // The first calls wait for Redis, in which time a part is refilled.
      expect(admitted(places).length).toBeGreaterThanOrEqual(20);
      const late = Math.max(0, watch.milliseconds - 2 * shortWaitMilliseconds);
      expect(admitted(places).length).toBeLessThanOrEqual(24 + Math.ceil((late / 1_000) * 20));
    });

    it('leaves an edge without tokens its part when the memory of Redis is full', async () => {
      await fourEdges();
      // Others have taken all, also what each edge had in advance; then the rate is free again.
      await callEach([2, 2, 2, 2], paced);
      await callEach([20, 0, 0, 0], paced);
      await pause(refillMilliseconds);
      await client.config('SET', 'maxmemory', '1');
      try {
        expect(admitted(await callEach([0, 2, 2, 2], paced))).toHaveLength(6);
        await until(
          () => edges.every(({ fleet }) => !fleet.isUp),
          5_000,
          'the edges see that they cannot lease',
        );
        // A lease that is renewed would show that they can.
        await stays(
          () => expect(edges.map(({ fleet }) => fleet.isUp)).not.toContain(true),
          leaseMilliseconds,
        );
      } finally {
        await client.config('SET', 'maxmemory', '0');
      }
    });
  });

  describe('limits that numbers share', () => {
    const numbers = ['14155550100', '14155550101'];
    const shared = [
      {
        name: 'concurrent calls of a trunk',
        fields: { limits_key: 'trunk-1', limits: { concurrent_calls: 20 } },
        refilled: 0,
      },
      {
        name: 'concurrent calls of an organization',
        fields: { organization_limits: { concurrent_calls: 20 } },
        refilled: 0,
      },
      {
        name: 'calls per second of a trunk',
        fields: { limits_key: 'trunk-1', limits: { calls_per_second: 20 } },
        refilled: 20,
      },
      {
        name: 'calls per second of an organization',
        fields: { organization_limits: { calls_per_second: 20 } },
        refilled: 20,
      },
    ] as const;
    const cases = shared.flatMap((limit) => spreads.slice(1, 3).map((spread) => ({ ...limit, spread })));

    /** Calls to both numbers in turn, all at once, through all that an edge decides by. */
    async function admitEach(
      spread: readonly number[],
      fields: Record<string, unknown>,
    ): Promise<readonly Admission[]> {
      const documents: NumberDocument[] = numbers.map((number) => numberDocument({ number, ...fields }));
      const own = { ...settings, sourceCallsPerSecond: 1_000 };
      const chains = edges.map(({ fleet }) => {
        const now = () => performance.now();
        return chainOver(documents, { settings: own, fleet, now, isBusy: () => false }).chain;
      });
      return Promise.all(
        spread.flatMap((calls, index) =>
          Array.from({ length: calls }, (_, call) =>
            chains[index]!.admit(invite({ calledUser: `+${numbers[call % 2]}` })),
          ),
        ),
      );
    }
    const countAdmitted = (admissions: readonly Admission[]): number =>
      admissions.filter(({ admitted: isAdmitted }) => isAdmitted).length;
    const refusals = (admissions: readonly Admission[]): readonly string[] => [
      ...new Set(
        admissions.flatMap((admission) => (admission.admitted ? [] : [admission.refusal.endReason])),
      ),
    ];

    it.each(cases)(
      'admit 20 of 40 calls at four edges: $name, $spread',
      async ({ fields, refilled, spread }) => {
        await fourEdges();
        const startedAt = performance.now();
        const admissions = await admitEach(spread, fields);
        const seconds = (performance.now() - startedAt) / 1_000;
        expect(countAdmitted(admissions)).toBeGreaterThanOrEqual(20);
        expect(countAdmitted(admissions)).toBeLessThanOrEqual(20 + Math.ceil(refilled * seconds));
        expect(refusals(admissions)).toEqual(['refused_limit']);
      },
    );

    it.each(shared)('leave each edge its part while Redis hangs: $name', async ({ fields, refilled }) => {
      await fourEdges({}, shortWaitMilliseconds);
      server.hang();
      try {
        const startedAt = performance.now();
        const admissions = await admitEach([10, 10, 10, 10], fields);
        const seconds = (performance.now() - startedAt) / 1_000;
        expect(countAdmitted(admissions)).toBeGreaterThanOrEqual(20);
        expect(countAdmitted(admissions)).toBeLessThanOrEqual(20 + Math.ceil(refilled * seconds));
      } finally {
        server.resume();
      }
    });
  });

  it('asks Redis for few of the calls below their limits', async () => {
    await fourEdges();
    const plain = numberDocument();
    await callEach([1, 1, 1, 1], plain);
    let scripts = 0;
    const monitor = await RedisMonitor.open(server.port, ([command]) => {
      if (command?.toLowerCase() === 'evalsha') scripts++;
    });
    const startedAt = performance.now();
    for (let call = 0; call < 100; call++) {
      const place = await edges[call % 4]!.limits.enter(plain, caller);
      if (!place.ok) throw new Error(place.refusal.detail);
      place.release();
      await pause(12);
    }
    const renewals = (performance.now() - startedAt) / renewMilliseconds;
    monitor.close();
    // Each edge renews its lease, and says what it has used of the rate.
    expect(scripts - 8 * (renewals + 1)).toBeLessThan(20);
  });
});
