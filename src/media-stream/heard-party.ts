import type { NoticeFields } from './formats/format.js';

/** Whom the bot hears: the caller, or the target of a warm transfer. The bot is notified of each change. */
export class HeardParty {
  /** Undefined: the caller. */
  private current: string | undefined;

  constructor(private readonly notify: (event: 'hears', fields: NoticeFields) => void) {}

  /** The target, as the transfer was ordered; undefined: the caller. */
  get target(): string | undefined {
    return this.current;
  }

  /** The edge has sent another session description, with that target or with none. */
  described(target: string | undefined): void {
    if (target === this.current) return;
    this.current = target;
    this.tell();
  }

  /** A process before this one has noted it. */
  continue(target: string | undefined): void {
    this.current = target;
  }

  /** A connection has begun that assumes the caller. */
  begun(): void {
    if (this.current !== undefined) this.tell();
  }

  private tell(): void {
    const { current } = this;
    this.notify('hears', current === undefined ? { party: 'caller' } : { party: 'target', address: current });
  }
}
