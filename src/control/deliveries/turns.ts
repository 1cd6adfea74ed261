/**
 * How many deliveries of one organization run at once in this process, so that the receivers of one that hang do not keep
 * others waiting.
 */
export class Turns {
  private readonly running = new Map<string, number>();

  constructor(private readonly maximum: number) {}

  /** False: it has as many as it may. */
  enter(organizationId: string): boolean {
    const count = this.running.get(organizationId) ?? 0;
    if (count >= this.maximum) return false;
    this.running.set(organizationId, count + 1);
    return true;
  }

  leave(organizationId: string): void {
    const count = (this.running.get(organizationId) ?? 1) - 1;
    if (count === 0) this.running.delete(organizationId);
    else this.running.set(organizationId, count);
  }
}
