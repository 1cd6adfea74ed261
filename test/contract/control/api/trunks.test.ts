import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NumberDocument } from '../../../../src/contract/number.js';
import {
  allConfiguredNumbers,
  composeNumberDocuments,
} from '../../../../src/control/numbers/number-documents.js';
import { buildServer } from '../../../../src/control/server/server.js';
import { trunkRoutes } from '../../../../src/control/trunks/routes.js';
import { sharedTrunkRoutes } from '../../../../src/control/trunks/shared/routes.js';
import { TestAuthority } from '../../../support/certificates.js';
import { ApiUnderTest, attachBody, freshNumber, inbound, outbound, query, type Tenant } from './fixture.js';

interface Row {
  readonly id: string;
  readonly direction: string;
  readonly sip_endpoint: string | null;
  readonly options: Record<string, unknown>;
  readonly allowed_ips: string[] | null;
  readonly headers: unknown;
  readonly register_auth: unknown;
  readonly codec_config: unknown;
  readonly failover_config: unknown;
  readonly alert_config: unknown;
  readonly limits: unknown;
}
interface Shown {
  readonly inbound: Row | null;
  readonly outbound: Row | null;
  readonly configurations: Row[];
}
interface Updated {
  readonly configuration: Row;
  readonly register_password_for_pbx: string | null;
  readonly warnings: { warning: string }[];
}

describe('configurations of a number', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let number: string;
  beforeAll(async () => {
    api = await ApiUnderTest.start({
      DEMARC_REGIONS: JSON.stringify({
        us1: { sip_host: 'sip.us1.example.com', ip_addresses: ['192.0.2.10', '192.0.2.11'] },
        eu1: { sip_host: 'sip.eu1.example.com', ip_addresses: ['198.51.100.0/28'] },
      }),
    });
    tenant = await api.tenant();
  });
  afterAll(() => api?.stop());
  beforeEach(async () => {
    number = freshNumber();
    await api.emptyOutbox();
  });

  const attach = async (...directions: unknown[]): Promise<void> => {
    const answer = await api.call<{ configured: string[] }>(
      tenant,
      'POST',
      '/v1/sip/attach',
      attachBody([number], ...directions),
    );
    expect(answer.data.configured).toEqual([number]);
    await api.emptyOutbox();
  };
  const update = (updates: unknown) =>
    api.call<Updated>(tenant, 'POST', '/v1/sip/update', { phone_number: number, updates });
  const detach = (...directions: unknown[]) =>
    api.call<{ detached: string[]; remaining: string[] }>(tenant, 'POST', '/v1/sip/detach', {
      phone_number: number,
      directions,
      service: 'sip',
    });
  const config = (body: Record<string, unknown>) =>
    api.call<Row>(tenant, 'PATCH', '/v1/sip/config', { phone_number: number, ...body });
  const show = () => api.call<Shown>(tenant, 'GET', query('/v1/sip', { phone_number: number }));
  const document = async (): Promise<NumberDocument | undefined> =>
    (await composeNumberDocuments(api.database, [number.slice(1)])).get(number.slice(1));

  describe('POST /v1/sip/update', () => {
    it('changes named fields and keeps the others', async () => {
      await attach(
        inbound({ allowed_ips: ['203.0.113.1'] }),
        outbound('sip:a.example.com', { options: { port: 5080, sip_username: 'u', sip_password: 'p' } }),
      );
      const answer = await update({
        type: 'outbound',
        sip_endpoint: 'b.example.com',
        options: { transport: 'udp' },
      });
      expect(answer.status).toBe(200);
      expect(answer.data.configuration).toMatchObject({
        direction: 'outbound',
        sip_endpoint: 'b.example.com',
        options: { port: 5080, transport: 'udp', sip_username: 'u', sip_password: '[redacted]' },
      });
      expect(await api.outbox()).toEqual([number.slice(1)]);
      const changed = await document();
      expect(changed).toMatchObject({
        inbound: [{ allowed_sources: ['203.0.113.1'] }],
        outbound: [{ host: 'b.example.com', port: 5080, transport: 'udp', credential: { username: 'u' } }],
      });
      expect(api.parts.secrets.open(changed!.outbound[0]!.credential!.password)).toBe('p');
    });

    it('does not make the PBX that it registered at the agent of the number', async () => {
      const register_auth = { username: '700', password: 'any secret' };
      await attach(
        inbound({ auth_mode: 'register', register_auth, registrar: 'sip:pbx.example.com' }),
        outbound('sip:b.example.com'),
      );
      expect((await document())?.inbound[0]).toMatchObject({ registration: { host: 'pbx.example.com' } });
      const refused = await update({ type: 'inbound', auth_mode: 'ip' });
      expect(refused).toMatchObject({ status: 400, errors: [{ path: 'updates.agent' }] });
      const answer = await update({ type: 'inbound', auth_mode: 'ip', agent: null });
      expect(answer.data.configuration).toMatchObject({ sip_endpoint: null, agent: null, registrar: null });
      expect((await document())?.inbound[0]).not.toHaveProperty('agent_uri');
      // And back: the agent does not become the registrar.
      await update({ type: 'inbound', agent: 'sip:agent.example.com' });
      await update({ type: 'inbound', auth_mode: 'register', register_auth });
      expect((await document())?.inbound[0]).toMatchObject({
        agent_uri: 'sip:agent.example.com;transport=tcp',
        registration: { host: 'b.example.com' },
      });
      // The name of before means what it meant.
      await update({ type: 'inbound', sip_endpoint: 'sip:c.example.com' });
      expect((await document())?.inbound[0]).toMatchObject({
        agent_uri: 'sip:agent.example.com;transport=tcp',
        registration: { host: 'c.example.com' },
      });
      expect(
        await update({ type: 'inbound', auth_mode: 'ip', registrar: 'sip:d.example.com' }),
      ).toMatchObject({
        status: 400,
        errors: [{ path: 'updates.registrar' }],
      });
    });

    it('notes nothing for the projection when nothing changes', async () => {
      await attach(inbound({ allowed_ips: ['203.0.113.1'] }));
      const answer = await update({ type: 'inbound', allowed_ips: ['203.0.113.1'], auth_mode: 'ip' });
      expect(answer.status).toBe(200);
      expect(await api.outbox()).toEqual([]);
    });

    it('clears fields with null', async () => {
      await attach(
        inbound({
          sip_endpoint: 'sip:agent.example.com',
          options: { port: 5070, sip_username: 'u', sip_password: 'p' },
          headers: { direction: 'inbound', headers: [{ type: 'custom', key: 'X-A', value: 'account' }] },
        }),
      );
      await update({ type: 'inbound', options: { sip_username: null, sip_password: null } });
      const { data } = await update({ type: 'inbound', sip_endpoint: null, headers: null });
      expect(data.configuration).toMatchObject({
        sip_endpoint: null,
        headers: null,
        options: { auth_mode: 'ip', port: 5070 },
      });
      expect(data.configuration.options).not.toHaveProperty('sip_password');
      expect((await document())?.inbound).toEqual([
        { id: data.configuration.id, allowed_sources: [], credentials: [], headers: [] },
      ]);
    });

    it('pins the realm of our credentials, for calls and registration', async () => {
      const options = { sip_username: 'u', sip_password: 'p', sip_realm: 'calls.example' };
      const register_auth = { username: 'acme', password: 'correct horse' };
      await attach(inbound({ auth_mode: 'register', register_auth }), outbound('pbx.example', { options }));
      const pinned = await document();
      expect(pinned?.outbound[0]?.credential).toMatchObject({ username: 'u', realm: 'calls.example' });
      expect(pinned?.inbound[0]?.registration?.realm).toBe('calls.example');
      const { data } = await update({ type: 'inbound', options: { sip_realm: 'users.example' } });
      expect(data.configuration.options).toMatchObject({ sip_realm: 'users.example' });
      expect((await document())?.inbound[0]?.registration?.realm).toBe('users.example');
      for (const changes of [
        { type: 'inbound', auth_mode: 'ip' },
        { type: 'outbound', options: { sip_username: null, sip_password: null } },
      ]) {
        expect((await update(changes)).errors?.[0]?.path).toBe('updates.options.sip_realm');
      }
      await update({ type: 'outbound', options: { sip_realm: null } });
      expect((await document())?.outbound[0]?.credential).not.toHaveProperty('realm');
    });

    it('takes the certificates that a trunk trusts, for calls and registration, and shows them', async () => {
      const authority = await TestAuthority.create();
      const tls_ca = authority.ca;
      authority.remove();
      const register_auth = { username: 'acme', password: 'correct horse' };
      await attach(
        inbound({ auth_mode: 'register', register_auth }),
        outbound('pbx.example', { options: { tls_ca } }),
      );
      expect((await document())?.outbound[0]?.tls_ca).toBe(tls_ca);
      expect((await document())?.inbound[0]?.registration?.tls_ca).toBe(tls_ca);
      const { data } = await update({ type: 'outbound', options: { secure_media: false } });
      expect(data.configuration.options).toMatchObject({ tls_ca, secure_media: false });
      const problemOf = async (changes: object) => (await update(changes)).errors?.[0];
      expect(await problemOf({ type: 'outbound', options: { tls_ca: 'no certificate' } })).toMatchObject({
        error: 'VALIDATION_ERROR',
        message: 'Must be one or more certificates in PEM, beginning with -----BEGIN CERTIFICATE-----',
      });
      expect(await problemOf({ type: 'outbound', options: { transport: 'udp' } })).toMatchObject({
        path: 'updates.options.tls_ca',
        message: 'Requires transport tls; it is udp',
      });
      await update({ type: 'outbound', options: { tls_ca: null } });
      expect((await document())?.outbound[0]).not.toHaveProperty('tls_ca');
    });

    it('shows the derived password when the registration changes, once', async () => {
      await attach(inbound());
      const register_auth = { username: 'acme', password: 'correct horse' };
      const first = await update({ type: 'inbound', auth_mode: 'register', register_auth });
      const password = first.data.register_password_for_pbx!;
      expect(password).toMatch(/^[A-Za-z2-9]{32}$/);
      const again = await update({ type: 'inbound', auth_mode: 'register', register_auth });
      expect(again.data.register_password_for_pbx).toBeNull();
      const changed = await update({
        type: 'inbound',
        register_auth: { ...register_auth, password: 'other horse' },
      });
      expect(changed.data.register_password_for_pbx).not.toBe(password);
      const back = await update({ type: 'inbound', auth_mode: 'ip' });
      expect(back.data.configuration.register_auth).toBeNull();
      expect((await document())?.inbound[0]?.credentials).toEqual([]);
    });

    it('asks for an id when there are several, and changes the one it names', async () => {
      await attach(outbound('a.example.com'), outbound('b.example.com'));
      const ambiguous = await update({ type: 'outbound', sip_endpoint: 'c.example.com' });
      expect(ambiguous).toMatchObject({ status: 409, errors: [{ error: 'AMBIGUOUS_CONFIGURATION' }] });
      const { data } = await show();
      const second = data.configurations[1]!;
      await update({ type: 'outbound', id: second.id, sip_endpoint: 'c.example.com' });
      expect((await document())?.outbound.map(({ host }) => host)).toEqual([
        'a.example.com',
        'c.example.com',
      ]);
      for (const same of ['a.example.com', 'sip:A.example.com;transport=tls']) {
        const twice = await update({ type: 'outbound', id: second.id, sip_endpoint: same });
        expect(twice).toMatchObject({ status: 409, errors: [{ error: 'DUPLICATE_CONFIGURATION' }] });
      }
      expect((await document())?.outbound[1]?.host).toBe('c.example.com');
      const foreign = await update({ type: 'outbound', id: 'cfg_0', sip_endpoint: 'c.example.com' });
      expect(foreign).toMatchObject({ status: 404, errors: [{ error: 'NOT_FOUND' }] });
    });

    it.each([
      ['a direction that is not attached', { type: 'outbound', sip_endpoint: 'h' }, 404, undefined],
      [
        'a password without user name',
        { type: 'inbound', options: { sip_password: 'p' } },
        400,
        'updates.options.sip_username',
      ],
      [
        'register without credentials',
        { type: 'inbound', auth_mode: 'register' },
        400,
        'updates.register_auth',
      ],
      [
        'credentials without register',
        { type: 'inbound', register_auth: { username: 'a', password: '12345678' } },
        400,
        'updates.register_auth',
      ],
      ['every source', { type: 'inbound', allowed_ips: ['0.0.0.0/0'] }, 400, 'updates.allowed_ips.0'],
      ['an unknown field', { type: 'inbound', directions: [] }, 400, 'updates.directions'],
    ])('refuses %s', async (_what, updates, status, path) => {
      await attach(inbound());
      const before = await api.dump();
      const answer = await update(updates);
      expect(answer.status).toBe(status);
      expect(answer.errors?.[0]?.path).toBe(path);
      expect(await api.dump()).toBe(before);
    });
  });

  describe('POST /v1/sip/detach', () => {
    it('removes one direction, then the number', async () => {
      await attach(inbound(), outbound());
      await config({ direction: 'outbound', codec_config: { codecs: ['PCMU'] } });
      await api.emptyOutbox();
      const first = await detach({ type: 'outbound' });
      expect(first.data).toMatchObject({
        phone_number: number,
        detached: ['outbound'],
        remaining: ['inbound'],
      });
      expect(await document()).toMatchObject({ outbound: [], inbound: [{}] });
      expect(await document()).not.toHaveProperty('outbound_policy');
      const again = await detach({ type: 'outbound' });
      expect(again).toMatchObject({ status: 200, data: { detached: [], remaining: ['inbound'] } });
      expect(await api.outbox()).toEqual([number.slice(1)]);
      const last = await detach({ type: 'inbound' }, { type: 'outbound' });
      expect(last.data).toMatchObject({ detached: ['inbound'], remaining: [] });
      expect(await document()).toBeUndefined();
      expect(await api.outbox()).toEqual([number.slice(1), number.slice(1)]);
      expect((await show()).status).toBe(404);
      expect((await detach({ type: 'inbound' })).status).toBe(404);
    });

    it('frees the number for another organization', async () => {
      await attach(inbound());
      await detach({ type: 'inbound' });
      const otherTenant = await api.tenant();
      const answer = await api.call<{ configured: string[] }>(
        otherTenant,
        'POST',
        '/v1/sip/attach',
        attachBody([number], inbound()),
      );
      expect(answer.data.configured).toEqual([number]);
    });

    it('removes the one configuration with the id', async () => {
      await attach(outbound('a.example.com'), outbound('b.example.com'));
      const { data } = await show();
      const answer = await detach({ type: 'outbound', id: data.configurations[0]!.id });
      expect(answer.data).toMatchObject({ detached: ['outbound'], remaining: ['outbound'] });
      expect((await document())?.outbound.map(({ host }) => host)).toEqual(['b.example.com']);
    });
  });

  describe('PATCH /v1/sip/config', () => {
    it('stores sections, shows them and hands them to the edges', async () => {
      await attach(inbound(), outbound());
      const codec_config = { codecs: ['Opus', 'G.722', 'G.729', 'PCMA', 'PCMU'], transcode: true };
      const limits = { concurrent_calls: 5, calls_per_second: 2.5 };
      const first = await config({ direction: 'inbound', codec_config, limits });
      expect(first).toMatchObject({
        status: 200,
        data: { phone_number: number, direction: 'inbound', codec_config, limits, failover_config: null },
      });
      const failover_config = {
        enabled: true,
        endpoints: [
          { host: 'third.example.com', priority: 2 },
          { host: 'second.example.com', port: 5080, transport: 'tcp', priority: 1 },
        ],
        triggers: ['unreachable', 'auth_failure', 'timeout'],
        failback: 'manual',
      };
      const alert_config = {
        enabled: true,
        thresholds: { unreachable_minutes: 5, failure_rate_percent: 12.5, failure_rate_window_minutes: 15 },
        channels: { email: true, webhook: 'https://example.com/hook' },
      };
      await config({ direction: 'outbound', failover_config });
      const transfer_config = { mode: 'refer', fallback: true, allowed_targets: ['+49', 'desk.example.org'] };
      await config({ direction: 'inbound', transfer_config });
      await config({ direction: 'outbound', transfer_config: { mode: 'bridge' } });
      await config({ direction: 'outbound', alert_config, codec_config: { codecs: ['PCMA'] } });
      const { data } = await show();
      expect(data.inbound).toMatchObject({ codec_config, limits, alert_config: null, transfer_config });
      expect(data.outbound).toMatchObject({
        failover_config,
        alert_config,
        codec_config: { codecs: ['PCMA'], transcode: false },
      });
      expect(await api.outbox()).toHaveLength(5);
      expect(await document()).toMatchObject({
        transfer: transfer_config,
        codecs: { order: ['opus', 'G722', 'G729', 'PCMA', 'PCMU'], transcode: true },
        limits,
        outbound_policy: {
          transfer: { mode: 'bridge', fallback: false },
          codecs: { order: ['PCMA'], transcode: false },
          failover: {
            endpoints: [
              { host: 'second.example.com', port: 5080, transport: 'tcp' },
              { host: 'third.example.com', transport: 'tls' },
            ],
            failback: 'manual',
          },
        },
      });
    });

    it('keeps the host of a backup in the one spelling that edges take', async () => {
      await attach(outbound());
      const endpoints = [
        { host: '[2001:0DB8::1]', priority: 1 },
        { host: 'Backup.Example.COM', priority: 2 },
      ];
      await config({ direction: 'outbound', failover_config: { endpoints } });
      expect((await document())?.outbound_policy?.failover?.endpoints).toEqual([
        { host: '2001:db8::1', transport: 'tls' },
        { host: 'backup.example.com', transport: 'tls' },
      ]);
    });

    it('clears a section with null', async () => {
      await attach(inbound());
      await config({
        direction: 'inbound',
        limits: { concurrent_calls: 1 },
        codec_config: { codecs: ['PCMU'] },
      });
      const answer = await config({ direction: 'inbound', limits: null });
      expect(answer.data).toMatchObject({ limits: null, codec_config: { codecs: ['PCMU'] } });
      expect((await document())?.limits).toEqual({});
    });

    const backup = { host: 'b.example', priority: 1 };
    it.each([
      ['no section', { direction: 'inbound' }, 'body'],
      [
        'failover of calls to us',
        { direction: 'inbound', failover_config: { endpoints: [backup] } },
        'failover_config',
      ],
      [
        'three backups',
        {
          direction: 'outbound',
          failover_config: { endpoints: [1, 2, 3].map((priority) => ({ ...backup, priority })) },
        },
        'failover_config.endpoints',
      ],
      [
        'no backup',
        { direction: 'outbound', failover_config: { endpoints: [] } },
        'failover_config.endpoints',
      ],
      [
        'equal priorities',
        { direction: 'outbound', failover_config: { endpoints: [backup, backup] } },
        'failover_config.endpoints.1.priority',
      ],
      [
        'a URI as host',
        { direction: 'outbound', failover_config: { endpoints: [{ ...backup, host: 'sip:b.example' }] } },
        'failover_config.endpoints.0.host',
      ],
      [
        'an unknown trigger',
        { direction: 'outbound', failover_config: { endpoints: [backup], triggers: ['busy'] } },
        'failover_config.triggers.0',
      ],
      [
        'an unknown codec',
        { direction: 'inbound', codec_config: { codecs: ['GSM'] } },
        'codec_config.codecs.0',
      ],
      [
        'a codec twice',
        { direction: 'inbound', codec_config: { codecs: ['PCMU', 'PCMU'] } },
        'codec_config.codecs',
      ],
      [
        'a target that is neither number nor host',
        { direction: 'inbound', transfer_config: { mode: 'refer', allowed_targets: ['+49x'] } },
        'transfer_config.allowed_targets.0',
      ],
      ['no codec', { direction: 'inbound', codec_config: { codecs: [] } }, 'codec_config.codecs'],
      [
        'a webhook that is no URL',
        { direction: 'inbound', alert_config: { channels: { webhook: 'ftp://x' } } },
        'alert_config.channels.webhook',
      ],
      [
        'a rate above all',
        { direction: 'inbound', alert_config: { thresholds: { failure_rate_percent: 101 } } },
        'alert_config.thresholds.failure_rate_percent',
      ],
      ['an unknown limit', { direction: 'inbound', limits: { calls: 1 } }, 'limits.calls'],
    ])('refuses %s', async (_what, body, path) => {
      await attach(inbound(), outbound());
      const answer = await config(body);
      expect(answer.status).toBe(400);
      expect(answer.errors?.map((fault) => fault.path)).toContain(path);
      expect(await api.outbox()).toEqual([]);
    });

    it('warns of an alert that can never fire', async () => {
      await attach(outbound('sip:a.example.com'));
      const change = async (alert_config: unknown) =>
        (await config({ direction: 'outbound', alert_config })).data as unknown as { warnings: unknown[] };
      expect((await change({ channels: { email: true } })).warnings).toEqual([
        {
          phone_number: number,
          warning: 'ALERT_NEVER_FIRES',
          message: expect.stringContaining('thresholds'),
        },
      ]);
      expect((await change({ enabled: false })).warnings).toEqual([]);
      expect((await change({ thresholds: { response_time_ms: 300 } })).warnings).toEqual([]);
    });

    it('is 404 for a direction that is not attached', async () => {
      await attach(inbound());
      const answer = await config({ direction: 'outbound', codec_config: { codecs: ['PCMU'] } });
      expect(answer).toMatchObject({ status: 404, errors: [{ error: 'NOT_FOUND' }] });
    });
  });

  describe('reading', () => {
    it('shows attached values, and null for absent ones', async () => {
      await attach(inbound({ allowed_ips: ['203.0.113.1'] }));
      const { data } = await show();
      expect(data.outbound).toBeNull();
      expect(data.inbound).toEqual({
        number,
        id: expect.stringMatching(/^cfg_[0-9a-f]{24}$/),
        org_id: tenant.organizationId,
        direction: 'inbound',
        sip_endpoint: null,
        agent: null,
        agent_streams: [],
        registrar: null,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
        headers: null,
        options: { auth_mode: 'ip' },
        register_auth: null,
        allowed_ips: ['203.0.113.1'],
        failover_config: null,
        codec_config: null,
        alert_config: null,
        limits: null,
        transfer_config: null,
      });
    });

    it('finds a number with plus, without, and with an unescaped plus', async () => {
      await attach(inbound());
      for (const written of [encodeURIComponent(number), number.slice(1), number]) {
        expect((await api.call(tenant, 'GET', `/v1/sip?phone_number=${written}`)).status).toBe(200);
      }
    });

    it('reports that nothing was checked', async () => {
      await attach(inbound(), outbound());
      const answer = await api.call(tenant, 'GET', query('/v1/sip/status', { phone_number: number }));
      expect(answer.data).toMatchObject({ status: 'unchecked', response_time_ms: null, checked_at: null });
    });

    it('pages through numbers', async () => {
      const owner = await api.tenant();
      const numbers = ['+442079460101', '+442079460102', '+442079460103'];
      await api.call(owner, 'POST', '/v1/sip/attach', attachBody(numbers, inbound()));
      interface Page {
        readonly numbers: { phone_number: string }[];
        readonly next: string | null;
      }
      const first = await api.call<Page>(owner, 'GET', '/v1/sip/numbers?limit=2');
      expect(first.data.numbers.map(({ phone_number }) => phone_number)).toEqual(numbers.slice(0, 2));
      const rest = await api.call<Page>(
        owner,
        'GET',
        query('/v1/sip/numbers', { limit: '2', after: first.data.next! }),
      );
      expect(rest.data).toMatchObject({ numbers: [{ phone_number: numbers[2] }], next: null });
    });

    it('shows addresses, ports and server of the organization’s region', async () => {
      const firewall = await api.call(tenant, 'GET', '/v1/sip/firewall-ips');
      expect(firewall.data).toEqual({
        region: 'us1',
        ip_addresses: ['192.0.2.10', '192.0.2.11'],
        regions: [
          { region: 'us1', sip_server: 'sip.us1.example.com', ip_addresses: ['192.0.2.10', '192.0.2.11'] },
          { region: 'eu1', sip_server: 'sip.eu1.example.com', ip_addresses: ['198.51.100.0/28'] },
        ],
        ports: { sip: '5061 TLS', rtp: '10000-20000 UDP' },
      });
      const european = await api.tenant();
      await api.database
        .updateTable('organizations')
        .set({ region: 'eu1' })
        .where('id', '=', european.organizationId)
        .execute();
      const setup = await api.call(european, 'GET', '/v1/sip/outbound-setup');
      expect(setup.data).toEqual({
        sip_server: 'sip.eu1.example.com',
        port: 5061,
        transport: 'tls',
        instructions: expect.stringContaining('sip:NUMBER@sip.eu1.example.com:5061;transport=tls'),
        certificate_authority: null,
      });
    });

    it('names the user that a PBX registers as, without its password', async () => {
      const register_auth = { username: 'acme', password: 'correct horse' };
      await attach(inbound({ auth_mode: 'register', register_auth }));
      const answer = await api.call(tenant, 'GET', query('/v1/sip/outbound-setup', { phone_number: number }));
      expect(answer.data).toMatchObject({ credentials: { username: 'acme', password: '[redacted]' } });
    });

    it('generates passwords of the requested length, clamped', async () => {
      const lengthOf = async (search: string): Promise<number> => {
        const answer = await api.call<{ password: string; length: number }>(
          tenant,
          'GET',
          `/v1/sip/generate-password${search}`,
        );
        expect(answer.data.password).toMatch(/^[A-HJ-NP-Za-kmnp-z2-9]+$/);
        expect(answer.data.password).toHaveLength(answer.data.length);
        return answer.data.length;
      };
      expect(await lengthOf('')).toBe(16);
      expect(await lengthOf('?strength=long')).toBe(32);
      expect(await lengthOf('?length=40&strength=long')).toBe(40);
      expect(await lengthOf('?length=1')).toBe(8);
      expect(await lengthOf('?length=999')).toBe(256);
      const wrong = await api.call(tenant, 'GET', '/v1/sip/generate-password?length=x');
      expect(wrong).toMatchObject({ status: 400, errors: [{ path: 'length' }] });
    });

    it('reads destinations', async () => {
      const parse = (input: string) => api.call(tenant, 'POST', '/v1/sip/parse-destination', { input });
      expect((await parse('tls://10.0.0.5:5061')).data).toEqual({
        valid: true,
        parsed: {
          host: '10.0.0.5',
          port: 5061,
          transport: 'tls',
          is_private_ip: true,
          normalized: 'sip:10.0.0.5:5061;transport=tls',
        },
        reason: null,
      });
      expect((await parse('http://x')).data).toEqual({
        valid: false,
        parsed: null,
        reason: expect.stringContaining('http'),
      });
    });

    it('reads certificates for tls_ca, and says why it would refuse a text', async () => {
      const authority = await TestAuthority.create();
      const parse = (pem: string) => api.call(tenant, 'POST', '/v1/sip/parse-certificates', { pem });
      const { data } = await parse(authority.ca);
      authority.remove();
      const read = new X509Certificate(authority.ca);
      expect(data).toEqual({
        valid: true,
        reason: null,
        certificates: [
          {
            subject: read.subject.split('\n').join(', '),
            issuer: read.issuer.split('\n').join(', '),
            valid_from: new Date(read.validFrom).toISOString(),
            valid_to: new Date(read.validTo).toISOString(),
            fingerprint_sha256: read.fingerprint256,
            is_ca: true,
          },
        ],
      });
      expect((await parse('MIIB')).data).toMatchObject({
        valid: false,
        reason: expect.stringContaining('BEGIN CERTIFICATE'),
        certificates: [],
      });
    });
  });

  it('refuses symmetric RTP where no rtpengine can learn a source safely, and says why', async () => {
    let releases: readonly string[] | undefined = ['10.5.3', '10.5.3'];
    const mediaReleases = async (): Promise<readonly string[]> => {
      if (releases === undefined) throw new Error('Redis is down.');
      return releases;
    };
    const server = await buildServer({ ...api.parts, mediaReleases }, [trunkRoutes, sharedTrunkRoutes]);
    const post = async (url: string, payload: object) => {
      const headers = { authorization: tenant.key };
      return (await server.inject({ method: 'POST', url, headers, payload })).json<{
        errors: { path: string; message: string }[] | null;
        data: { failed?: unknown[] };
      }>();
    };
    const wanted = { options: { symmetric_rtp: true } };
    const attached = (options: Record<string, unknown>) =>
      post('/v1/sip/attach', attachBody([number], inbound(options)));
    const change = { updates: { type: 'inbound', ...wanted } };
    const updated = () => post('/v1/sip/update', { phone_number: number, ...change });
    const shared = () =>
      post('/v1/trunks', { name: 'shared', directions: [outbound('pbx.example', wanted)] });
    const message =
      'Symmetric RTP requires rtpengine 26 or later, because earlier releases send the other side’s voice to any sender; every rtpengine has 10.5.3.';
    const refused = (path: string) => [{ error: 'VALIDATION_ERROR', path, message }];
    const ofDirections = refused('directions.0.options.symmetric_rtp');
    expect((await attached(wanted)).errors).toEqual(ofDirections);
    expect((await shared()).errors).toEqual(ofDirections);
    expect((await attached({ options: { symmetric_rtp: false } })).errors).toBeNull();
    expect((await updated()).errors).toEqual(refused('updates.options.symmetric_rtp'));
    const bulk = await post('/v1/sip/numbers/update', { phone_numbers: [number], ...change });
    expect(bulk.data.failed).toMatchObject([{ phone_number: number, error: 'VALIDATION_ERROR' }]);
    const documentOf = async () => (await document())?.inbound[0]?.symmetric_rtp;
    expect(await documentOf()).toBe(false);
    // Unknown, or one that can: the edges decide.
    for (releases of [['10.5.3', '26.0.1'], [], undefined]) expect((await updated()).errors).toBeNull();
    expect((await shared()).errors).toBeNull();
    expect(await documentOf()).toBe(true);
    await update({ type: 'inbound', options: { symmetric_rtp: null } });
    expect(await documentOf()).toBeUndefined();
    await server.close();
  });

  it('names no private address where customers do not trust each other', async () => {
    const strict = { ...api.parts, settings: { ...api.parts.settings, privateEndpoints: 'refuse' as const } };
    const server = await buildServer(strict, [trunkRoutes]);
    const post = async (
      method: 'POST' | 'PATCH',
      url: string,
      payload: object,
    ): Promise<[number, unknown]> => {
      const response = await server.inject({ method, url, headers: { authorization: tenant.key }, payload });
      const { errors } = response.json<{ errors: { path: string }[] | null }>();
      return [response.statusCode, errors?.[0]?.path];
    };
    const attached = (...directions: unknown[]) =>
      post('POST', '/v1/sip/attach', attachBody([number], ...directions));
    expect(await attached(inbound(), outbound('127.0.0.1'))).toEqual([400, 'directions.1.sip_endpoint']);
    expect(await attached(inbound({ sip_endpoint: 'sip:a@[fd00::1]' }))).toEqual([
      400,
      'directions.0.sip_endpoint',
    ]);
    for (const host of [
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[fec0::1]',
      '198.18.0.1',
      '240.0.0.1',
      '0.0.0.0',
    ]) {
      expect(await attached(inbound(), outbound(host)), host).toEqual([400, 'directions.1.sip_endpoint']);
    }
    expect(await attached(inbound(), outbound('pbx.example.com'))).toEqual([200, undefined]);
    const updates = { type: 'outbound', sip_endpoint: 'localhost' };
    expect(await post('POST', '/v1/sip/update', { phone_number: number, updates })).toEqual([
      400,
      'updates.sip_endpoint',
    ]);
    const failover_config = { endpoints: [{ host: '10.0.0.1', priority: 1 }] };
    const config = { phone_number: number, direction: 'outbound', failover_config };
    expect(await post('PATCH', '/v1/sip/config', config)).toEqual([400, 'failover_config.endpoints.0.host']);
    const withTarget = (host: string) =>
      post('PATCH', '/v1/sip/config', {
        phone_number: number,
        direction: 'inbound',
        transfer_config: { mode: 'bridge', allowed_targets: ['+49', host] },
      });
    for (const host of ['127.0.0.1', 'localhost', '[fd00::1]', '10.1', '0x7f000001']) {
      expect(await withTarget(host), host).toEqual([400, 'transfer_config.allowed_targets.1']);
    }
    expect(await withTarget('desk.example.org')).toEqual([200, undefined]);
    await server.close();
  });

  it('walks all numbers in order, page by page', async () => {
    await attach(inbound());
    const all = await allConfiguredNumbers(api.database, '', 1_000);
    expect(all).toEqual([...all].sort());
    const walked: string[] = [];
    for (let page = await allConfiguredNumbers(api.database, '', 2); page.length > 0; ) {
      walked.push(...page);
      page = await allConfiguredNumbers(api.database, page.at(-1)!, 2);
    }
    expect(walked).toEqual(all);
    expect(walked).toContain(number.slice(1));
  });
});
