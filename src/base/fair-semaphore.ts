/** Whose turn it is, and how much of the semaphore it takes. */
export interface Turn {
  /** Groups take turns. */
  readonly group?: string;
  /** Of a group: members take turns among themselves. */
  readonly member?: string;
  readonly weight?: number;
}

interface Waiter {
  readonly timer: NodeJS.Timeout;
  readonly weight: number;
  readonly settle: (isIn: boolean) => void;
}

const firstOf = <Value>(values: Iterable<Value>): Value | undefined => {
  const [first] = values;
  return first;
};

type Members = Map<string, Set<Waiter>>;

/**
 * A semaphore for work of different weight whose waiters are served group by group in turn, and member by member within a group,
 * each waiting for a bounded time.
 */
export class FairSemaphore {
  private inside = 0;
  private waitingCount = 0;
  /** Group → its members → their waiters in order of arrival; whose turn is next comes first. */
  private readonly queues = new Map<string, Members>();

  constructor(private readonly slots: number) {}

  get waiting(): number {
    return this.waitingCount;
  }

  /**
   * False when there was no room within `limitMilliseconds`. After true the caller must `leave` with the same weight. What is heavier
   * than the semaphore takes all of it.
   */
  enter(limitMilliseconds: number, turn: Turn = {}): boolean | Promise<boolean> {
    const { group = '', member = '' } = turn;
    const weight = this.share(turn.weight);
    if (this.waitingCount === 0 && this.inside + weight <= this.slots) {
      this.inside += weight;
      return true;
    }
    return new Promise((resolve) => {
      const settle = (isIn: boolean): void => {
        clearTimeout(waiter.timer);
        this.remove(group, member, waiter);
        resolve(isIn);
      };
      const giveUp = (): void => {
        settle(false);
        // Those behind it may fit where it did not.
        this.admit();
      };
      const waiter: Waiter = { timer: setTimeout(giveUp, limitMilliseconds), weight, settle };
      const members: Members = this.queues.get(group) ?? new Map();
      const queue = members.get(member) ?? new Set();
      this.queues.set(group, members.set(member, queue.add(waiter)));
      this.waitingCount++;
    });
  }

  leave(weight?: number): void {
    this.inside -= this.share(weight);
    this.admit();
  }

  private share(weight = 1): number {
    return Math.min(weight, this.slots);
  }

  /** A flood of one group delays each other group by one task. */
  private admit(): void {
    for (;;) {
      const [group, members] = firstOf(this.queues) ?? [];
      const [member, queue] = (members && firstOf(members)) ?? [];
      const waiter = queue && firstOf(queue);
      if (group === undefined || members === undefined) return;
      if (member === undefined || queue === undefined || waiter === undefined) return;
      if (this.inside + waiter.weight > this.slots) return;
      this.inside += waiter.weight;
      // To the end of both rows.
      this.queues.delete(group);
      this.queues.set(group, members);
      members.delete(member);
      members.set(member, queue);
      waiter.settle(true);
    }
  }

  private remove(group: string, member: string, waiter: Waiter): void {
    const members = this.queues.get(group);
    const queue = members?.get(member);
    if (members === undefined || queue?.delete(waiter) !== true) return;
    this.waitingCount--;
    if (queue.size === 0) members.delete(member);
    if (members.size === 0) this.queues.delete(group);
  }
}
