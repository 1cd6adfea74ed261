import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CallRecord } from '../../../src/contract/call-record.js';
import { failoverKey } from '../../../src/contract/failover.js';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import { TestAuthority } from '../../support/certificates.js';
import { isRealServer, startEngine } from '../../support/engine-under-test.js';
import { freePort, freePorts } from '../../support/free-ports.js';
import { sideBySide } from '../../support/side-by-side.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { CallBench, calledNumber } from '../call/bench.js';
import { agentDescription } from '../media/descriptions.js';
import { AnsweringKamailio } from './answering-kamailio.js';

/** Real servers, and servers that are dead in the ways that servers die. */
const key = generateSecretKey();
let authority: TestAuthority;
let busy: AnsweringKamailio;
let unavailable: AnsweringKamailio;
let alsoUnavailable: AnsweringKamailio;
let challenging: AnsweringKamailio;
const closing: (() => void)[] = [];

const name = 'pbx.demarc.test';
const mayMount = !isRealServer && process.getuid?.() === 0;
if (!mayMount && !isRealServer) console.log('Names with several addresses are not tried: that needs root.');

function hostsFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'demarc-hosts-'));
  closing.push(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'hosts');
  writeFileSync(file, `127.0.0.1 localhost\n127.0.0.2 ${name}\n127.0.0.1 ${name}\n`);
  return file;
}

async function answering(answer: string): Promise<AnsweringKamailio> {
  const [udpPort, tlsPort] = (await freePorts(2)) as [number, number];
  const certificate = await authority.issue(`server-${tlsPort}`, [name, '127.0.0.1']);
  return AnsweringKamailio.start({ udpPort, tlsPort, certificate, answer });
}

beforeAll(async () => {
  authority = await TestAuthority.create();
  [busy, unavailable, alsoUnavailable, challenging] = (await Promise.all(
    ['486 Busy Here', '503 Service Unavailable', '503 Service Unavailable', 'challenge'].map(answering),
  )) as [AnsweringKamailio, AnsweringKamailio, AnsweringKamailio, AnsweringKamailio];
}, 180_000);
afterAll(async () => {
  for (const server of [busy, unavailable, alsoUnavailable, challenging]) await server?.stop();
  for (const close of closing) close();
  authority?.remove();
});

type Transport = 'udp' | 'tls';
type Death = 'refusing' | 'silent' | '503';
const expected = {
  refusing: { trigger: 'unreachable', is_local: true },
  silent: { sip_status: 408, trigger: 'timeout', is_local: true },
  '503': { sip_status: 503, trigger: 'unreachable', is_local: false },
} as const;
/** Milliseconds that a server may take from a call before the next one is asked. */
const bound = { refusing: 3_000, silent: 7_500, '503': 3_000 } as const;

const portOf = ({ settings }: AnsweringKamailio, transport: Transport): number =>
  transport === 'udp' ? settings.udpPort : settings.tlsPort;

async function deadPort(death: Death, transport: Transport, isSecond: boolean): Promise<number> {
  if (death === '503') return portOf(isSecond ? alsoUnavailable : unavailable, transport);
  return death === 'silent' ? silentPort(transport) : freePort();
}

async function silentPort(transport: Transport): Promise<number> {
  const port = await freePort();
  await silentAt('127.0.0.1', port, transport);
  return port;
}

/** A server that accepts everything and never answers. */
async function silentAt(address: string, port: number, transport: Transport): Promise<void> {
  if (transport === 'udp') {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(port, address, resolve));
    closing.push(() => socket.close());
    return;
  }
  const server = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  closing.push(() => server.close());
}

sideBySide(3, () => {
  let bench: CallBench;
  beforeAll(async () => {
    bench = await CallBench.start({ DEMARC_SECRET_KEY: key }, () =>
      startEngine({ t1: 200, authority, ...(mayMount ? { hostsFile: hostsFile() } : {}) }),
    );
  }, 180_000);
  afterAll(async () => {
    try {
      if (!isRealServer) await bench?.expectNothingLeft(40_000);
    } finally {
      await bench?.stop();
    }
  });
  afterEach(async () => {
    await bench.redis.del(failoverKey(calledNumber));
  });

  /** One call over these servers; its record, how long the trunk took, and the watch that bounds this. */
  async function callOver(
    transport: Transport,
    ports: readonly number[],
    fields: {
      triggers?: readonly string[];
      credential?: object;
      host?: string;
      backups?: readonly object[];
      tls_ca?: string;
    } = {},
  ): Promise<{ record: CallRecord; milliseconds: number; watch: Stopwatch }> {
    const { triggers = ['unreachable', 'timeout'], credential, host = '127.0.0.1' } = fields;
    const [first, ...rest] = ports.map((port) => ({ host, port, transport }));
    const backups = [...rest, ...(fields.backups ?? [])];
    await bench.configure({
      outbound: [
        { id: 'out', ...first, tls_ca: fields.tls_ca, ...(credential === undefined ? {} : { credential }) },
      ],
      outbound_policy:
        backups.length === 0 ? {} : { failover: { endpoints: backups, triggers, failback: 'auto' } },
    });
    await bench.order();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription() });
    const watch = Stopwatch.start();
    await bench.agent.expectRequest('ACK', { callId: agent.callId, milliseconds: 15_000 });
    const { milliseconds } = watch;
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    return { record: await bench.record(), milliseconds, watch };
  }

  const credential = { username: 'trunk-1', password: new SecretBox([key]).seal('battery-staple') };

  const deaths: readonly [Death, Death][] = [
    ['refusing', 'refusing'],
    ['503', '503'],
    ['refusing', 'silent'],
    ['503', 'refusing'],
  ];

  describe.skipIf(isRealServer)('a server whose certificate was issued by a private CA', () => {
    it('is called by the trunk that trusts this CA, and by no other', async () => {
      const stranger = await TestAuthority.create('CN=Somebody else');
      const [udpPort, tlsPort] = (await freePorts(2)) as [number, number];
      const certificate = await stranger.issue('private', ['127.0.0.1']);
      const server = await AnsweringKamailio.start({
        udpPort,
        tlsPort,
        certificate,
        answer: '486 Busy Here',
      });
      closing.push(
        () => void server.stop(),
        () => stranger.remove(),
      );
      const trusting = await callOver('tls', [tlsPort], { tls_ca: stranger.ca });
      expect(trusting.record).toMatchObject({ sip_status: 486, outcome: 'refused' });
      const next = await callOver('tls', [tlsPort]);
      expect(next.record).toMatchObject({
        end_reason: 'trunk_unreachable',
        detail: expect.stringContaining('issuer is not trusted'),
      });
    });
  });

  describe.each<Transport>(['tls', 'udp'])('of three Kamailios over %s', (transport) => {
    // Silence takes its time, and is the same twice.
    it.each(transport === 'udp' ? [...deaths, ['silent', 'silent'] as const] : deaths)(
      'two are dead, %s and %s: the third has the call in time',
      async (first, second) => {
        const ports = [await deadPort(first, transport, false), await deadPort(second, transport, true)];
        const { record, milliseconds, watch } = await callOver(transport, [
          ...ports,
          portOf(busy, transport),
        ]);
        expect(record.attempts).toMatchObject([
          expected[first],
          expected[second],
          { sip_status: 486, trigger: null, is_local: false },
        ]);
        expect(record).toMatchObject({ end_reason: 'trunk_refused', sip_status: 486, outcome: 'refused' });
        [first, second].forEach((death, index) => {
          expect(record.attempts[index]!.duration_milliseconds).toBeLessThan(watch.bound(bound[death]));
        });
        expect(milliseconds).toBeLessThan(watch.bound(bound[first] + bound[second] + 3_000));
        expect(new Set(record.attempts.map(({ sip_call_id: id }) => id)).size).toBe(3);
        const invites = record.trace.filter(({ leg, summary }) => leg === 'trunk' && summary === 'INVITE');
        const sentTo = new Set(invites.map(({ destination }) => destination));
        // A connection that is refused, or never made, carries nothing.
        expect(sentTo.has(`127.0.0.1:${portOf(busy, transport)}`)).toBe(true);
      },
    );

    it('one answers busy: no other server is tried', async () => {
      const { record } = await callOver(transport, [portOf(busy, transport), portOf(unavailable, transport)]);
      expect(record.attempts).toMatchObject([{ sip_status: 486, trigger: null }]);
    });

    it('one refuses the credentials: the next is tried where the trigger is listed', async () => {
      const ports = [portOf(challenging, transport), portOf(busy, transport)];
      const listed = await callOver(transport, ports, { triggers: ['auth_failure'], credential });
      expect(listed.record.attempts).toMatchObject([
        { sip_status: 407, trigger: 'auth_failure', is_local: false },
        { sip_status: 486 },
      ]);
      const invites = listed.record.trace.filter(
        ({ summary, leg }) => summary === 'INVITE' && leg === 'trunk',
      );
      // Asked, answered with credentials, and on to the next.
      expect(invites).toHaveLength(3);
      await bench.redis.del(failoverKey(calledNumber));
      const unlisted = await callOver(transport, ports, { credential });
      expect(unlisted.record).toMatchObject({ sip_status: 407, end_reason: 'trunk_refused' });
      expect(unlisted.record.attempts).toHaveLength(1);
    });

    it('all are dead: the call ends in time and reports each', async () => {
      const ports = [await freePort(), portOf(unavailable, transport), await freePort()];
      const { record, milliseconds, watch } = await callOver(transport, ports);
      expect(milliseconds).toBeLessThan(watch.bound(3 * bound.refusing));
      expect(record).toMatchObject({ outcome: 'failed', end_reason: 'trunk_unreachable', ended_by: 'edge' });
      expect(record.attempts.map(({ trigger }) => trigger)).toEqual(Array(3).fill('unreachable'));
    });
  });

  describe.skipIf(!mayMount)('a name with several addresses (needs root, and the embedded engine)', () => {
    it.each<Transport>(['tls', 'udp'])(
      'is one server over %s: a silent address leaves the others time',
      async (transport) => {
        const port = portOf(busy, transport);
        // The first address of the name, on the port of the other one.
        await silentAt('127.0.0.2', port, transport);
        const { record, milliseconds, watch } = await callOver(transport, [port], { host: name });
        expect(record.attempts).toMatchObject([{ server: `${transport}:${name}:${port}`, sip_status: 486 }]);
        expect(milliseconds).toBeLessThan(watch.bound(bound.silent));
      },
    );

    it.each<Transport>(['udp'])(
      'costs no more than one server over %s when all are silent',
      async (transport) => {
        const port = await freePort();
        for (const address of ['127.0.0.2', '127.0.0.1']) await silentAt(address, port, transport);
        const backup = { host: '127.0.0.1', port: portOf(busy, transport), transport };
        const { record, watch } = await callOver(transport, [port], { host: name, backups: [backup] });
        expect(record.attempts).toMatchObject([expected.silent, { sip_status: 486 }]);
        expect(record.attempts[0]!.duration_milliseconds).toBeLessThan(watch.bound(bound.silent));
      },
    );
  });
});
