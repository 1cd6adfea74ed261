import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointName, probeLeaseKey } from '../../../src/contract/health.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { type EngineUnderTest, startEngine } from '../../support/engine-under-test.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { type ApiUnderTest, startApi } from '../control/api-under-test.js';
import { ControlBench } from '../control/control-bench.js';
import { EdgeProcesses } from '../edge-processes.js';
import { OptionsAnswerer } from './answering.js';

const edgeIds = ['edge-one', 'edge-two'];

let bench: ControlBench;
let api: ApiUnderTest;
let key: string;
let engine: EngineUnderTest;
let peer: SipPeer;
let answerer: OptionsAnswerer;
let edges: EdgeProcesses;

const number = '+14155550171';
const status = async (parameters = '') =>
  (await api.get(`/v1/sip/status?phone_number=${encodeURIComponent(number)}${parameters}`, key)).body.data;

beforeAll(async () => {
  [bench, engine] = await Promise.all([ControlBench.start(), startEngine()]);
  api = await startApi(bench);
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  peer = await SipPeer.open({ protocol: 'udp', target: engine.listeners.udp! });
  answerer = new OptionsAnswerer(peer, 200);
  edges = new EdgeProcesses(engine, bench.redis.url, {
    DEMARC_PROBE_INTERVAL_SECONDS: '1',
    // The server is in this process, which may be stalled for longer than a shorter one.
    DEMARC_PROBE_TIMEOUT_MS: '3000',
  });
  await Promise.all(edgeIds.map((id) => edges.start(id)));
}, 180_000);

afterAll(async () => {
  await edges?.stop();
  await answerer?.stop();
  await peer?.close();
  await api?.stop();
  await Promise.all([bench?.stop(), engine?.stop()]);
});

describe('GET /v1/sip/status with two edges', () => {
  it('is unchecked for an inbound-only number, also when probed', async () => {
    const inboundOnly = '+14155550172';
    const attached = await api.post('/v1/sip/attach', key, {
      phone_number: inboundOnly,
      directions: [{ type: 'inbound', allowed_ips: ['192.0.2.1'] }],
      service: 'sip',
    });
    expect(attached.status).toBe(200);
    const path = `/v1/sip/status?phone_number=${encodeURIComponent(inboundOnly)}&probe=now`;
    expect((await api.get(path, key)).body.data).toMatchObject({
      status: 'unchecked',
      response_time_ms: null,
      checked_at: null,
      probe: null,
      endpoints: [],
    });
  });

  it('probes a number that was just attached', async () => {
    const attached = await api.post('/v1/sip/attach', key, {
      phone_number: number,
      directions: [
        {
          type: 'outbound',
          sip_endpoint: 'sip:127.0.0.1',
          options: { port: peer.port, transport: 'udp' },
        },
      ],
      service: 'sip',
    });
    expect(attached.status).toBe(200);
    const askedAt = Date.now();
    const probed = await status('&probe=now');
    expect(probed).toMatchObject({ status: 'healthy', reason: null, probe: 'completed' });
    expect(probed.response_time_ms).toBeGreaterThan(0);
    expect(Date.parse(probed.checked_at)).toBeGreaterThan(askedAt - 1_000);
    await until(async () => (await status()).uptime_percent['24h'] === 100, 5_000, 'uptime');
    const kept = await status();
    expect(kept).toMatchObject({
      status: 'healthy',
      probe: null,
      uptime_percent: { '24h': 100, '7d': 100, '30d': 100 },
    });
    expect(kept.average_response_time_ms['30d']).toBeGreaterThan(0);
    const { numbers } = (await api.get('/v1/sip/numbers', key)).body.data;
    expect(
      numbers.map((number: { phone_number: string; health_status: string }) => [
        number.phone_number,
        number.health_status,
      ]),
    ).toEqual([
      [number, 'healthy'],
      ['+14155550172', 'unchecked'],
    ]);
  });

  it('is taken over by the other edge when the one that probes is killed', async () => {
    const client = bench.redis.client();
    const endpoint = endpointName({ host: '127.0.0.1', port: peer.port, transport: 'udp' });
    const holder = async (): Promise<string | undefined> =>
      (await client.get(probeLeaseKey(endpoint)))?.split(' ')[0];
    const first = (await holder())!;
    expect(edgeIds).toContain(first);
    edges.running.get(first)!.signal('SIGKILL');
    const second = edgeIds.find((id) => id !== first)!;
    await until(async () => (await holder()) === second, 5_000, 'the other edge holds the lease');
    const asked = answerer.asked;
    await until(() => answerer.asked > asked, 3_000, 'the other edge probes');
    expect((await status('&probe=now')).probe).toBe('completed');
    client.disconnect();
  });

  it('shows a server that went silent, and that it is back', async () => {
    answerer.status = 0;
    await until(async () => (await status()).status === 'unreachable', 8_000, 'unreachable');
    const silent = await status();
    expect(silent).toMatchObject({ reason: 'timeout', response_time_ms: null });
    await until(async () => (await status()).uptime_percent['24h'] < 100, 5_000, 'less uptime');
    expect((await status()).uptime_percent['24h']).toBeGreaterThan(0);
    answerer.status = 200;
    let back = await status('&probe=now');
    // A question that was under way when the server came back still has no answer.
    if (back.status !== 'healthy') back = await status('&probe=now');
    expect(back).toMatchObject({ status: 'healthy', probe: 'completed' });
  });

  it('distinguishes a 503 from an unreachable server', async () => {
    answerer.status = 503;
    let probed = await status('&probe=now');
    if (probed.status === 'healthy') probed = await status('&probe=now');
    expect(probed).toMatchObject({
      status: 'unreachable',
      reason: 'service_unavailable',
      probe: 'completed',
    });
    expect(probed.endpoints[0].sip_code).toBe(503);
    answerer.status = 200;
  });

  it('answers with the last known state, marked as such, when no edge is up', async () => {
    // As when the supervisor of an edge is killed: the edge must not stay behind.
    for (const edge of edges.running.values()) {
      if (edge.isRunning) edge.disconnect();
      await edge.exit(10_000);
    }
    const watch = Stopwatch.start();
    const probed = await status('&probe=now');
    expect(watch.milliseconds).toBeLessThan(watch.bound(20_000));
    expect(probed.probe).toBe('unanswered');
    expect(probed.checked_at).not.toBeNull();
  });

  it('refuses another value of probe, and numbers of others', async () => {
    const path = `/v1/sip/status?phone_number=${encodeURIComponent(number)}`;
    expect((await api.get(`${path}&probe=later`, key)).status).toBe(400);
    expect((await api.get('/v1/sip/status?phone_number=%2B14155550999', key)).status).toBe(404);
  });
});
