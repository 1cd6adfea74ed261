import type { Kysely, Selectable, Transaction } from 'kysely';
import { isStreamUrl } from '../../contract/agent-stream.js';
import type { NumberDocument } from '../../contract/number.js';
import type { Database } from '../database/tables.js';
import { readOrganizationLimits } from '../organizations/limits.js';
import { composeDocument } from './compose-document.js';
import { readSigningSecrets } from './stream-secrets.js';
import type { ConfigurationsTable, NumbersTable } from './tables.js';

type Configuration = Selectable<ConfigurationsTable>;

/**
 * What is configured for these numbers; a number without configurations is absent. Sealed passwords go through as they are. The
 * projection adds what areas keep for the edges. Reads one snapshot when given a transaction of that isolation.
 * @param numbers E.164 digits without plus
 */
export async function composeNumberDocuments(
  database: Kysely<Database> | Transaction<Database>,
  numbers: readonly string[],
): Promise<Map<string, NumberDocument>> {
  if (numbers.length === 0) return new Map();
  const owned = await database.selectFrom('numbers').selectAll().where('number', 'in', numbers).execute();
  const configurations = await database
    .selectFrom('configurations')
    .selectAll()
    .where('number', 'in', numbers)
    .orderBy('position')
    .execute();
  const settings = await database
    .selectFrom('direction_settings')
    .selectAll()
    .where('number', 'in', numbers)
    .execute();
  const signing = await signingSecrets(database, configurations, owned);
  const limits = await readOrganizationLimits(
    database,
    owned.map(({ organization_id }) => organization_id),
  );
  const documents = new Map<string, NumberDocument>();
  for (const row of owned) {
    const own = configurations.filter(({ number }) => number === row.number);
    if (own.length === 0) continue;
    documents.set(
      row.number,
      composeDocument(
        row,
        own,
        settings.filter(({ number }) => number === row.number),
        signing.get(row.organization_id) ?? [],
        limits.get(row.organization_id),
      ),
    );
  }
  return documents;
}

/** Numbers that have a configuration, in order, beginning after `after` (empty: from the first). */
export async function allConfiguredNumbers(
  database: Kysely<Database> | Transaction<Database>,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await database
    .selectFrom('configurations')
    .select('number')
    .distinct()
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();
  return rows.map(({ number }) => number);
}

/** By organization: what its connections to bots are signed with, the newest first. Only asked for where there is such an agent. */
async function signingSecrets(
  database: Kysely<Database> | Transaction<Database>,
  configurations: readonly Configuration[],
  owned: readonly Selectable<NumbersTable>[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const numbers = new Set(
    configurations
      .filter(({ sip_endpoint, agent, options }) =>
        [sip_endpoint, agent, ...(options.agents?.endpoints ?? [])].some(
          (endpoint) => endpoint !== null && isStreamUrl(endpoint),
        ),
      )
      .map(({ number }) => number),
  );
  const organizations = [
    ...new Set(owned.filter(({ number }) => numbers.has(number)).map((row) => row.organization_id)),
  ];
  return readSigningSecrets(database, organizations);
}
