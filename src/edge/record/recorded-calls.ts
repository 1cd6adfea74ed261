/** As long as a record may reasonably need to control's database. */
const keepMilliseconds = 30_000;
const maximumKept = 10_000;

/** Calls whose record was handed over a moment ago: until it is stored, only this list shows that they existed. */
export class RecordedCalls {
  /** In order of time. */
  private readonly calls = new Map<string, { readonly organization: string | null; readonly at: number }>();

  note(callId: string, organization: string | null): void {
    const now = performance.now();
    for (const [old, { at }] of this.calls) {
      if (now - at < keepMilliseconds && this.calls.size < maximumKept) break;
      this.calls.delete(old);
    }
    this.calls.set(callId, { organization, at: now });
  }

  has(callId: string, organization?: string): boolean {
    const call = this.calls.get(callId);
    if (call === undefined || performance.now() - call.at >= keepMilliseconds) return false;
    return organization === undefined || call.organization === organization;
  }
}
