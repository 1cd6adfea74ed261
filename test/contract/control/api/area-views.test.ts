import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedDatabase } from '../../../support/shared-postgres.js';

/** Plans of the queries that areas make on views of other areas. */
let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: await sharedDatabase() });
  await client.connect();
  // So that an empty table, too, is read by an index where there is one.
  await client.query('set enable_seqscan = off');
});
afterAll(() => client?.end());

async function planOf(query: string): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${query}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

describe('a view of an area', () => {
  it.each([
    [
      'ended_calls',
      'calls',
      `select number, ended_at from relation where organization_id = 'org_1' and started_at > now() - interval '1 hour'
        order by started_at desc, call_id desc limit 20000`,
    ],
    [
      'ended_calls',
      'calls',
      `select number, count(*), min(started_at) from relation where organization_id = any('{org_1}') and number = any('{14155550100}')
        and started_at > now() - interval '1 hour' and test_run_id is null group by number, direction, end_reason, sip_status`,
    ],
    [
      'ended_calls',
      'calls',
      `select exists (select from organizations o where exists (select from relation where organization_id = o.id
        and source_address = '203.0.113.5' and started_at > now() - interval '7 days'))`,
    ],
    [
      'call_totals',
      'call_minutes',
      `select outcome, sum(calls) from relation where organization_id = 'org_1' and minute > now() - interval '1 hour' group by outcome`,
    ],
    [
      'server_checks',
      'endpoint_health',
      `select health from relation where endpoint = any('{tls:example.com:5061}')`,
    ],
    ['trunk_directions', 'trunks', `select directions from relation where organization_id = 'org_1'`],
  ])('%s is read by the indexes of %s', async (view, table, query) => {
    const plan = await planOf(query.replace('from relation', `from ${view}`));
    const rows = view === 'ended_calls' ? 'continued_as is null and ' : '';
    const asTable = await planOf(query.replace('from relation where ', `from ${table} where ${rows}`));
    // A column of a view is written with its table.
    expect(plan.replaceAll(`${table}.`, '')).toBe(asTable.replaceAll(`${table}.`, ''));
    expect(plan).toMatch(/Index|Bitmap/);
  });
});
