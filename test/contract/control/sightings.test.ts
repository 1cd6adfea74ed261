import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callStream } from '../../../src/contract/keys.js';
import { type Sighting, sightingChannel, sightingStream } from '../../../src/contract/sighting.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { until } from '../../../src/testkit/waiting.js';
import { stays } from '../../support/stays.js';
import { type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench } from './control-bench.js';
import { EventReader } from './event-reader.js';
import { sampleRecord } from './history/sample-record.js';

let bench: ControlBench;
let api: ApiUnderTest;
let redis: Redis;
let acme: { id: string; key: string };
let globex: { id: string; key: string };

beforeAll(async () => {
  bench = await ControlBench.start();
  api = await startApi(bench);
  redis = bench.redis.client();
  const keyOf = (id: string) => createKey(bench.database, id, 'test').then(({ key }) => key);
  const stranger = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
  acme = { id: bench.organization, key: await keyOf(bench.organization) };
  globex = { id: stranger.id, key: await keyOf(stranger.id) };
});
afterAll(async () => {
  redis?.disconnect();
  await api?.stop();
  await bench?.stop();
});
beforeEach(() => redis.del(sightingStream));

let numbers = 0;

/** Attaches a new number; returns it with plus. */
async function attach(of: { key: string }, ...directions: object[]): Promise<string> {
  numbers += 1;
  const number = `+1415555${String(2_000 + numbers)}`;
  const { status, body } = await api.post('/v1/sip/attach', of.key, {
    phone_number: number,
    directions,
    service: 'sip',
  });
  expect([status, body.data?.failed]).toEqual([200, []]);
  return number;
}

const inbound = (...allowed_ips: string[]) => ({ type: 'inbound', allowed_ips });

/** As an edge does. */
async function publish(changes: Partial<Sighting>): Promise<void> {
  const sighting: Sighting = {
    at: new Date().toISOString(),
    edge_id: 'edge-1',
    kind: 'request',
    method: 'OPTIONS',
    source: { address: '198.51.100.9', port: 5061, protocol: 'tls' },
    tls: { version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', certificate: null },
    user_agent: 'Asterisk PBX 22',
    called: null,
    number: null,
    organization: null,
    call_id: null,
    status: 200,
    end_reason: null,
    detail: null,
    ...changes,
  };
  const json = JSON.stringify(sighting);
  await redis.xadd(sightingStream, '*', 'sighting', json);
  await redis.publish(sightingChannel, json);
}

const from = (address: string) => ({ source: { address, port: 5061, protocol: 'tls' } });
const sightingsOf = async ({ key }: { key: string }, search = '') =>
  (await api.get(`/v1/sip/sightings${search}`, key)).body.data.sightings;

describe('what arrives from a PBX', () => {
  it('is shown to the organization of the number that it names, with the reason and what to do', async () => {
    const number = await attach(acme, inbound('203.0.113.1'));
    await publish({
      ...from('198.51.100.77'),
      method: 'INVITE',
      number: number.slice(1),
      organization: acme.id,
      status: 403,
      end_reason: 'refused_source',
      detail: 'No inbound configuration allows 198.51.100.77.',
    });
    expect(await sightingsOf(acme)).toMatchObject([
      {
        source_address: '198.51.100.77',
        method: 'INVITE',
        status: 403,
        phone_number: number,
        tls: { version: 'TLSv1.3' },
        cause: expect.any(String),
        advice: expect.any(String),
      },
    ]);
    expect(await sightingsOf(globex)).toEqual([]);
  });

  it('without a number is shown to the one organization that has configured its address', async () => {
    await attach(acme, inbound('198.51.100.16/28'));
    await attach(acme, { type: 'outbound', sip_endpoint: 'sip:198.51.100.40:5061;transport=tls' });
    await publish(from('198.51.100.17'));
    await publish({ ...from('198.51.100.40'), kind: 'handshake', detail: 'tlsv1 alert unknown ca' });
    await publish(from('198.51.100.99'));
    expect(await sightingsOf(acme)).toMatchObject([
      { source_address: '198.51.100.40', cause: 'The PBX does not trust Demarc’s certificate.' },
      { source_address: '198.51.100.17', cause: 'The PBX reaches Demarc, and Demarc answers.' },
    ]);
    expect(await sightingsOf(globex)).toEqual([]);
  });

  it('is hidden from one who lists the address of another organization, and from both that list it', async () => {
    await attach(acme, inbound('198.51.100.50'));
    await attach(globex, inbound('198.51.100.50'));
    await publish(from('198.51.100.50'));
    expect([await sightingsOf(acme), await sightingsOf(globex)]).toEqual([[], []]);
  });

  it('is hidden from one who lists the server of another organization', async () => {
    await attach(acme, { type: 'outbound', sip_endpoint: 'sip:198.51.100.60:5061;transport=tls' });
    await attach(globex, inbound('198.51.100.60'));
    await publish(from('198.51.100.60'));
    expect(await sightingsOf(globex)).toEqual([]);
  });

  it('is hidden from one who lists an address from which another organization is called', async () => {
    const at = new Date().toISOString();
    const record = sampleRecord(randomUUID(), {
      organization: acme.id,
      source: { address: '198.51.100.70', port: 5061, protocol: 'tls' },
      started_at: at,
      answered_at: at,
      ended_at: at,
    });
    await redis.xadd(callStream, '*', 'record', JSON.stringify(record));
    const isStored = async (): Promise<boolean> =>
      (
        await bench.database
          .selectFrom('calls')
          .selectAll()
          .where('source_address', '=', '198.51.100.70')
          .execute()
      ).length > 0;
    await until(isStored, 5_000, 'the call is stored');
    await attach(globex, inbound('198.51.100.70'));
    await publish(from('198.51.100.70'));
    expect(await sightingsOf(globex)).toEqual([]);
  });

  it('is hidden from one who lists an address in a range of another organization’s shared trunk', async () => {
    for (const [name, range] of [
      ['plain', '198.51.100.80/28'],
      ['mapped', '::ffff:198.51.100.96/124'],
    ]) {
      const trunk = { name, directions: [inbound(range!)] };
      expect((await api.post('/v1/trunks', acme.key, trunk)).status).toBe(200);
    }
    await attach(globex, inbound('198.51.100.85', '198.51.100.100'));
    await publish(from('198.51.100.85'));
    await publish(from('198.51.100.100'));
    expect(await sightingsOf(globex)).toEqual([]);
  });

  it.each([
    ['192.0.2.0/24', '192.0.2.200'],
    ['192.0.2.192/27', '192.0.2.201'],
    ['2001:db8::/48', '2001:db8::200'],
  ])('is hidden from one who lists %s, which is too wide to be one site', async (range, address) => {
    await attach(globex, inbound(range));
    await publish(from(address));
    expect(await sightingsOf(globex)).toEqual([]);
  });

  it('comes with the event stream, to its organization alone', async () => {
    const number = await attach(acme, inbound('203.0.113.1'));
    const open = ({ key }: { key: string }) =>
      EventReader.open(`${api.url}/v1/noc/events`, { authorization: `Bearer ${key}` });
    const [own, foreign] = await Promise.all([open(acme), open(globex)]);
    await Promise.all([own.next('snapshot'), foreign.next('snapshot')]);
    await publish({ method: 'INVITE', number: number.slice(1), organization: acme.id, status: null });
    expect((await own.next('sighting')).data).toMatchObject({
      phone_number: number,
      cause: 'The call was admitted.',
    });
    await publish({ method: 'REGISTER', number: null, organization: globex.id, status: 405 });
    expect((await foreign.next('sighting')).data).toMatchObject({
      advice: expect.stringContaining('registration'),
    });
    await stays(() => expect(foreign.seen.filter(({ event }) => event === 'sighting')).toHaveLength(1), 100);
    expect(own.seen.filter(({ event }) => event === 'sighting')).toHaveLength(1);
    own.close();
    foreign.close();
  });

  it('can be asked for by number', async () => {
    const [first, second] = [
      await attach(acme, inbound('203.0.113.1')),
      await attach(acme, inbound('203.0.113.1')),
    ];
    await publish({ number: first.slice(1), organization: acme.id });
    await publish({ number: second.slice(1), organization: acme.id });
    const found = await sightingsOf(acme, `?phone_number=${encodeURIComponent(second)}`);
    expect(found.map((each: { phone_number: string }) => each.phone_number)).toEqual([second]);
  });
});
