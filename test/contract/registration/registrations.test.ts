import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RegistrationSettings } from '../../../src/config/edge-settings.js';
import type { Endpoint } from '../../../src/contract/health.js';
import {
  contactToken,
  type RegistrationState,
  registerChannel,
  registrationId,
  registrationKey,
  registrationStateSchema,
} from '../../../src/contract/registration.js';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import { Registrations } from '../../../src/edge/registration/registrations.js';
import { edgeNames } from '../../../src/edge/routing/names.js';
import { EngineLink } from '../../../src/edge/sip/engine-link.js';
import { EgressPolicy } from '../../../src/naming/egress.js';
import { respondTo } from '../../../src/sip/response.js';
import { serialize } from '../../../src/sip/serialize.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { isRealServer, startEngine } from '../../support/engine-under-test.js';
import { freePorts } from '../../support/free-ports.js';
import { configureNumber, NumberWriter } from '../../support/number-writer.js';
import { RegistrarKamailio, type RegistrarSettings } from '../../support/registrar-kamailio.js';
import { sideBySide } from '../../support/side-by-side.js';
import { stays } from '../../support/stays.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { EngineBench, log } from '../engine-bench.js';

const secrets = new SecretBox([generateSecretKey()]);
const user = 'demarc-trunk';
const password = 'correct-horse-battery';

const usual: RegistrationSettings = {
  expiresSeconds: 300,
  // This process, which has the edges and some of the registrars, may be stalled for longer than shorter ones.
  timeoutMilliseconds: 3_000,
  leaseMilliseconds: 3_000,
  maximumTargets: 4,
};

sideBySide(3, () => {
  let bench: EngineBench;
  beforeAll(async () => {
    bench = await EngineBench.start();
  }, 180_000);
  afterAll(() => bench?.stop());
  afterEach(() => bench.endTest());

  let lastNumber = 493_000_000;

  /** Gives a number that registration; returns how to change and remove it. */
  async function attach(registrar: Endpoint, secret = password, number = String(++lastNumber)) {
    await configureNumber(bench.client, number, {
      inbound: [{ id: 'in', registration: { ...registrar, username: user, password: secrets.seal(secret) } }],
    });
    const id = registrationId('acme', registrar, user);
    return {
      id,
      number,
      token: contactToken(secret, id),
      detach: () => new NumberWriter(bench.client).delete(number),
    };
  }

  function startEdge(
    { allowPrivate = true, ...settings }: Partial<RegistrationSettings> & { allowPrivate?: boolean } = {},
    through = bench.link,
  ) {
    const { part, kill } = bench.startEdge(
      (edge) =>
        new Registrations({
          ...edge,
          settings: { ...usual, ...settings },
          engine: through,
          names: edgeNames().targets,
          egress: new EgressPolicy({ allowPrivate }),
          secrets,
          kept: async () => [],
        }),
    );
    return { edge: part, kill };
  }

  async function startRegistrar(
    settings: Partial<RegistrarSettings> & { ports?: [number, number] } = {},
  ): Promise<{ kamailio: RegistrarKamailio; ports: [number, number] }> {
    const ports = settings.ports ?? ((await freePorts(2)) as [number, number]);
    const kamailio = await RegistrarKamailio.start({
      port: ports[0],
      tlsPort: ports[1],
      certificate: await bench.authority.issue('registrar'),
      caFile: bench.authority.caFile,
      algorithm: 'MD5',
      user,
      password,
      ...settings,
    });
    bench.closing.push(() => kamailio.stop());
    return { kamailio, ports };
  }

  async function stateOf(id: string): Promise<RegistrationState | undefined> {
    const json = await bench.client.get(registrationKey(id));
    return json === null ? undefined : registrationStateSchema.parse(JSON.parse(json));
  }

  async function reaches(id: string, state: RegistrationState['state'], milliseconds = 6_000) {
    let last: RegistrationState | undefined;
    await until(
      async () => {
        last = await stateOf(id);
        return last?.state === state && last.attempted_at !== null;
      },
      milliseconds,
      () => `${state}; is ${JSON.stringify(last)}`,
    );
    return last!;
  }

  const taken = ({ registers }: RegistrarKamailio): string[] =>
    registers.filter((line) => line.startsWith('200 '));

  async function scripted(answers: readonly [status: number, headers?: Readonly<Record<string, string>>][]) {
    const peer = await SipPeer.open({ protocol: 'udp', target: bench.engine.listeners.udp! });
    bench.closing.push(() => peer.close());
    let asked = 0;
    const contacts: string[] = [];
    void (async () => {
      for (;;) {
        const arrival = await peer.expectRequest('REGISTER', { milliseconds: 30_000 }).catch(() => undefined);
        if (arrival === undefined) return;
        const [status, headers = {}] = answers[Math.min(asked++, answers.length - 1)]!;
        const contact = arrival.message.headers.get('Contact') ?? '';
        contacts.push(contact);
        const all = { ...(status === 200 ? { Contact: contact } : {}), ...headers };
        arrival.route.send(
          serialize(respondTo(arrival.message, status, { toTag: 'tagged', headers: Object.entries(all) })),
        );
      }
    })();
    const registrar = { host: '127.0.0.1', port: peer.port, transport: 'udp' } as const;
    return { peer, registrar, asked: () => asked, contacts };
  }

  describe('registering at a Kamailio', () => {
    it.each([
      ['udp', 'MD5'],
      ['tcp', 'SHA-256'],
      ['tls', 'SHA-256'],
      ['tls', 'MD5'],
    ] as const)('over %s with %s', async (transport, algorithm) => {
      const { kamailio, ports } = await startRegistrar({ algorithm });
      startEdge();
      const port = ports[transport === 'tls' ? 1 : 0];
      const { id, token, detach } = await attach({ host: '127.0.0.1', port, transport });
      const state = await reaches(id, 'registered');
      expect(state).toMatchObject({
        registrar: `${transport}:127.0.0.1:${port}`,
        username: user,
        sip_code: 200,
        last_error: null,
        address: '127.0.0.1',
      });
      const left = Date.parse(state.expires_at!) - Date.parse(state.attempted_at!);
      expect(left).toBeGreaterThan(290_000);
      expect(left).toBeLessThanOrEqual(310_000);
      const refresh = Date.parse(state.next_attempt_at!) - Date.parse(state.attempted_at!);
      expect(refresh).toBeGreaterThan(200_000);
      expect(refresh).toBeLessThan(260_000);
      expect(taken(kamailio).at(-1)).toContain(`sip:${token}@`);
      expect(state.contact).toContain(`line=${token}`);
      await detach();
      await until(async () => (await stateOf(id)) === undefined, 5_000, 'the state is gone');
      expect(taken(kamailio).at(-1)).toMatch(/expires=0$/);
      expect(kamailio.output).not.toContain(password);
    });

    it('refreshes before the expiry that the registrar gave, with one Call-ID, a counted CSeq and one nonce', async () => {
      const { kamailio, ports } = await startRegistrar({ maximumExpires: 3 });
      startEdge();
      await attach({ host: '127.0.0.1', port: ports[0], transport: 'udp' });
      await until(() => taken(kamailio).length >= 3, 12_000, 'two refreshes');
      const lines = kamailio.registers.map((line) => line.split(' '));
      expect(new Set(lines.map(([, callId]) => callId)).size).toBe(1);
      const sequences = lines.map(([, , sequence]) => Number(sequence));
      expect(sequences).toEqual(sequences.map((_, index) => index + 1));
      // The credentials of the first challenge serve the refreshes as well.
      expect(lines.filter(([status]) => status === '401')).toHaveLength(1);
    });

    it('continues when nonces go stale', async () => {
      const { kamailio, ports } = await startRegistrar({ maximumExpires: 3, nonceSeconds: 1 });
      startEdge();
      const { id } = await attach({ host: '127.0.0.1', port: ports[1], transport: 'tls' });
      await until(() => taken(kamailio).length >= 3, 12_000, 'two refreshes');
      expect((await stateOf(id))!.state).toBe('registered');
      expect(kamailio.registers.filter((line) => line.startsWith('401')).length).toBeGreaterThanOrEqual(3);
    });

    it('is restored after a registrar restart that lost it', async () => {
      const first = await startRegistrar({ maximumExpires: 4 });
      startEdge();
      const { id } = await attach({ host: '127.0.0.1', port: first.ports[1], transport: 'tls' });
      await reaches(id, 'registered');
      await first.kamailio.stop();
      await reaches(id, 'failed', 15_000);
      const second = await startRegistrar({ ports: first.ports });
      await until(() => taken(second.kamailio).length > 0, 20_000, 'registered at the new one');
      expect(await reaches(id, 'registered')).toMatchObject({ last_error: null });
    });

    it.skipIf(isRealServer)('trusts the certificate of the registrar by what its number names', async () => {
      const { ports } = await startRegistrar({ certificate: await bench.stranger.issue('private') });
      startEdge();
      const registrar = { host: '127.0.0.1', port: ports[1], transport: 'tls' } as const;
      const { id, number } = await attach(registrar);
      expect((await reaches(id, 'failed')).last_error).toContain('issuer is not trusted');
      await attach({ ...registrar, tls_ca: bench.stranger.ca }, password, number);
      await reaches(id, 'registered');
    });

    it('is lost as soon as its connection closes, and restored within ten seconds of the registrar’s return', async () => {
      const first = await startRegistrar();
      const { edge } = startEdge();
      bench.link.on('flowLost', (callId, reason) => edge.connectionLost(callId, reason));
      const { id } = await attach({ host: '127.0.0.1', port: first.ports[1], transport: 'tls' });
      await reaches(id, 'registered');
      await first.kamailio.stop();
      await until(
        async () => (await stateOf(id))!.state !== 'registered',
        1_000,
        'the state says so at once',
      );
      const { since } = await reaches(id, 'failed', 8_000);
      await until(async () => (await stateOf(id))!.attempted_at! > since, 8_000, 'tried again');
      expect((await stateOf(id))!.since).toBe(since);
      const watch = Stopwatch.start();
      const second = await startRegistrar({ ports: first.ports });
      await until(() => taken(second.kamailio).length > 0, 12_000, 'registered at the new one');
      expect(watch.milliseconds).toBeLessThan(watch.bound(10_000));
      expect(await reaches(id, 'registered')).toMatchObject({ last_error: null });
    });

    it('does not knock again and again where the password is wrong, and registers at once when it is right', async () => {
      const { kamailio, ports } = await startRegistrar();
      startEdge();
      const registrar = { host: '127.0.0.1', port: ports[0], transport: 'udp' } as const;
      const { id, number } = await attach(registrar, 'battery-staple-horse');
      const failed = await reaches(id, 'failed');
      expect(failed).toMatchObject({
        sip_code: 401,
        last_error: expect.stringContaining('user name and password'),
      });
      expect(Date.parse(failed.next_attempt_at!) - Date.now()).toBeGreaterThan(60_000);
      expect(kamailio.registers).toHaveLength(2);
      await attach(registrar, password, number);
      await reaches(id, 'registered');
    });

    it('waits long after 403, and keeps the reason', async () => {
      const { kamailio, ports } = await startRegistrar({ refusal: '403 No such trunk' });
      startEdge();
      const { id } = await attach({ host: '127.0.0.1', port: ports[0], transport: 'udp' });
      const failed = await reaches(id, 'failed');
      expect(failed).toMatchObject({ sip_code: 403, last_error: 'The registrar answered 403 No such trunk' });
      expect(Date.parse(failed.next_attempt_at!) - Date.now()).toBeGreaterThan(60_000);
      expect(kamailio.registers).toHaveLength(1);
      // An operator who has repaired it does not want to wait.
      await bench.client.publish(registerChannel, id);
      await until(() => kamailio.registers.length === 2, 5_000, 'another attempt');
    });
  });

  describe('a registrar that answers as it likes', () => {
    it('uses the expiry that a 423 requires, for all later refreshes', async () => {
      const { registrar, asked, contacts } = await scripted([[423, { 'Min-Expires': '600' }], [200]]);
      startEdge();
      const { id } = await attach(registrar);
      const state = await reaches(id, 'registered');
      expect(Date.parse(state.expires_at!) - Date.now()).toBeGreaterThan(590_000);
      await bench.client.publish(registerChannel, id);
      await until(() => asked() === 3, 5_000, 'the refresh');
      expect(contacts.map((contact) => /expires=(\d+)/.exec(contact)![1])).toEqual(['300', '600', '600']);
    });

    it('follows a redirect', async () => {
      const { kamailio, ports } = await startRegistrar();
      const { registrar } = await scripted([[302, { Contact: `<sip:127.0.0.1:${ports[0]}>` }]]);
      startEdge();
      const { id } = await attach(registrar);
      await reaches(id, 'registered');
      expect(taken(kamailio)).toHaveLength(1);
    });

    it('gives up on redirects in a circle', async () => {
      const redirecting = await scripted([[302, { Contact: '<sip:127.0.0.1:1>' }]]);
      const circle = await scripted([[302, { Contact: `<sip:127.0.0.1:${redirecting.registrar.port}>` }]]);
      const back = await scripted([[302, { Contact: `<sip:127.0.0.1:${circle.registrar.port}>` }]]);
      startEdge();
      const { id } = await attach(back.registrar);
      await reaches(id, 'failed');
      const own = await scripted([[302, { Contact: '<mailto:x@example.com>' }]]);
      const later = await attach(own.registrar);
      expect(await reaches(later.id, 'failed')).toMatchObject({
        sip_code: 302,
        last_error: expect.stringContaining('not a SIP URI'),
      });
    });

    it('waits for Retry-After, up to a limit', async () => {
      const { registrar, asked } = await scripted([[503, { 'Retry-After': '40' }], [200]]);
      startEdge();
      const { id } = await attach(registrar);
      const failed = await reaches(id, 'failed');
      expect(failed.sip_code).toBe(503);
      const wait = Date.parse(failed.next_attempt_at!) - Date.parse(failed.attempted_at!);
      expect(wait).toBeGreaterThan(38_000);
      expect(wait).toBeLessThan(45_000);
      expect(asked()).toBe(1);
    });

    it('tries again soon when nothing answers, with an early binding still counted', async () => {
      const { registrar } = await scripted([[200, { Expires: '60' }], [500]]);
      startEdge();
      const { id } = await attach(registrar);
      await reaches(id, 'registered');
      await bench.client.publish(registerChannel, id);
      await until(async () => (await stateOf(id))?.sip_code === 500, 5_000, 'the refresh failed');
      expect(await stateOf(id)).toMatchObject({
        state: 'registered',
        last_error: expect.stringContaining('500'),
      });
    });

    it('answers several challenges, and ignores unknown algorithms', async () => {
      const challenge = (algorithm: string) =>
        `Digest realm="pbx", nonce="n1", algorithm=${algorithm}, qop="auth"`;
      const { registrar, peer } = await scripted([
        [401, { 'WWW-Authenticate': `${challenge('AKAv1-MD5')}, ${challenge('SHA-512-256')}` }],
        [200],
      ]);
      startEdge();
      const { id } = await attach(registrar);
      await reaches(id, 'registered');
      const answer = peer.everything.map(({ text }) => /^Authorization: .*$/im.exec(text)?.[0]).find(Boolean);
      expect(answer).toMatch(/algorithm=SHA-512-256/);
    });

    it('answers that no phone is registered', async () => {
      const [port] = (await freePorts(1)) as [number];
      startEdge();
      const { id } = await attach({ host: '127.0.0.1', port, transport: 'tcp' });
      const failed = await reaches(id, 'failed', 8_000);
      expect(failed.sip_code).toBeNull();
      expect(failed.last_error).toBeTruthy();
      const wait = Date.parse(failed.next_attempt_at!) - Date.parse(failed.attempted_at!);
      expect(wait).toBeLessThan(10_000);
    });

    it('does not register at private addresses where they are not allowed', async () => {
      const { registrar, asked } = await scripted([[200]]);
      startEdge({ allowPrivate: false });
      const { id } = await attach(registrar);
      expect(await reaches(id, 'failed')).toMatchObject({
        last_error: expect.stringContaining('private address'),
      });
      expect(asked()).toBe(0);
    });
  });

  describe('several edges', () => {
    it('share a registration of several numbers, one keeps it up, another takes over from one that died', async () => {
      const { kamailio, ports } = await startRegistrar();
      const edges = [startEdge(), startEdge()];
      const registrar = { host: '127.0.0.1', port: ports[0], transport: 'udp' } as const;
      const first = await attach(registrar);
      const second = await attach(registrar);
      expect(second.id).toBe(first.id);
      await reaches(first.id, 'registered');
      await stays(() => expect(taken(kamailio)).toHaveLength(1), 1_000);
      expect(edges.map(({ edge }) => edge.size).sort()).toEqual([0, 1]);
      const owner = edges.findIndex(({ edge }) => edge.size === 1);
      edges[owner]!.kill();
      await until(() => edges[1 - owner]!.edge.size === 1, 4_000, 'taken over');
      await until(() => taken(kamailio).length >= 2, 4_000, 'registered again');
    });

    it('hand it over when one stops; the last one removes the binding', async () => {
      const { kamailio, ports } = await startRegistrar();
      const edges = [startEdge(), startEdge()];
      const { id } = await attach({ host: '127.0.0.1', port: ports[0], transport: 'udp' });
      await reaches(id, 'registered');
      const owner = edges.findIndex(({ edge }) => edge.size === 1);
      await edges[owner]!.edge.stop();
      await until(() => edges[1 - owner]!.edge.size === 1, 3_000, 'handed over');
      await reaches(id, 'registered');
      expect(kamailio.registers.some((line) => line.endsWith('expires=0'))).toBe(false);
      await edges[1 - owner]!.edge.stop();
      expect(taken(kamailio).at(-1)).toMatch(/expires=0$/);
      expect(await stateOf(id)).toBeUndefined();
    });

    it.skipIf(isRealServer)(
      'removes the binding of the edge that died, with one engine per edge',
      async () => {
        const otherEngine = await startEngine({ authority: bench.authority });
        const otherLink = new EngineLink(log);
        otherLink.connect({ ...otherEngine.admin, secret: otherEngine.secret });
        bench.closing.push(
          () => otherEngine.stop(),
          () => otherLink.close(),
        );
        await until(() => otherLink.isUp, 5_000, 'the other engine is up');
        const { kamailio, ports } = await startRegistrar();
        const first = startEdge();
        const { id } = await attach({ host: '127.0.0.1', port: ports[0], transport: 'udp' });
        const { contact } = await reaches(id, 'registered');
        first.kill();
        startEdge({}, otherLink);
        await until(() => taken(kamailio).at(-1)!.endsWith('expires=0'), 5_000, 'the binding is removed');
        expect(taken(kamailio).at(-1)).toContain(contact!);
        const now = await stateOf(id);
        expect([now!.state, now!.contact === contact]).toEqual(['registered', false]);
      },
    );

    it('remove the binding of a dead edge where the PBX allows only one', async () => {
      const { registrar, contacts } = await scripted([[200], [403], [200], [200]]);
      const first = startEdge();
      const { id } = await attach(registrar);
      const { contact } = await reaches(id, 'registered');
      first.kill();
      const second = startEdge();
      await until(() => second.edge.registered === 1, 5_000, 'registered');
      expect(contacts).toHaveLength(4);
      expect(contacts[2]).toBe(`<${contact}>;expires=0`);
    });

    it('register at once at a server that is back', async () => {
      const { registrar, asked } = await scripted([[200]]);
      const edges = [startEdge(), startEdge()];
      const { id } = await attach(registrar);
      await reaches(id, 'registered');
      const endpoint = `udp:127.0.0.1:${registrar.port}`;
      const prober = edges.find(({ edge }) => edge.size === 0)!.edge;
      await prober.checked({ endpoint, status: 'healthy' });
      await prober.checked({ endpoint, status: 'unreachable' });
      expect(asked()).toBe(1);
      await prober.checked({ endpoint, status: 'healthy' });
      await until(() => asked() === 2, 2_000, 'registered again');
    });
  });
});
