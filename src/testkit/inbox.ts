import { patient, pause } from './waiting.js';

/**
 * Items that a scripted party has received and its script has not taken yet, in order of arrival. `take` resolves with the
 * oldest item that matches, now or when it arrives.
 */
export class Inbox<T> {
  private readonly items: T[] = [];
  private readonly waiting: { matches: (item: T) => boolean; resolve: (item: T) => void }[] = [];

  constructor(private readonly describe: (item: T) => string) {}

  /** Items not taken yet. */
  get pending(): readonly T[] {
    return this.items;
  }

  /** The same, for messages of errors. */
  get notTaken(): string {
    return this.items.map(this.describe).join('; ') || 'none';
  }

  /** Drops what a failed script has not taken. */
  clear(): void {
    this.items.length = 0;
  }

  put(item: T): void {
    const at = this.waiting.findIndex(({ matches }) => matches(item));
    if (at < 0) {
      this.items.push(item);
      return;
    }
    const [waiter] = this.waiting.splice(at, 1);
    waiter!.resolve(item);
  }

  take(matches: (item: T) => boolean, milliseconds: number, what: string): Promise<T> {
    const at = this.items.findIndex(matches);
    if (at >= 0) return Promise.resolve(this.items.splice(at, 1)[0]!);
    return new Promise((resolve, reject) => {
      const waiter = {
        matches,
        resolve: (item: T) => {
          clearTimeout(timer);
          resolve(item);
        },
      };
      const bound = patient(milliseconds);
      const giveUp = (): void => {
        const place = this.waiting.indexOf(waiter);
        if (place < 0) return;
        this.waiting.splice(place, 1);
        reject(new Error(`${what}: nothing within ${bound} ms. Not taken: ${this.notTaken}.`));
      };
      // If this process was stalled, the timer fires before the sockets are read.
      const timer = setTimeout(() => setImmediate(giveUp), bound);
      this.waiting.push(waiter);
    });
  }

  /** Rejects if an item that matches is there or arrives within that time. */
  async none(matches: (item: T) => boolean, milliseconds: number, what: string): Promise<void> {
    await pause(milliseconds);
    const found = this.items.find(matches);
    if (found !== undefined) throw new Error(`${what}, but there was: ${this.describe(found)}.`);
  }
}
