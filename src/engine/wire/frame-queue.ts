/**
 * How a frame relates to its neighbours. The application's code runs after the library has read a whole segment, so what
 * `follows` upon a frame that `opens` a transaction or dialog must not be read together with it: else a response is there
 * before the listener for it, or a BYE before the code that waits for the call (WIRE §13.1, hazard 12).
 */
export type FrameKind = 'plain' | 'opens' | 'follows' | 'follows-and-opens';

/** How urgent a frame is: at the end of this turn of the event loop, or with whatever is written next. */
export type Urgency = 'now' | 'soon';

/**
 * How long a frame that nobody waits for may stay: with many calls up, most of these leave in the write of another frame, and
 * each write saved is one read less for the application too.
 */
const soonMilliseconds = 5;

/**
 * Between an opening frame and what follows: longer than an application that is not overloaded takes to come to its next read.
 * Only peers on the same machine or switch answer faster.
 */
const gapMilliseconds = 3;

interface Batch {
  text: string;
  opens: boolean;
  /** Must not be written within the gap after an opening one. */
  follows: boolean;
}

/** Puts frames together into as few writes as order and the gap allow; first in, first out. */
export class FrameQueue {
  private batches: Batch[] = [];
  private isScheduled = false;
  private timer: NodeJS.Timeout | undefined;
  private timerDue = 0;
  /** Monotonic milliseconds. */
  private gapEnd = 0;

  /** `write` takes a byte string. */
  constructor(
    private readonly write: (bytes: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  add(frame: string, kind: FrameKind, urgency: Urgency): void {
    const batch = this.batchFor(kind);
    batch.text += frame;
    if (kind === 'opens' || kind === 'follows-and-opens') batch.opens = true;
    if (urgency === 'soon') this.wakeAt(this.now() + soonMilliseconds);
    else if (!this.isScheduled) {
      this.isScheduled = true;
      setImmediate(() => {
        this.isScheduled = false;
        this.flush();
      });
    }
  }

  /** Writes everything at once, gap or not: the connection is about to end. */
  finish(): void {
    const rest = this.batches;
    this.clear();
    for (const batch of rest) this.write(batch.text);
  }

  /** Forgets everything. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.batches = [];
  }

  private batchFor(kind: FrameKind): Batch {
    const last = this.batches.at(-1);
    if (kind === 'follows' || kind === 'follows-and-opens') {
      const mustWait = last?.opens === true || this.now() < this.gapEnd;
      if (mustWait && !(last?.follows === true && !last.opens)) return this.newBatch(true);
    }
    return last ?? this.newBatch(false);
  }

  private newBatch(follows: boolean): Batch {
    const batch = { text: '', opens: false, follows };
    this.batches.push(batch);
    return batch;
  }

  private flush(): void {
    for (let next = this.batches[0]; next !== undefined; next = this.batches[0]) {
      const now = this.now();
      if (next.follows && now < this.gapEnd) {
        this.wakeAt(this.gapEnd);
        return;
      }
      this.batches.shift();
      if (next.opens) this.gapEnd = now + gapMilliseconds;
      this.write(next.text);
    }
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** The earliest wish counts. */
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
