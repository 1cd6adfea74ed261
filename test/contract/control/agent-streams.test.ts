import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberKey } from '../../../src/contract/keys.js';
import { type InboundConfiguration, numberDocumentSchema } from '../../../src/contract/number.js';
import { SecretBox, streamPlace } from '../../../src/contract/secret.js';
import { resealStreamSecrets } from '../../../src/control/agent-credentials/stream-secrets.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { resealPasswords } from '../../../src/control/trunks/reseal.js';
import { until } from '../../../src/testkit/waiting.js';
import { type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench, log } from './control-bench.js';

const secretKey = 'ab'.repeat(32);
const url = 'wss://bot.example.com/stream';

let bench: ControlBench;
let api: ApiUnderTest;
let redis: ReturnType<ControlBench['connectRedis']>;
let key: string;
let numbers = 0;

beforeAll(async () => {
  bench = await ControlBench.start();
  redis = bench.connectRedis();
  api = await startApi(bench, { DEMARC_SECRET_KEY: secretKey, DEMARC_PRIVATE_ENDPOINTS: 'refuse' });
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
});
afterAll(async () => {
  await api?.stop();
  await bench?.stop();
});

const attach = (direction: object, number = `+1415555${2_000 + ++numbers}`) =>
  api
    .post('/v1/sip/attach', key, {
      phone_numbers: [number],
      directions: [{ type: 'inbound', allowed_ips: ['203.0.113.0/24'], ...direction }],
      service: 'sip',
    })
    .then((answer) => ({ ...answer, number }));

const update = (number: string, updates: object) =>
  api.post('/v1/sip/update', key, { phone_number: number, updates: { type: 'inbound', ...updates } });

/** The number's inbound configuration in Redis, once it is as wanted. */
async function inboundOf(
  number: string,
  isSo: (inbound: InboundConfiguration) => boolean = () => true,
): Promise<InboundConfiguration> {
  let found: InboundConfiguration | undefined;
  await until(
    async () => {
      const json = await redis.get(numberKey(number.slice(1)));
      found = json === null ? undefined : numberDocumentSchema.parse(JSON.parse(json)).inbound[0];
      return found !== undefined && isSo(found);
    },
    5_000,
    () => `the document; it is ${JSON.stringify(found)}`,
  );
  return found!;
}

const openHeaders = (sealed: string | undefined): unknown =>
  JSON.parse(new SecretBox([secretKey]).open(sealed!, streamPlace(bench.organization)));

describe('an agent that is a WebSocket server', () => {
  it('is attached by its URL alone, which edges read', async () => {
    const { number, body } = await attach({ agent: url });
    expect(body.data.failed).toEqual([]);
    const inbound = await inboundOf(number);
    expect(inbound.agent_uri).toBe(url);
    expect(inbound.streams).toBeUndefined();
  });

  it('has settings; its headers are sealed, and no answer shows them', async () => {
    const agent = {
      type: 'websocket',
      url,
      format: 'pcm',
      sample_rate: 24_000,
      parameters: { tenant: 'blue' },
      headers: { Authorization: 'Bearer very-secret' },
      answer_on: 'first_audio',
      fallback: 'agent.example.com',
    };
    const { number } = await attach({ agent });
    const inbound = await inboundOf(number);
    expect(inbound.agent_uri).toBe(url);
    const [stream] = inbound.streams!;
    expect(stream).toMatchObject({
      url,
      format: 'pcm',
      sample_rate: 24_000,
      parameters: { tenant: 'blue' },
      answer_on: 'first_audio',
      fallback: 'sip:agent.example.com;transport=tcp',
    });
    expect(openHeaders(stream!.headers)).toEqual({ Authorization: 'Bearer very-secret' });
    const shown = await api.get(`/v1/sip?phone_number=${encodeURIComponent(number)}`, key);
    const text = JSON.stringify(shown.body);
    expect(text).not.toContain('very-secret');
    expect(text).toContain('"headers":{"Authorization":"[redacted]"}');
    expect(text).toContain(`"agent":"${url}"`);
  });

  it('keeps its headers in an update that does not name them, and loses them in one that has none', async () => {
    const agent = { type: 'websocket', url, headers: { 'X-Key': 'one' } };
    const { number } = await attach({ agent });
    await update(number, { agent: { type: 'websocket', url, parameters: { a: '1' } } });
    const kept = await inboundOf(number, ({ streams }) => streams?.[0]?.parameters.a === '1');
    expect(openHeaders(kept.streams![0]!.headers)).toEqual({ 'X-Key': 'one' });
    await update(number, { agent: { type: 'websocket', url, headers: {} } });
    const without = await inboundOf(number, ({ streams }) => streams?.[0]?.parameters.a === undefined);
    expect(without.streams![0]!.headers).toBeUndefined();
    await update(number, { agent: 'sip:agent.example.com' });
    const sip = await inboundOf(number, ({ agent_uri }) => agent_uri?.startsWith('sip:') === true);
    expect(sip.streams).toBeUndefined();
  });

  it('stands beside SIP agents in a group', async () => {
    const group = {
      strategy: 'ring_all',
      endpoints: ['sip:a.example.com', { type: 'websocket', url, comfort_tone: true }],
    };
    const { number } = await attach({ options: { agents: group } });
    const inbound = await inboundOf(number);
    expect(inbound.agents!.uris).toEqual(['sip:a.example.com;transport=tcp', url]);
    expect(inbound.streams).toMatchObject([{ url, comfort_tone: true }]);
    // An update of something else leaves the group alone.
    await update(number, { allowed_ips: ['198.51.100.0/24'] });
    const later = await inboundOf(number, ({ allowed_sources }) => allowed_sources[0] === '198.51.100.0/24');
    expect(later.streams).toMatchObject([{ url, comfort_tone: true }]);
  });

  it('may be of a trunk that many numbers share', async () => {
    const agent = { type: 'websocket', url, headers: { 'X-Key': 'shared secret' } };
    const created = await api.post('/v1/trunks', key, {
      name: 'bots',
      directions: [{ type: 'inbound', allowed_ips: ['203.0.113.0/24'], agent }],
    });
    const id = created.body.data.trunk_id;
    const number = `+1415555${2_000 + ++numbers}`;
    await api.post(`/v1/trunks/${id}/numbers`, key, { phone_numbers: [number] });
    const inbound = await inboundOf(number);
    expect(openHeaders(inbound.streams![0]!.headers)).toEqual({ 'X-Key': 'shared secret' });
    const shown = await api.get(`/v1/trunks/${id}`, key);
    expect(JSON.stringify(shown.body)).not.toContain('shared secret');
    // What was shown is sent back, with another parameter.
    const [direction] = shown.body.data.directions;
    const changed = { ...direction, agent: { ...direction.agent, parameters: { b: '2' } } };
    const answer = await api.patch(`/v1/trunks/${id}`, key, { directions: [changed] });
    expect(answer.status).toBe(200);
    const later = await inboundOf(number, ({ streams }) => streams?.[0]?.parameters.b === '2');
    expect(openHeaders(later.streams![0]!.headers)).toEqual({ 'X-Key': 'shared secret' });
  });

  it.each([
    ['a query, which would be logged by proxies', 'wss://bot.example.com/?token=1', 'must have no query'],
    ['a password', 'wss://user:pw@bot.example.com/', 'must not contain a user or password'],
    ['plain ws', 'ws://bot.example.com/', 'must be wss://'],
    ['a private address', 'wss://10.1.2.3/', 'private address'],
    ['this machine', 'wss://localhost/', 'private'],
    ['another scheme', 'https://bot.example.com/', 'scheme https'],
  ])('refuses %s', async (_name, agent, reason) => {
    const { status, body } = await attach({ agent });
    expect(status).toBe(400);
    expect(JSON.stringify(body.errors)).toContain(reason);
  });

  it.each([
    [{ headers: { Host: 'x' } }, 'is set by Demarc'],
    [{ headers: { 'X-Demarc-Call-ID': 'x' } }, 'is set by Demarc'],
    [{ headers: { A: 'b\r\nC: d' } }, 'printable ASCII'],
    [{ parameters: { long: 'x'.repeat(500) } }, ''],
    [{ sample_rate: 11_025 }, ''],
    [{ format: 'mp3' }, ''],
    [{ fallback: 'wss://other.example.com' }, ''],
  ])('refuses %j', async (fields, reason) => {
    const { status, body } = await attach({ agent: { type: 'websocket', url, ...fields } });
    expect(status).toBe(400);
    expect(JSON.stringify(body.errors)).toContain(reason);
  });

  it('has its headers sealed again when the key of the service changes', async () => {
    const { number } = await attach({ agent: { type: 'websocket', url, headers: { 'X-Key': 'two' } } });
    const before = (await inboundOf(number)).streams![0]!.headers;
    const secrets = new SecretBox(['cd'.repeat(32), secretKey]);
    const { unreadable } = await resealPasswords({ database: bench.database, secrets, log });
    expect(unreadable).toBe(0);
    const later = await inboundOf(number, ({ streams }) => streams?.[0]?.headers !== before);
    expect(JSON.parse(secrets.open(later.streams![0]!.headers!, streamPlace(bench.organization)))).toEqual({
      'X-Key': 'two',
    });
  });
});

describe('the signing secrets of WebSocket agents', () => {
  const path = '/v1/agent-streams/signing-secrets';
  const open = (sealed: readonly string[]): string[] =>
    sealed.map((each) => new SecretBox([secretKey]).open(each, streamPlace(bench.organization)));

  it('reach the edges, the current one first, and leave them when they are removed', async () => {
    const { number } = await attach({ agent: url });
    const signing = async (count: number): Promise<string[]> => {
      const wanted = ({ streams }: InboundConfiguration): boolean =>
        (streams?.[0]?.signing_secrets.length ?? 0) === count;
      const { streams } = await inboundOf(number, wanted);
      return open(streams?.[0]?.signing_secrets ?? []);
    };
    const first = (await api.post(path, key, {})).body.data;
    expect(first.secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await signing(1)).toEqual([first.secret]);
    const second = (await api.post(path, key, {})).body.data;
    expect(await signing(2)).toEqual([second.secret, first.secret]);
    // A third one leaves no place for the first.
    const third = (await api.post(path, key, {})).body.data;
    const listed = await api.get(path, key);
    expect(listed.body.data.signing_secrets).toEqual([
      { secret_id: third.secret_id, created_at: third.created_at },
      { secret_id: second.secret_id, created_at: second.created_at },
    ]);
    const organization = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
    const { key: otherKey } = await createKey(bench.database, organization.id, 'test');
    expect((await api.get(path, otherKey)).body.data.signing_secrets).toEqual([]);
    expect((await api.delete(`${path}/${second.secret_id}`, otherKey)).status).toBe(404);
    expect((await api.delete(`${path}/${second.secret_id}`, key)).status).toBe(200);
    expect(await signing(1)).toEqual([third.secret]);
    expect((await api.delete(`${path}/${second.secret_id}`, key)).status).toBe(404);
  });

  it('are sealed again when the key of the service changes', async () => {
    const { secret } = (await api.post(path, key, {})).body.data;
    const secrets = new SecretBox(['cd'.repeat(32), secretKey]);
    const { resealed, unreadable } = await resealStreamSecrets({ database: bench.database, secrets });
    expect([resealed, unreadable]).toEqual([2, 0]);
    const [latest] = await bench.database
      .selectFrom('stream_secrets')
      .select('secret')
      .where('organization_id', '=', bench.organization)
      .orderBy('created_at', 'desc')
      .execute();
    const box = new SecretBox(['cd'.repeat(32)]);
    expect(box.open(latest!.secret, streamPlace(bench.organization))).toBe(secret);
  });
});
