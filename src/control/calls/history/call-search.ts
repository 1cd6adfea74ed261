import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import {
  type CallRow,
  type Cursor,
  matchingCalls,
  type Owner,
  type PageRequest,
  pageQuery,
  readFleetPage,
  type SearchTerm,
} from './call-filter.js';

/** The index holds three characters in a row. */
export const leastSearchLength = 3;

/** Undefined: too short to search for. A number may be written with blanks, brackets and dashes. */
export function searchTermOf(text: string): SearchTerm | undefined {
  const exact = text.trim();
  const digits = exact.replaceAll(/\D/g, '');
  const part = /^[+\d\s().\-/]+$/.test(exact) ? digits : exact.toLowerCase();
  return part.length < leastSearchLength ? undefined : { exact, part };
}

/** So many of the newest calls are compared one by one: what matches often is found there, without the index. */
const newestCompared = 5_000;

type SearchRequest = Omit<PageRequest, 'before' | 'cursorPath'> & { readonly search: SearchTerm };

/** The matching calls, newest first. */
export async function searchCalls(
  database: Kysely<Database>,
  { organizationId, search, limit, ...filter }: SearchRequest,
  cursor?: Cursor,
): Promise<readonly CallRow[]> {
  if (organizationId === undefined) {
    return readFleetPage(
      database,
      (owner) =>
        foundCalls(database, owner, search, filter, cursor)
          .orderBy('started_at', 'desc')
          .orderBy('call_id', 'desc')
          .limit(limit),
      limit,
    );
  }
  const newest = pageQuery(database, { ...filter, owner: organizationId, limit: newestCompared }, cursor);
  const { rows } = await sql<CallRow>`
    select * from ${newest} as newest where ${isMatch(search)}
    order by started_at desc, call_id desc limit ${limit}`.execute(database);
  if (rows.length === limit) return rows;
  const found = foundCalls(database, organizationId, search, filter, cursor);
  // Collected before they are ordered: otherwise the planner may walk through all calls in their order, hoping to find some soon.
  const all = await sql<CallRow>`
    with found as materialized ${found}
    select * from found order by started_at desc, call_id desc limit ${limit}`.execute(database);
  return all.rows;
}

const holds = ({ part }: SearchTerm) => sql<boolean>`(
  strpos(lower(caller), ${part}) > 0 or strpos(lower(called), ${part}) > 0 or strpos(lower(party_name), ${part}) > 0)`;

const isMatch = (search: SearchTerm) => sql<boolean>`(${holds(search)}
  or sip_call_id = ${search.exact} or call_id = ${search.exact} or source_address = ${search.exact})`;

/** All matching calls of one owner, by an index for each field. */
export function foundCalls(
  database: Kysely<Database>,
  owner: Owner,
  search: SearchTerm,
  filter: Parameters<typeof matchingCalls>[2],
  cursor: Cursor | undefined,
) {
  const calls = () => matchingCalls(database, owner, filter, cursor);
  const tokens = sql`call_search_tokens(${owner}, ${search.part})`;
  const { exact } = search;
  return database
    .selectFrom(
      calls()
        .where(sql<boolean>`call_search_tokens(organization_id, caller, called, party_name) @> ${tokens}`)
        .where(holds(search))
        .union(calls().where('sip_call_id', '=', exact))
        .union(calls().where('call_id', '=', exact))
        .union(calls().where('source_address', '=', exact))
        .as('any_field'),
    )
    .selectAll();
}
