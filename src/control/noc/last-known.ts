import { within } from '../../base/within.js';

/** A value with the time at which it was read, in milliseconds since the epoch. */
export interface Known<Value> {
  readonly at: number;
  readonly value: Value;
}

/** A value that arrives later than this is replaced by the last known one. */
const patienceMilliseconds = 2_000;
/** Organizations with open dashboards; the values of others are read again. */
const maximumKept = 500;

/** The last known values by key: while PostgreSQL is slow, a watcher sees old figures with their age instead of none. */
export class LastKnown<Value> {
  private readonly kept = new Map<string, Known<Value>>();

  /** What is being read if it arrives in time, else the last known value; undefined: there is none. */
  async take(key: string, reading: Promise<Known<Value>>): Promise<Known<Value> | undefined> {
    const kept = reading.then((value) => {
      this.keep(key, value);
      return value;
    });
    return (await within(patienceMilliseconds, kept)) ?? this.kept.get(key);
  }

  private keep(key: string, value: Known<Value>): void {
    const before = this.kept.get(key);
    if (before !== undefined && before.at > value.at) return;
    // Reinserted, so that the map stays in the order of use.
    this.kept.delete(key);
    this.kept.set(key, value);
    const [oldest] = this.kept.keys();
    if (this.kept.size > maximumKept && oldest !== undefined) this.kept.delete(oldest);
  }
}
