/** Answers that many ask for at once: read once, given to all, for a short while. */
export class Cached<Value> {
  private readonly entries = new Map<string, { readonly readAt: number; readonly value: Promise<Value> }>();

  constructor(private readonly milliseconds: number) {}

  /** What `read` brought lately for that key, or brings now. A failure is nobody's answer but of those who wait for it. */
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
    // Anew at the end: the map stays in the order of the reading, oldest first.
    this.entries.delete(key);
    this.entries.set(key, fresh);
    value.catch(() => {
      if (this.entries.get(key) === fresh) this.entries.delete(key);
    });
    return value;
  }
}
