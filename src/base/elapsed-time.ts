import { bootId } from './process-identity.js';

/** A moment from which another process can measure, also if the wall clock is set meanwhile. */
export interface Moment {
  /** Unix milliseconds. */
  readonly wall: number;
  /** Milliseconds of the monotonic clock that all processes of this boot of the machine share. */
  readonly monotonic: number;
  /** Empty: unknown. */
  readonly boot: string;
}

export function momentNow(): Moment {
  return { wall: Date.now(), monotonic: Number(process.hrtime.bigint() / 1_000_000n), boot: bootId() };
}

/** Milliseconds since a moment; by the wall clocks if it is of another machine or boot. Never negative. */
export function millisecondsSince(moment: Moment): number {
  const now = momentNow();
  const isSameBoot = moment.boot !== '' && moment.boot === now.boot;
  return Math.max(0, isSameBoot ? now.monotonic - moment.monotonic : now.wall - moment.wall);
}
