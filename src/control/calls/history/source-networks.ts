import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import { type CallFilter, isWithin, type Owner } from './call-filter.js';

/** For an owner with more addresses, whom strangers call, the calls are read instead. */
const mostAddresses = 2_000;

/**
 * The different addresses of an owner's calls, each found by one step in the index of addresses: there are a few for half a million calls.
 * The order names the owner, because PostgreSQL does not know that `is null` leaves one value.
 */
function addressesOf(owner: Owner): RawBuilder<unknown> {
  const next = (behind: RawBuilder<unknown>) => sql`
    select source_address from calls where organization_id ${owner === null ? sql`is null` : sql`= ${owner}`} and ${behind}
    order by organization_id, source_address limit 1`;
  return sql`(with recursive seen as (
      (${next(sql`true`)})
      union all
      select (${next(sql`source_address > seen.source_address`)}) from seen where seen.source_address is not null)
    select source_address from seen where source_address is not null limit ${mostAddresses + 1})`;
}

/**
 * The filter with the addresses of its network that occur, which an index finds: comparing each of half a million calls with a network in which
 * there is none took PostgreSQL 25 s on a busy machine. Where there are too many addresses, the filter stays.
 */
export async function withAddresses<Filter extends CallFilter>(
  database: Kysely<Database>,
  organizationId: string | undefined,
  filter: Filter,
): Promise<Filter> {
  const { sourceAddress: network } = filter;
  if (network?.includes('/') !== true) return filter;
  const all =
    organizationId === undefined
      ? sql`select own.source_address from organizations cross join lateral ${addressesOf(sql<string>`organizations.id`)} as own
          union all select source_address from ${addressesOf(null)} as unassigned`
      : sql`select source_address from ${addressesOf(organizationId)} as own`;
  const { rows } = await sql<{ seen: number; found: string[] }>`
    select count(*)::integer as seen,
      coalesce(array_agg(distinct source_address) filter (where ${isWithin(network)}), '{}') as found
    from (${all}) as addresses`.execute(database);
  const { seen, found } = rows[0]!;
  return seen > mostAddresses ? filter : { ...filter, sourceAddress: undefined, sourceAddresses: found };
}
