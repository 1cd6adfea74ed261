import type { NumberDocument } from '../../contract/number.js';

export interface CachedNumber {
  /** The JSON last read, valid or not, to detect changes. */
  readonly raw: string;
  /** The last good document. */
  readonly document: NumberDocument | undefined;
  readonly problem?: { readonly message: string; readonly since: string };
  /** Monotonic milliseconds of the last comparison with Redis. */
  checkedAt: number;
  /** True: ask Redis before the next use. */
  isStale: boolean;
  /** True when the change was announced for the number itself, not `*`: its absence is then a deletion. */
  isNamed: boolean;
}

/** Unknown numbers have a separate cache, so that a scanner cannot evict known ones. */
const maximumUnknown = 5_000;

/** Numbers in memory, the least recently used go first. */
export class TrunkCache {
  private readonly numbers = new Map<string, CachedNumber>();
  private readonly unknown = new Map<string, number>();
  private malformedCount = 0;

  constructor(private readonly maximum: number) {}

  get size(): number {
    return this.numbers.size;
  }

  /** Entries whose document in Redis cannot be used. */
  get malformed(): number {
    return this.malformedCount;
  }

  entries(): IterableIterator<[string, CachedNumber]> {
    return this.numbers.entries();
  }

  get(digits: string): CachedNumber | undefined {
    const entry = this.numbers.get(digits);
    if (entry !== undefined) {
      this.numbers.delete(digits);
      this.numbers.set(digits, entry);
    }
    return entry;
  }

  set(digits: string, entry: CachedNumber): void {
    this.unknown.delete(digits);
    this.drop(digits);
    this.numbers.set(digits, entry);
    if (entry.problem !== undefined) this.malformedCount++;
    if (this.numbers.size > this.maximum) this.drop(this.numbers.keys().next().value!);
  }

  /** The entry still matches Redis. */
  confirm(digits: string, now: number, isStale: boolean): void {
    const entry = this.numbers.get(digits);
    if (entry === undefined) return;
    entry.checkedAt = now;
    entry.isStale = isStale;
    entry.isNamed = isStale && entry.isNamed;
  }

  /** Redis has no such number; believed until `expiresAt` (monotonic milliseconds). */
  setUnknown(digits: string, expiresAt: number): void {
    this.drop(digits);
    this.unknown.delete(digits);
    this.unknown.set(digits, expiresAt);
    if (this.unknown.size > maximumUnknown) this.unknown.delete(this.unknown.keys().next().value!);
  }

  private drop(digits: string): void {
    if (this.numbers.get(digits)?.problem !== undefined) this.malformedCount--;
    this.numbers.delete(digits);
  }

  isUnknown(digits: string, now: number): boolean {
    const expiresAt = this.unknown.get(digits);
    if (expiresAt === undefined) return false;
    if (expiresAt > now) return true;
    this.unknown.delete(digits);
    return false;
  }

  invalidate(digits: string): void {
    this.unknown.delete(digits);
    const entry = this.numbers.get(digits);
    if (entry === undefined) return;
    entry.isStale = true;
    entry.isNamed = true;
  }

  invalidateAll(): void {
    this.unknown.clear();
    for (const entry of this.numbers.values()) entry.isStale = true;
  }
}
