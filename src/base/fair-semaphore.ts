interface Waiter {
  readonly timer: NodeJS.Timeout;
  readonly settle: (isIn: boolean) => void;
}

/** A semaphore whose waiters are served group by group in turn, each waiting for a bounded time. */
export class FairSemaphore {
  private inside = 0;
  private waitingCount = 0;
  /** Group → its waiters in order of arrival; the group whose turn is next comes first. */
  private readonly queues = new Map<string, Set<Waiter>>();

  constructor(private readonly slots: number) {}

  get waiting(): number {
    return this.waitingCount;
  }

  /** False when no slot came free within `limitMilliseconds`. After true the caller must `leave`. */
  enter(limitMilliseconds: number, group = ''): boolean | Promise<boolean> {
    if (this.inside < this.slots) {
      this.inside++;
      return true;
    }
    return new Promise((resolve) => {
      const settle = (isIn: boolean): void => {
        clearTimeout(waiter.timer);
        queue.delete(waiter);
        this.waitingCount--;
        if (queue.size === 0) this.queues.delete(group);
        resolve(isIn);
      };
      const waiter: Waiter = { timer: setTimeout(() => settle(false), limitMilliseconds), settle };
      const queue = this.queues.get(group) ?? new Set();
      this.queues.set(group, queue.add(waiter));
      this.waitingCount++;
    });
  }

  /** The slot goes to the longest waiter of the next group: a flood of one group delays each other group by one task. */
  leave(): void {
    const [next] = this.queues;
    if (next === undefined) {
      this.inside--;
      return;
    }
    const [group, queue] = next;
    this.queues.delete(group);
    const [first] = queue;
    if (queue.size > 1) this.queues.set(group, queue);
    first!.settle(true);
  }
}
