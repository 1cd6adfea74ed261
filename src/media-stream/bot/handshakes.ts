/** Handshakes that begin within one interval; each costs a millisecond of processor time, in which no frame leaves. */
const atOnce = 10;
const intervalMilliseconds = 20;

/** Spreads the beginning of connections: a bot's restart would otherwise make all its calls' frames late. */
export class Handshakes {
  private readonly waiting: (() => void)[] = [];
  private head = 0;
  private started = 0;
  private timer: NodeJS.Timeout | undefined;

  /** Runs `begin` now, or in its turn. */
  next(begin: () => void): void {
    if (this.started < atOnce) {
      this.started++;
      begin();
    } else this.waiting.push(begin);
    this.timer ??= setTimeout(() => this.turn(), intervalMilliseconds);
  }

  private turn(): void {
    this.timer = undefined;
    this.started = 0;
    while (this.started < atOnce && this.head < this.waiting.length) {
      this.started++;
      this.waiting[this.head++]!();
    }
    if (this.head === this.waiting.length) {
      this.waiting.length = 0;
      this.head = 0;
    }
    if (this.started > 0) this.timer = setTimeout(() => this.turn(), intervalMilliseconds);
  }
}
