import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberKey } from '../../../src/contract/keys.js';
import { type NumberDocument, numberDocumentSchema } from '../../../src/contract/number.js';
import { SecretBox } from '../../../src/contract/secret.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { OrderLine } from '../../../src/edge/outbound/pacing/order-line.js';
import { paceOf } from '../../../src/edge/outbound/pacing/outbound-places.js';
import { until } from '../../../src/testkit/waiting.js';
import { type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench } from './control-bench.js';

const settings = { DEMARC_SECRET_KEY: 'ab'.repeat(32) };
const numbers = ['+14155550100', '+14155550101', '+14155550102'];

let bench: ControlBench;
let api: ApiUnderTest;
let redis: ReturnType<ControlBench['connectRedis']>;
let key: string;
let otherKey: string;

beforeAll(async () => {
  bench = await ControlBench.start();
  redis = bench.connectRedis();
  api = await startApi(bench, settings);
  const otherOrganization = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ key: otherKey } = await createKey(bench.database, otherOrganization.id, 'test'));
});
afterAll(async () => {
  await api?.stop();
  await bench?.stop();
});

const trunk = {
  name: 'Headquarters',
  directions: [
    { type: 'inbound', allowed_ips: ['203.0.113.0/24'] },
    {
      type: 'outbound',
      sip_endpoint: 'sip:pbx.example.com:5061;transport=tls',
      options: { sip_username: 'demarc', sip_password: 'first secret' },
    },
  ],
  inbound: { codec_config: { codecs: ['PCMA', 'PCMU'] } },
  outbound: {
    failover_config: { endpoints: [{ host: 'backup.example.com', priority: 1 }] },
    limits: { concurrent_calls: 2 },
  },
};

const create = async (changes: object = {}): Promise<string> => {
  const answer = await api.post('/v1/trunks', key, { ...trunk, ...changes });
  expect(answer.status).toBe(200);
  return answer.body.data.trunk_id;
};
const attach = (id: string, phoneNumbers: readonly string[], withKey = key) =>
  api.post(`/v1/trunks/${id}/numbers`, withKey, { phone_numbers: phoneNumbers });

async function documentOf(number: string): Promise<NumberDocument | undefined> {
  const json = await redis.get(numberKey(number.slice(1)));
  return json === null ? undefined : numberDocumentSchema.parse(JSON.parse(json));
}
const documents = async (isSo: (document: NumberDocument | undefined) => boolean, of = numbers) => {
  await until(async () => (await Promise.all(of.map(documentOf))).every(isSo), 5_000, 'all documents');
  return (await Promise.all(of.map(documentOf))) as NumberDocument[];
};

describe('a change of a number', () => {
  it('is answered when the edges have it: the call that follows meets the new configuration', async () => {
    const number = '+14155550199';
    const directions = [{ type: 'inbound', allowed_ips: ['203.0.113.0/24'] }];
    for (let round = 0; round < 20; round++) {
      const body = { phone_numbers: [number], directions, service: 'sip' };
      expect((await api.post('/v1/sip/attach', key, body)).status).toBe(200);
      expect(await documentOf(number)).toBeDefined();
      const detached = { phone_number: number, directions: [{ type: 'inbound' }], service: 'sip' };
      expect((await api.post('/v1/sip/detach', key, detached)).status).toBe(200);
      expect(await documentOf(number)).toBeUndefined();
    }
  });
});

describe('a trunk', () => {
  it('makes every number that uses it what it says, and a change of it changes them all', async () => {
    const id = await create();
    await api.post('/v1/sip/attach', key, {
      phone_numbers: [numbers[0]],
      directions: [{ type: 'outbound', sip_endpoint: 'sip:old.example.com' }],
      service: 'sip',
    });
    expect((await attach(id, numbers.slice(0, 2))).body.data).toMatchObject({
      configured: numbers.slice(0, 2),
      failed: [],
    });
    const body = { phone_numbers: [numbers[2]], trunk_id: id, service: 'sip' };
    expect((await api.post('/v1/sip/attach', key, body)).body.data.configured).toEqual([numbers[2]]);
    const found = await documents((document) => document?.outbound[0]?.host === 'pbx.example.com');
    for (const document of found) {
      expect(document).toMatchObject({
        inbound: [{ allowed_sources: ['203.0.113.0/24'] }],
        outbound: [{ port: 5061, transport: 'tls', credential: { username: 'demarc' } }],
        codecs: { order: ['PCMA', 'PCMU'] },
        limits_key: id,
        outbound_policy: {
          limits: { concurrent_calls: 2 },
          failover: { endpoints: [{ host: 'backup.example.com' }] },
        },
      });
      expect(document.outbound).toHaveLength(1);
    }
    const ids = found.map(({ outbound }) => outbound[0]!.id);
    const shown = await api.get(`/v1/trunks/${id}`, key);
    expect(shown.body.data).toMatchObject({ name: 'Headquarters', number_count: 3 });
    expect(shown.text).not.toContain('first secret');
    const stored = await bench.database.selectFrom('trunks').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain('first secret');

    const [inbound, outbound] = shown.body.data.directions;
    const changed = await api.patch(`/v1/trunks/${id}`, key, {
      directions: [inbound, { ...outbound, sip_endpoint: 'sip:new.example.com' }],
      inbound: { codec_config: null },
    });
    expect(changed.body.data.outbound.limits).toEqual({ concurrent_calls: 2 });
    const after = await documents((document) => document?.outbound[0]?.host === 'new.example.com');
    for (const document of after) {
      expect(document.codecs.order).toEqual(['PCMU', 'PCMA', 'opus']);
      // What was sent back as [redacted] is the password still.
      const box = new SecretBox([settings.DEMARC_SECRET_KEY]);
      expect(box.open(document.outbound[0]!.credential!.password)).toBe('first secret');
    }
    expect(after.map(({ outbound: rows }) => rows[0]!.id)).toEqual(ids);
  });

  it('is changed as a whole, not at one of its numbers, and is deleted once no number uses it', async () => {
    const { trunks } = (await api.get('/v1/trunks', key)).body.data;
    const { trunk_id: id } = trunks[0];
    const [number] = numbers;
    const refusals = [
      api.post('/v1/sip/update', key, {
        phone_number: number,
        updates: { type: 'outbound', sip_endpoint: 'sip:x.example.com' },
      }),
      api.patch('/v1/sip/config', key, { phone_number: number, direction: 'outbound', limits: null }),
      api.post('/v1/sip/detach', key, {
        phone_number: number,
        directions: [{ type: 'inbound' }],
        service: 'sip',
      }),
    ];
    for (const refusal of await Promise.all(refusals)) {
      expect(refusal.status).toBe(409);
      expect(refusal.body.errors[0]).toMatchObject({
        error: 'NUMBER_USES_TRUNK',
        message: expect.stringContaining(id),
      });
    }
    const inUse = await api.delete(`/v1/trunks/${id}`, key);
    expect(inUse.status).toBe(409);
    expect(inUse.body.errors[0]).toMatchObject({
      error: 'TRUNK_IN_USE',
      message: 'The trunk is in use: 3 numbers',
    });
    const first = (await api.get(`/v1/trunks/${id}/numbers?limit=2`, key)).body;
    expect(first.data).toEqual({ phone_numbers: numbers.slice(0, 2) });
    expect(first).toMatchObject({ has_more: true, next: numbers[1] });
    const rest = await api.get(`/v1/trunks/${id}/numbers?after=${encodeURIComponent(first.next)}`, key);
    expect(rest.body).toMatchObject({ data: { phone_numbers: [numbers[2]] }, has_more: false, next: null });
    for (const phoneNumber of numbers) {
      const detached = await api.post('/v1/sip/detach', key, {
        phone_number: phoneNumber,
        directions: [{ type: 'inbound' }, { type: 'outbound' }],
        service: 'sip',
      });
      expect(detached.status).toBe(200);
    }
    expect((await api.delete(`/v1/trunks/${id}`, key)).status).toBe(200);
    expect((await api.get(`/v1/trunks/${id}`, key)).status).toBe(404);
    await documents((document) => document === undefined);
  });

  it('has limits that its numbers share at the edges, whichever of them calls', async () => {
    const id = await create();
    await attach(id, numbers);
    const [first, second] = await documents((document) => document?.limits_key === id);
    const edges = ['edge-1', 'edge-2'].map((owner) => new OrderLine(redis as never, owner));
    const enter = (line: OrderLine, document: NumberDocument, call: string) =>
      line.enter(document.number, call, paceOf(document));
    expect(await enter(edges[0]!, first!, 'a')).toBe(0);
    expect(await enter(edges[1]!, second!, 'b')).toBe(0);
    expect(await enter(edges[0]!, first!, 'c')).toBeGreaterThan(0);
    await edges[1]!.leave(second!.number, 'b', id);
    expect(await enter(edges[0]!, first!, 'c')).toBe(0);
  });

  it('belongs to one organization, and accepts no number of another', async () => {
    const id = await create();
    expect((await api.get(`/v1/trunks/${id}`, otherKey)).status).toBe(404);
    expect((await api.patch(`/v1/trunks/${id}`, otherKey, { name: 'x' })).status).toBe(404);
    expect((await api.delete(`/v1/trunks/${id}`, otherKey)).status).toBe(404);
    expect((await attach(id, ['+14155550199'], otherKey)).status).toBe(404);
    const otherTrunk = (await api.post('/v1/trunks', otherKey, trunk)).body.data.trunk_id;
    const { configured, failed } = (await attach(otherTrunk, [numbers[0]!, 'nobody'], otherKey)).body.data;
    expect(configured).toEqual([]);
    expect(failed.map(({ error }: { error: string }) => error)).toEqual([
      'NUMBER_TAKEN',
      'INVALID_PHONE_NUMBER',
    ]);
  });

  it('is changed while numbers are attached to it, and every number ends as it says', async () => {
    const id = await create({ directions: [{ type: 'outbound', sip_endpoint: 'sip:v0.example.com' }] });
    const many = Array.from({ length: 60 }, (_, index) => `+141666601${String(index).padStart(2, '0')}`);
    const change = async (): Promise<void> => {
      for (let version = 1; version <= 5; version++) {
        const directions = [{ type: 'outbound', sip_endpoint: `sip:v${version}.example.com` }];
        expect((await api.patch(`/v1/trunks/${id}`, key, { directions })).status).toBe(200);
      }
    };
    await Promise.all([attach(id, many.slice(0, 30)), attach(id, many.slice(30)), change()]);
    await documents((document) => document?.outbound[0]?.host === 'v5.example.com', many);
  });

  it.each([
    [{ directions: [] }, 'directions'],
    [{ directions: [{ type: 'outbound', sip_endpoint: 'not a host' }] }, 'directions.0.sip_endpoint'],
    [{ inbound: { failover_config: null } }, 'inbound.failover_config'],
    [{ outbound: { limits: { concurrent_calls: -1 } } }, 'outbound.limits.concurrent_calls'],
  ])('is refused as %j', async (changes, path) => {
    const answer = await api.post('/v1/trunks', key, { ...trunk, ...changes });
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]).toMatchObject({ error: 'VALIDATION_ERROR', path });
  });
});
