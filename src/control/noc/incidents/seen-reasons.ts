import type { Reason } from './reasons.js';
import type { StoredReason } from './tables.js';

/** A reason with the time at which it was seen first. */
export interface SeenReason extends Reason {
  readonly since: Date;
}

/** A verdict that is no longer red for so long has recovered; before that, it is the same incident. */
const recoveryMilliseconds = 60_000;
const mostReasons = 20;

/** Reasons that were seen at an earlier look keep the time at which they were seen first. */
export function seenReasons(
  found: readonly Reason[],
  before: readonly SeenReason[],
  now: Date,
): SeenReason[] {
  const since = new Map(before.map((reason) => [reason.key, reason.since]));
  return found.map((reason) => ({ ...reason, since: since.get(reason.key) ?? now }));
}

/** When the verdict turned red. */
export const firstSeenAt = (reasons: readonly SeenReason[]): Date =>
  new Date(Math.min(...reasons.map(({ since }) => since.getTime())));

/** @param clearSince since when the verdict is no longer red; null: it was at the last look */
export function recoveryOf(
  clearSince: Date | null,
  now: Date,
): { readonly clearSince: Date; readonly isOver: boolean } {
  const since = clearSince ?? now;
  return { clearSince: since, isOver: now.getTime() - since.getTime() >= recoveryMilliseconds };
}

/** The stored reasons of an incident after a look that found these. */
export function mergedReasons(
  stored: readonly StoredReason[],
  reasons: readonly SeenReason[],
  now: Date,
): readonly StoredReason[] {
  const last_seen_at = now.toISOString();
  const current = new Map(reasons.map((reason) => [reason.key, reason]));
  const continued = stored.map((before): StoredReason => {
    const reason = current.get(before.key);
    if (reason === undefined) return before;
    const { since: _, ...shown } = reason;
    return { ...shown, first_seen_at: before.first_seen_at, last_seen_at };
  });
  const keys = new Set(stored.map(({ key }) => key));
  const added = reasons
    .filter(({ key }) => !keys.has(key))
    .map(
      ({ since, ...reason }): StoredReason => ({
        ...reason,
        first_seen_at: since.toISOString(),
        last_seen_at,
      }),
    );
  return latest([...continued, ...added]);
}

/** The first reason opened the incident; of the others, those that were not seen for the longest time are left out. */
function latest(reasons: readonly StoredReason[]): readonly StoredReason[] {
  if (reasons.length <= mostReasons) return reasons;
  const [first, ...rest] = reasons;
  const kept = new Set(
    rest
      .toSorted((left, right) => right.last_seen_at.localeCompare(left.last_seen_at))
      .slice(0, mostReasons - 1),
  );
  return [first!, ...rest.filter((reason) => kept.has(reason))];
}
