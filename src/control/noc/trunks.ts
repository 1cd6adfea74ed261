import { type Kysely, sql } from 'kysely';
import { explainUnreachable } from '../../contract/explanations.js';
import type { EndpointHealth } from '../../contract/health.js';
import type { NumberDocument } from '../../contract/number.js';
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
import { e164 } from '../http/phone-number.js';
import type { Direction } from '../numbers/tables.js';
import { noTrunkCalls } from './trunk-calls.js';
import type { FleetTrunk, NocSummary, TrunkCalls, TrunkSummary } from './view.js';

/** Organizations with more numbers see the health of the first ones here, and of each on its own page. */
const maximumNumbers = 2_000;

/** What PostgreSQL knows of a trunk; how its registrations are stands in Redis. */
export interface StoredTrunk extends Omit<FleetTrunk, 'registration'> {
  readonly registrationIds: readonly string[];
}

export interface StoredTrunks {
  /** Also of numbers beyond the ones that are read. */
  readonly total: number;
  readonly trunks: readonly StoredTrunk[];
}

export interface TrunkOverview {
  readonly counts: NocSummary['trunk_counts'];
  /** What needs attention first. */
  readonly trunks: readonly FleetTrunk[];
}

/**
 * The health of trunks.
 * @param organizationId undefined: of all organizations
 * @param calls by number, of the last hour
 */
export async function readTrunks(
  database: Kysely<Database>,
  organizationId: string | undefined,
  calls: ReadonlyMap<string, TrunkCalls>,
  now: number = Date.now(),
): Promise<StoredTrunks> {
  const rows = await database
    .selectFrom('numbers')
    .innerJoin('configurations', 'configurations.number', 'numbers.number')
    .innerJoin('organizations', 'organizations.id', 'organization_id')
    .select([
      'numbers.number',
      'organizations.id',
      'organizations.name',
      sql<Direction[]>`array_agg(distinct direction)`.as('directions'),
    ])
    .$if(organizationId !== undefined, (query) => query.where('organization_id', '=', organizationId!))
    .groupBy(['numbers.number', 'organizations.id'])
    .orderBy('numbers.number')
    .limit(maximumNumbers)
    .execute();
  const { total } = await database
    .selectFrom('numbers')
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .$if(organizationId !== undefined, (query) => query.where('organization_id', '=', organizationId!))
    .executeTakeFirstOrThrow();
  const documents = await readDocuments(
    database,
    rows.map(({ number }) => number),
  );
  const checks = await readChecks(database, [...documents.values()].flatMap(endpointNamesOf));
  const trunks = rows.map((row) =>
    storedTrunk(row, documents.get(row.number), checks, calls.get(row.number), now),
  );
  return { total: Number(total), trunks };
}

/**
 * One number's trunk: the first of its servers with the status of the whole is shown.
 * @param calls of the last hour; undefined: none
 */
export function storedTrunk(
  {
    number,
    directions,
    id,
    name,
  }: {
    readonly number: string;
    readonly directions: readonly Direction[];
    readonly id: string;
    readonly name: string;
  },
  document: NumberDocument | undefined,
  checks: ReadonlyMap<string, EndpointHealth>,
  calls: TrunkCalls | undefined,
  now: number,
): StoredTrunk {
  const endpoints = document === undefined ? [] : endpointNamesOf(document);
  const statuses = endpoints.map((endpoint) => statusOf(checks.get(endpoint), now));
  const status = statusOfTrunk(statuses);
  const endpoint = endpoints[statuses.indexOf(status)] ?? null;
  const check = endpoint === null ? undefined : checks.get(endpoint);
  const reason = status === 'unchecked' ? null : (check?.reason ?? null);
  const explanation = reason === null ? { cause: null, advice: null } : explainUnreachable(reason);
  return {
    organization: { id, name },
    phone_number: e164(number),
    directions: directions.toSorted(),
    status,
    endpoint,
    reason,
    detail: check?.detail ?? null,
    ...explanation,
    response_time_ms: check?.response_time_milliseconds ?? null,
    checked_at: check?.checked_at ?? null,
    servers: {
      total: endpoints.length,
      unreachable: statuses.filter((status) => status === 'unreachable').length,
    },
    registrationIds: registrationIds(document),
    calls: calls ?? noTrunkCalls,
  };
}

/** Worst first. */
const registrationOrder = ['failed', 'unregistered', 'unknown', 'registering', 'registered'] as const;

/** @param states undefined: Redis is down */
export function withRegistrations(
  { total, trunks }: StoredTrunks,
  states: ReadonlyMap<string, RegistrationState> | undefined,
): TrunkOverview {
  const registrationOf = (ids: readonly string[]): TrunkSummary['registration'] => {
    const found = ids.map((id) => {
      if (states === undefined) return 'unknown';
      const state = states.get(id);
      return state === undefined ? 'unregistered' : stateOf(state);
    });
    return registrationOrder.find((state) => found.includes(state)) ?? null;
  };
  const sorted = trunks
    .map(({ registrationIds: ids, ...trunk }) => ({ ...trunk, registration: registrationOf(ids) }))
    .toSorted((left, right) => urgencyOf(left) - urgencyOf(right));
  const count = (filter: TrunkFilter): number => sorted.filter(trunkFilters[filter]).length;
  return {
    counts: {
      total,
      healthy: sorted.filter(({ status }) => status === 'healthy').length,
      unreachable: count('unreachable'),
      unchecked: sorted.filter(({ status }) => status === 'unchecked').length,
      failing: count('failing'),
      degraded: count('degraded'),
      unregistered: count('unregistered'),
    },
    trunks: sorted,
  };
}

export const trunkFilterNames = ['unreachable', 'failing', 'degraded', 'unregistered'] as const;
export type TrunkFilter = (typeof trunkFilterNames)[number];

/** What a list of trunks can be narrowed to; a trunk may be of several. */
export const trunkFilters: Readonly<Record<TrunkFilter, (trunk: TrunkSummary) => boolean>> = {
  unreachable: ({ status }) => status === 'unreachable',
  failing: ({ calls }) => calls.state === 'failing',
  degraded: ({ status, servers, calls }) =>
    calls.state === 'degraded' || (status === 'healthy' && servers.unreachable > 0),
  unregistered: ({ registration }) => registration === 'failed' || registration === 'unregistered',
};

/** Sort order: unreachable, calls failing, registration lost, degraded, unchecked, healthy. */
function urgencyOf(trunk: TrunkSummary): number {
  const worst = urgency.findIndex((name) => trunkFilters[name](trunk));
  if (worst >= 0) return worst;
  return trunk.status === 'unchecked' ? urgency.length : urgency.length + 1;
}

const urgency = ['unreachable', 'failing', 'unregistered', 'degraded'] as const;
