import { RefusalBudget } from '../admission/refusal-budget.js';

const repeatMilliseconds = 5_000;
const maximumRepeats = 5_000;

/**
 * Which sightings are published: a source that repeats the same one is seen once in five seconds, and all together are bounded, each
 * source having its share. What a flood costs Redis does not grow with the flood.
 */
export class SightingBudget {
  private readonly all: RefusalBudget;
  /** Monotonic milliseconds of the last one, in that order. */
  private readonly seen = new Map<string, number>();

  constructor(
    perSecond: number,
    private readonly now: () => number,
  ) {
    this.all = new RefusalBudget(perSecond, now);
  }

  /** @param kind what makes two sightings of a source the same */
  take(source: string, kind: string): boolean {
    const key = `${source} ${kind}`;
    const now = this.now();
    const last = this.seen.get(key);
    if (last !== undefined && now - last < repeatMilliseconds) return false;
    if (!this.all.take(source)) return false;
    this.seen.delete(key);
    this.seen.set(key, now);
    if (this.seen.size > maximumRepeats) this.seen.delete(this.seen.keys().next().value!);
    return true;
  }
}
