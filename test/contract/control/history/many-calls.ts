import { type Kysely, sql } from 'kysely';
import { type CallFilter, pageQuery } from '../../../../src/control/calls/history/call-filter.js';
import type { Database } from '../../../../src/control/database/tables.js';

/** Calls of one organization over twenty numbers, one a second into the past; one in a hundred failed with 503, another one is outbound. */
export async function fillCalls(
  database: Kysely<Database>,
  organization: string,
  calls: number,
): Promise<void> {
  // Each statement well within the bound of one, however slow the machine.
  for (let from = 1; from <= calls; from += batchSize) {
    await fill(database, organization, from, Math.min(calls, from + batchSize - 1));
  }
  await sql`analyze calls`.execute(database);
}

const batchSize = 5_000;

async function fill(
  database: Kysely<Database>,
  organization: string,
  from: number,
  to: number,
): Promise<void> {
  await sql`
    insert into calls
    select ${`${organization}-`} || n, ${organization}, (12025550100 + n % 20)::text,
      case when n % 100 = 50 then 'outbound' else 'inbound' end, '+1415555' || n % 10000,
      '+12025550100', 'sip-' || n, '198.51.100.9', now() - n * interval '1 second', null,
      now() - n * interval '1 second' + interval '90 seconds', 90000,
      case when n % 100 = 0 then 'failed' else 'completed' end,
      case when n % 100 = 0 then 503 else 200 end, 'x', 'caller', 'caller_hung_up', '\\x1f8b'
    from generate_series(${from}::int, ${to}::int) as n`.execute(database);
}

export interface MeasuredPlan {
  readonly plan: string;
  readonly milliseconds: number;
  readonly rowsRead: number;
}

/** Plan and time of the page of 50 calls that begins after the `depth` newest ones. */
export async function planOf(
  database: Kysely<Database>,
  organizationId: string,
  filter: CallFilter,
  depth: number,
): Promise<MeasuredPlan> {
  const cursor =
    depth === 0
      ? undefined
      : { startedAt: new Date(Date.now() - depth * 1_000), callId: `${organizationId}-${depth}` };
  const query = pageQuery(database, { owner: organizationId, limit: 50, ...filter }, cursor);
  const rows = await query.explain<{ 'QUERY PLAN': string }>('text' as never, sql`analyze, buffers`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const removed = [...plan.matchAll(/Rows Removed by \w+: (\d+)/g)].map(([, count]) => Number(count));
  const read = Number(/Index Scan.*actual time=\S+ rows=(\d+)/.exec(plan)?.[1] ?? Number.NaN);
  return {
    plan,
    milliseconds: Number(/Execution Time: ([\d.]+) ms/.exec(plan)?.[1]),
    rowsRead: removed.reduce((sum, count) => sum + count, read),
  };
}
