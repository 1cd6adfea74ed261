import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import type {
  Grant,
  LimitFleetEvents,
  SlotRequest,
} from '../../../../src/edge/admission/fleet/limit-fleet.js';
import { SlotShares } from '../../../../src/edge/admission/fleet/slot-shares.js';

/** Redis as one edge sees it: each request waits for its answer. */
class Fleet extends EventEmitter<LimitFleetEvents> {
  isUp = true;
  readonly waitMilliseconds = 500;
  readonly requests: SlotRequest[] = [];
  private readonly answers: ((grant: Grant | undefined) => void)[] = [];

  shareOf(limit: number): number {
    return limit;
  }

  leaseSlots(_key: string, request: SlotRequest): Promise<Grant | undefined> {
    this.requests.push(request);
    return new Promise((resolve) => this.answers.push(resolve));
  }

  /** What Redis counts as in use after the last request. */
  get inUse(): number | undefined {
    return this.requests.at(-1)?.used;
  }

  grant(granted: number): void {
    this.answers.shift()!({ granted, mayComeBack: false, waitMilliseconds: 0 });
  }

  fail(): void {
    this.isUp = false;
    this.answers.shift()!(undefined);
  }

  back(): void {
    this.isUp = true;
    this.emit('back');
  }

  /** All that follows from the last answer has happened. */
  settled(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }
}

const key = 'number 14155550100';
const limit = 20;

let fleet: Fleet;
let shares: SlotShares;
beforeEach(() => {
  fleet = new Fleet();
  shares = new SlotShares(fleet, () => 0);
});

/** A first call, with which so many slots were leased. */
async function enterWith(slots: number): Promise<void> {
  const entered = shares.enter(key, limit);
  fleet.grant(slots);
  expect(await entered).toBe(true);
  await fleet.settled();
}

describe('slots of calls that have ended are known to be free', () => {
  it('when the calls left while more were asked for, and none was granted', async () => {
    await enterWith(2);
    // The last slot: more are asked for in advance.
    expect(shares.enter(key, limit)).toBe(true);
    expect(fleet.requests).toHaveLength(2);
    shares.leave(key);
    shares.leave(key);
    fleet.grant(0);
    await fleet.settled();
    expect(fleet.requests.at(-1)).toMatchObject({ used: 0, kept: 0, needed: 0, inAdvance: false });
  });

  it('when a call leaves as soon as it has entered', async () => {
    const entered = shares.enter(key, limit);
    fleet.grant(1);
    await entered;
    shares.leave(key);
    await fleet.settled();
    expect(fleet.inUse).toBe(0);
  });

  it('when Redis did not answer as they left, once it is back', async () => {
    await enterWith(1);
    shares.leave(key);
    fleet.fail();
    await fleet.settled();
    const before = fleet.requests.length;
    fleet.back();
    await fleet.settled();
    expect(fleet.requests.length).toBe(before + 1);
    expect(fleet.inUse).toBe(0);
    fleet.grant(0);
    await fleet.settled();
    // Then the limit is forgotten.
    fleet.back();
    await fleet.settled();
    expect(fleet.requests.length).toBe(before + 1);
  });
});
