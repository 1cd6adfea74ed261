interface Waiter {
  readonly timer: NodeJS.Timeout;
  readonly settle: (isIn: boolean) => void;
}

/** Lets a number of tasks in at a time; others wait their turn, but no longer than they say. */
export class Turnstile {
  private inside = 0;
  /** In order of arrival. */
  private readonly queue = new Set<Waiter>();

  constructor(private readonly places: number) {}

  get waiting(): number {
    return this.queue.size;
  }

  /** False when the turn did not come within `limitMilliseconds`; whoever gets true must leave. */
  enter(limitMilliseconds: number): boolean | Promise<boolean> {
    if (this.inside < this.places) {
      this.inside++;
      return true;
    }
    return new Promise((resolve) => {
      const settle = (isIn: boolean): void => {
        clearTimeout(waiter.timer);
        this.queue.delete(waiter);
        resolve(isIn);
      };
      const waiter: Waiter = { timer: setTimeout(() => settle(false), limitMilliseconds), settle };
      this.queue.add(waiter);
    });
  }

  /** The place goes to who waits longest. */
  leave(): void {
    const [first] = this.queue;
    if (first === undefined) this.inside--;
    else first.settle(true);
  }
}
