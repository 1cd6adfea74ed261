import { type Kysely, sql } from 'kysely';
import { explainUnreachable } from '../../contract/explanations.js';
import type { Database, Direction } from '../database/tables.js';
import { readChecks, readEndpointNames, statusOf, statusOfTrunk } from '../health/number-health.js';
import { e164 } from '../trunks/phone-number.js';
import type { NocSummary, TrunkSummary } from './view.js';

/** Whoever has more numbers sees the health of the first ones here, and of each on its own page. */
const maximumNumbers = 2_000;

const order = { unreachable: 0, unchecked: 1, healthy: 2 } as const;

export interface TrunkOverview {
  readonly counts: NocSummary['trunk_counts'];
  /** Unreachable ones first. */
  readonly trunks: readonly TrunkSummary[];
}

/** The health of an organization's trunks, what needs attention first. */
export async function readTrunks(
  database: Kysely<Database>,
  organizationId: string,
  now: number = Date.now(),
): Promise<TrunkOverview> {
  const rows = await database
    .selectFrom('numbers')
    .innerJoin('configurations', 'configurations.number', 'numbers.number')
    .select(['numbers.number', sql<Direction[]>`array_agg(distinct direction)`.as('directions')])
    .where('organization_id', '=', organizationId)
    .groupBy('numbers.number')
    .orderBy('numbers.number')
    .limit(maximumNumbers)
    .execute();
  const { total } = await database
    .selectFrom('numbers')
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const calling = rows.filter(({ directions }) => directions.includes('outbound'));
  const names = await readEndpointNames(
    database,
    calling.map(({ number }) => number),
  );
  const checks = await readChecks(database, [...names.values()].flat());
  const trunks = rows.map(({ number, directions }): TrunkSummary => {
    const endpoints = names.get(number) ?? [];
    const statuses = endpoints.map((endpoint) => statusOf(checks.get(endpoint), now));
    const status = statusOfTrunk(statuses);
    const endpoint = endpoints[statuses.indexOf(status)] ?? null;
    const check = endpoint === null ? undefined : checks.get(endpoint);
    const reason = status === 'unchecked' ? null : (check?.reason ?? null);
    const explanation = reason === null ? { cause: null, advice: null } : explainUnreachable(reason);
    return {
      phone_number: e164(number),
      directions: directions.toSorted(),
      ...{ status, endpoint, reason, detail: check?.detail ?? null },
      ...explanation,
      response_time_ms: check?.response_time_milliseconds ?? null,
      checked_at: check?.checked_at ?? null,
    };
  });
  const count = (status: TrunkSummary['status']): number =>
    trunks.filter((trunk) => trunk.status === status).length;
  return {
    counts: {
      total: Number(total),
      healthy: count('healthy'),
      unreachable: count('unreachable'),
      unchecked: count('unchecked'),
    },
    trunks: trunks.toSorted((one, other) => order[one.status] - order[other.status]),
  };
}
