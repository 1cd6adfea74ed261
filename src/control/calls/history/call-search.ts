import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import {
  type CallRow,
  type Cursor,
  columns,
  hasWords,
  matchingCalls,
  type Owner,
  type PageRequest,
  pageQuery,
  readFleetPage,
  type SearchTerm,
} from './call-filter.js';
import { periodsBehind, readPeriods } from './call-periods.js';
import { callIdWords, leastCallIdPart } from './search-words.js';

/** The index holds three characters in a row. */
export const leastSearchLength = 3;

/** Undefined: too short to search for. A number may be written with blanks, brackets and dashes. */
export function searchTermOf(text: string): SearchTerm | undefined {
  const exact = text.trim();
  const digits = exact.replaceAll(/\D/g, '');
  const part = /^[+\d\s().\-/]+$/.test(exact) ? digits : exact.toLowerCase();
  const id = exact.toLowerCase();
  const callIdPart = id.length >= leastCallIdPart && /^[!-~]+$/.test(id) ? id : undefined;
  return part.length < leastSearchLength ? undefined : { exact, part, callIdPart };
}

/** So many of the newest calls are compared one by one: what matches often is found there, without the index. */
const newestCompared = 5_000;

type SearchRequest = Omit<PageRequest, 'before' | 'cursorPath'>;

/** The calls that match a search term, words of headers, or both, newest first. */
export async function searchCalls(
  database: Kysely<Database>,
  { organizationId, search, limit, ...filter }: SearchRequest,
  cursor?: Cursor,
): Promise<readonly CallRow[]> {
  if (organizationId !== undefined) {
    const newest = await searchNewest(database, organizationId, { search, limit, ...filter }, cursor);
    if (newest.length === limit) return newest;
  }
  return readPeriods(periodsBehind(filter, cursor), limit, async (period, most) => {
    const found = (owner: Owner) => foundCalls(database, owner, search, { ...filter, ...period }, cursor);
    if (organizationId === undefined) {
      return readFleetPage(database, (owner) => ordered(found(owner), most), most);
    }
    const { rows } = await ordered(found(organizationId), most).execute(database);
    return rows;
  });
}

/** Those among the newest calls that match, compared one by one. */
async function searchNewest(
  database: Kysely<Database>,
  owner: string,
  { search, headerWords, limit, ...filter }: Omit<SearchRequest, 'organizationId'>,
  cursor: Cursor | undefined,
): Promise<readonly CallRow[]> {
  const [period] = periodsBehind(filter, cursor);
  const newest = pageQuery(database, { ...filter, ...period, owner, limit: newestCompared }, cursor).select(
    'search_tokens',
  );
  const conditions = [
    ...(search === undefined ? [] : [isMatch(search)]),
    ...(headerWords === undefined ? [] : [hasWords(owner, headerWords)]),
  ];
  const { rows } = await sql<CallRow>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${newest} as newest
    where ${sql.join(conditions, sql` and `)}
    order by started_at desc, call_id desc limit ${limit}`.execute(database);
  return rows;
}

// Collected before they are ordered: otherwise the planner may walk through all calls in their order, hoping to find some soon.
const ordered = (found: ReturnType<typeof foundCalls>, limit: number) => sql<CallRow>`(
  with found as materialized ${found}
  select * from found order by started_at desc, call_id desc limit ${limit})`;

const holds = ({ part }: SearchTerm) => sql<boolean>`(
  strpos(lower(caller), ${part}) > 0 or strpos(lower(called), ${part}) > 0 or strpos(lower(party_name), ${part}) > 0)`;

const holdsCallId = (part: string) => sql<boolean>`strpos(lower(sip_call_id), ${part}) > 0`;

const isMatch = (search: SearchTerm) => sql<boolean>`(${holds(search)}
  or ${search.callIdPart === undefined ? sql`false` : holdsCallId(search.callIdPart)}
  or sip_call_id = ${search.exact} or call_id = ${search.exact} or source_address = ${search.exact})`;

/** All matching calls of one owner, by an index for each field. */
export function foundCalls(
  database: Kysely<Database>,
  owner: Owner,
  search: SearchTerm | undefined,
  filter: Parameters<typeof matchingCalls>[2],
  cursor: Cursor | undefined,
) {
  const calls = () => matchingCalls(database, owner, filter, cursor);
  if (search === undefined) return database.selectFrom(calls().as('any_field')).selectAll();
  const tokens = sql`call_search_tokens(${owner}, ${search.part})`;
  const { exact, callIdPart } = search;
  return database
    .selectFrom(
      calls()
        .where(sql<boolean>`call_search_tokens(organization_id, caller, called, party_name) @> ${tokens}`)
        .where(holds(search))
        .union(calls().where('sip_call_id', '=', exact))
        .union(calls().where('call_id', '=', exact))
        .union(calls().where('source_address', '=', exact))
        .$if(callIdPart !== undefined, (union) =>
          union.union(
            calls()
              .where(hasWords(owner, callIdWords(callIdPart!)))
              .where(holdsCallId(callIdPart!)),
          ),
        )
        .as('any_field'),
    )
    .selectAll();
}
