import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { SecretBox } from '../../contract/secret.js';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/database.js';
import { stepsOfOperators } from '../database/later-steps.js';
import { markNumbersChanged } from '../numbers/outbox.js';
import { organizationOf } from '../organizations/organizations.js';
import { type MovedTable, movedTables } from './moved-tables.js';

/** Of a document that holds an organization. */
const format = 'demarc-organization-1';
/** `SecretBox.seal`. */
const sealedPattern = /"v[12]:[A-Za-z0-9_-]{8}:[A-Za-z0-9_-]+"/g;

const documentSchema = z.object({
  format: z.literal(format),
  /** Of the schema, so that rows fit the tables. */
  steps: z.array(z.string()),
  organization: z.string(),
  tables: z.object(
    Object.fromEntries(
      movedTables.map(({ name }) => [name, z.array(z.record(z.string(), z.unknown()))]),
    ) as Record<string, z.ZodArray<z.ZodRecord<z.ZodString, z.ZodUnknown>>>,
  ),
});

const refused = (text: string): DemarcError => new DemarcError('VALIDATION_ERROR', text);

async function stepsOf(database: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    database,
  );
  return rows.map(({ name }) => name).filter((name) => !stepsOfOperators.includes(name));
}

/** PostgreSQL's text of the condition, with the organization in its place. */
const rowsOf = ({ of }: MovedTable, organization: string) => {
  const [before = '', after = ''] = of.split('$1');
  return sql`${sql.raw(before)}${organization}${sql.raw(after)}`;
};

/**
 * What the organization needs to take and place calls in another cell, as JSON. Its secrets are sealed, and keys are hashes. Throws `DemarcError` `NOT_FOUND`.
 * @param idOrName of the organization
 */
export function exportOrganization(database: Kysely<Database>, idOrName: string): Promise<string> {
  // One snapshot, so that no row refers to one that is missing.
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const { id } = await organizationOf(transaction, idOrName);
      const tables: string[] = [];
      for (const table of movedTables) {
        // As text: the driver would round large numbers.
        const { rows } = await sql<{ rows: string }>`
          select coalesce(jsonb_agg(to_jsonb(moved)), '[]')::text as rows
          from ${sql.table(table.name)} as moved where ${rowsOf(table, id)}`.execute(transaction);
        tables.push(`${JSON.stringify(table.name)}: ${rows[0]!.rows}`);
      }
      const steps = JSON.stringify(await stepsOf(transaction));
      return `{"format": "${format}", "organization": ${JSON.stringify(id)}, "steps": ${steps},\n"tables": {\n${tables.join(',\n')}\n}}\n`;
    });
}

export interface Imported {
  readonly organization: string;
  readonly numbers: number;
  /** Of these, those that register at a PBX. */
  readonly registering: number;
}

/**
 * Gives this cell the organization as the document has it, in one transaction: an organization that is here already is replaced, so that calls find either the former
 * configuration or the new one. Throws `DemarcError` `VALIDATION_ERROR` for a document that this cell cannot take.
 */
export async function importOrganization(
  database: Kysely<Database>,
  text: string,
  secrets: SecretBox,
): Promise<Imported> {
  const { organization, tables, steps } = readDocument(text);
  const sealed = new Set((text.match(sealedPattern) ?? []).map((found) => found.slice(1, -1)));
  for (const each of sealed) {
    if (!secrets.knowsKeyOf(each))
      throw refused(
        'its secrets were encrypted with another key: give both cells the same DEMARC_SECRET_KEY, and run this command with the environment of control',
      );
  }
  if (JSON.stringify(await stepsOf(database)) !== JSON.stringify(steps))
    throw refused('the cells have different releases: upgrade both, then export again');
  const numbers = (tables.numbers ?? []).map(({ number }) => String(number));
  return database.transaction().execute(async (transaction) => {
    const former = await transaction
      .selectFrom('numbers')
      .select(['number', 'organization_id'])
      .where((eb) =>
        eb.or([
          eb('organization_id', '=', organization),
          ...(numbers.length === 0 ? [] : [eb('number', 'in', numbers)]),
        ]),
      )
      .execute();
    const taken = former.filter(({ organization_id }) => organization_id !== organization);
    if (taken.length > 0)
      throw refused(
        `+${taken[0]!.number} (and ${taken.length - 1} more) belongs to another organization of this cell`,
      );
    await replaceRows(transaction, organization, text);
    await markNumbersChanged(transaction, [...numbers, ...former.map(({ number }) => number)]);
    const registering = registeringOf(tables.configurations ?? []);
    return { organization, numbers: numbers.length, registering };
  });
}

/** How many directions register at a PBX: at their registrar, else at a server of their number. */
export function registeringOf(configurations: readonly Readonly<Record<string, unknown>>[]): number {
  const withServer = new Set(
    configurations.filter(({ direction }) => direction === 'outbound').map(({ number }) => number),
  );
  return configurations.filter(
    ({ register_username, registrar, number }) =>
      register_username != null && (registrar != null || withServer.has(number)),
  ).length;
}

/** Throws `DemarcError` `VALIDATION_ERROR` for what `exportOrganization` did not write. */
export function readDocument(text: string): z.output<typeof documentSchema> {
  const read = documentSchema.safeParse(parsed(text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw refused(`not a document of demarc cell export: ${issue!.path.join('.')}: ${issue!.message}`);
}

/** Undefined: not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function replaceRows(
  transaction: Transaction<Database>,
  organization: string,
  text: string,
): Promise<void> {
  await sql`create temporary table moved on commit drop as select ${text}::jsonb -> 'tables' as tables`.execute(
    transaction,
  );
  const arrived = ({ name }: MovedTable) => sql`
    jsonb_populate_recordset(null::${sql.table(name)}, (select tables -> ${sql.lit(name)} from moved))`;
  const keys = new Map<string, readonly string[]>();
  for (const table of movedTables) {
    const { key, columns } = await columnsOf(transaction, table.name);
    keys.set(table.name, key);
    const set =
      columns.length === 0
        ? sql`do nothing`
        : sql`do update set ${sql.join(columns.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))}`;
    await sql`insert into ${sql.table(table.name)} select * from ${arrived(table)}
      on conflict (${sql.join(key.map((name) => sql.ref(name)))}) ${set}`.execute(transaction);
  }
  for (const table of movedTables.toReversed()) {
    const same = keys.get(table.name)!.map((name) => sql`here.${sql.ref(name)} = arrived.${sql.ref(name)}`);
    await sql`delete from ${sql.table(table.name)} as here where ${rowsOf(table, organization)}
      and not exists (select from ${arrived(table)} as arrived where ${sql.join(same, sql` and `)})`.execute(
      transaction,
    );
  }
  // Directions that are attached from now on come behind those that have arrived.
  await sql`select setval('configurations_position_seq',
    greatest(nextval('configurations_position_seq'), (select max(position) from configurations)))`.execute(
    transaction,
  );
}

async function columnsOf(
  transaction: Transaction<Database>,
  table: string,
): Promise<{ readonly key: string[]; readonly columns: string[] }> {
  const { rows } = await sql<{ name: string; isKey: boolean }>`
    select attname as name, exists (
      select from pg_index where indrelid = attrelid and indisprimary and attnum = any (indkey)) as "isKey"
    from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
    order by attnum`.execute(transaction);
  const names = (isKey: boolean): string[] =>
    rows.filter((row) => row.isKey === isKey).map(({ name }) => name);
  return { key: names(true), columns: names(false) };
}

/**
 * Takes the organization's numbers out of this cell: calls to them get 404 from then on, and registrations end. Answered calls, keys and history stay. Throws `DemarcError`
 * `NOT_FOUND`. @returns how many numbers left
 */
export async function leaveCell(database: Kysely<Database>, idOrName: string): Promise<number> {
  const { id } = await organizationOf(database, idOrName);
  return database.transaction().execute(async (transaction) => {
    const rows = await transaction
      .deleteFrom('numbers')
      .where('organization_id', '=', id)
      .returning('number')
      .execute();
    await markNumbersChanged(
      transaction,
      rows.map(({ number }) => number),
    );
    return rows.length;
  });
}

/** Resolves true once control has written to Redis what is committed now; false when it has not within the time. */
export async function isWritten(
  database: Kysely<Database>,
  milliseconds: number,
  pause: () => Promise<void>,
): Promise<boolean> {
  const { rows } = await sql<{ id: string | null }>`select max(id) as id from projection_outbox`.execute(
    database,
  );
  const id = rows[0]?.id ?? null;
  const end = performance.now() + milliseconds;
  while (id !== null) {
    const waiting = await sql`select from projection_outbox where id <= ${id} limit 1`.execute(database);
    if (waiting.rows.length === 0) break;
    if (performance.now() > end) return false;
    await pause();
  }
  return true;
}
