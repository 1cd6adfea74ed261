import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { numberKey } from '../../src/contract/keys.js';
import { generateSecretKey, numberPlace, SecretBox } from '../../src/contract/secret.js';
import { migrate, openDatabase } from '../../src/control/database/database.js';
import { createKey } from '../../src/control/organizations/keys.js';
import { createOrganization } from '../../src/control/organizations/organizations.js';
import { until } from '../../src/testkit/waiting.js';
import { type ApiUnderTest, startApi } from '../contract/control/api-under-test.js';
import { PrivateRedis } from '../contract/redis/private-redis.js';
import { PrivatePostgres } from '../support/postgres.js';
import { waitForAudioBothWays } from './hearing.js';
import { Stack } from './stack.js';

const { findBinary } = (await import(
  new URL('../../dev/setup/system-packages.mjs', import.meta.url).href
)) as { findBinary: (name: string) => string | undefined };

const run = promisify(execFile);
const phoneNumber = '+12025550161';
const password = 'correct-horse';
const stopping: (() => unknown)[] = [];
const opened = <Opened>(thing: Opened, stop: (thing: Opened) => unknown): Opened => {
  stopping.push(() => stop(thing));
  return thing;
};

/** What an operator keeps: the dump and the secret key. */
let backup: { readonly folder: string; readonly dump: string; readonly secretKey: string };
let apiKey: string;
let organization: string;

const postgresProgram = (name: string): string => findBinary(name) ?? name;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demarc-backup-'));
  opened(folder, (path) => rmSync(path, { recursive: true, force: true }));
  backup = { folder, dump: join(folder, 'demarc.dump'), secretKey: generateSecretKey() };
  // The first machine: it is gone when the backup is restored.
  const [postgres, redis] = await Promise.all([PrivatePostgres.start(), PrivateRedis.start()]);
  const databaseUrl = await postgres.database('demarc');
  await migrate(databaseUrl);
  const database = openDatabase(
    { url: databaseUrl, maximumConnections: 1, timeoutMilliseconds: 5_000 },
    () => {},
  );
  ({ id: organization } = await createOrganization(database, { name: 'acme', sipEnabled: true }));
  ({ key: apiKey } = await createKey(database, organization, 'test'));
  await database.destroy();
  const api = await startApi({ databaseUrl, redis }, { DEMARC_SECRET_KEY: backup.secretKey });
  const attached = await api.post('/v1/sip/attach', apiKey, {
    phone_numbers: [phoneNumber],
    directions: [
      { type: 'inbound', allowed_ips: ['127.0.0.0/8'] },
      {
        type: 'outbound',
        sip_endpoint: 'sip:127.0.0.1:9',
        options: { sip_username: 'trunk', sip_password: password },
      },
    ],
    service: 'sip',
  });
  expect(attached.status, attached.text).toBe(200);
  await run(postgresProgram('pg_dump'), [
    '--format=custom',
    `--file=${backup.dump}`,
    `--dbname=${databaseUrl}`,
  ]);
  await api.stop();
  await Promise.all([postgres.stop(), redis.stop()]);
}, 180_000);
afterAll(async () => {
  for (const stop of stopping.reverse()) await stop();
});

it('restores a backup on a new machine: key, trunk password and calls work as before', async () => {
  const stack = opened(await Stack.start({ edge: { DEMARC_SECRET_KEY: backup.secretKey } }), (it) =>
    it.stop(),
  );
  const postgres = opened(await PrivatePostgres.start(), (it) => it.stop());
  const databaseUrl = await postgres.database('demarc');
  await run(postgresProgram('pg_restore'), [
    '--exit-on-error',
    '--no-owner',
    `--dbname=${databaseUrl}`,
    backup.dump,
  ]);

  const api: ApiUnderTest = opened(
    await startApi({ databaseUrl, redis: stack.redis }, { DEMARC_SECRET_KEY: backup.secretKey }),
    (it) => it.stop(),
  );
  expect((await api.get('/v1/calls', apiKey)).status).toBe(200);
  expect((await api.get('/v1/calls', `${apiKey.slice(0, -4)}0000`)).status).toBe(401);

  const digits = phoneNumber.slice(1);
  let document: string | null | undefined;
  await until(
    async () => {
      document = await stack.redisClient.get(numberKey(digits));
      return document !== null;
    },
    15_000,
    'the number in the empty Redis',
  );
  const { outbound } = JSON.parse(document!) as { outbound: { credential: { password: string } }[] };
  const box = new SecretBox([backup.secretKey]);
  expect(box.open(outbound[0]!.credential.password, numberPlace(organization))).toBe(password);

  const phone = await stack.phone();
  await phone.dial(stack.uri(digits));
  await phone.waitFor('CALL_ESTABLISHED', 20_000);
  await waitForAudioBothWays(phone);
  await phone.hangup();
  await until(
    async () => (await api.get('/v1/sip/calls', apiKey)).body?.data?.calls?.length === 1,
    15_000,
    'the call in the restored history',
  );
}, 120_000);
