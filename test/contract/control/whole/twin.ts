import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../../src/control/database/tables.js';
import type { WholeApi } from './whole-api.js';

/** What reads show of a row: the twin has another value there. */
const marked = ['name', 'summary', 'title', 'description', 'reasoning'];

/**
 * Another organization with copies of all rows of the first one, under the same ids where the tables allow it. A query that does
 * not name its organization finds the copy first, or changes it too.
 */
export class Twin {
  private constructor(
    private readonly database: Kysely<Database>,
    readonly organizationId: string,
    private readonly before: ReadonlyMap<string, string>,
  ) {}

  /** @param prepare what is changed in the copies before they are noted: a sweep is not to take them for work that is due */
  static async of(
    api: WholeApi,
    organizationId: string,
    prepare: (organizationId: string) => Promise<unknown> = async () => {},
  ): Promise<Twin> {
    const { organizationId: id } = await api.user();
    const { database } = api;
    const filled = await rowsOf(database, organizationId);
    const copiedTables = (await tablesOf(database)).filter(({ table }) => filled.has(table));
    await database.transaction().execute(async (transaction) => {
      // Without the triggers that check foreign keys, so that tables can be copied in any order.
      await sql`set local session_replication_role = replica`.execute(transaction);
      for (const { table, columns } of copiedTables) {
        const names = sql.join(columns.map((column) => sql.id(column)));
        const values = sql.join(columns.map((column) => copied(column, id)));
        await sql`insert into ${sql.table(table)} (${names})
          select ${values} from ${sql.table(table)} where organization_id = ${organizationId}
          on conflict do nothing`.execute(transaction);
        // PostgreSQL reads a table from its beginning: the rows of the organization now follow those of its twin.
        await sql`update ${sql.table(table)} set organization_id = organization_id
          where organization_id = ${organizationId}`.execute(transaction);
      }
    });
    await prepare(id);
    return new Twin(database, id, await rowsOf(database, id));
  }

  /** Tables in which a row of the twin was changed, added or deleted. */
  async changed(): Promise<string[]> {
    const now = await rowsOf(this.database, this.organizationId);
    return [...new Set([...now.keys(), ...this.before.keys()])].filter(
      (table) => now.get(table) !== this.before.get(table),
    );
  }

  /** Tables of which the twin has rows. */
  get tables(): readonly string[] {
    return [...this.before.keys()];
  }
}

const copied = (column: string, organizationId: string) => {
  if (column === 'organization_id') return sql`${organizationId}::text`;
  return marked.includes(column)
    ? sql`case when ${sql.id(column)} is null then null else 'twin' end`
    : sql`${sql.id(column)}`;
};

interface OwnedTable {
  readonly table: string;
  /** Those that PostgreSQL does not fill itself. */
  readonly columns: readonly string[];
}

let known: readonly OwnedTable[] | undefined;

/** Tables with an organization in each row, without those that every request writes. */
async function tablesOf(database: Kysely<Database>): Promise<readonly OwnedTable[]> {
  if (known !== undefined) return known;
  const { rows } = await sql<OwnedTable>`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
      and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'organization_id')
      and c.relname not in ('api_keys', 'audit_events', 'idempotent_requests')
    group by c.relname order by c.relname`.execute(database);
  known = rows;
  return rows;
}

/** The rows of an organization as one text for each table that has any. */
async function rowsOf(
  database: Kysely<Database>,
  organizationId: string,
): Promise<ReadonlyMap<string, string>> {
  const parts = (await tablesOf(database)).map(
    ({ table }) => sql`select ${table}::text as "table", string_agg(t::text, chr(10) order by t::text) as rows
      from ${sql.table(table)} t where organization_id = ${organizationId}`,
  );
  const { rows } = await sql<{
    table: string;
    rows: string | null;
  }>`${sql.join(parts, sql` union all `)}`.execute(database);
  return new Map(rows.flatMap(({ table, rows: text }) => (text === null ? [] : [[table, text] as const])));
}
