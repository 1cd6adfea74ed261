/** A pause that a call of `wake` cuts short. A wake between two pauses ends the next one at once. */
export class WakeablePause {
  private isWoken = false;
  private end: () => void = () => {};

  wake(): void {
    this.isWoken = true;
    this.end();
  }

  /** Resolves after so many milliseconds, or when woken. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.end = () => {};
    }
    this.isWoken = false;
  }
}
