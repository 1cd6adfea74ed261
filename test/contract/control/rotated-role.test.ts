import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { startApi } from './api-under-test.js';
import { ControlBench } from './control-bench.js';

let bench: ControlBench;
let client: pg.Client;
const first = `first_${randomBytes(6).toString('hex')}`;
const second = `second_${randomBytes(6).toString('hex')}`;
beforeAll(async () => {
  bench = await ControlBench.start();
  client = new pg.Client({ connectionString: bench.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  if (client !== undefined) {
    for (const role of [second, first])
      await client.query(`DROP OWNED BY ${role}`).then(() => client.query(`DROP ROLE ${role}`));
    await client.end();
  }
  await bench?.stop();
});

/** The same database, as another role. */
function urlAs(role: string): string {
  const url = new URL(bench.databaseUrl);
  if (url.searchParams.has('user')) url.searchParams.set('user', role);
  else url.username = role;
  return url.href;
}

it('keeps the API working as another role that is a member of the first, which may no longer log in', async () => {
  // The owner of the tables, as in an installation; the one of the tests may do anything.
  await client.query(`CREATE ROLE ${first} LOGIN PASSWORD 'one'`);
  const owner = (await client.query<{ owner: string }>('SELECT current_user AS owner')).rows[0]!.owner;
  const tables = await client.query<{ name: string }>(
    "SELECT quote_ident(c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p', 'v', 'S') AND pg_get_userbyid(c.relowner) = $1 AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i'))",
    [owner],
  );
  for (const { name } of tables.rows) await client.query(`ALTER TABLE ${name} OWNER TO ${first}`);
  await client.query(`GRANT ALL ON SCHEMA public TO ${first}`);
  const { id } = await createOrganization(bench.database, { name: 'rotated', sipEnabled: true });
  const { key } = await createKey(bench.database, id, 'test');
  const attach = {
    phone_number: '+14155550177',
    directions: [{ type: 'inbound', allowed_ips: ['203.0.113.0/24'] }],
    service: 'sip',
  };
  const before = await startApi({ databaseUrl: urlAs(first), redis: bench.redis });
  expect((await before.post('/v1/sip/attach', key, attach)).status).toBe(200);

  await client.query(`CREATE ROLE ${second} LOGIN PASSWORD 'two' IN ROLE ${first}`);
  await before.stop();
  const after = await startApi({ databaseUrl: urlAs(second), redis: bench.redis });
  await client.query(`ALTER ROLE ${first} NOLOGIN`);
  const updates = { type: 'inbound', allowed_ips: ['198.51.100.7'] };
  const changed = await after.post('/v1/sip/update', key, { phone_number: '+14155550177', updates });
  expect(changed.body.data.configuration.allowed_ips).toEqual(['198.51.100.7']);
  await after.stop();
});
