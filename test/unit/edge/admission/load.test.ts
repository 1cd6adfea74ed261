import { describe, expect, it } from 'vitest';
import { FairRate } from '../../../../src/edge/admission/fair-rate.js';
import { LoadGate } from '../../../../src/edge/admission/load-gate.js';
import { waitedSince } from '../../../../src/edge/inbound/inbound-call.js';
import { chainOver, invite, numberDocument, settings } from './request.js';

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
    const source = sources.reduce((one, other) => (other.next < one.next ? other : one));
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

  it('leaves a quiet neighbor of a flood all its calls', () => {
    const { clock, enter } = share();
    const { flood, neighbor } = run(clock, { flood: 30, neighbor: 1 }, 20, enter);
    expect(neighbor!.admitted).toBe(neighbor!.attempts);
    // What the neighbor leaves is for the others, and the limit holds over all: the first burst, then the rate.
    expect(flood!.admitted).toBeGreaterThan(170);
    expect(flood!.admitted + neighbor!.admitted).toBeLessThanOrEqual(10 * 20 + 2 * 10);
  });

  it('is divided evenly among floods, whatever their rates', () => {
    const { clock, enter } = share();
    const { one, other, third } = run(clock, { one: 30, other: 60, third: 3 }, 30, enter);
    expect(third!.admitted).toBeGreaterThan(0.95 * third!.attempts);
    expect(Math.abs(one!.admitted - other!.admitted)).toBeLessThan(0.15 * one!.admitted);
  });

  it('is all there for a source that is alone, and no more', () => {
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

describe('an edge that is busy', () => {
  /** A machine that sets up `capacity` calls a second: what is admitted beyond waits, and the wait is what setups take. */
  function machine(capacity: number) {
    const clock = { now: 0 };
    const gate = new LoadGate({ setupDelayMilliseconds: 100, minimumCallsPerSecond: 10 }, () => clock.now);
    let free = 0;
    let adaptAt = 100;
    const delays: number[] = [];
    /** Setups under way: when each is done, and what it will have taken. */
    const running: { readonly at: number; readonly done: () => void }[] = [];
    const enter = (organization: string): boolean => {
      for (; adaptAt <= clock.now; adaptAt += 100) {
        while (running[0] !== undefined && running[0].at <= adaptAt) running.shift()!.done();
        gate.adapt();
      }
      if (gate.take(organization) > 0) return false;
      free = Math.max(free, clock.now) + 1_000 / capacity;
      const delay = free - clock.now;
      delays.push(delay);
      const done = gate.begin();
      running.push({ at: free, done: () => done(delay) });
      return true;
    };
    return { clock, gate, enter, delays };
  }
  const p99 = (delays: number[]): number =>
    delays.toSorted((one, other) => one - other)[Math.floor(delays.length * 0.99)]!;

  it.each([1.5, 3])('keeps setups short at %s times its capacity, and its capacity used', (times) => {
    const { clock, enter, delays } = machine(100);
    run(clock, { acme: 100 * times }, 5, enter);
    delays.length = 0;
    const { acme } = run(clock, { acme: 100 * times }, 20, enter);
    expect(p99(delays)).toBeLessThan(250);
    expect(acme!.admitted).toBeGreaterThan(0.75 * 100 * 20);
  });

  it('sheds within a second of the first call that is too many, and the queue is gone soon after', () => {
    const { clock, enter, delays } = machine(100);
    run(clock, { acme: 80 }, 5, enter);
    run(clock, { acme: 300 }, 1, enter);
    expect(Math.max(...delays)).toBeLessThan(1_000);
    delays.length = 0;
    run(clock, { acme: 300 }, 2, enter);
    expect(p99(delays.slice(-50))).toBeLessThan(250);
  });

  it('shares what it can do among organizations', () => {
    const { clock, enter } = machine(100);
    run(clock, { flood: 300, neighbor: 4 }, 5, enter);
    const { neighbor, flood } = run(clock, { flood: 300, neighbor: 4 }, 20, enter);
    expect(neighbor!.admitted).toBeGreaterThan(0.97 * neighbor!.attempts);
    expect(flood!.admitted).toBeGreaterThan(0.7 * 100 * 20);
  });

  it('has no limit while there is no delay, after a single pause, and soon after the load', () => {
    const { clock, gate, enter } = machine(100);
    run(clock, { acme: 90 }, 10, enter);
    expect(gate.limit).toBeUndefined();
    const queue = Array.from({ length: 20 }, () => gate.begin());
    gate.observeLoop(400);
    gate.adapt();
    for (const done of queue) done();
    gate.adapt();
    expect(gate.limit).toBeUndefined();
    run(clock, { acme: 200 }, 5, enter);
    expect(gate.limit).toBeLessThan(150);
    run(clock, { acme: 20 }, 20, enter);
    expect(gate.limit).toBeUndefined();
    expect(gate.isOverloaded).toBe(false);
  });

  it('is not busy when setups take long without a queue: refusing would help nobody', () => {
    const { gate } = machine(1);
    for (let window = 0; window < 20; window++) {
      const setups = Array.from({ length: 5 }, () => gate.begin());
      for (const done of setups) done(600);
      gate.observeLoop(600);
      gate.adapt();
    }
    expect(gate.limit).toBeUndefined();
  });

  it('never refuses the few calls of a small site, whatever else the machine does', () => {
    const { clock, gate, enter } = machine(1_000);
    const busy = (source: string): boolean => {
      gate.observeLoop(900);
      return enter(source);
    };
    const { acme } = run(clock, { acme: 8 }, 20, busy);
    expect(acme!.admitted).toBe(acme!.attempts);
  });

  it('answers 503 with Retry-After, spread at random, and takes nothing from other limits', async () => {
    let random = 0;
    const { chain } = chainOver([numberDocument({ limits: { calls_per_second: 1_000 } })], {
      settings: { ...settings, load: { setupDelayMilliseconds: 100, minimumCallsPerSecond: 1 } },
      random: () => random,
    });
    for (let at = 0; at < 2; at++) {
      for (let setups = 0; setups < 10; setups++) chain.load.begin();
      chain.load.observeLoop(500);
      chain.load.adapt();
    }
    expect(await chain.admit(invite())).toMatchObject({ admitted: true });
    const retryAfter: string[] = [];
    for (random of [0, 0.5, 0.999]) {
      const refused = await chain.admit(invite());
      if (refused.admitted) throw new Error('admitted');
      expect(refused.refusal).toMatchObject({ status: 503, endReason: 'refused_limit' });
      expect(refused.refusal.detail).toContain('DEMARC_SETUP_DELAY_MS');
      retryAfter.push(refused.refusal.headers['Retry-After']!);
    }
    expect(retryAfter).toEqual(['5', '8', '10']);
    expect(chain.activeCalls).toBe(1);
    expect(chain.load.shed).toBe(3);
  });
});

describe('the wait of an INVITE before it reaches the edge', () => {
  it('is read from the time of its arrival at the engine, in any time zone', () => {
    const now = Date.UTC(2026, 10, 22, 10, 0, 0, 250);
    expect(waitedSince('10:00:00.100000', now)).toBeCloseTo(150);
    expect(waitedSince('15:30:00.100000', now)).toBeCloseTo(150);
    expect(waitedSince('09:59:59.750000', now)).toBeCloseTo(500);
    // A clock that is ahead, or far behind, tells nothing.
    expect(waitedSince('10:00:01.000000', now)).toBe(0);
    expect(waitedSince('09:58:00.000000', now)).toBe(0);
    expect(waitedSince(undefined, now)).toBe(0);
  });
});
