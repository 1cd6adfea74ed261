import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../database/tables.js';
import { LeaseLost } from '../../jobs/drive-service.js';
import type { LoadTestRow } from './load-test-storage.js';

export interface Lease {
  readonly test: LoadTestRow;
  readonly owner: string;
}

/**
 * Takes load tests that no driver has.
 * @param driven by this process: a drive that lost its lease must end before the next one begins
 */
export async function claimLoadTests(
  database: Kysely<Database>,
  owner: string,
  {
    limit,
    leaseMilliseconds,
    driven,
  }: {
    readonly limit: number;
    readonly leaseMilliseconds: number;
    readonly driven: readonly string[];
  },
): Promise<LoadTestRow[]> {
  const { rows } = await sql<LoadTestRow>`
    update agent_test_load_tests as test set lease_owner = ${owner}::uuid,
      lease_until = now() + make_interval(secs => ${leaseMilliseconds / 1_000})
    from (
      select organization_id, id from agent_test_load_tests
      where status = 'RUNNING' and (lease_until is null or lease_until < now())
        and id <> all(${[...driven]}::uuid[])
      order by created_at limit ${limit} for update skip locked
    ) as free
    where test.organization_id = free.organization_id and test.id = free.id
    returning test.*`.execute(database);
  return rows;
}

/** @returns false: it has ended, or another driver has it */
export async function renewLease(
  database: Kysely<Database>,
  { test, owner }: Lease,
  leaseMilliseconds: number,
): Promise<boolean> {
  const { rows } = await sql`
    update agent_test_load_tests
    set lease_until = now() + make_interval(secs => ${leaseMilliseconds / 1_000})
    where organization_id = ${test.organization_id} and id = ${test.id} and lease_owner = ${owner}::uuid
      and status = 'RUNNING' returning id`.execute(database);
  return rows.length > 0;
}

/** Lets another driver continue at once; the step that it interrupts does not count as an attempt. */
export async function releaseLease(database: Kysely<Database>, { test, owner }: Lease): Promise<void> {
  await database
    .updateTable('agent_test_load_tests')
    .set({
      lease_owner: null,
      lease_until: null,
      step_attempts: sql<number>`greatest(0, step_attempts - 1)`,
    })
    .where('organization_id', '=', test.organization_id)
    .where('id', '=', test.id)
    .where('lease_owner', '=', owner)
    .execute();
}

/** The load test of the lease, which nothing else changes until the end of the transaction. Throws `LeaseLost`. */
export async function lockLoadTest(
  transaction: Transaction<Database>,
  { test, owner }: Lease,
): Promise<LoadTestRow> {
  const row = await transaction
    .selectFrom('agent_test_load_tests')
    .selectAll()
    .where('organization_id', '=', test.organization_id)
    .where('id', '=', test.id)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'RUNNING')
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new LeaseLost();
  return row;
}
