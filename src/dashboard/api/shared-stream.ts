import { openTabChannel, type TabChannel, type TabMessage } from './tab-channel.js';

/**
 * One event stream for all tabs of a browser. Browsers open six HTTP/1.1 connections to a host, and every stream holds one for as
 * long as its tab is open: with a stream in each tab, the seventh tab would wait for ever. One tab leads: it has the stream and
 * passes its events on. When it is closed or falls silent, another one takes over.
 */

export interface StreamHandlers {
  readonly event: (kind: string, data: unknown) => void;
  readonly opened: () => void;
  /** @param isRefused the server refused the stream, so that the browser does not reconnect */
  readonly lost: (isRefused: boolean) => void;
  /** What this tab knows, for a tab that was just opened; undefined: nothing yet. */
  readonly snapshot: () => unknown;
}

export interface StreamOptions {
  readonly url: string;
  /** Of the channel: tabs with the same name see the same events. */
  readonly name: string;
  /** Of the server's events. */
  readonly kinds: readonly string[];
  /** Of this tab, unique in the browser. */
  readonly id: string;
}

/** Tabs of one browser answer within milliseconds; if none does, this one leads. */
const askMilliseconds = 100;
/** When the leader leaves, its followers do not all take over at once. */
const takeOverMilliseconds = 200;
/**
 * Control sends a beat every four seconds: without two of them the stream is dead, although its connection may look open (a stopped
 * process, a sleeping computer, a lost NAT entry).
 */
export const silentMilliseconds = 9_000;
/** The leader reopens its stream first; a follower takes over from a leader that does not even do that. */
const leaderlessMilliseconds = 12_000;
const watchMilliseconds = 1_000;

export class SharedStream {
  private channel: TabChannel | undefined;
  private source: EventSource | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watch: ReturnType<typeof setInterval> | undefined;
  private term = 0;
  /** Of the last event, or of the opening of the stream. */
  private activeAt = 0;
  private leaderSeenAt = 0;

  constructor(
    private readonly options: StreamOptions,
    private readonly handlers: StreamHandlers,
  ) {}

  get isLeading(): boolean {
    return this.source !== undefined;
  }

  start(): void {
    const { name, id } = this.options;
    this.channel = openTabChannel(name, (message) => this.onMessage(message));
    this.watch = setInterval(() => this.check(), watchMilliseconds);
    this.activeAt = this.leaderSeenAt = Date.now();
    if (this.channel === undefined) {
      this.lead();
      return;
    }
    this.leadAfter(askMilliseconds);
    this.channel.post({ type: 'hello', from: id });
  }

  stop(): void {
    clearTimeout(this.timer);
    clearInterval(this.watch);
    if (this.isLeading) this.channel?.post({ type: 'bye', from: this.options.id });
    this.close();
    this.channel?.close();
    this.channel = undefined;
  }

  private leadAfter(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lead(), milliseconds);
  }

  private lead(): void {
    clearTimeout(this.timer);
    this.term += 1;
    this.channel?.post({ type: 'lead', from: this.options.id, term: this.term });
    this.open();
  }

  private open(): void {
    this.close();
    const opened = new EventSource(this.options.url);
    this.source = opened;
    this.activeAt = Date.now();
    for (const kind of this.options.kinds) {
      opened.addEventListener(kind, (event) => {
        if (opened !== this.source) return;
        const data = readJson((event as Event & { readonly data: string }).data);
        if (data === undefined) return;
        this.channel?.post({ type: 'event', from: this.options.id, kind, data });
        this.receive(kind, data);
      });
    }
    const tell = (isOpen: boolean): void =>
      this.channel?.post({ type: 'connection', from: this.options.id, isOpen });
    opened.addEventListener('open', () => {
      if (opened !== this.source) return;
      tell(true);
      this.handlers.opened();
    });
    opened.addEventListener('error', () => {
      if (opened !== this.source) return;
      tell(false);
      this.handlers.lost(opened.readyState === EventSource.CLOSED);
    });
  }

  private close(): void {
    this.source?.close();
    this.source = undefined;
  }

  private receive(kind: string, data: unknown): void {
    this.activeAt = Date.now();
    this.handlers.event(kind, data);
  }

  private onMessage(message: TabMessage): void {
    if (message.type === 'hello') {
      if (this.isLeading) this.welcome(message.from);
      return;
    }
    if (message.type === 'lead') {
      this.onLeader(message.from, message.term);
      return;
    }
    if (this.isLeading) return;
    if (message.type === 'bye') {
      this.leadAfter(Math.random() * takeOverMilliseconds);
      return;
    }
    this.follow();
    if (message.type === 'event') this.receive(message.kind, message.data);
    else if (message.type === 'connection') this.onConnection(message.isOpen);
    else if (message.to === this.options.id) this.receive('snapshot', message.data);
  }

  private onConnection(isOpen: boolean): void {
    if (isOpen) this.handlers.opened();
    else this.handlers.lost(false);
  }

  private welcome(newcomer: string): void {
    const { id } = this.options;
    this.channel?.post({ type: 'lead', from: id, term: this.term });
    const data = this.handlers.snapshot();
    // Without one it gets the snapshot that the stream begins with.
    if (data !== undefined) this.channel?.post({ type: 'snapshot', from: id, to: newcomer, data });
    const isOpen = this.source?.readyState === EventSource.OPEN;
    if (!isOpen) this.channel?.post({ type: 'connection', from: id, isOpen });
  }

  private onLeader(from: string, term: number): void {
    const { id } = this.options;
    if (this.isLeading) {
      const isOlder = term < this.term || (term === this.term && id < from);
      if (isOlder) {
        this.channel?.post({ type: 'lead', from: id, term: this.term });
        return;
      }
      this.close();
    }
    this.term = term;
    this.follow();
  }

  private follow(): void {
    clearTimeout(this.timer);
    this.leaderSeenAt = Date.now();
  }

  /** Reopens a silent stream, and takes over from a leader that is gone without a word. */
  private check(): void {
    const now = Date.now();
    if (this.isLeading) {
      if (now - this.activeAt < silentMilliseconds) return;
      this.handlers.lost(false);
      this.channel?.post({ type: 'lead', from: this.options.id, term: this.term });
      this.open();
      return;
    }
    // Beats arrive through the leader: its followers are as late as it is.
    if (now - this.activeAt >= silentMilliseconds) this.handlers.lost(false);
    if (now - this.leaderSeenAt < leaderlessMilliseconds) return;
    this.leaderSeenAt = now;
    this.leadAfter(Math.random() * takeOverMilliseconds);
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
