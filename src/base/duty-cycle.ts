import { setTimeout as sleep } from 'node:timers/promises';

/** Runs synchronous work one piece after the other, each followed by a pause that is left to the rest of the process. */
export class DutyCycle {
  private last: Promise<void> = Promise.resolve();

  /** @param share the most of the process's time that the work takes, above 0 and at most 1 */
  constructor(private readonly share: number) {}

  /** Resolves with the work's result once it has run; rejects with what it throws. */
  do<Result>(work: () => Result): Promise<Result> {
    let took = 0;
    const done = this.last.then(() => {
      const began = performance.now();
      try {
        return work();
      } finally {
        took = performance.now() - began;
      }
    });
    const rest = (): Promise<void> => sleep(took * (1 / this.share - 1));
    this.last = done.then(rest, rest);
    return done;
  }
}
