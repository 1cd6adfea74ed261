import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callStream } from '../../../src/contract/keys.js';
import { migrate, openDatabase } from '../../../src/control/database/database.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { PostgresPair } from '../../support/postgres-pair.js';
import { PrivateRedis } from '../redis/private-redis.js';
import { type ApiUnderTest, startApi } from './api-under-test.js';
import { sampleRecord } from './history/sample-record.js';

const perSecond = 20;
const callCount = 6 * perSecond;

let pair: PostgresPair;
let redis: PrivateRedis;
let client: Redis;
let api: ApiUnderTest;
let key: string;
beforeAll(async () => {
  [pair, redis] = await Promise.all([PostgresPair.start(), PrivateRedis.start()]);
  client = redis.client();
  await migrate(pair.url());
  const database = openDatabase(
    { url: pair.url(), maximumConnections: 1, timeoutMilliseconds: 5_000 },
    () => {},
  );
  const { id } = await createOrganization(database, { name: 'acme', sipEnabled: true });
  ({ key } = await createKey(database, id, 'test'));
  await database.destroy();
  api = await startApi({ databaseUrl: pair.url(), redis });
}, 180_000);
afterAll(async () => {
  await api?.stop();
  client?.disconnect();
  await pair?.stop();
  await redis?.stop();
});

const calls = async (server: PostgresPair['primary']): Promise<number> =>
  Number(((await pair.ask(server, 'select count(*) as count from calls')) as { count: string }[])[0]!.count);

it('stores every call once although the primary dies under 20 calls a second and its standby lacks the last ones', async () => {
  const answers = new Set<number>();
  for (let call = 0; call < callCount; call++) {
    await client.xadd(callStream, '*', 'record', JSON.stringify(sampleRecord(`call-${call}`)));
    if (call === perSecond) await pair.stopReplication();
    if (call === 3 * perSecond) {
      const [stored, replicated] = [await calls(pair.primary), await calls(pair.standby)];
      expect(stored).toBeGreaterThan(replicated);
      pair.primary.process.signal('SIGKILL');
      await pair.promote();
    }
    answers.add((await api.get('/v1/calls', key)).status);
    await pause(1_000 / perSecond);
  }
  await until(async () => (await calls(pair.standby)) === callCount, 15_000, 'all calls at the new primary');
  // A client repeats what is answered 503.
  expect([...answers].filter((status) => status !== 503)).toEqual([200]);
  const directions = [{ type: 'outbound', sip_endpoint: 'sip:a.example.com' }];
  const body = { phone_numbers: ['+14155550181'], directions, service: 'sip' };
  expect((await api.post('/v1/sip/attach', key, body)).status).toBe(200);
});
