import type { Kysely } from 'kysely';
import { dayOf, readDays, readPeak } from '../calls/index.js';
import type { Database } from '../database/tables.js';
import { periodOf, type UsedLimit } from './near-limit.js';

/** An organization that has at least one limit of usage. */
export interface LimitedOrganization {
  readonly id: string;
  readonly concurrent_calls: number | null;
  readonly minutes_per_month: number | null;
}

export const readLimited = (database: Kysely<Database>, id?: string): Promise<LimitedOrganization[]> => {
  const query = database
    .selectFrom('organizations')
    .select(['id', 'concurrent_calls', 'minutes_per_month'])
    .where(({ eb, or }) =>
      or([eb('concurrent_calls', 'is not', null), eb('minutes_per_month', 'is not', null)]),
    );
  return (id === undefined ? query : query.where('id', '=', id)).execute();
};

/**
 * How much of its limits the organization has used in their present periods.
 * @param active calls of the organization that are active now
 */
export async function readUsedLimits(
  database: Kysely<Database>,
  { id, concurrent_calls: calls, minutes_per_month: minutes }: LimitedOrganization,
  active: number,
  now = new Date(),
): Promise<UsedLimit[]> {
  const used: UsedLimit[] = [];
  if (calls !== null) {
    const ended = (await readPeak(database, id, dayOf(now), '')) ?? 0;
    const period = periodOf('concurrent_calls', now);
    used.push({ kind: 'concurrent_calls', period, measured: Math.max(ended, active), limit: calls });
  }
  if (minutes !== null) {
    const period = periodOf('minutes_per_month', now);
    const days = await readDays(database, id, `${period}-01`, dayOf(now));
    const milliseconds = days.reduce((sum, { answeredMilliseconds }) => sum + answeredMilliseconds, 0);
    used.push({ kind: 'minutes_per_month', period, measured: milliseconds / 60_000, limit: minutes });
  }
  return used;
}
