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
