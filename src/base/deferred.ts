const resolved = Promise.resolve();

/** A promise that is settled from outside, once. It is made when someone waits for it: most are resolved before. */
export class Deferred {
  isResolved = false;
  private waiting: Promise<void> | undefined;
  private settle: (() => void) | undefined;

  get promise(): Promise<void> {
    if (this.isResolved) return resolved;
    this.waiting ??= new Promise((resolve) => {
      this.settle = resolve;
    });
    return this.waiting;
  }

  resolve(): void {
    this.isResolved = true;
    this.settle?.();
    this.waiting = undefined;
    this.settle = undefined;
  }
}
