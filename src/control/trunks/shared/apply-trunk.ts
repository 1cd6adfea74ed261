import { createHash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { SecretBox } from '../../../contract/secret.js';
import type { Database } from '../../database/tables.js';
import { markNumbersChanged } from '../../numbers/outbox.js';
import { columnsOf } from '../configuration.js';
import type { Wanted } from '../wanted-directions.js';
import type { StoredSections } from './tables.js';

/** The configurations that a trunk gives its numbers. */
export interface TrunkContent {
  readonly id: string;
  readonly organizationId: string;
  readonly wanted: readonly Wanted[];
  readonly inbound: StoredSections;
  readonly outbound: StoredSections;
}

const numbersAtOnce = 200;

/** The same for a number and a place of a trunk, so that registrations and failover states outlast a change. */
const configurationId = (trunkId: string, number: string, place: number): string =>
  `cfg_${createHash('sha256').update(`${trunkId} ${number} ${place}`).digest('hex').slice(0, 24)}`;

/**
 * Makes these numbers, which the transaction has locked, exactly what the trunk says, and queues their documents for projection.
 * Their own configuration is replaced.
 */
export async function applyTrunk(
  transaction: Transaction<Database>,
  secrets: SecretBox,
  { id: trunkId, organizationId, wanted, inbound, outbound }: TrunkContent,
  numbers: readonly string[],
): Promise<void> {
  const columns = wanted.map(({ configuration, pbxPassword }) => ({
    direction: configuration.direction,
    ...columnsOf(configuration, pbxPassword, secrets, organizationId),
  }));
  const sections = [['inbound', inbound] as const, ['outbound', outbound] as const].filter(([direction]) =>
    columns.some((row) => row.direction === direction),
  );
  const now = new Date();
  for (let at = 0; at < numbers.length; at += numbersAtOnce) {
    const chunk = numbers.slice(at, at + numbersAtOnce);
    const rows = chunk.flatMap((number) =>
      columns.map((row, place) => ({ ...row, id: configurationId(trunkId, number, place), number })),
    );
    const isOfChunk = sql<boolean>`number = any(${chunk}::text[])`;
    await transaction
      .deleteFrom('configurations')
      .where(isOfChunk)
      .where(sql<boolean>`not id = any(${rows.map(({ id }) => id)}::text[])`)
      .execute();
    await transaction
      .insertInto('configurations')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(({ ref }) => ({
          direction: ref('excluded.direction'),
          sip_endpoint: ref('excluded.sip_endpoint'),
          registrar: ref('excluded.registrar'),
          agent: ref('excluded.agent'),
          auth_mode: ref('excluded.auth_mode'),
          register_username: ref('excluded.register_username'),
          register_password: ref('excluded.register_password'),
          pbx_password: ref('excluded.pbx_password'),
          options: ref('excluded.options'),
          sip_password: ref('excluded.sip_password'),
          allowed_ips: ref('excluded.allowed_ips'),
          headers: ref('excluded.headers'),
          agent_streams: ref('excluded.agent_streams'),
          updated_at: now,
        })),
      )
      .execute();
    await transaction.deleteFrom('direction_settings').where(isOfChunk).execute();
    const json = (section: unknown): string | null =>
      section === undefined || section === null ? null : JSON.stringify(section);
    const settings = chunk.flatMap((number) =>
      sections.map(([direction, { failover, codecs, alerts, limits, transfer }]) => ({
        number,
        direction,
        failover: json(failover),
        codecs: json(codecs),
        alerts: json(alerts),
        limits: json(limits),
        transfer: json(transfer),
      })),
    );
    if (settings.length > 0) await transaction.insertInto('direction_settings').values(settings).execute();
    await transaction
      .updateTable('numbers')
      .set({ trunk_id: trunkId, updated_at: now })
      .where(isOfChunk)
      .execute();
    await markNumbersChanged(transaction, chunk);
  }
}
