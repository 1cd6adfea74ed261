import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectRedis } from '../../../src/base/redis.js';
import { numberKey } from '../../../src/contract/keys.js';
import { type NumberDocument, numberDocumentSchema } from '../../../src/contract/number.js';
import { numberIndexKey } from '../../../src/contract/number-index.js';
import { registrationId } from '../../../src/contract/registration.js';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import { RedisProjection } from '../../../src/control/projection/redis-projection.js';
import { EndpointDirectory } from '../../../src/edge/health/endpoint-directory.js';
import { RegistrationDirectory } from '../../../src/edge/registration/registration-directory.js';
import { until } from '../../../src/testkit/waiting.js';
import { RedisMonitor } from '../../support/redis-monitor.js';
import { PrivateRedis } from './private-redis.js';

const log = pino({ level: 'silent' });
const secrets = new SecretBox([generateSecretKey()]);
const server = { host: 'pbx.example.com', port: 5061, transport: 'tls' as const };
const registrar = { host: 'registrar.example.com', transport: 'tls' as const };
const registration = registrationId('acme', registrar, 'trunk');

let redis: PrivateRedis;
let client: Redis;
let projection: RedisProjection;
const closing: (() => void)[] = [];
beforeAll(async () => {
  redis = await PrivateRedis.start();
  client = redis.client();
  projection = new RedisProjection(client, 'database');
});
afterAll(async () => {
  client?.disconnect();
  await redis?.stop();
});
beforeEach(async () => {
  await client.flushall();
  const epoch = await projection.begin();
  await projection.finish(epoch);
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const numberOf = (index: number): string => String(14_155_000_000 + index);

let revision = 0;
/** Configures numbers as control does; no fields: takes their configuration away. */
async function configure(indexes: readonly number[], fields: Partial<NumberDocument> | undefined) {
  revision++;
  const documents = indexes.map((index) => {
    const number = numberOf(index);
    const updated_at = new Date(1_700_000_000_000 + revision * 1_000).toISOString();
    const document =
      fields === undefined
        ? undefined
        : numberDocumentSchema.parse({ version: 1, number, organization: 'acme', updated_at, ...fields });
    return { number, revision, document };
  });
  await projection.write(documents);
}

const outbound = (...all: readonly object[]) =>
  ({
    outbound: all.map((server, index) => ({ id: `out-${index}`, ...server })),
  }) as unknown as Partial<NumberDocument>;
const registered = (password: string) =>
  ({
    inbound: [
      { id: 'in', registration: { ...registrar, username: 'trunk', password: secrets.seal(password) } },
    ],
  }) as unknown as Partial<NumberDocument>;

function startDirectories() {
  const connection = connectRedis(redis.url, log, 'demarc-edge', { commandTimeout: 3_000 });
  let reads = 0;
  const deps = { redis: connection, log, channels: {}, changed: () => void reads++ };
  const endpoints = new EndpointDirectory(deps);
  const registrations = new RegistrationDirectory({ ...deps, secrets });
  endpoints.start();
  registrations.start();
  closing.push(() => {
    endpoints.stop();
    registrations.stop();
    connection.disconnect();
  });
  return { endpoints, registrations, reads: () => reads };
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

describe('an edge that starts', () => {
  it('reads as much with thousands of numbers as with a few: no document but one of each registration', async () => {
    await configure(range(0, 3_000), { inbound: [] });
    await configure(range(3_000, 5_000), outbound(server, { ...server, host: 'backup.example.com' }));
    await configure(range(5_000, 6_000), registered('first'));
    const commands: (readonly string[])[] = [];
    const monitor = await RedisMonitor.open(redis.port, (words) => commands.push(words));
    const { endpoints, registrations, reads } = startDirectories();
    await until(() => reads() === 2, 5_000, 'both are read');
    monitor.close();
    expect([...endpoints.endpoints.keys()].toSorted()).toEqual([
      'tls:backup.example.com:5061',
      'tls:pbx.example.com:5061',
    ]);
    expect([...registrations.registrations.keys()]).toEqual([registration]);
    const documents = commands.flat().filter((word) => word.startsWith(numberKey('')));
    expect(documents).toEqual([numberKey(numberOf(5_999))]);
    expect(commands.filter(([name]) => name === 'scan')).toEqual([]);
    expect(commands.length).toBeLessThan(40);
  });
});

describe('the index of the numbers', () => {
  it('has a server as long as one number names it, with each trust that they name', async () => {
    const { endpoints } = startDirectories();
    const trusts = () => endpoints.endpoints.get('tls:pbx.example.com:5061')?.trusts;
    await configure([1, 2], outbound(server));
    await until(() => trusts()?.length === 1, 3_000, 'the server');
    await configure([2], outbound({ ...server, tls_ca: 'PEM' }));
    await until(() => trusts()?.length === 2, 3_000, 'its second trust');
    expect(trusts()).toEqual([undefined, 'PEM']);
    await configure([1], outbound({ ...server, host: 'other.example.com' }));
    await until(() => trusts()?.[0] === 'PEM', 3_000, 'one trust');
    await configure([2], undefined);
    await until(() => trusts() === undefined, 3_000, 'its end');
    expect([...endpoints.endpoints.keys()]).toEqual(['tls:other.example.com:5061']);
  });

  it('has a registration with the password given last, until its last number has gone', async () => {
    const { registrations } = startDirectories();
    const current = () => registrations.registrations.get(registration);
    await configure([1], registered('one'));
    await until(() => current()?.credential?.password === 'one', 3_000, 'the registration');
    expect(current()).toMatchObject({ isSingle: true, newest: { number: numberOf(1), inboundId: 'in' } });
    await configure([2], registered('two'));
    await until(() => current()?.credential?.password === 'two', 3_000, 'the newer password');
    expect(current()).toMatchObject({ isSingle: false });
    await configure([2], undefined);
    await until(() => current()?.credential?.password === 'one', 3_000, 'the earlier password');
    await configure([1], { inbound: [] });
    await until(() => current() === undefined, 3_000, 'its end');
    expect(await client.hlen(numberIndexKey)).toBe(0);
  });

  it('is not taken for complete while control fills a Redis that was emptied', async () => {
    await configure([1], registered('one'));
    await configure([2], outbound(server));
    const { endpoints, registrations, reads } = startDirectories();
    await until(() => reads() === 2, 3_000, 'both are read');
    await redis.kill();
    await redis.up();
    await until(async () => (await client.ping().catch(() => '')) === 'PONG', 3_000, 'Redis');
    await until(() => reads() >= 4, 8_000, 'both are read again');
    expect([endpoints.endpoints.size, registrations.registrations.size]).toEqual([1, 1]);
    await projection.finish(await projection.begin());
    await until(() => endpoints.endpoints.size + registrations.registrations.size === 0, 3_000, 'the loss');
  });

  it('written by an earlier control is missing: control writes everything again', async () => {
    await configure([1], outbound(server));
    expect(await projection.total()).toBeGreaterThan(0);
    await client.del('demarc:number-index-version');
    expect(await projection.total()).toBeUndefined();
  });
});
