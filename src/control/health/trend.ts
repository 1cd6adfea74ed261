import type { Selectable } from 'kysely';
import type { EndpointHealth } from '../../contract/health.js';
import type { EndpointHealthTable } from './tables.js';

/** The latest check of a server, and the trend of the checks before it. */
export interface Trend {
  readonly check: EndpointHealth;
  /** When it entered its current status. */
  readonly since: Date;
  /** Milliseconds; null: no probe was answered since then. */
  readonly responseAverage: number | null;
}

/** Weight of a new check: with one a minute, the last five minutes make up four fifths of the average. */
const weight = 0.3;

export const trendOf = (row: Selectable<EndpointHealthTable>): Trend => ({
  check: row.health,
  since: row.since ?? row.checked_at,
  responseAverage: row.response_average,
});

/** With one more check; undefined: there was none before. */
export function continueTrend(before: Trend | undefined, check: EndpointHealth): Trend {
  const isSame = before?.check.status === check.status;
  const average = isSame ? before.responseAverage : null;
  const measured = check.status === 'healthy' ? check.response_time_milliseconds : null;
  return {
    check,
    since: isSame ? before.since : new Date(check.checked_at),
    responseAverage:
      measured === null ? average : average === null ? measured : average + weight * (measured - average),
  };
}

/**
 * The trends after new checks, in whatever order these came, and the checks that brought another status than the one before; a server that
 * was never checked counts as healthy.
 */
export function continueTrends(
  known: ReadonlyMap<string, Trend>,
  checks: readonly EndpointHealth[],
): { readonly trends: ReadonlyMap<string, Trend>; readonly changes: EndpointHealth[] } {
  const trends = new Map(known);
  const changes: EndpointHealth[] = [];
  const inOrder = checks.toSorted((left, right) => (left.checked_at < right.checked_at ? -1 : 1));
  for (const check of inOrder) {
    const before = trends.get(check.endpoint);
    // A late report from the edge that held the lease before.
    if (before !== undefined && before.check.checked_at > check.checked_at) continue;
    if (check.status !== (before?.check.status ?? 'healthy')) changes.push(check);
    trends.set(check.endpoint, continueTrend(before, check));
  }
  return { trends, changes };
}
