import { type Kysely, sql } from 'kysely';
import { explainUnreachable } from '../../contract/explanations.js';
import type { RegistrationState } from '../../contract/registration.js';
import type { Database } from '../database/tables.js';
import {
  endpointNamesOf,
  readChecks,
  readDocuments,
  registrationIds,
  stateOf,
  statusOf,
  statusOfTrunk,
} from '../health/index.js';
import { e164 } from '../numbers/phone-number.js';
import type { Direction } from '../numbers/tables.js';
import type { NocSummary, TrunkSummary } from './view.js';

/** Whoever has more numbers sees the health of the first ones here, and of each on its own page. */
const maximumNumbers = 2_000;

/** What PostgreSQL knows of a trunk; how its registrations are stands in Redis. */
export interface StoredTrunk extends Omit<TrunkSummary, 'registration'> {
  readonly registrationIds: readonly string[];
}

export interface TrunkOverview<Trunk = TrunkSummary> {
  readonly counts: NocSummary['trunk_counts'];
  /** What needs attention first. */
  readonly trunks: readonly Trunk[];
}

/** The health of an organization's trunks. */
export async function readTrunks(
  database: Kysely<Database>,
  organizationId: string,
  now: number = Date.now(),
): Promise<TrunkOverview<StoredTrunk>> {
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
  const documents = await readDocuments(
    database,
    rows.map(({ number }) => number),
  );
  const checks = await readChecks(database, [...documents.values()].flatMap(endpointNamesOf));
  const trunks = rows.map(({ number, directions }): StoredTrunk => {
    const document = documents.get(number);
    const endpoints = document === undefined ? [] : endpointNamesOf(document);
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
      servers: {
        total: endpoints.length,
        unreachable: statuses.filter((one) => one === 'unreachable').length,
      },
      registrationIds: registrationIds(document),
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
    trunks,
  };
}

/** Worst first. */
const registrationOrder = ['failed', 'unregistered', 'unknown', 'registering', 'registered'] as const;

/** @param states undefined: Redis is down */
export function withRegistrations(
  { counts, trunks }: TrunkOverview<StoredTrunk>,
  states: ReadonlyMap<string, RegistrationState> | undefined,
): TrunkOverview {
  const registrationOf = (ids: readonly string[]): TrunkSummary['registration'] => {
    const found = ids.map((id) => {
      if (states === undefined) return 'unknown';
      const state = states.get(id);
      return state === undefined ? 'unregistered' : stateOf(state);
    });
    return registrationOrder.find((one) => found.includes(one)) ?? null;
  };
  return {
    counts,
    trunks: trunks
      .map(({ registrationIds: ids, ...trunk }) => ({ ...trunk, registration: registrationOf(ids) }))
      .toSorted((one, other) => urgencyOf(one) - urgencyOf(other)),
  };
}

/** Sort order: unreachable, registration lost, some servers unreachable, unchecked, healthy. */
function urgencyOf({ status, servers, registration }: TrunkSummary): number {
  if (status === 'unreachable') return 0;
  if (registration === 'failed' || registration === 'unregistered') return 1;
  if (servers.unreachable > 0) return 2;
  return status === 'unchecked' ? 3 : 4;
}
