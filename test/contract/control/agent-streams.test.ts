import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCommandSchema } from '../../../src/contract/commands.js';
import { commandStream, numberKey } from '../../../src/contract/keys.js';
import {
  type InboundConfiguration,
  type NumberDocument,
  numberDocumentSchema,
} from '../../../src/contract/number.js';
import { SecretBox, streamPlace } from '../../../src/contract/secret.js';
import { resealStreamSecrets } from '../../../src/control/agent-credentials/stream-secrets.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { resealPersonaAgents } from '../../../src/control/personas/persona-agent.js';
import { resealPasswords } from '../../../src/control/trunks/reseal.js';
import { until } from '../../../src/testkit/waiting.js';
import { type Answer, type ApiUnderTest, startApi } from './api-under-test.js';
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

/** The number's document in Redis, once it is as wanted. */
async function documentOf(number: string, isSo: (document: NumberDocument) => boolean) {
  let found: NumberDocument | undefined;
  await until(
    async () => {
      const json = await redis.get(numberKey(number.slice(1)));
      found = json === null ? undefined : numberDocumentSchema.parse(JSON.parse(json));
      return found !== undefined && isSo(found);
    },
    5_000,
    () => `the document; it is ${JSON.stringify(found)}`,
  );
  return found!;
}

/** The number's inbound configuration in Redis, once it is as wanted. */
async function inboundOf(
  number: string,
  isSo: (inbound: InboundConfiguration) => boolean = () => true,
): Promise<InboundConfiguration> {
  const isThere = ({ inbound: [first] }: NumberDocument): boolean => first !== undefined && isSo(first);
  return (await documentOf(number, isThere)).inbound[0]!;
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

describe('the agent of an outbound direction', () => {
  const sip_endpoint = 'sip:pbx.example.com';
  const attachOutbound = (agent: unknown) =>
    attach({ type: 'outbound', allowed_ips: undefined, sip_endpoint, agent });
  const change = (number: string, updates: object) =>
    api.post('/v1/sip/update', key, { phone_number: number, updates: { type: 'outbound', ...updates } });
  const outboundOf = async (number: string, isSo: (agent: string | undefined) => boolean = () => true) =>
    (await documentOf(number, ({ outbound: [first] }) => first !== undefined && isSo(first.agent_uri)))
      .outbound[0]!;

  it('may be a WebSocket server, whose headers an update keeps, or a SIP agent, or none', async () => {
    const agent = { type: 'websocket', url, headers: { 'X-Key': 'out' }, parameters: { a: '1' } };
    const { number, body } = await attachOutbound(agent);
    expect(body.data.failed).toEqual([]);
    const { agent_uri, stream } = await outboundOf(number);
    expect(agent_uri).toBe(url);
    expect(stream).toMatchObject({ url, parameters: { a: '1' } });
    expect(openHeaders(stream!.headers)).toEqual({ 'X-Key': 'out' });
    const shown = await api.get(`/v1/sip?phone_number=${encodeURIComponent(number)}`, key);
    const text = JSON.stringify(shown.body);
    expect(text).toContain(`"agent":"${url}"`);
    expect(text).toContain('"headers":{"X-Key":"[redacted]"}');
    const secondBot = 'wss://bot.example.com/other';
    await change(number, { agent: { type: 'websocket', url: secondBot, headers: { 'X-Key': 'new' } } });
    const moved = await outboundOf(number, (uri) => uri === secondBot);
    expect(openHeaders(moved.stream!.headers)).toEqual({ 'X-Key': 'new' });
    await change(number, { agent: 'agent.example.com' });
    const sip = await outboundOf(number, (uri) => uri?.startsWith('sip:') === true);
    expect(sip).toMatchObject({ agent_uri: 'sip:agent.example.com;transport=tcp' });
    expect(sip.stream).toBeUndefined();
    await change(number, { agent: null });
    expect((await outboundOf(number, (uri) => uri === undefined)).host).toBe('pbx.example.com');
  });

  it('may be of a trunk that many numbers share', async () => {
    const agent = { type: 'websocket', url, headers: { 'X-Key': 'shared out' } };
    const directions = [{ type: 'outbound', sip_endpoint, agent }];
    const created = await api.post('/v1/trunks', key, { name: 'callers', directions });
    const id = created.body.data.trunk_id;
    const number = `+1415555${2_000 + ++numbers}`;
    await api.post(`/v1/trunks/${id}/numbers`, key, { phone_numbers: [number] });
    expect((await outboundOf(number)).agent_uri).toBe(url);
    const shown = await api.get(`/v1/trunks/${id}`, key);
    expect(JSON.stringify(shown.body)).not.toContain('shared out');
    const [direction] = shown.body.data.directions;
    const elsewhere = {
      ...direction,
      agent: { ...direction.agent, url: 'wss://bot.example.com/b', headers: {} },
    };
    expect((await api.patch(`/v1/trunks/${id}`, key, { directions: [elsewhere] })).status).toBe(200);
    await outboundOf(number, (uri) => uri === 'wss://bot.example.com/b');
  });

  it('is refused where it may not be reached', async () => {
    const { status, body } = await attachOutbound('wss://10.1.2.3/');
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({ path: 'directions.0.agent' });
  });
});

describe('the agent of a persona', () => {
  const promote = (id: string) => api.post(`/v1/personas/${id}/versions/promote`, key, {});
  const create = async (agent: unknown): Promise<string> =>
    (await api.post('/v1/personas', key, { name: 'Bot', agent })).body.data.id;

  it('takes the calls to its numbers from its promotion on, with sealed headers and signing secrets', async () => {
    const { number } = await attach({ agent: 'sip:agent.example.com' });
    const id = await create({ type: 'websocket', url, headers: { 'X-Key': 'persona' } });
    await api.post(`/v1/personas/${id}/inbound/attach`, key, { inbound_numbers: [number] });
    expect((await inboundOf(number)).agent_uri).toBe('sip:agent.example.com;transport=tcp');
    const promoted = await promote(id);
    expect(promoted.body.data.current_production_version.agent).toMatchObject({
      url,
      headers: { 'X-Key': '[redacted]' },
    });
    const inbound = await inboundOf(number, ({ agent_uri }) => agent_uri === url);
    expect(openHeaders(inbound.streams![0]!.headers)).toEqual({ 'X-Key': 'persona' });
    const signing = (await api.post('/v1/agent-streams/signing-secrets', key, {})).body.data;
    await inboundOf(number, ({ streams }) => streams?.[0]?.signing_secrets.length === 1);
    await api.delete(`/v1/agent-streams/signing-secrets/${signing.secret_id}`, key);
    // The same again, as it was shown, is no change.
    const same = { type: 'websocket', url, headers: { 'X-Key': '[redacted]' } };
    const unchanged = await api.patch(`/v1/personas/${id}`, key, { agent: same });
    expect(unchanged.body.data.current_draft_version).toBeNull();
    const changed = await api.patch(`/v1/personas/${id}`, key, {
      agent: { type: 'websocket', url, format: 'pcm' },
    });
    expect(changed.body.data.current_draft_version.agent).toMatchObject({
      format: 'pcm',
      headers: { 'X-Key': '[redacted]' },
    });
    await api.patch(`/v1/personas/${id}`, key, { agent: null });
    await promote(id);
    await inboundOf(number, ({ agent_uri }) => agent_uri === 'sip:agent.example.com;transport=tcp');
  });

  it('takes the calls that are ordered with the persona, unless the order names another', async () => {
    await bench.pretendEdge();
    const id = await create({ type: 'websocket', url, parameters: { of: 'persona' } });
    await promote(id);
    const { number } = await attach({
      type: 'outbound',
      allowed_ips: undefined,
      sip_endpoint: 'sip:pbx.example.com',
    });
    const order = { from: number, phone_number: '+14155550100', task: 'x', persona_id: id };
    const callId = ({ body }: Answer): string => body.call_id;
    const own = callId(await api.post('/v1/calls', key, order));
    const named = callId(await api.post('/v1/calls', key, { ...order, agent: 'sip:other.example.com' }));
    const commands = new Map(
      (await redis.xrange(commandStream, '-', '+')).map(([, [, text]]) => {
        const command = callCommandSchema.parse(JSON.parse(text!));
        return [command.call_id, command];
      }),
    );
    expect(commands.get(own)).toMatchObject({
      agent_uri: url,
      stream: { url, parameters: { of: 'persona' } },
    });
    expect(commands.get(named)).toMatchObject({ agent_uri: 'sip:other.example.com;transport=tcp' });
    expect(commands.get(named)!.stream).toBeUndefined();
  });

  it('has its headers sealed again when the key of the service changes', async () => {
    const id = await create({ type: 'websocket', url, headers: { 'X-Key': 'three' } });
    const secrets = new SecretBox(['cd'.repeat(32), secretKey]);
    const { resealed, unreadable } = await resealPersonaAgents({ database: bench.database, secrets });
    expect(unreadable).toBe(0);
    expect(resealed).toBeGreaterThan(0);
    const [{ agent } = { agent: null }] = await bench.database
      .selectFrom('persona_versions')
      .select('agent')
      .where('persona_id', '=', id)
      .execute();
    const box = new SecretBox(['cd'.repeat(32)]);
    expect(JSON.parse(box.open(agent!.stream!.headers!, streamPlace(bench.organization)))).toEqual({
      'X-Key': 'three',
    });
  });

  it.each([
    ['wss://10.1.2.3/', 'private address'],
    [{ type: 'websocket', url, fallback: 'sip:10.1.2.3' }, 'private address'],
    ['https://bot.example.com/', 'scheme https'],
  ])('is refused: %j', async (agent, reason) => {
    const { status, body } = await api.post('/v1/personas', key, { name: 'Bot', agent });
    expect(status).toBe(400);
    expect(JSON.stringify(body.errors)).toContain(reason);
  });
});

describe('the agent of an order', () => {
  const agent = {
    type: 'websocket',
    url,
    format: 'pcm',
    headers: { 'X-Key': 'order' },
    parameters: { of: 'order' },
  };
  let from: string;
  beforeAll(async () => {
    await bench.pretendEdge();
    const direction = { type: 'outbound', allowed_ips: undefined, sip_endpoint: 'sip:pbx.example.com' };
    from = (await attach(direction)).number;
  });

  /** What edges read of these callees, by callee. */
  async function commandsTo(callees: readonly string[]) {
    const found = new Map<string, ReturnType<typeof callCommandSchema.parse>>();
    const isThere = async () => {
      for (const [, [, text]] of await redis.xrange(commandStream, '-', '+')) {
        const command = callCommandSchema.safeParse(JSON.parse(text!));
        if (command.success && callees.includes(command.data.phone_number))
          found.set(command.data.phone_number, command.data);
      }
      return found.size === callees.length;
    };
    await until(isThere, 15_000, () => `the commands; there are ${[...found.keys()].join(', ')}`);
    return found;
  }

  it('may be a WebSocket server, whose headers are sealed and not shown', async () => {
    const order = { from, phone_number: '+14155550111', task: 'x', agent };
    const { status, body } = await api.post('/v1/calls', key, order);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('"order"');
    const { agent_uri, stream } = (await commandsTo(['14155550111'])).get('14155550111')!;
    expect(agent_uri).toBe(url);
    expect(stream).toMatchObject({ url, format: 'pcm', sample_rate: 16_000, parameters: { of: 'order' } });
    expect(openHeaders(stream!.headers)).toEqual({ 'X-Key': 'order' });
  });

  it('may be one for a batch, and another one for one of its calls', async () => {
    const secondBot = 'wss://bot.example.com/other';
    const { status } = await api.post('/v1/calls/batch', key, {
      from,
      task: 'x',
      agent,
      calls: [
        { phone_number: '+14155550112' },
        {
          phone_number: '+14155550113',
          agent: { type: 'websocket', url: secondBot, answer_on: 'first_audio' },
        },
      ],
    });
    expect(status).toBe(200);
    const commands = await commandsTo(['14155550112', '14155550113']);
    const shared = commands.get('14155550112')!;
    expect(shared.stream).toMatchObject({ url, format: 'pcm', parameters: { of: 'order' } });
    expect(openHeaders(shared.stream!.headers)).toEqual({ 'X-Key': 'order' });
    const own = commands.get('14155550113')!;
    expect(own.agent_uri).toBe(secondBot);
    expect(own.stream).toMatchObject({ url: secondBot, format: 'media-streams', answer_on: 'first_audio' });
    expect(own.stream!.headers).toBeUndefined();
  });

  it.each([
    [{ ...agent, url: 'wss://10.1.2.3/' }, 'private address'],
    [{ ...agent, sample_rate: 11_025 }, ''],
    ['ws://bot.example.com/', 'must be wss://'],
  ])('is refused: %j', async (refused, reason) => {
    const phone_number = '+14155550115';
    for (const [path, order] of [
      ['/v1/calls', { from, phone_number, task: 'x', agent: refused }],
      ['/v1/calls/batch', { from, task: 'x', calls: [{ phone_number, agent: refused }] }],
    ] as const) {
      const { status, body } = await api.post(path, key, order);
      expect(status).toBe(400);
      expect(JSON.stringify(body.errors)).toContain(reason);
    }
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
