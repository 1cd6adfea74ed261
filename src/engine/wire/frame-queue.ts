/**
 * How a frame relates to others of its call. The application's code runs after the library has read a whole segment, so a
 * frame that `follows` one that `opens` a transaction or dialog must not be read together with it: else a response arrives
 * before its listener, or a BYE before the code that waits for the call (wire protocol §13.1, hazard 12).
 */
export type FrameKind = 'plain' | 'opens' | 'follows' | 'follows-and-opens';

/** How urgent a frame is: at the end of this turn of the event loop, or with whatever is written next. */
export type Urgency = 'now' | 'soon';

/**
 * How long a frame without urgency may wait: with many active calls, most of these leave in the write of another frame, and
 * each write saved is one read less for the application too.
 */
const soonMilliseconds = 5;

/**
 * Between an opening frame and what follows: longer than an application that is not overloaded takes until its next read.
 * Only peers on the same machine or switch answer faster.
 */
const gapMilliseconds = 3;

/**
 * How long traces wait for a frame. Half of what an edge waits for the last messages of a call.
 */
const traceMilliseconds = 30;

interface WaitingFrame {
  readonly text: string;
  readonly kind: FrameKind;
}

/** A call whose last opening frame is queued, or was written less than a gap ago. Other calls are not affected. */
interface Opening {
  readonly callId: string;
  /** Monotonic milliseconds; infinite until the opening frame is written. */
  gapEnd: number;
  /** Later frames that must wait, and all frames behind them. */
  readonly waiting: WaitingFrame[];
}

const opens = (kind: FrameKind): boolean => kind === 'opens' || kind === 'follows-and-opens';
const follows = (kind: FrameKind): boolean => kind === 'follows' || kind === 'follows-and-opens';

/** Batches frames into as few writes as the gaps allow. Frames of one call stay in order. */
export class FrameQueue {
  private ready = '';
  private traces = '';
  /** True when the application's code runs at once for each frame, even of those that are read together. */
  isAdjacent = false;
  private readonly openings = new Map<string, Opening>();
  /** Those whose opening frame is in `ready`. */
  private unwritten: Opening[] = [];
  /** Those whose opening frame is written, the earliest first. */
  private written: Opening[] = [];
  private isScheduled = false;
  private timer: NodeJS.Timeout | undefined;
  private timerDue = 0;

  /** `write` takes a byte string; `traceFrame` makes a frame of trace entries. */
  constructor(
    private readonly write: (bytes: string) => void,
    private readonly traceFrame: (entries: string) => string = (entries) => entries,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** `callId`: the Call-ID of the message that the frame brings; empty for a frame without one. */
  add(text: string, callId: string, kind: FrameKind, urgency: Urgency): void {
    const opening = this.isAdjacent ? undefined : this.openings.get(callId);
    if (opening !== undefined) {
      if (opening.waiting.length > 0 || (follows(kind) && this.now() < opening.gapEnd)) {
        opening.waiting.push({ text, kind });
        if (opening.gapEnd !== Number.POSITIVE_INFINITY) this.wakeAt(opening.gapEnd);
        return;
      }
    }
    this.put(text, callId, kind);
    if (urgency === 'soon') this.wakeAt(this.now() + soonMilliseconds);
    else this.schedule();
  }

  /** Octets of trace entries that wait. */
  get traceBytes(): number {
    return this.traces.length;
  }

  /** Trace entries leave with the next frames, whichever call they are of. */
  addTrace(entries: string): void {
    if (this.traces === '' && !this.isScheduled) this.wakeAt(this.now() + traceMilliseconds);
    this.traces += entries;
  }

  /** Writes everything at once, gap or not: the connection is about to end. */
  finish(): void {
    const rest = [...this.openings.values()].flatMap(({ waiting }) => waiting.map(({ text }) => text));
    const all = this.takeTraces() + this.ready + rest.join('');
    this.clear();
    if (all !== '') this.write(all);
  }

  /** Drops all frames. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.ready = '';
    this.traces = '';
    this.openings.clear();
    this.unwritten = [];
    this.written = [];
  }

  private put(text: string, callId: string, kind: FrameKind): void {
    this.ready += text;
    if (this.isAdjacent || !opens(kind) || callId === '') return;
    // An older opening of the same call has nothing waiting, so the new one takes its place.
    const opening: Opening = { callId, gapEnd: Number.POSITIVE_INFINITY, waiting: [] };
    this.openings.set(callId, opening);
    this.unwritten.push(opening);
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.flush();
    });
  }

  private flush(): void {
    this.release();
    const bytes = this.takeTraces() + this.ready;
    this.ready = '';
    if (bytes !== '') this.write(bytes);
    const gapEnd = this.now() + gapMilliseconds;
    for (const opening of this.unwritten) {
      opening.gapEnd = gapEnd;
      this.written.push(opening);
    }
    this.unwritten = [];
    clearTimeout(this.timer);
    this.timer = undefined;
    const next = this.written.find(({ waiting }) => waiting.length > 0);
    if (next !== undefined) this.wakeAt(next.gapEnd);
  }

  /** Before the frames: what a call ends with is complete when the application learns of its end. */
  private takeTraces(): string {
    if (this.traces === '') return '';
    const frame = this.traceFrame(this.traces);
    this.traces = '';
    return frame;
  }

  /** Ends expired gaps: waiting frames are ready, up to a frame that opens a new gap. */
  private release(): void {
    const now = this.now();
    let count = 0;
    for (const opening of this.written) {
      if (opening.gapEnd > now) break;
      count++;
      if (this.openings.get(opening.callId) !== opening) continue;
      this.openings.delete(opening.callId);
      this.releaseOne(opening);
    }
    this.written.splice(0, count);
  }

  private releaseOne({ callId, waiting }: Opening): void {
    for (const [index, { text, kind }] of waiting.entries()) {
      const opened = this.openings.get(callId);
      if (opened !== undefined && follows(kind)) {
        opened.waiting.push(...waiting.slice(index));
        return;
      }
      this.put(text, callId, kind);
    }
  }

  /** The earliest requested time counts. */
  private wakeAt(due: number): void {
    if (this.timer !== undefined && this.timerDue <= due) return;
    clearTimeout(this.timer);
    this.timerDue = due;
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        this.flush();
      },
      Math.max(1, Math.ceil(due - this.now())),
    );
  }
}
