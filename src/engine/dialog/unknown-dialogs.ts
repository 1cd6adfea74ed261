import type { Clock } from '../clock.js';
import type { ServerTransaction } from '../transaction/transaction.js';
import type { Application } from './application.js';

interface Waiting {
  readonly transaction: ServerTransaction;
  readonly toTag: string;
}

/** Requests that wait; the engine answers 481 to further ones. */
const maximumWaiting = 4_096;
/** How much longer than the usual time a connected application may take to restore its dialogs. */
const longestFactor = 3;
const checkMilliseconds = 100;

/**
 * After a restart the engine knows none of its dialogs until its applications have restored them, and a 481 would end those
 * calls (RFC 3261 §12.2.1.2). So in-dialog requests that match nothing wait for that time.
 */
export class UnknownDialogs {
  private waiting: Waiting[] = [];
  private isHolding = false;
  private readonly restored = new WeakSet<Application>();

  /** @param again runs the request once more, now that its dialog is known or that it never will be */
  constructor(
    private readonly clock: Clock,
    private readonly again: (transaction: ServerTransaction, toTag: string) => void,
    /** Applications that keep dialogs and are connected. */
    private readonly owners: () => readonly Application[],
  ) {}

  get size(): number {
    return this.waiting.length;
  }

  /** Begins to hold: for that time, or longer while an application that keeps dialogs has not said that it is ready. */
  hold(milliseconds: number): void {
    if (milliseconds === 0) return;
    this.isHolding = true;
    const latest = this.clock.now() + milliseconds * longestFactor;
    const check = (): void => {
      const isLate = this.clock.now() >= latest;
      if (isLate || this.owners().every((owner) => this.restored.has(owner))) this.release();
      else this.clock.after(checkMilliseconds, check);
    };
    this.clock.after(milliseconds, check);
  }

  /** The application has restored what it holds. */
  isComplete(application: Application): void {
    this.restored.add(application);
  }

  /** True: it waits, and comes again. */
  take(transaction: ServerTransaction, toTag: string): boolean {
    if (!this.isHolding || this.waiting.length >= maximumWaiting) return false;
    this.waiting.push({ transaction, toTag });
    return true;
  }

  /** Dialogs were restored: their requests come again, the others stay. */
  retry(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const { transaction, toTag } of waiting)
      if (!transaction.isTerminated) this.again(transaction, toTag);
  }

  private release(): void {
    this.isHolding = false;
    this.retry();
  }
}
