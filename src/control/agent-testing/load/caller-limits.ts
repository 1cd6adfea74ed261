import { InvalidRequest } from '../../http/validation.js';

/** One limit of callers at once. */
export interface CallerLimit {
  readonly callers: number;
  /** As `half of the 20 concurrent calls of +14155550100 (limits.concurrent_calls)`. */
  readonly what: string;
}

/** Of the concurrent calls of an organization or number: the rest stays free for real calls. */
const shareForTests = 0.5;

/** What a load test may use of a limit that real calls share. */
export const shareOf = (calls: number, whose: string): CallerLimit => ({
  callers: Math.floor(calls * shareForTests),
  what: `half of the ${calls} concurrent calls ${whose}; the other half stays free for real calls`,
});

/** Throws `InvalidRequest` that names the lowest limit which the callers exceed. */
export function requireWithin(concurrency: number, limits: readonly CallerLimit[], field: string): void {
  const lowest = limits.reduce<CallerLimit | undefined>(
    (least, limit) => (least === undefined || limit.callers < least.callers ? limit : least),
    undefined,
  );
  if (lowest === undefined || concurrency <= lowest.callers) return;
  throw InvalidRequest.at(field, `${concurrency} callers at once exceed ${lowest.callers}: ${lowest.what}.`);
}
