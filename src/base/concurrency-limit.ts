/** How many tasks of one key run at once in this process: those of one key that hang do not delay the others. */
export class ConcurrencyLimit {
  private readonly running = new Map<string, number>();

  constructor(private readonly maximum: number) {}

  /** False: the key has as many as it may. After true the caller must `leave`. */
  enter(key: string): boolean {
    const count = this.running.get(key) ?? 0;
    if (count >= this.maximum) return false;
    this.running.set(key, count + 1);
    return true;
  }

  leave(key: string): void {
    const count = (this.running.get(key) ?? 1) - 1;
    if (count === 0) this.running.delete(key);
    else this.running.set(key, count);
  }
}
