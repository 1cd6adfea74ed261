import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A read that any number of callers may request at any rate. All callers that ask before a read begins share it, so its
 * result is never older than their request. Two reads begin at least the pause apart.
 */
export class SharedRead<Value> {
  /** One that has not begun yet. */
  private next: Promise<Value> | undefined;
  private begunAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly pauseMilliseconds: number,
    private readonly read: () => Promise<Value>,
  ) {}

  get(): Promise<Value> {
    this.next ??= this.soon();
    return this.next;
  }

  private async soon(): Promise<Value> {
    await sleep(Math.max(0, this.begunAt + this.pauseMilliseconds - performance.now()));
    this.next = undefined;
    this.begunAt = performance.now();
    return this.read();
  }
}
