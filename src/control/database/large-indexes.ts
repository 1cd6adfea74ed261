import type { ClientBase } from 'pg';

/** An index of a table that may have many millions of rows when the index comes. */
interface LargeIndex {
  readonly name: string;
  readonly table: string;
  /** What follows `on` and the table in CREATE INDEX. */
  readonly definition: string;
  /** An earlier index, which it replaces. */
  readonly replaces?: string;
}

/**
 * Built while control and the release before are working: a migration would keep writers out of the table until its transaction ends.
 * Another definition needs another name.
 */
export const largeIndexes: readonly LargeIndex[] = [
  {
    // An answered call that lost its media counts as one with bad audio.
    name: 'calls_audio_problem_page',
    table: 'calls',
    definition: `(organization_id, started_at desc, call_id desc)
      where mos < 3.6 or end_reason in ('one_way_audio', 'dead_air', 'media_timeout', 'agent_lost')
        or (end_reason = 'media_failed' and outcome = 'completed')`,
    replaces: 'calls_bad_audio_page',
  },
  {
    name: 'deliveries_turns',
    table: 'deliveries',
    definition: `(organization_id, delivery_receiver(endpoint_id, channel, target), queue_at)
      where status = 'pending'`,
  },
  {
    name: 'numbers_of_a_pathway',
    table: 'numbers',
    definition: `(organization_id, pathway_id, number)
      where pathway_id is not null`,
  },
  {
    name: 'calls_tokens',
    table: 'calls',
    definition: 'using gin (search_tokens) where search_tokens is not null',
  },
  {
    name: 'agent_test_runs_of_monitor',
    table: 'agent_test_runs',
    definition: `(organization_id, monitor_id, created_at desc, id desc)
      where monitor_id is not null`,
  },
  {
    name: 'agent_test_runs_of_call',
    table: 'agent_test_runs',
    definition: `(organization_id, call_id)
      where call_id is not null`,
  },
  {
    name: 'agent_test_simulation_sets_of_schedule',
    table: 'agent_test_simulation_sets',
    definition: `(organization_id, schedule_id, created_at)
      where schedule_id is not null`,
  },
  {
    name: 'agent_test_runs_of_load_test',
    table: 'agent_test_runs',
    definition: `(organization_id, load_test_id, load_step)
      where load_test_id is not null`,
  },
  {
    name: 'contact_messages_of_call',
    table: 'contact_messages',
    definition: `(organization_id, call_id)
      where call_id is not null`,
  },
];

/** "demarc indexes"; other locks have 64-bit hashes of names. */
const lock = 7_364_219_005;

export interface BuildOptions {
  /** False: the database is new, and writers need not be let in. */
  readonly besideWriters: boolean;
  /** Called with the name of each index before it is built. */
  readonly building?: (name: string) => void;
}

/**
 * Builds what is missing. Beside writers (CREATE INDEX CONCURRENTLY), it waits for all transactions that are open, and an index that an
 * interrupted build has left invalid is built again.
 * @param client without a timeout for statements
 * @returns false: another process is building
 */
export async function buildLargeIndexes(
  client: ClientBase,
  { besideWriters, building }: BuildOptions,
): Promise<boolean> {
  if ((await missing(client)).length === 0) return true;
  // A process that waits for the lock has a snapshot, and the build would wait for it.
  const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${lock}) as taken`);
  if (rows[0]?.taken !== true) return false;
  const mode = besideWriters ? 'concurrently' : '';
  try {
    for (const { name, table, definition, isInvalid, replaces } of await missing(client)) {
      building?.(name);
      if (isInvalid) await client.query(`drop index ${mode} if exists ${name}`);
      await client.query(`create index ${mode} if not exists ${name} on ${table} ${definition}`);
      if (replaces !== undefined) await client.query(`drop index ${mode} if exists ${replaces}`);
    }
    return true;
  } finally {
    await client.query(`select pg_advisory_unlock(${lock})`);
  }
}

/** Indexes that are not there, cannot be used, or whose predecessor is still there. */
async function missing(client: ClientBase): Promise<(LargeIndex & { readonly isInvalid: boolean })[]> {
  const wanted: LargeIndex[] = [];
  for (const index of largeIndexes) wanted.push(...(await ofPartitions(client, index)));
  const names = wanted.flatMap(({ name, replaces = [] }) => [name, replaces].flat());
  const { rows } = await client.query<{ name: string; valid: boolean }>(
    `select relname as name, indisvalid as valid from pg_index join pg_class on pg_class.oid = indexrelid
      where relname = any($1) and pg_table_is_visible(pg_class.oid)`,
    [names],
  );
  return indexesToBuild(wanted, new Map(rows.map(({ name, valid }) => [name, valid])));
}

/** @param found whether each index that is there can be used, by its name */
export const indexesToBuild = (
  wanted: readonly LargeIndex[],
  found: ReadonlyMap<string, boolean>,
): (LargeIndex & { readonly isInvalid: boolean })[] =>
  wanted
    .filter(
      ({ name, replaces }) => found.get(name) !== true || (replaces !== undefined && found.has(replaces)),
    )
    .map((index) => ({ ...index, isInvalid: found.get(index.name) === false }));

/** An index of each partition, because PostgreSQL builds none of a partitioned table beside writers; the index itself where there are none. */
async function ofPartitions(client: ClientBase, index: LargeIndex): Promise<LargeIndex[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
      where relispartition and inhparent = to_regclass($1)`,
    [index.table],
  );
  return indexesOf(
    index,
    rows.map(({ name }) => name),
  );
}

/** @param partitions of its table; empty: the table has none */
export function indexesOf(index: LargeIndex, partitions: readonly string[]): LargeIndex[] {
  if (partitions.length === 0) return [index];
  return partitions.map((table) => {
    // The table of before the partitions keeps its indexes.
    const suffix = table === `${index.table}_before` ? '' : table.slice(index.table.length);
    if (suffix === '') return { ...index, table };
    return { name: `${index.name}${suffix}`, table, definition: index.definition };
  });
}
