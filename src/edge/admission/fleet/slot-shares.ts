import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LimitFleet, LimitFleetEvents } from './limit-fleet.js';
import { recallWait } from './recall-wait.js';

/** What of the edges that share limits is needed here. */
export type SlotFleet = Pick<LimitFleet, 'isUp' | 'shareOf' | 'waitMilliseconds' | 'leaseSlots'> &
  Pick<EventEmitter<LimitFleetEvents>, 'on'>;

interface Slots {
  /** Calls here. */
  used: number;
  /** Leased, used or not. */
  own: number;
  /** Undefined: none is known, and none of the calls is counted beyond this edge. */
  limit: number | undefined;
  /** Some may be unused: they are kept for later calls until another edge needs them. */
  isLoose: boolean;
  /** Unused slots at which more are leased in advance. */
  low: number;
  /** Monotonic milliseconds of the last call that entered. */
  usedAt: number;
  readonly waiting: ((isIn: boolean) => void)[];
  isLeasing: boolean;
  /** What is unused is to be returned. */
  isRecalled: boolean;
  /** Redis is to hear the count again. */
  isChanged: boolean;
  /** Redis did not answer to the last count: it may count more here, and hears the count when it is back. */
  isUnheard: boolean;
  /** Calls of edges that are gone, which Redis counts there still. */
  readonly adopted: Map<string, number>;
}

/** Unused slots are returned after this long. */
const idleMilliseconds = 60_000;

/** Limits of concurrent calls, shared with the other edges; without them, the whole of each limit is ours. */
export class SlotShares {
  private readonly limits = new Map<string, Slots>();

  constructor(
    private readonly fleet: SlotFleet | undefined,
    private readonly now: () => number,
  ) {
    fleet?.on('recall', (kind, key) => {
      if (kind === 'slots') this.recalled(key);
    });
    fleet?.on('back', () => this.restate());
    fleet?.on('renewed', () => this.returnIdle());
  }

  /** Takes a slot for one call. A promise: Redis is asked first; it never rejects. */
  enter(key: string, limit: number): boolean | Promise<boolean> {
    if (limit <= 0) return false;
    const slots = this.slotsOf(key);
    slots.limit = limit;
    if (this.fleet?.isUp !== true) return this.enterAlone(slots, limit);
    if (slots.used < Math.min(slots.own, limit) && slots.waiting.length === 0) {
      this.occupy(slots);
      if (slots.isLoose && !slots.isLeasing && slots.own - slots.used <= slots.low) this.lease(key, slots);
      return true;
    }
    return new Promise((resolve) => {
      slots.waiting.push(resolve);
      this.lease(key, slots);
    });
  }

  /**
   * Takes a slot for a call that was admitted elsewhere, whatever the limit is.
   * @param holder the edge that had the call and is gone
   */
  force(key: string, limit: number | undefined, holder?: string): void {
    const slots = this.slotsOf(key);
    slots.limit = limit ?? slots.limit;
    this.occupy(slots);
    if (holder !== undefined && slots.limit !== undefined) {
      slots.adopted.set(holder, (slots.adopted.get(holder) ?? 0) + 1);
      this.lease(key, slots);
      return;
    }
    if (slots.limit !== undefined && slots.used > slots.own) this.lease(key, slots);
  }

  leave(key: string): void {
    const slots = this.limits.get(key);
    if (slots === undefined) return;
    slots.used--;
    if (slots.own > 0 && !slots.isLoose) {
      slots.isRecalled = true;
      this.lease(key, slots);
    }
    this.forgetUnused(key, slots);
  }

  private enterAlone(slots: Slots, limit: number): boolean {
    const share = this.fleet?.shareOf(limit) ?? limit;
    if (slots.used >= Math.min(limit, Math.max(slots.own, share))) return false;
    this.occupy(slots);
    return true;
  }

  private occupy(slots: Slots): void {
    slots.used++;
    slots.usedAt = this.now();
  }

  private slotsOf(key: string): Slots {
    let slots = this.limits.get(key);
    if (slots === undefined) {
      slots = {
        used: 0,
        own: 0,
        limit: undefined,
        isLoose: false,
        low: 0,
        usedAt: this.now(),
        waiting: [],
        isLeasing: false,
        isRecalled: false,
        isChanged: false,
        isUnheard: false,
        adopted: new Map(),
      };
      this.limits.set(key, slots);
    }
    return slots;
  }

  private forgetUnused(key: string, { used, own, waiting, isLeasing, isUnheard }: Slots): void {
    const isUnused = used === 0 && own === 0 && waiting.length === 0;
    if (isUnused && !isLeasing && !isUnheard) this.limits.delete(key);
  }

  private recalled(key: string): void {
    const slots = this.limits.get(key);
    if (slots === undefined || !slots.isLoose) return;
    slots.isRecalled = true;
    this.lease(key, slots);
  }

  private restate(): void {
    for (const [key, slots] of this.limits) {
      if (slots.limit === undefined) continue;
      slots.isRecalled = true;
      this.lease(key, slots);
    }
  }

  private returnIdle(): void {
    const before = this.now() - idleMilliseconds;
    for (const [key, slots] of this.limits) {
      if (slots.usedAt > before || slots.own <= slots.used) continue;
      slots.isRecalled = true;
      this.lease(key, slots);
    }
  }

  /** Asks Redis once at a time for each limit. */
  private lease(key: string, slots: Slots): void {
    slots.isChanged = true;
    if (slots.isLeasing || this.fleet === undefined) return;
    slots.isLeasing = true;
    void this.exchange(this.fleet, key, slots).finally(() => {
      slots.isLeasing = false;
      // A call may have left after the last answer was read.
      if (slots.isChanged && !slots.isUnheard) this.lease(key, slots);
      else this.forgetUnused(key, slots);
    });
  }

  private async exchange(fleet: SlotFleet, key: string, slots: Slots): Promise<void> {
    let waits = 0;
    while (slots.isChanged || slots.waiting.length > 0 || slots.adopted.size > 0) {
      slots.isChanged = false;
      const limit = slots.limit ?? 0;
      const isRecall = slots.isRecalled;
      slots.isRecalled = false;
      // Until the answer, no call here takes what is being returned.
      if (isRecall) slots.own = slots.used;
      const { used } = slots;
      const kept = Math.max(slots.own, used);
      const needed = slots.waiting.length;
      const [[holder = '', calls = 0] = []] = slots.adopted;
      slots.adopted.delete(holder);
      const adopted = calls === 0 ? undefined : { holder, calls };
      const request = { limit, used, kept, needed, inAdvance: !isRecall, adopted };
      const grant = fleet.isUp ? await fleet.leaseSlots(key, request) : undefined;
      slots.isUnheard = grant === undefined;
      if (grant === undefined) {
        slots.adopted.clear();
        for (const resolve of slots.waiting.splice(0)) resolve(this.enterAlone(slots, limit));
        return;
      }
      const entering = Math.min(needed, grant.granted);
      let entered = 0;
      slots.own = kept + grant.granted;
      slots.isLoose = slots.own > used + entering;
      slots.low = Math.floor((slots.own - used - entering) / 4);
      while (slots.waiting.length > 0 && slots.used < slots.own) {
        this.occupy(slots);
        slots.waiting.shift()!(true);
        entered++;
      }
      if (!slots.isLoose && slots.used < used + entered) {
        // Calls that left meanwhile saw unused slots and said nothing, but Redis now believes that all are in use.
        slots.isRecalled = true;
        slots.isChanged = true;
      }
      const wait =
        entered < needed && grant.mayComeBack ? recallWait(waits++, fleet.waitMilliseconds) : undefined;
      if (wait !== undefined) {
        await sleep(wait);
        continue;
      }
      waits = 0;
      for (const resolve of slots.waiting.splice(0, Math.max(0, needed - entered))) resolve(false);
    }
  }
}
