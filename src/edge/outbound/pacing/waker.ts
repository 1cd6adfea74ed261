/** A pause that somebody may cut short; a word that comes while nobody pauses counts for the next one. */
export class Waker {
  private isWoken = false;
  private end: () => void = () => {};

  wake(): void {
    this.isWoken = true;
    this.end();
  }

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
