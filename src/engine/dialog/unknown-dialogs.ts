import type { Clock } from '../clock.js';
import type { ServerTransaction } from '../transaction/transaction.js';
import type { Application, ApplicationRouter } from './application.js';

interface Waiting {
  readonly transaction: ServerTransaction;
  /** Undefined: an INVITE that is to replace an unknown dialog. */
  readonly toTag: string | undefined;
}

/** Requests that wait, and their octets; the engine answers 481 to further ones. */
const maximumWaiting = 4_096;
const maximumOctets = 8 * 1024 * 1024;
/** The peers' transactions end after 64·T1, 32 s (RFC 3261 §17.1.2.2): each request is answered before. */
const longestMilliseconds = 20_000;
const checkMilliseconds = 100;

/**
 * After a restart the engine knows none of its dialogs until its applications have restored them, and a 481 would end those
 * calls (RFC 3261 §12.2.1.2). So in-dialog requests that match nothing wait for the applications, which may have been restarted
 * together with the engine and then take longer.
 */
export class UnknownDialogs {
  private waiting: Waiting[] = [];
  private octets = 0;
  /** Of the hold under way: when it may end, and when it ends in any case. */
  private hold: { earliest: number; latest: number } | undefined;
  private readonly restored = new WeakSet<Application>();
  /** Owners that will connect and restore their dialogs. */
  private readonly expected = new Set<string>();

  /** @param again runs the request once more, now that its dialog is known or that it never will be */
  constructor(
    private readonly clock: Clock,
    private readonly again: (transaction: ServerTransaction, toTag: string | undefined) => void,
    private readonly applications: Pick<ApplicationRouter, 'owners' | 'hasTaker'>,
  ) {}

  get size(): number {
    return this.waiting.length;
  }

  /** Dialogs may still be restored. */
  get isExpecting(): boolean {
    return this.hold !== undefined;
  }

  /**
   * Holds requests from now on: for that time, and longer, 20 s at most, until an application that keeps dialogs is connected and
   * each of those has said that it is ready. Where only applications without such dialogs take calls, no other is expected.
   * @param milliseconds 0: holds none
   * @param owner of an application that has been asked to come here: it counts as connected already
   */
  begin(milliseconds: number, owner?: string): void {
    if (milliseconds === 0) return;
    if (owner !== undefined) this.expected.add(owner);
    const now = this.clock.now();
    const isNew = this.hold === undefined;
    this.hold = { earliest: now + milliseconds, latest: now + Math.max(milliseconds, longestMilliseconds) };
    if (isNew) this.clock.after(checkMilliseconds, () => this.check());
  }

  /** The application has restored what it holds. */
  isComplete(application: Application): void {
    this.restored.add(application);
    if (application.owner !== undefined) this.expected.delete(application.owner);
  }

  /** True: it waits, and comes again. */
  take(transaction: ServerTransaction, toTag: string | undefined): boolean {
    const { size } = transaction.received;
    if (this.hold === undefined || this.waiting.length >= maximumWaiting) return false;
    if (this.octets + size > maximumOctets) return false;
    this.waiting.push({ transaction, toTag });
    this.octets += size;
    return true;
  }

  /** Dialogs were restored: their requests come again, the others stay. */
  retry(): void {
    const waiting = this.waiting;
    this.waiting = [];
    this.octets = 0;
    for (const { transaction, toTag } of waiting)
      if (!transaction.isTerminated) this.again(transaction, toTag);
  }

  private check(): void {
    const { hold } = this;
    if (hold === undefined) return;
    const now = this.clock.now();
    if (now >= hold.latest || (now >= hold.earliest && this.areReady())) {
      this.hold = undefined;
      this.expected.clear();
      this.retry();
    } else this.clock.after(checkMilliseconds, () => this.check());
  }

  private areReady(): boolean {
    if (this.expected.size > 0) return false;
    const owners = this.applications.owners();
    return owners.length === 0
      ? this.applications.hasTaker('invite')
      : owners.every((owner) => this.restored.has(owner));
  }
}
