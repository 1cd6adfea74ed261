import type { Clock, Timer } from '../clock.js';

/** An entry that is dropped after a while. */
export interface Expiring {
  expire(): void;
}

/** Expiries are batched by this much, in milliseconds: a lingering transaction may live longer, never shorter. */
const batch = 50;
const compactAbove = 1024;

/**
 * Entries that all live for the same time, so the first in is the first out: one timer for thousands of lingering
 * transactions instead of one each.
 */
export class ExpiryQueue {
  private entries: (Expiring | undefined)[] = [];
  private dues: number[] = [];
  private head = 0;
  private timer: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly lifetime: number,
  ) {}

  get size(): number {
    return this.entries.length - this.head;
  }

  add(entry: Expiring): void {
    this.entries.push(entry);
    this.dues.push(this.clock.now() + this.lifetime);
    if (this.timer === undefined) this.arm(this.lifetime);
  }

  clear(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.entries = [];
    this.dues = [];
    this.head = 0;
  }

  private arm(delay: number): void {
    this.timer = this.clock.after(delay, () => this.run());
  }

  private run(): void {
    this.timer = undefined;
    const now = this.clock.now();
    while (this.head < this.entries.length && this.dues[this.head]! <= now) {
      const entry = this.entries[this.head];
      this.entries[this.head] = undefined;
      this.head++;
      entry?.expire();
    }
    if (this.head > compactAbove && this.head * 2 > this.entries.length) {
      this.entries = this.entries.slice(this.head);
      this.dues = this.dues.slice(this.head);
      this.head = 0;
    }
    if (this.head === this.entries.length) this.clear();
    else if (this.timer === undefined) this.arm(Math.max(batch, this.dues[this.head]! - now));
  }
}

/** The queues of a layer, one for each lifetime in use (64·T1, T4), and a bound on all of them together. */
export class Lingering {
  private readonly queues = new Map<number, ExpiryQueue>();

  constructor(
    private readonly clock: Clock,
    private readonly limit: number,
  ) {}

  get size(): number {
    let total = 0;
    for (const queue of this.queues.values()) total += queue.size;
    return total;
  }

  /** Returns false and drops the entry when there is nothing to wait for or the bound is reached. */
  add(lifetime: number, entry: Expiring): boolean {
    if (lifetime <= 0 || this.size >= this.limit) return false;
    let queue = this.queues.get(lifetime);
    if (queue === undefined) {
      queue = new ExpiryQueue(this.clock, lifetime);
      this.queues.set(lifetime, queue);
    }
    queue.add(entry);
    return true;
  }

  clear(): void {
    for (const queue of this.queues.values()) queue.clear();
  }
}
