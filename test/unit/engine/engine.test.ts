import { createSocket } from 'node:dgram';
import { afterEach, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/base/seeded-random.js';
import { readEngineSettings } from '../../../src/config/engine-settings.js';
import { Engine } from '../../../src/engine/engine.js';
import { MetricsServer } from '../../../src/engine/metrics-server.js';
import { FaultyLink } from '../../../src/testkit/faulty-link.js';
import { ManualClock } from '../../../src/testkit/manual-clock.js';
import { MemoryTransport } from '../../../src/testkit/memory-transport.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { PeerCall, sdp } from '../../support/peer-call.js';
import { WireClient } from '../../support/wire-client.js';

const silent = {
  wire: () => {},
  transport: () => {},
  defect: (error: unknown) => {
    throw error;
  },
};
const basics = ['--admin', '127.0.0.1:0', '--secret', 's', '--udp', '127.0.0.1:0', '--t1', '20'];

describe('settings of the engine', () => {
  test('are read with their defaults', () => {
    const settings = readEngineSettings([...basics, '--udp', '[::1]:5070', '--external-ip', '203.0.113.9']);
    expect(settings).toMatchObject({
      secret: 's',
      listeners: [
        { protocol: 'udp', host: '127.0.0.1', port: 0 },
        { protocol: 'udp', host: '::1', port: 5070 },
      ],
      externalHost: '203.0.113.9',
      timers: { t1: 20, t2: 4000, t4: 5000 },
      drainSeconds: 5,
      maximumFrame: 8_388_608,
    });
    expect(settings.tls).toMatchObject({ verify: true, clientCertificate: 'none' });
    expect(readEngineSettings([...basics, '--strict-parity']).maximumFrame).toBe(12_228);
  });
});

describe('the engine behind NAT', () => {
  test('advertises the external address, except on internal listeners', async () => {
    const nat = ['--tcp', '127.0.0.2:0', '--tcp', '127.0.0.3:0,internal', '--external-ip', '203.0.113.9'];
    const argv = [
      '--admin',
      '127.0.0.1:0',
      '--secret',
      's',
      '--udp',
      '127.0.0.3:0,internal,force-rport',
      ...nat,
    ];
    const { listeners } = readEngineSettings(argv);
    expect(listeners).toEqual([
      { protocol: 'udp', host: '127.0.0.3', port: 0, isInternal: true, forceRport: true },
      { protocol: 'tcp', host: '127.0.0.2', port: 0 },
      { protocol: 'tcp', host: '127.0.0.3', port: 0, isInternal: true },
    ]);
    const engine = new Engine(readEngineSettings(argv), silent);
    await engine.start();
    const listed = engine.listeners.map(({ protocol, advertisedHost }) => `${protocol} ${advertisedHost}`);
    await engine.stop();
    expect(listed.sort()).toEqual(['tcp 127.0.0.3', 'tcp 203.0.113.9', 'udp 127.0.0.3']);
  });
});

describe('the engine as a whole', () => {
  const opened: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.stop();
  });

  async function start(...more: string[]) {
    const engine = new Engine(readEngineSettings([...basics, ...more]), silent);
    await engine.start();
    opened.push(engine);
    const wire = await WireClient.connect({ host: '127.0.0.1', port: engine.adminPort });
    await wire.authenticate('s');
    await wire.route('invite', 'options');
    const { address: host, port } = engine.listeners[0]!;
    const peer = await SipPeer.open({ protocol: 'udp', target: { host, port } });
    opened.push({ stop: () => peer.close() });
    return { engine, wire, peer };
  }

  async function call(peer: SipPeer, wire: WireClient) {
    const caller = PeerCall.to(peer);
    await caller.invite();
    const invite = await wire.expectRequest('INVITE');
    await wire.respond(invite, 200, { body: sdp() });
    const answer = await caller.response(200);
    await caller.ack(answer.message);
    await wire.expectRequest('ACK');
    return caller;
  }

  test('drains: new calls are refused, active calls may end normally', async () => {
    const { engine, wire, peer } = await start();
    const caller = await call(peer, wire);
    const drained = engine.drain(5);
    const late = PeerCall.to(peer);
    await late.invite();
    const refusal = await late.response(503);
    expect(refusal.message.headers.has('Retry-After')).toBe(true);
    await late.ack(refusal.message);
    await caller.send('BYE');
    await wire.respond(await wire.expectRequest('BYE'), 200);
    await drained;
    expect(engine.snapshot().userAgent.dialogs).toBe(0);
  });

  test('stops: active calls end with BYE, and the application is notified', async () => {
    const { engine, wire, peer } = await start();
    const caller = await call(peer, wire);
    await engine.drain(0);
    const stopped = engine.stop();
    opened.splice(0, 1);
    const bye = await peer.expectRequest('BYE');
    await caller.respond(bye, 200);
    await wire.expectUnsolicited();
    await stopped;
    await wire.closed;
  });

  test('runs by the clock and over the transport that it is given', async () => {
    const clock = new ManualClock();
    const network = (address: string) => {
      const transport = new MemoryTransport(address);
      const engine = new Engine(readEngineSettings(basics), silent, clock, transport);
      opened.push(engine);
      return { engine, transport, layer: engine.transactions };
    };
    const [caller, callee] = [network('192.0.2.1'), network('192.0.2.2')];
    const faults = { loss: 0.5, duplication: 0.1, delay: [10, 200] } as const;
    const link = new FaultyLink(clock, seededRandom(7), faults, caller, callee);
    await caller.engine.start();
    const wire = await WireClient.connect({ host: '127.0.0.1', port: caller.engine.adminPort });
    await wire.authenticate('s');
    await wire.newRequest('OPTIONS sip:192.0.2.2 SIP/2.0', { CSeq: '1 OPTIONS' });
    await clock.advance(32_000);
    // No application is connected to the callee.
    const { message } = await wire.expectResponse({ method: 'OPTIONS' });
    expect([message.status, link.lost > 0]).toEqual([503, true]);
    expect(message.headers.get('To')).toContain('tag=');
    await wire.close();
  });

  test('names the port that is in use', async () => {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const { port } = socket.address();
    const engine = new Engine(readEngineSettings([...basics, '--udp', `127.0.0.1:${port}`]), silent);
    await expect(engine.start()).rejects.toThrow(`port ${port}: already in use`);
    socket.close();
    const { engine: first } = await start();
    const second = new Engine(
      readEngineSettings([...basics, '--admin', `127.0.0.1:${first.adminPort}`]),
      silent,
    );
    await expect(second.start()).rejects.toThrow(`admin 127.0.0.1 port ${first.adminPort}`);
  });

  test('serves them to clients with the token, if one is set', async () => {
    const { engine } = await start();
    const metrics = new MetricsServer(engine, { host: '127.0.0.1', port: 0 }, 'a-token-of-the-test');
    await metrics.start();
    opened.push(metrics);
    const ask = (path: string, authorization?: string) =>
      fetch(`http://127.0.0.1:${metrics.port}${path}`, { headers: authorization ? { authorization } : {} });
    for (const path of ['/metrics', '/counts', '/nothing']) {
      const refused = await ask(path);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await refused.json()).toMatchObject({ data: null, errors: [{ error: 'UNAUTHORIZED' }] });
      expect((await ask(path, 'Bearer a-token-of-the-tesT')).status).toBe(401);
    }
    const page = await ask('/metrics', 'Bearer a-token-of-the-test');
    expect(await page.text()).toContain('drachtio_stable_dialogs{type="inbound"} 0');
    expect((await ask('/counts', 'Bearer a-token-of-the-test')).status).toBe(200);
    expect(await (await ask('/livez')).json()).toEqual({ status: 'ok' });
  });

  test('offers its counts and metrics', async () => {
    const { engine, wire, peer } = await start();
    const metrics = new MetricsServer(engine, { host: '127.0.0.1', port: 0 });
    await metrics.start();
    opened.push(metrics);
    const caller = await call(peer, wire);
    const base = `http://127.0.0.1:${metrics.port}`;
    const counts = (await (await fetch(`${base}/counts`)).json()) as ReturnType<Engine['snapshot']>;
    expect(counts.userAgent).toMatchObject({ dialogs: 1, confirmedInbound: 1 });
    const text = await (await fetch(`${base}/metrics`)).text();
    expect(text).toContain('drachtio_stable_dialogs{type="inbound"} 1');
    expect(text).toContain('drachtio_sip_requests_in_total{method="INVITE"} 1');
    expect((await fetch(`${base}/nothing`)).status).toBe(404);
    await caller.send('BYE');
    await wire.respond(await wire.expectRequest('BYE'), 200);
  });
});
