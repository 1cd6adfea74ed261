import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Grant, LimitFleetEvents } from '../../../../src/edge/admission/fleet/limit-fleet.js';
import { RateShares } from '../../../../src/edge/admission/fleet/rate-shares.js';

/** Redis as one of two edges sees it: it grants what each call needs and nothing in advance. */
class Fleet extends EventEmitter<LimitFleetEvents> {
  isUp = true;
  /** Writes are refused from now on. */
  isFailing = false;
  readonly part = 0.5;
  readonly waitMilliseconds = 500;
  leases = 0;
  /** The other edge has the tokens, and returns them to so many later requests. */
  lentFor = 0;

  leaseTokens(_key: string, { needed }: { readonly needed: number }): Promise<Grant | undefined> {
    this.leases++;
    if (this.lentFor-- > 0)
      return Promise.resolve({ granted: 0, mayComeBack: true, waitMilliseconds: 1_000 });
    if (!this.isFailing) return Promise.resolve({ granted: needed, mayComeBack: false, waitMilliseconds: 0 });
    this.isUp = false;
    return Promise.resolve(undefined);
  }
}

const key = 'organization acme';
const rate = { perSecond: 20, burst: 20 };
/** This edge's part of the rate. */
const part = 10;

let now: number;
let fleet: Fleet;
let shares: RateShares;
beforeEach(() => {
  now = 0;
  fleet = new Fleet();
  shares = new RateShares(fleet, () => now);
});

async function admitted(attempts: number): Promise<number> {
  let count = 0;
  for (let attempt = 0; attempt < attempts; attempt++)
    if ((await shares.take(key, 'caller', rate)) === 0) count++;
  return count;
}

describe('a rate shared with another edge whose Redis goes down', () => {
  it('leaves an edge that has leased nothing its whole part', async () => {
    expect(await admitted(1)).toBe(1);
    now += 5_000;
    fleet.isFailing = true;
    expect(await admitted(2 * part)).toBe(part);
  });

  it('counts the calls before it in the part of the edge', async () => {
    expect(await admitted(part - 2)).toBe(part - 2);
    fleet.isFailing = true;
    expect(await admitted(2 * part)).toBe(2);
  });

  it('leaves nothing to an edge that had more than its part, until that is refilled', async () => {
    expect(await admitted(part + 5)).toBe(part + 5);
    fleet.isFailing = true;
    expect(await admitted(3)).toBe(0);
    now += 200;
    expect(await admitted(3)).toBe(2);
  });

  it('gives no further part each time it goes down', async () => {
    let count = 0;
    for (let outage = 0; outage < 5; outage++) {
      fleet.isFailing = true;
      count += await admitted(part);
      fleet.isFailing = false;
      fleet.isUp = true;
      fleet.emit('renewed');
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(count).toBe(part);
  });

  it('says that there is room in the part', async () => {
    expect(await admitted(1)).toBe(1);
    fleet.isFailing = true;
    expect(await shares.hasRoom(key, rate)).toBe(true);
  });

  it('gets back the token of a call that was refused after all', async () => {
    expect(await admitted(part)).toBe(part);
    shares.giveBack(key, 'caller');
    fleet.isFailing = true;
    expect(await admitted(3)).toBe(1);
  });
});

describe('a rate whose tokens the other edge has', () => {
  it('lets a call wait before it asks for them again, and then takes it', async () => {
    fleet.lentFor = 3;
    const begun = performance.now();
    expect(await shares.take(key, 'caller', rate)).toBe(0);
    expect(fleet.leases).toBe(4);
    // 2, 4 and 8 ms; timers may be a millisecond early.
    expect(performance.now() - begun).toBeGreaterThan(10);
  });

  it('refuses a call for which none come back in time', async () => {
    fleet.lentFor = 1_000;
    expect(await shares.take(key, 'caller', rate)).toBe(1);
    expect(fleet.leases).toBeLessThan(50);
  });
});
