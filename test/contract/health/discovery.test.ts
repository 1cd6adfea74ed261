import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { discoveryChannel, discoveryOfKey } from '../../../src/contract/discovery.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { DiscoveryRunner } from '../../../src/edge/discovery/discovery-runner.js';
import { edgeNames } from '../../../src/edge/routing/names.js';
import { EgressPolicy } from '../../../src/naming/egress.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { freePorts } from '../../support/free-ports.js';
import { ScriptedDns, type Zone } from '../../support/scripted-dns.js';
import { type Answer, type ApiUnderTest, startApi } from '../control/api-under-test.js';
import { ControlBench } from '../control/control-bench.js';
import { EngineBench } from '../engine-bench.js';
import { OptionsAnswerer } from './answering.js';
import { OptionsKamailio } from './options-kamailio.js';

let control: ControlBench;
let bench: EngineBench;
let api: ApiUnderTest;
let strictApi: ApiUnderTest;
let key: string;

beforeAll(async () => {
  control = await ControlBench.start();
  bench = await EngineBench.start(control.redis);
  api = await startApi(control, { DEMARC_DISCOVERY_ALLOW_PRIVATE: 'true' });
  strictApi = await startApi(control, { DEMARC_PRIVATE_NETWORKS: '10.99.0.0/16' });
  ({ key } = await createKey(control.database, control.organization, 'test'));
}, 180_000);

afterAll(async () => {
  await Promise.all([api?.stop(), strictApi?.stop(), bench?.stop()]);
  await control?.stop();
});

afterEach(() => bench.endTest());

function startEdge(zone?: Zone, allowPrivate = true): DiscoveryRunner {
  const { part } = bench.startEdge(
    (edge) =>
      new DiscoveryRunner({
        ...edge,
        settings: { allowPrivate, timeoutMilliseconds: 3_000 },
        egress: new EgressPolicy({ allowPrivate }),
        engine: bench.link,
        names: edgeNames(zone && { dns: new ScriptedDns(zone) }).targets,
      }),
  );
  return part;
}

const post = (body: unknown, at = api): Promise<Answer> => at.post('/v1/sip/discover', key, body);
const statusOf = (id: string, by = key): Promise<Answer> =>
  api.get(`/v1/sip/discover/status?discovery_id=${id}`, by);

async function discover(body: unknown) {
  const started = await post(body);
  expect([started.status, started.text]).toEqual([200, expect.stringContaining('disc_')]);
  let latest = started.body.data;
  await until(
    async () => {
      latest = (await statusOf(latest.discovery_id)).body.data;
      return latest.status !== 'running';
    },
    30_000,
    'end of the discovery',
  );
  return latest;
}

describe('discovery', () => {
  it('finds a Kamailio by its SRV records, and recommends TLS with the port left open', async () => {
    const [port, tlsPort] = (await freePorts(2)) as [number, number];
    const certificate = await bench.authority.issue('kamailio', ['pbx.example.com']);
    const kamailio = await OptionsKamailio.start({ port, tlsPort, certificate });
    bench.closing.push(() => kamailio.stop());
    const record = { priority: 10, weight: 5 };
    const name = 'node.example.com';
    startEdge({
      a: { '*': ['127.0.0.1'] },
      srv: {
        '_sips._tcp.pbx.example.com': [{ name, port: tlsPort, ...record }],
        '_sip._udp.pbx.example.com': [{ name, port, ...record }],
      },
    });
    const found = await discover({ host: 'pbx.example.com' });
    expect(found).toMatchObject({
      status: 'completed',
      failure: null,
      resolved_addresses: ['127.0.0.1'],
      recommended: { port: null, transport: 'tls', detected_system: 'Kamailio', mutual_tls: false },
    });
    expect(found.progress).toEqual({ done: 11, total: 11 });
    expect(found.srv_records).toHaveLength(2);
    expect(found.srv_records[0]).toMatchObject({
      service: '_sips._tcp.pbx.example.com',
      port: tlsPort,
      ...record,
    });
    const answered = found.attempts.filter(
      (attempt: { response_code: number | null }) => attempt.response_code === 200,
    );
    expect(answered.map((attempt: { transport: string }) => attempt.transport).sort()).toEqual([
      'tls',
      'udp',
    ]);
    expect(found.completed_at).not.toBeNull();
  });

  it('probes only the given port and transport, and reads system, codecs and methods', async () => {
    const peer = await SipPeer.open({ protocol: 'udp', target: bench.engine.listeners.udp! });
    const answerer = new OptionsAnswerer(
      peer,
      200,
      {
        'User-Agent': 'FPBX-16.0.40(18.20.0)',
        Allow: 'INVITE, ACK, CANCEL, OPTIONS, BYE, REFER',
        'Content-Type': 'application/sdp',
      },
      'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 8 0 111 101\r\na=rtpmap:111 opus/48000/2\r\na=rtpmap:101 telephone-event/8000\r\n',
    );
    bench.closing.push(
      () => peer.close(),
      () => answerer.stop(),
    );
    startEdge();
    const found = await discover({ host: '127.0.0.1', port: peer.port, transport: 'udp' });
    expect(found.attempts).toHaveLength(1);
    expect(found.recommended).toEqual({
      port: peer.port,
      transport: 'udp',
      user_agent: 'FPBX-16.0.40(18.20.0)',
      detected_system: 'FreePBX',
      codecs: ['PCMA', 'PCMU', 'opus'],
      methods: ['INVITE', 'ACK', 'CANCEL', 'OPTIONS', 'BYE', 'REFER'],
      mutual_tls: false,
    });
  });

  it.skipIf(isRealServer)(
    'names a server that demands a client certificate as one that is there',
    async () => {
      const [port, tlsPort] = (await freePorts(2)) as [number, number];
      const certificate = await bench.authority.issue('strict', ['pbx.example.com']);
      const kamailio = await OptionsKamailio.start({
        port,
        tlsPort,
        certificate,
        clientCaFile: bench.stranger.caFile,
      });
      bench.closing.push(() => kamailio.stop());
      startEdge({ a: { '*': ['127.0.0.1'] } });
      const found = await discover({ host: 'pbx.example.com', port: tlsPort });
      expect(found.recommended).toMatchObject({ port: tlsPort, transport: 'tls', mutual_tls: true });
    },
  );

  it.skipIf(isRealServer)('trusts the configured certificates', async () => {
    const [port, tlsPort] = (await freePorts(2)) as [number, number];
    const certificate = await bench.stranger.issue('private', ['pbx.example.com']);
    const kamailio = await OptionsKamailio.start({ port, tlsPort, certificate });
    bench.closing.push(() => kamailio.stop());
    startEdge({ a: { '*': ['127.0.0.1'] } });
    const body = { host: 'pbx.example.com', port: tlsPort, transport: 'tls' };
    expect((await discover(body)).attempts).toMatchObject([{ reason: 'certificate' }]);
    const found = await discover({ ...body, tls_ca: bench.stranger.ca });
    expect(found).toMatchObject({ recommended: { port: tlsPort, transport: 'tls' } });
    expect(found).not.toHaveProperty('tls_ca');
  });

  it('ends with nothing to recommend, or failed, where nothing is found', async () => {
    startEdge();
    const [port] = (await freePorts(1)) as [number];
    expect(await discover({ host: '127.0.0.1', port })).toMatchObject({
      status: 'completed',
      recommended: null,
    });
    expect(await discover({ host: 'no-such-host.invalid' })).toMatchObject({
      status: 'failed',
      failure: 'dns',
    });
  });

  it('runs once at a time per organization, on one edge, and is invisible to others', async () => {
    const edges = [startEdge(), startEdge()];
    await bench.listeners(discoveryChannel, 2);
    const peer = await SipPeer.open({ protocol: 'udp', target: bench.engine.listeners.udp! });
    bench.closing.push(() => peer.close());
    const body = { host: '127.0.0.1', port: peer.port, transport: 'udp' };
    const started = await post(body);
    const { discovery_id: id } = started.body.data;
    expect(edges.map(({ size }) => size).sort()).toEqual([0, 1]);
    const second = await post(body);
    expect([second.status, second.body.errors[0].error]).toEqual([409, 'DISCOVERY_RUNNING']);
    expect(second.body.errors[0].message).toBe(`A discovery is already running: ${id}`);
    const otherOrganization = await createOrganization(control.database, { name: 'other', sipEnabled: true });
    const { key: otherKey } = await createKey(control.database, otherOrganization.id, 'test');
    expect((await statusOf(id, otherKey)).status).toBe(404);
    await until(async () => (await statusOf(id)).body.data.status === 'completed', 5_000, 'completed');
    expect((await post(body)).status).toBe(200);
  });

  it('reports that no edge is up', async () => {
    const failed = await post({ host: '127.0.0.1' });
    expect(failed.body.data).toMatchObject({ status: 'failed', failure: 'no_edge' });
    expect(await bench.client.exists(discoveryOfKey(control.organization))).toBe(0);
  });
});

describe('what must not be scanned', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '192.168.1.1',
    '169.254.169.254',
    '224.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[fe80::1]',
    '[fd00::1]',
    '[::ffff:10.0.0.1]',
    '100.64.0.1',
  ])('refuses %s at once', async (host) => {
    const refused = await post({ host }, strictApi);
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'host']);
  });

  it('accepts an address of a private network that the operator lists', async () => {
    expect((await post({ host: '10.99.1.2' }, strictApi)).status).toBe(200);
  });

  it('refuses multicast also where private addresses are allowed', async () => {
    expect((await post({ host: '224.0.0.1' })).status).toBe(400);
  });

  it('sends nothing to a name that resolves to a private address, directly or by SRV', async () => {
    const peer = await SipPeer.open({ protocol: 'udp', target: bench.engine.listeners.udp! });
    const answerer = new OptionsAnswerer(peer, 200);
    bench.closing.push(
      () => peer.close(),
      () => answerer.stop(),
    );
    startEdge(
      {
        a: { '*': ['10.0.0.1'], 'inside.example.com': ['127.0.0.1', '::ffff:127.0.0.1'] },
        srv: {
          '_sip._udp.pbx.example.com': [
            { name: 'inside.example.com', port: peer.port, priority: 1, weight: 1 },
          ],
        },
      },
      false,
    );
    const found = await discover({ host: 'pbx.example.com' });
    expect(found).toMatchObject({ status: 'failed', failure: 'forbidden_address', attempts: [] });
    expect(answerer.asked).toBe(0);
  });
});
