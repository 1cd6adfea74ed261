import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { HealthSettings } from '../../../src/config/edge-settings.js';
import {
  type Endpoint,
  type EndpointHealth,
  endpointHealthSchema,
  endpointName,
  healthKey,
  healthStream,
  probeChannel,
  probeLeaseKey,
} from '../../../src/contract/health.js';
import { HealthProber } from '../../../src/edge/health/health-prober.js';
import { type EdgeNamesDeps, edgeNames } from '../../../src/edge/routing/names.js';
import { EngineLink } from '../../../src/edge/sip/engine-link.js';
import { EgressPolicy } from '../../../src/naming/egress.js';
import { type PeerOptions, SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { freePort, freePorts } from '../../support/free-ports.js';
import { configureNumber, NumberWriter } from '../../support/number-writer.js';
import { ScriptedDns } from '../../support/scripted-dns.js';
import { sideBySide } from '../../support/side-by-side.js';
import { stays } from '../../support/stays.js';
import { EngineBench, log } from '../engine-bench.js';
import { OptionsAnswerer } from './answering.js';
import { OptionsKamailio } from './options-kamailio.js';

const usual: HealthSettings = {
  intervalMilliseconds: 60_000,
  // This process, which has the edges and some of the servers, may be stalled for longer than shorter ones.
  timeoutMilliseconds: 3_000,
  leaseMilliseconds: 3_000,
  callEvidenceMilliseconds: 60_000,
  maximumRetryAfterMilliseconds: 300_000,
  maximumTargets: 8,
  streamLength: 1_000,
};

sideBySide(2, () => {
  let bench: EngineBench;
  beforeAll(async () => {
    bench = await EngineBench.start();
  }, 180_000);
  afterAll(() => bench?.stop());
  afterEach(() => bench.endTest());

  let lastNumber = 493_000_000;

  async function attach(...outbound: readonly Endpoint[]): Promise<void> {
    const number = String(++lastNumber);
    await configureNumber(bench.client, number, {
      outbound: outbound.map((endpoint, index) => ({ id: `server-${index}`, ...endpoint })),
    });
  }

  function startProber(
    { allowPrivate = true, ...settings }: Partial<HealthSettings> & { allowPrivate?: boolean } = {},
    names: EdgeNamesDeps = {},
    engine = bench.link,
  ) {
    const { part } = bench.startEdge(
      (edge) =>
        new HealthProber({
          ...edge,
          settings: { ...usual, ...settings },
          engine,
          egress: new EgressPolicy({ allowPrivate }),
          names: edgeNames(names).targets,
        }),
    );
    return part;
  }

  async function checks(endpoint: string): Promise<EndpointHealth[]> {
    const entries = await bench.client.xrange(healthStream, '-', '+');
    return entries
      .map(([, fields]) => endpointHealthSchema.parse(JSON.parse(fields[1]!)))
      .filter((check) => check.endpoint === endpoint);
  }

  async function healthOf(
    endpoint: Endpoint,
    settings?: Parameters<typeof startProber>[0],
  ): Promise<EndpointHealth> {
    const name = endpointName(endpoint);
    await attach(endpoint);
    startProber(settings);
    await until(async () => (await bench.client.exists(healthKey(name))) === 1, 8_000, `health of ${name}`);
    return endpointHealthSchema.parse(JSON.parse((await bench.client.get(healthKey(name)))!));
  }

  async function peer(options: Omit<PeerOptions, 'target'>): Promise<SipPeer> {
    const opened = await SipPeer.open({ target: bench.engine.listeners[options.protocol]!, ...options });
    bench.closing.push(() => opened.close());
    return opened;
  }

  function answering(at: SipPeer, status: number, headers: Record<string, string> = {}): OptionsAnswerer {
    const answerer = new OptionsAnswerer(at, status, headers);
    bench.closing.push(() => answerer.stop());
    return answerer;
  }

  describe('probing', () => {
    it('finds a Kamailio over UDP, TCP and TLS', async () => {
      const [port, tlsPort] = (await freePorts(2)) as [number, number];
      const kamailio = await OptionsKamailio.start({
        port,
        tlsPort,
        certificate: await bench.authority.issue('kamailio'),
      });
      bench.closing.push(() => kamailio.stop());
      const servers: Endpoint[] = [
        { host: '127.0.0.1', port, transport: 'udp' },
        { host: '127.0.0.1', port, transport: 'tcp' },
        { host: 'localhost', port: tlsPort, transport: 'tls' },
      ];
      for (const server of servers) {
        const health = await healthOf(server);
        expect(health).toMatchObject({ status: 'healthy', reason: null, sip_status: 200, evidence: 'probe' });
        expect(health.response_time_milliseconds).toBeGreaterThan(0);
      }
    });

    it('counts any final response but 503 as reachable', async () => {
      const refusing = await peer({ protocol: 'udp' });
      answering(refusing, 403);
      expect(await healthOf({ host: '127.0.0.1', port: refusing.port, transport: 'udp' })).toMatchObject({
        status: 'healthy',
        sip_status: 403,
      });
    });

    it('honours a real 503, and does not probe the server until Retry-After', async () => {
      const busy = await peer({ protocol: 'tcp' });
      const count = answering(busy, 503, { 'Retry-After': '8 (maintenance);duration=60' });
      const endpoint: Endpoint = { host: '127.0.0.1', port: busy.port, transport: 'tcp' };
      const begun = Date.now();
      const health = await healthOf(endpoint, { intervalMilliseconds: 400 });
      expect(health).toMatchObject({ status: 'unreachable', reason: 'service_unavailable', sip_status: 503 });
      const retryAt = Date.parse(health.targets[0]!.retry_at!);
      expect(retryAt - begun).toBeGreaterThan(7_900);
      await until(async () => (await checks(endpointName(endpoint))).length >= 3, 5_000, 'three checks');
      if (Date.now() < retryAt) expect(count.asked).toBe(1);
      await until(() => count.asked === 2, 12_000, 'asked again');
      expect(Date.now()).toBeGreaterThanOrEqual(retryAt);
    });

    it.skipIf(isRealServer)('distinguishes refused, silent, unresolvable and unsupported', async () => {
      const silent = await peer({ protocol: 'udp' });
      const closed = await freePort();
      const expected: [Endpoint, string][] = [
        [{ host: '127.0.0.1', port: closed, transport: 'tcp' }, 'refused'],
        [{ host: '127.0.0.1', port: closed, transport: 'tls' }, 'refused'],
        [{ host: '127.0.0.1', port: closed, transport: 'udp' }, 'refused'],
        [{ host: '127.0.0.1', port: silent.port, transport: 'udp' }, 'timeout'],
        [{ host: 'no-such-host.invalid', transport: 'tls' }, 'dns'],
        [{ host: '::1', port: closed, transport: 'tls' }, 'no_transport'],
      ];
      for (const [endpoint, reason] of expected) {
        const health = await healthOf(endpoint);
        expect([endpointName(endpoint), health.status, health.reason]).toEqual([
          endpointName(endpoint),
          'unreachable',
          reason,
        ]);
        expect(health.detail).not.toBeNull();
        expect(health.sip_status).toBeNull();
      }
    });

    it.skipIf(isRealServer)('names certificates that are not trusted, or of another name', async () => {
      const untrusted = await peer({ protocol: 'tls', certificate: await bench.stranger.issue('untrusted') });
      const misnamed = await peer({
        protocol: 'tls',
        certificate: await bench.authority.issue('misnamed', ['pbx.example.com']),
      });
      for (const at of [untrusted, misnamed]) {
        const health = await healthOf({ host: 'localhost', port: at.port, transport: 'tls' });
        expect(health).toMatchObject({ status: 'unreachable', reason: 'certificate' });
      }
    });

    it.skipIf(isRealServer)(
      'trusts what one of the numbers trusts, a private authority or the very certificate',
      async () => {
        const certificate = await bench.stranger.issue('private');
        for (const tls_ca of [bench.stranger.ca, certificate.cert]) {
          const server = await peer({ protocol: 'tls', certificate });
          answering(server, 200);
          const { port } = server;
          const endpoint = { host: 'localhost', port, transport: 'tls' } as const;
          await attach(endpoint);
          startProber();
          const isKnown = async (status: string) =>
            (await checks(endpointName(endpoint))).at(-1)?.status === status;
          await until(() => isKnown('unreachable'), 8_000, 'the check without an authority');
          // A new authority is tried at once.
          await attach({ ...endpoint, tls_ca });
          await until(() => isKnown('healthy'), 8_000, 'the check with the authority');
        }
      },
    );

    it.skipIf(isRealServer).each(['TLSv1.2', 'TLSv1.2+'])(
      'names a demand for a client certificate over %s',
      async (tlsMethod) => {
        const [port, tlsPort] = (await freePorts(2)) as [number, number];
        const kamailio = await OptionsKamailio.start({
          port,
          tlsPort,
          certificate: await bench.authority.issue('strict'),
          clientCaFile: bench.stranger.caFile,
          tlsMethod,
        });
        bench.closing.push(() => kamailio.stop());
        const health = await healthOf({ host: 'localhost', port: tlsPort, transport: 'tls' });
        expect(health).toMatchObject({ status: 'unreachable', reason: 'mutual_tls_required' });
      },
    );

    it('probes every address of a name with the name that the certificate carries', async () => {
      const good = await peer({
        protocol: 'tls',
        certificate: await bench.authority.issue('named', ['pbx.example.com']),
      });
      answering(good, 200);
      const closed = await freePort();
      const endpoint: Endpoint = { host: 'pbx.example.com', transport: 'tls' };
      await attach(endpoint);
      startProber(
        {},
        {
          dns: new ScriptedDns({
            srv: {
              '_sips._tcp.pbx.example.com': [
                { name: 'second.example.com', port: good.port, priority: 20, weight: 0 },
                { name: 'first.example.com', port: closed, priority: 10, weight: 0 },
              ],
            },
            a: { '*': ['127.0.0.1'] },
          }),
        },
      );
      const name = endpointName(endpoint);
      await until(async () => (await bench.client.exists(healthKey(name))) === 1, 5_000, 'health');
      const health = endpointHealthSchema.parse(JSON.parse((await bench.client.get(healthKey(name)))!));
      expect(health.status).toBe('healthy');
      expect(health.targets.map(({ address, status }) => [address, status])).toEqual([
        [`127.0.0.1:${closed}`, 'unreachable'],
        [`127.0.0.1:${good.port}`, 'healthy'],
      ]);
      expect(good.serverNames).toContain('pbx.example.com');
    });

    it('probes no private address where customers do not trust each other, even through a name', async () => {
      const at = await peer({ protocol: 'udp' });
      const count = answering(at, 200);
      const health = await healthOf(
        { host: 'localhost', port: at.port, transport: 'udp' },
        { allowPrivate: false },
      );
      expect(health).toMatchObject({
        status: 'unreachable',
        reason: 'network',
        response_time_milliseconds: null,
      });
      expect(count.asked).toBe(0);
    });

    it('believes a call that was answered more than probes that are ignored', async () => {
      const silent = await peer({ protocol: 'udp' });
      const endpoint: Endpoint = { host: '127.0.0.1', port: silent.port, transport: 'udp' };
      await attach(endpoint);
      const prober = startProber({ timeoutMilliseconds: 300, intervalMilliseconds: 500 });
      const name = endpointName(endpoint);
      await until(async () => (await checks(name)).length > 0, 5_000, 'a check');
      expect((await checks(name)).at(-1)).toMatchObject({ status: 'unreachable', reason: 'timeout' });
      await prober.answeredCall(endpoint);
      await until(async () => (await checks(name)).at(-1)?.status === 'healthy', 5_000, 'healthy');
      expect((await checks(name)).at(-1)).toMatchObject({ evidence: 'call', reason: null });
    });
  });

  describe('sharing the work', () => {
    it('probes a server of several numbers once, by one of two edges', async () => {
      const at = await peer({ protocol: 'udp' });
      const count = answering(at, 200);
      const endpoint: Endpoint = { host: '127.0.0.1', port: at.port, transport: 'udp' };
      await attach(endpoint);
      await attach(endpoint);
      const probers = [startProber(), startProber()];
      await until(() => count.asked > 0, 5_000, 'asked');
      await stays(() => expect(count.asked).toBe(1), 1_500);
      expect(probers.map(({ size }) => size).sort()).toEqual([0, 1]);
    });

    it('probes about every interval, with jitter', async () => {
      const at = await peer({ protocol: 'udp' });
      answering(at, 200);
      const endpoint: Endpoint = { host: '127.0.0.1', port: at.port, transport: 'udp' };
      await attach(endpoint);
      startProber({ intervalMilliseconds: 400 });
      const name = endpointName(endpoint);
      await until(async () => (await checks(name)).length >= 6, 8_000, 'six checks');
      const times = (await checks(name)).map(({ checked_at }) => Date.parse(checked_at));
      const gaps = times.slice(1).map((time, index) => time - times[index]!);
      for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(340);
      expect(new Set(gaps).size).toBeGreaterThan(1);
    });

    it('hands its servers to another edge when it stops, adds new ones and drops detached ones', async () => {
      const at = await peer({ protocol: 'udp' });
      const count = answering(at, 200);
      const endpoint: Endpoint = { host: '127.0.0.1', port: at.port, transport: 'udp' };
      const first = startProber();
      await bench.listeners(probeChannel, 1);
      await attach(endpoint);
      await until(() => count.asked === 1, 2_000, 'a new number is probed at once');
      const second = startProber();
      await stays(() => expect([first.size, second.size]).toEqual([1, 0]), 300);
      await first.stop();
      await until(() => second.size === 1, 2_000, 'taken over');
      // The earlier result is still valid: no server is probed twice.
      expect(count.asked).toBe(1);
      await new NumberWriter(bench.client).delete(String(lastNumber));
      await until(() => second.size === 0, 2_000, 'dropped');
      expect(await bench.client.exists(probeLeaseKey(endpointName(endpoint)))).toBe(0);
    });

    it('probes at once on request, but rate-limited', async () => {
      const at = await peer({ protocol: 'udp' });
      const count = answering(at, 200);
      const endpoint: Endpoint = { host: '127.0.0.1', port: at.port, transport: 'udp' };
      await attach(endpoint);
      startProber();
      await until(async () => (await checks(endpointName(endpoint))).length === 1, 2_000, 'checked');
      for (let each = 0; each < 20; each++) await bench.client.publish(probeChannel, endpointName(endpoint));
      await until(() => count.asked === 2, 2_000, 'asked again');
      await stays(() => expect(count.asked).toBe(2), 500);
    });

    it('reports no server state while the engine is down', async () => {
      const silent = await peer({ protocol: 'udp' });
      const endpoint: Endpoint = { host: '127.0.0.1', port: silent.port, transport: 'udp' };
      await attach(endpoint);
      const prober = startProber({}, {}, new EngineLink(log));
      await stays(() => expect(prober.size).toBe(0), 1_000);
      expect(await bench.client.exists(healthKey(endpointName(endpoint)))).toBe(0);
    });
  });
});
