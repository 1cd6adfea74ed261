/** A promise that is settled from outside, once. */
export class Deferred {
  readonly promise: Promise<void>;
  isResolved = false;
  private settle: () => void = () => {};

  constructor() {
    this.promise = new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  resolve(): void {
    this.isResolved = true;
    this.settle();
  }
}
