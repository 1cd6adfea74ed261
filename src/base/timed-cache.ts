/** Values by key that are read once and kept for a fixed time; concurrent callers share one read. */
export class TimedCache<Value> {
  private readonly entries = new Map<string, { readonly readAt: number; readonly value: Promise<Value> }>();

  constructor(private readonly milliseconds: number) {}

  /** The value read for that key within the time, or what `read` returns now. A failed read is not kept. */
  get(key: string, read: () => Promise<Value>): Promise<Value> {
    const now = performance.now();
    const entry = this.entries.get(key);
    if (entry !== undefined && now - entry.readAt < this.milliseconds) return entry.value;
    for (const [old, { readAt }] of this.entries) {
      if (now - readAt < this.milliseconds) break;
      this.entries.delete(old);
    }
    const value = read();
    const fresh = { readAt: now, value };
    // Reinserted, so that the map stays in read order, oldest first.
    this.entries.delete(key);
    this.entries.set(key, fresh);
    value.catch(() => {
      if (this.entries.get(key) === fresh) this.entries.delete(key);
    });
    return value;
  }
}
