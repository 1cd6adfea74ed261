import { describe, expect, it } from 'vitest';
import {
  signTestGrant,
  testCallee,
  testRefusalHeader,
  testTokenHeader,
} from '../../../../src/contract/test-grant.js';
import { FairRate } from '../../../../src/edge/admission/fair-rate.js';
import { foreignLoad } from '../../../../src/edge/admission/foreign-load.js';
import { SetupQueue } from '../../../../src/edge/admission/setup-queue.js';
import { waitedSince } from '../../../../src/edge/inbound/inbound-call.js';
import { chainOver, invite, numberDocument, secrets, settings } from './request.js';

/** Attempts of several sources at steady rates for a while; how many of each were let in. */
function run(
  clock: { now: number },
  perSecond: Readonly<Record<string, number>>,
  seconds: number,
  enter: (source: string) => boolean,
): Record<string, { attempts: number; admitted: number }> {
  const sources = Object.entries(perSecond).map(([name, rate]) => ({ name, rate, next: clock.now + 1 }));
  const counts = Object.fromEntries(sources.map(({ name }) => [name, { attempts: 0, admitted: 0 }]));
  const end = clock.now + seconds * 1_000;
  for (;;) {
    const source = sources.reduce((left, right) => (right.next < left.next ? right : left));
    if (source.next > end) break;
    clock.now = source.next;
    source.next += 1_000 / source.rate;
    const count = counts[source.name]!;
    count.attempts++;
    if (enter(source.name)) count.admitted++;
  }
  clock.now = end;
  return counts;
}

describe('a rate that sources share', () => {
  const limit = { perSecond: 10, burst: 10 };
  const share = () => {
    const clock = { now: 0 };
    const fair = new FairRate(100, () => clock.now);
    return { clock, enter: (source: string) => fair.take('number', source, limit) === 0 };
  };

  it('admits all calls of a quiet neighbor of a flood', () => {
    const { clock, enter } = share();
    const { flood, neighbor } = run(clock, { flood: 30, neighbor: 1 }, 20, enter);
    expect(neighbor!.admitted).toBe(neighbor!.attempts);
    // What the neighbor leaves is for the others, and the limit holds over all: the first burst, then the rate.
    expect(flood!.admitted).toBeGreaterThan(170);
    expect(flood!.admitted + neighbor!.admitted).toBeLessThanOrEqual(10 * 20 + 2 * 10);
  });

  it('is divided evenly among floods of any rate', () => {
    const { clock, enter } = share();
    const { first, second, third } = run(clock, { first: 30, second: 60, third: 3 }, 30, enter);
    expect(third!.admitted).toBeGreaterThan(0.95 * third!.attempts);
    expect(Math.abs(first!.admitted - second!.admitted)).toBeLessThan(0.15 * first!.admitted);
  });

  it('is fully available to a single source, and no more', () => {
    const { clock, enter } = share();
    const { only } = run(clock, { only: 30 }, 20, enter);
    expect(only!.admitted).toBeGreaterThanOrEqual(10 * 20);
    expect(only!.admitted).toBeLessThanOrEqual(10 * 20 + 10);
  });

  it('keeps a bounded number of groups and sources', () => {
    const { clock } = share();
    const fair = new FairRate(50, () => clock.now);
    for (let at = 0; at < 5_000; at++) fair.take(`n${at}`, 's', limit);
    for (let at = 0; at < 5_000; at++) fair.take('n', `s${at}`, limit);
    expect(fair.size).toBe(50);
  });
});

describe('a busy edge', () => {
  /**
   * A machine that sets up `capacity` calls a second, one after the other.
   * `offer` sends calls of several callers (`organization` or `organization/source`) at steady rates and returns what became of them.
   */
  function machine(capacity: number, isBusy: () => boolean = () => true, refusesAtOnce = false) {
    const clock = { now: 1_000_000 };
    const queue = new SetupQueue(
      { setupDelayMilliseconds: 100 },
      () => clock.now,
      isBusy,
      () => 1,
    );
    let free = 0;
    const running: { readonly at: number; readonly end: () => void }[] = [];
    const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

    const offer = async (rates: Readonly<Record<string, number>>, seconds: number) => {
      const callers = Object.entries(rates).map(([name, rate]) => ({ name, rate, next: clock.now + 1 }));
      const counts = Object.fromEntries(callers.map(({ name }) => [name, { attempts: 0, admitted: 0 }]));
      const delays: number[] = [];
      const end = clock.now + seconds * 1_000;
      let tick = clock.now;
      while (clock.now < end) {
        const caller = callers.reduce((left, right) => (right.next < left.next ? right : left));
        const done = running[0]?.at ?? Number.POSITIVE_INFINITY;
        const next = Math.min(caller.next, done, tick);
        clock.now = Math.max(clock.now, next);
        if (next === tick) {
          tick += 10;
          queue.tick();
        } else if (next === done) {
          running.shift()!.end();
        } else {
          caller.next += 1_000 / caller.rate;
          const [organization, source] = caller.name.split('/');
          const began = clock.now;
          counts[caller.name]!.attempts++;
          if (refusesAtOnce && queue.refuseAtOnce(organization!, source ?? '', 0)) continue;
          void Promise.resolve(queue.enter(organization!, source ?? '', 0)).then((turn) => {
            if (turn === undefined) return;
            counts[caller.name]!.admitted++;
            free = Math.max(free, clock.now) + 1_000 / capacity;
            delays.push(free - began);
            running.push({ at: free, end: turn });
          });
        }
        await settled();
      }
      return { ...counts, delays } as Record<string, { attempts: number; admitted: number }> & {
        delays: number[];
      };
    };
    return { clock, queue, offer };
  }
  const p99 = (delays: number[]): number =>
    delays.toSorted((left, right) => left - right)[Math.floor(delays.length * 0.99)]!;

  it.each([1.5, 3])('keeps setups short at %s times its capacity, and its capacity used', async (times) => {
    const { offer } = machine(100);
    await offer({ acme: 80 }, 2);
    const { acme, delays } = await offer({ acme: 100 * times }, 10);
    expect(p99(delays)).toBeLessThan(250);
    expect(acme!.admitted).toBeGreaterThan(0.9 * 100 * 10);
    const steady = await offer({ acme: 100 * times }, 5);
    expect(p99(steady.delays)).toBeLessThan(100);
  });

  it('refuses at once, in overload, what would not get its turn in time, and never a source without waiting calls', async () => {
    const { offer, queue, clock } = machine(100);
    expect(queue.refuseAtOnce('acme', '', 0)).toBe(false);
    await offer({ acme: 300, neighbor: 4 }, 4);
    expect(queue.isOverloaded).toBe(true);
    // 100 a second give five turns in the time that a call waits.
    let joined = 0;
    while (!queue.refuseAtOnce('acme', '', 0)) {
      void queue.enter('acme', '', 0);
      joined++;
      if (joined > 20) break;
    }
    expect(queue.waiting).toBeGreaterThanOrEqual(3);
    expect(queue.waiting).toBeLessThan(12);
    expect(queue.refuseAtOnce('neighbor', '', 0)).toBe(false);
    expect(queue.refuseAtOnce('acme', 'branch', 0)).toBe(false);
    // No call waits a second later.
    clock.now += 1_100;
    queue.tick();
    expect(queue.refuseAtOnce('acme', '', 0)).toBe(false);
  });

  it('refuses nothing at once before it is overloaded, however many calls wait', async () => {
    const { queue } = machine(100);
    for (let calls = 0; calls < 40; calls++) void queue.enter('acme', '', 0);
    expect(queue.waiting).toBeGreaterThan(20);
    expect(queue.isOverloaded).toBe(false);
    expect(queue.refuseAtOnce('acme', '', 10_000)).toBe(false);
    expect(queue.shed).toBe(0);
  });

  it('refuses nothing at once in overload while no call waits', async () => {
    const { queue, offer, clock } = machine(100);
    await offer({ acme: 300 }, 3);
    clock.now += 900;
    queue.tick();
    expect([queue.isOverloaded, queue.waiting]).toEqual([true, 0]);
    for (let calls = 0; calls < 20; calls++) expect(queue.refuseAtOnce('acme', '', 10_000)).toBe(false);
  });

  it('keeps its capacity used when most calls are refused at once', async () => {
    const { offer } = machine(100, () => true, true);
    await offer({ acme: 300, neighbor: 4 }, 3);
    const { acme, neighbor, delays } = await offer({ acme: 600, neighbor: 4 }, 10);
    expect(acme!.admitted).toBeGreaterThan(0.85 * 100 * 10);
    expect(neighbor!.admitted).toBe(neighbor!.attempts);
    expect(p99(delays)).toBeLessThan(100);
  });

  it('lets a short burst wait instead of refusing it', async () => {
    const { offer, queue } = machine(200);
    const { acme, delays } = await offer({ acme: 400 }, 0.1);
    await offer({ other: 1 }, 1);
    expect(acme!.attempts).toBe(40);
    expect(queue.shed).toBe(0);
    expect(Math.max(...delays)).toBeLessThan(250);
  });

  it('shares its capacity among organizations', async () => {
    const { offer } = machine(100);
    await offer({ flood: 300, neighbor: 4 }, 2);
    const { flood, neighbor } = await offer({ flood: 300, neighbor: 4 }, 10);
    expect(neighbor!.admitted).toBe(neighbor!.attempts);
    expect(flood!.admitted).toBeGreaterThan(0.85 * 100 * 10);
  });

  it('shares what an organization gets among its sources', async () => {
    const { offer } = machine(100);
    await offer({ 'acme/flood': 300, 'acme/branch': 4 }, 2);
    const counts = await offer({ 'acme/flood': 300, 'acme/branch': 4 }, 10);
    expect(counts['acme/branch']!.admitted).toBe(counts['acme/branch']!.attempts);
  });

  it('asks calls that can wait to wait only while it refuses others', async () => {
    const { offer, queue } = machine(100);
    await offer({ acme: 90 }, 3);
    expect(queue.isOverloaded).toBe(false);
    await offer({ acme: 300 }, 1);
    expect(queue.isOverloaded).toBe(true);
    const { acme } = await offer({ acme: 50 }, 3);
    expect(queue.isOverloaded).toBe(false);
    expect(acme!.admitted).toBe(acme!.attempts);
    expect(queue.waiting).toBe(0);
  });

  it('refuses no call while the event loop has spare time, however slow rtpengine or the DNS is', async () => {
    const { offer, queue } = machine(10, () => false);
    await offer({ acme: 40 }, 5);
    expect(queue.shed).toBe(0);
  });

  it('gives setups that take long, as at a distant rtpengine, more turns', async () => {
    let isBusy = false;
    const { queue, clock } = machine(1, () => isBusy);
    // Each setup takes 50 ms, but any number of them at a time. Calls a second rise by a quarter every second, from
    // 40 to 150; from 80 on the edge is busy.
    const ends: { at: number; end: () => void }[] = [];
    let refused = 0;
    let calls = 0;
    let next = clock.now;
    for (let at = 0; at < 7_000; at++) {
      clock.now++;
      isBusy = at >= 3_000;
      while (ends[0] !== undefined && ends[0].at <= clock.now) ends.shift()!.end();
      if (at % 10 === 0) queue.tick();
      if (clock.now < next) continue;
      next += 1_000 / (40 * 1.25 ** Math.floor(at / 1_000));
      calls++;
      void Promise.resolve(queue.enter('acme', 's', 0)).then((end) => {
        if (end === undefined) refused++;
        else ends.push({ at: clock.now + 50, end });
      });
      await Promise.resolve();
    }
    expect(calls).toBeGreaterThan(500);
    expect(refused).toBe(0);
  });

  it('refuses no call of a low rate while other programs use the processors, and still refuses a flood', async () => {
    const refusals = async (stretch: number, perSecond: number): Promise<number> => {
      const clock = { now: 1_000_000 };
      const queue = new SetupQueue(
        { setupDelayMilliseconds: 100 },
        () => clock.now,
        () => true,
        () => stretch,
      );
      // Each setup takes 600 ms, of which the edge runs 30, so 33 a second would be too many.
      const ends: { at: number; end: () => void }[] = [];
      let free = 0;
      for (let at = 0; at < 20_000; at++) {
        clock.now++;
        while (ends[0] !== undefined && ends[0].at <= clock.now) ends.shift()!.end();
        if (at % 10 === 0) queue.tick();
        if (at % Math.round(1_000 / perSecond) === 0) {
          void Promise.resolve(queue.enter('acme', 's', 0)).then((end) => {
            if (end === undefined) return;
            free = Math.max(free, clock.now) + 30;
            ends.push({ at: free + 600, end });
          });
        }
        await Promise.resolve();
      }
      return queue.shed;
    };
    expect(await refusals(1, 20)).toBeGreaterThan(100);
    expect(await refusals(8, 20)).toBe(0);
    expect(await refusals(8, 200)).toBeGreaterThan(2_000);
  });

  it('measures the load of other programs itself', async () => {
    const clock = { now: 1_000_000 };
    const time = { used: 0, waited: 0 };
    const stretch = foreignLoad(
      () => clock.now,
      () => ({ ...time }),
    );
    const queue = new SetupQueue(
      { setupDelayMilliseconds: 100 },
      () => clock.now,
      () => true,
      stretch,
    );
    // Of each second the edge runs 50 ms and waits 950 for a processor, so each setup takes 600 ms.
    const ends: { at: number; end: () => void }[] = [];
    for (let at = 0; at < 30_000; at++) {
      clock.now++;
      time.used += 0.05;
      time.waited += 0.95;
      while (ends[0] !== undefined && ends[0].at <= clock.now) ends.shift()!.end();
      if (at % 10 === 0) queue.tick();
      if (at > 3_000 && at % 100 === 0)
        void Promise.resolve(queue.enter('acme', 's', 0)).then((end) => {
          if (end !== undefined) ends.push({ at: clock.now + 600, end });
        });
      await Promise.resolve();
    }
    expect(queue.shed).toBe(0);
  });

  it('never makes setups wait when the target is 0', () => {
    const queue = new SetupQueue(
      { setupDelayMilliseconds: 0 },
      () => 0,
      () => true,
    );
    for (let at = 0; at < 1_000; at++) expect(queue.enter('acme', 's', 0)).toBeTypeOf('function');
  });

  it('answers 503 with Retry-After, spread at random, and takes nothing from other limits', async () => {
    let random = 0;
    const { chain, clock } = chainOver([numberDocument({ limits: { calls_per_second: 3 } })], {
      settings: { ...settings, load: { setupDelayMilliseconds: 100 } },
      random: () => random,
      isBusy: () => true,
    });
    for (let turns = 0; turns < 3; turns++) await chain.admit(invite());
    const retryAfter: string[] = [];
    clock.now += 1_000;
    for (random of [0, 0.5, 0.999]) {
      const waiting = chain.admit(invite());
      await new Promise((resolve) => setImmediate(resolve));
      clock.now += 300;
      chain.setups.tick();
      const refused = await waiting;
      if (refused.admitted) throw new Error('admitted');
      expect(refused.refusal).toMatchObject({ status: 503, endReason: 'refused_limit' });
      expect(refused.refusal.detail).toContain('DEMARC_SETUP_DELAY_MS');
      retryAfter.push(refused.refusal.headers['Retry-After']!);
    }
    expect(retryAfter).toEqual(['5', '8', '10']);
    expect(chain.activeCalls).toBe(3);
    expect(chain.setups.shed).toBe(3);
    // The refused calls are not counted in the number's rate: three more are within it.
    const next = await Promise.all(
      [1, 2, 3].map(async () => {
        const waiting = chain.admit(invite());
        await new Promise((resolve) => setImmediate(resolve));
        clock.now += 60;
        chain.setups.tick();
        return waiting;
      }),
    );
    for (const call of next)
      expect(call).toMatchObject({
        refusal: { detail: expect.stringMatching(/overloaded.*DEMARC_SETUP_DELAY_MS is 100.*DEMARC_EDGES/) },
      });
  });
});

describe('an INVITE that was not read', () => {
  const overloaded = async (recordedRefusalsPerSecond: number, next = () => invite()) => {
    const { chain, clock } = chainOver([numberDocument()], {
      settings: { ...settings, load: { setupDelayMilliseconds: 100 }, recordedRefusalsPerSecond },
      isBusy: () => true,
    });
    const join = async (): Promise<void> => {
      void chain.admit(next());
      await new Promise((resolve) => setImmediate(resolve));
    };
    for (let at = 0; at < 80; at++) {
      await join();
      clock.now += 10;
      chain.setups.tick();
    }
    for (let at = 0; at < 5; at++) await join();
    expect(chain.setups.isOverloaded).toBe(true);
    return chain;
  };
  const { uri: requestUri, sourceAddress } = invite();
  const unread = { requestUri, sourceAddress, isTest: false };

  it('is refused in overload when its number is known', async () => {
    const chain = await overloaded(1);
    const refusal = chain.refuseUnread(unread, 0);
    expect(refusal).toMatchObject({ status: 503, endReason: 'refused_limit' });
    expect(refusal!.headers['Retry-After']).toMatch(/^\d+$/);
    expect(chain.refuseUnread({ ...unread, sourceAddress: '203.0.113.8' }, 0)).toBeUndefined();
    expect(
      chain.refuseUnread({ ...unread, requestUri: 'sip:14155550199@edge.example.com' }, 0),
    ).toBeUndefined();
  });

  it('names the limit of the edge to the caller of an agent test alone, as refusals that were read do', async () => {
    const chain = await overloaded(1);
    const refusal = chain.refuseUnread({ ...unread, isTest: true }, 0);
    expect(refusal).toMatchObject({ status: 503, headers: { [testRefusalHeader]: 'refused_limit' } });
    expect(chain.refuseUnread(unread, 0)!.headers).not.toHaveProperty(testRefusalHeader);
  });

  it('is of the organization that tests an agent without a number, and of no other', async () => {
    const callee = (organization: string) => {
      const { number, uriParameters } = testCallee({ number: null, organization });
      return { calledUser: number, uri: `sip:${number}@edge.example.com${uriParameters}` };
    };
    let calls = 0;
    const chain = await overloaded(1, () => {
      const sip_call_id = `${++calls}@test`;
      const grant = {
        organization: 'acme; inc',
        run_id: 'run-1',
        sip_call_id,
        number: null,
        agent_uri: 'sip:new@agents.example',
        persona: null,
        expires_at: 2_000,
      };
      const headers = { [testTokenHeader]: signTestGrant(secrets, grant) };
      return invite({ ...callee(grant.organization), callId: sip_call_id, headers });
    });
    const of = (organization: string) => ({
      ...unread,
      requestUri: callee(organization).uri,
      isTest: true,
    });
    expect(chain.refuseUnread(of('acme; inc'), 0)).toMatchObject({ status: 503 });
    expect(chain.refuseUnread(of('other'), 0)).toBeUndefined();
  });

  it('is read when its refusal would be recorded', async () => {
    const chain = await overloaded(1_000);
    expect(chain.refuseUnread(unread, 0)).toBeUndefined();
  });
});

describe('load by other programs', () => {
  /** @param times milliseconds that the event loop ran and waited for a processor, in each half second */
  const stretchAfter = (times: readonly (readonly [used: number, waited: number])[]): number => {
    const clock = { now: 0, used: 0, waited: 0 };
    const stretch = foreignLoad(
      () => clock.now,
      () => ({ used: clock.used, waited: clock.waited }),
    );
    let last = stretch();
    for (const [used, waited] of times) {
      clock.now += 500;
      clock.used += used;
      clock.waited += waited;
      last = stretch();
    }
    return last;
  };
  const lasting = (used: number, waited: number) => Array.from({ length: 8 }, () => [used, waited] as const);

  it('is 1 on an idle machine, at full load by calls, and where the system does not say', () => {
    expect(stretchAfter(lasting(5, 0))).toBe(1);
    expect(stretchAfter(lasting(450, 50))).toBe(1);
    expect(stretchAfter(lasting(250, 250))).toBe(1);
    // On a single core that it shares with engine, rtpengine and the databases.
    expect(stretchAfter(lasting(130, 370))).toBe(1);
    expect(stretchAfter([])).toBe(1);
    expect(
      foreignLoad(
        () => 0,
        () => undefined,
      )(),
    ).toBe(1);
  });

  it('stretches the target up to tenfold, gradually, and ends soon after', () => {
    expect(stretchAfter(lasting(50, 250))).toBeCloseTo(4, 0);
    expect(stretchAfter(lasting(50, 500))).toBe(10);
    const pause = [...lasting(100, 20), [20, 480] as const];
    expect(stretchAfter(pause)).toBeLessThan(3);
    expect(stretchAfter([...lasting(50, 450), ...lasting(100, 10), ...lasting(100, 10)])).toBe(1);
  });

  it('counts a long time without a question as the last two seconds of it', () => {
    const clock = { now: 0, used: 0, waited: 0 };
    const stretch = foreignLoad(
      () => clock.now,
      () => ({ used: clock.used, waited: clock.waited }),
    );
    // An hour on a busy machine without a call.
    clock.now += 3_600_000;
    clock.used += 100_000;
    clock.waited += 3_000_000;
    expect(stretch()).toBe(10);
    for (let at = 0; at < 4; at++) {
      clock.now += 1_000;
      clock.used += 300;
      stretch();
    }
    expect(stretch()).toBe(1);
  });
});

describe('the wait of an INVITE before it reaches the edge', () => {
  it('is read from the time of its arrival at the engine, in any time zone', () => {
    const now = Date.UTC(2026, 10, 22, 10, 0, 0, 250);
    expect(waitedSince('10:00:00.100000', now)).toBeCloseTo(150);
    expect(waitedSince('15:30:00.100000', now)).toBeCloseTo(150);
    expect(waitedSince('09:59:59.750000', now)).toBeCloseTo(500);
    // A clock that is ahead, or far behind, carries no information.
    expect(waitedSince('10:00:01.000000', now)).toBe(0);
    expect(waitedSince('09:58:00.000000', now)).toBe(0);
    expect(waitedSince(undefined, now)).toBe(0);
  });
});
