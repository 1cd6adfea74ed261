import { type Kysely, type Selectable, sql } from 'kysely';
import { numberPlace, type SecretBox, type SecretPlace, streamPlace } from '../../contract/secret.js';
import type { Database } from '../database/tables.js';
import type { ControlDeps } from '../http/api-server.js';
import { markNumbersChanged } from '../numbers/outbox.js';
import type { ConfigurationsTable } from '../numbers/tables.js';
import type { Resealed } from '../secrets/secret-rotation.js';
import { isOutdated, passwordColumns, resealedColumns } from './resealed-columns.js';

const pageSize = 200;

/**
 * Seals every password that an earlier key sealed with the current one, so that the earlier key can be given up.
 * Several processes may do so at once. The documents of these numbers are projected again.
 */
export async function resealPasswords({
  database,
  secrets,
  log,
}: Pick<ControlDeps, 'database' | 'secrets' | 'log'>): Promise<Resealed> {
  let resealed = 0;
  let unreadable = 0;
  for (let after = ''; ; ) {
    const page = await database
      .selectFrom('configurations')
      .innerJoin('numbers', 'numbers.number', 'configurations.number')
      .select([
        'configurations.id',
        'configurations.number',
        'organization_id',
        'agent_streams',
        ...passwordColumns,
      ])
      .where('configurations.id', '>', after)
      .where((expression) =>
        expression.or([
          ...passwordColumns.map((name) => expression(name, 'is not', null)),
          sql<boolean>`agent_streams <> '[]'`,
        ]),
      )
      .orderBy('configurations.id')
      .limit(pageSize)
      .execute();
    for (const row of page) {
      const place = numberPlace(row.organization_id);
      const streams = streamPlace(row.organization_id);
      if (!isOutdated(row, secrets, { place, streams })) continue;
      try {
        await resealRow(database, secrets, row, { place, streams });
        resealed++;
      } catch (error) {
        if (!(error instanceof Error && error.name === 'SecretError')) throw error;
        unreadable++;
        log.error({ configuration: row.id, error: error.message }, 'A stored password cannot be opened.');
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return { resealed, unreadable };
    after = last.id;
  }
}

async function resealRow(
  database: Kysely<Database>,
  secrets: SecretBox,
  { id, number }: Pick<Selectable<ConfigurationsTable>, 'id' | 'number'>,
  { place, streams }: { readonly place: SecretPlace; readonly streams: SecretPlace },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // The number first, as every change does: two locks in one order.
    await transaction
      .selectFrom('numbers')
      .select('number')
      .where('number', '=', number)
      .forUpdate()
      .execute();
    const row = await transaction
      .selectFrom('configurations')
      .select([...passwordColumns, 'agent_streams'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return;
    const changed = resealedColumns(row, secrets, { place, streams });
    if (Object.keys(changed).length === 0) return;
    await transaction.updateTable('configurations').set(changed).where('id', '=', id).execute();
    await markNumbersChanged(transaction, [number]);
  });
}
