/** Unix time with microseconds: the monotonic clock on top of a wall clock reading that is renewed now and then. */
export class WallClock {
  private offset = Date.now() - performance.now();

  /** Unix time, milliseconds with a fraction. */
  now(): number {
    return this.offset + performance.now();
  }

  /** Follows a wall clock that was set; differences below 20 ms are left alone, so that time does not jitter. */
  adjust(): void {
    const offset = Date.now() - performance.now();
    if (Math.abs(offset - this.offset) > 20) this.offset = offset;
  }
}
