import type { Insertable } from 'kysely';
import type { EndpointHealth } from '../../contract/health.js';
import type { EndpointHealthHoursTable } from './tables.js';

const hourMilliseconds = 3_600_000;

/** Totals of checks by server and hour. */
export function hourSums(
  checks: readonly Pick<
    EndpointHealth,
    'endpoint' | 'checked_at' | 'status' | 'response_time_milliseconds'
  >[],
): Insertable<EndpointHealthHoursTable>[] {
  const hours = new Map<string, Insertable<EndpointHealthHoursTable>>();
  for (const { endpoint, checked_at, status, response_time_milliseconds } of checks) {
    const hour = Math.floor(Date.parse(checked_at) / hourMilliseconds) * hourMilliseconds;
    const key = `${hour} ${endpoint}`;
    const row = hours.get(key) ?? {
      endpoint,
      hour: new Date(hour),
      checks: 0,
      healthy: 0,
      responses: 0,
      response_milliseconds: 0,
    };
    row.checks += 1;
    if (status === 'healthy') {
      row.healthy += 1;
      // The response time of a failed check does not count towards the trunk's average.
      if (response_time_milliseconds !== null) {
        row.responses += 1;
        row.response_milliseconds += response_time_milliseconds;
      }
    }
    hours.set(key, row);
  }
  return [...hours.values()];
}
