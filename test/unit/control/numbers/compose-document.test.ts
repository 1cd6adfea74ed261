import type { Selectable } from 'kysely';
import { describe, expect, it } from 'vitest';
import { numberDocumentSchema } from '../../../../src/contract/number.js';
import type { StoredStream } from '../../../../src/control/numbers/agent-streams.js';
import { composeDocument, endpointOf } from '../../../../src/control/numbers/compose-document.js';
import type {
  Configuration,
  DirectionSettingsTable,
  NumbersTable,
} from '../../../../src/control/numbers/tables.js';
import { configurationRow, outboundRow } from './configuration-row.js';

const number: Selectable<NumbersTable> = {
  number: '14155550100',
  organization_id: 'org_1',
  trunk_id: null,
  persona_id: null,
  pathway_id: null,
  pathway_version: null,
  created_at: new Date('2026-11-01T08:00:00Z'),
  updated_at: new Date('2026-11-20T12:00:00Z'),
};
const settings = (
  fields: Partial<Selectable<DirectionSettingsTable>>,
): Selectable<DirectionSettingsTable> => ({
  number: '14155550100',
  direction: 'inbound',
  failover: null,
  codecs: null,
  alerts: null,
  limits: null,
  transfer: null,
  updated_at: new Date(0),
  ...fields,
});
const stream: StoredStream = {
  url: 'wss://bot.example.com/stream',
  format: 'pcm',
  sample_rate: 16_000,
  preamble: 'demarc',
  parameters: { tenant: 'blue' },
  answer_on: 'start',
  comfort_tone: false,
  header_names: ['Authorization'],
  headers: 'v2:key:sealed',
};

/** What edges read, checked against their schema. */
const compose = (
  rows: Configuration[],
  own: readonly Selectable<DirectionSettingsTable>[] = [],
  {
    signing = [],
    trunk = null,
    limits,
  }: {
    signing?: string[];
    trunk?: string | null;
    limits?: { concurrent_calls?: number; calls_per_second?: number };
  } = {},
) => {
  const document = composeDocument({ ...number, trunk_id: trunk }, rows, own, signing, limits);
  expect(numberDocumentSchema.safeParse(document).error?.issues).toBeUndefined();
  return document;
};
const inbound = (fields: Partial<Configuration>, further: Configuration[] = [], signing: string[] = []) =>
  compose([configurationRow(fields), ...further], [], { signing }).inbound[0]!;
const outbound = (fields: Partial<Configuration>, signing: string[] = []) =>
  compose([outboundRow(fields)], [], { signing }).outbound[0]!;

describe('the document of a number', () => {
  it('has what was configured, and nothing that was not', () => {
    expect(compose([configurationRow({ allowed_ips: ['203.0.113.0/24'] }), outboundRow()])).toEqual({
      version: 1,
      number: '14155550100',
      organization: 'org_1',
      updated_at: '2026-11-20T12:00:00.000Z',
      inbound: [{ id: 'cfg_1', allowed_sources: ['203.0.113.0/24'], credentials: [], headers: [] }],
      outbound: [{ id: 'cfg_2', host: 'pbx.example.com', transport: 'tls', headers: [] }],
      codecs: expect.objectContaining({ transcode: false }),
      limits: {},
    });
  });

  it('keeps the order of its configurations, in each direction', () => {
    const rows = [
      outboundRow({ id: 'b' }),
      configurationRow({ id: 'a' }),
      outboundRow({ id: 'd' }),
      configurationRow({ id: 'c' }),
    ];
    const document = compose(rows);
    expect(document.inbound.map(({ id }) => id)).toEqual(['a', 'c']);
    expect(document.outbound.map(({ id }) => id)).toEqual(['b', 'd']);
  });

  it('takes codecs, limits and transfers of calls to it from the inbound direction', () => {
    const document = compose(
      [configurationRow()],
      [
        settings({
          codecs: { order: ['opus'], transcode: true },
          limits: { concurrent_calls: 3 },
          transfer: { mode: 'refer', fallback: true },
        }),
      ],
    );
    expect(document.codecs).toEqual({ order: ['opus'], transcode: true });
    expect(document.limits).toEqual({ concurrent_calls: 3 });
    expect(document.transfer).toEqual({ mode: 'refer', fallback: true });
    expect(document.outbound_policy).toBeUndefined();
  });

  it('takes those of calls from it from the outbound direction', () => {
    const document = compose(
      [outboundRow()],
      [
        settings({
          direction: 'outbound',
          codecs: { order: ['PCMA'], transcode: false },
          limits: { calls_per_second: 2 },
          transfer: { mode: 'bridge', fallback: false },
        }),
      ],
    );
    expect(document.outbound_policy).toEqual({
      codecs: { order: ['PCMA'], transcode: false },
      limits: { calls_per_second: 2 },
      transfer: { mode: 'bridge', fallback: false },
    });
    expect([document.limits, document.transfer]).toEqual([{}, undefined]);
  });

  it('has the limits of its organization where there are any', () => {
    expect(
      compose([configurationRow()], [], { limits: { concurrent_calls: 10 } }).organization_limits,
    ).toEqual({ concurrent_calls: 10 });
    expect('organization_limits' in compose([configurationRow()])).toBe(false);
  });

  it.each<[boolean, Partial<Selectable<DirectionSettingsTable>>[]]>([
    [true, [{ limits: { concurrent_calls: 0 } }]],
    [true, [{ limits: { calls_per_second: 1 } }]],
    [true, [{ direction: 'outbound', limits: { concurrent_calls: 5 } }]],
    [true, [{ direction: 'outbound', limits: { calls_per_second: 5 } }]],
    [false, [{ limits: { max_duration_seconds: 60 } }]],
    [false, [{ limits: null }]],
    [false, []],
  ])('counts calls with those of its trunk (%s) for %j', (isShared, own) => {
    const document = compose([configurationRow()], own.map(settings), { trunk: 'trk_1' });
    expect(document.limits_key).toBe(isShared ? 'trk_1' : undefined);
    expect(compose([configurationRow()], own.map(settings)).limits_key).toBeUndefined();
  });
});

describe('the backup servers in the document', () => {
  const failover = {
    enabled: true,
    endpoints: [
      { host: 'b.example.com', priority: 20 },
      { host: 'a.example.com', port: 5080, transport: 'udp' as const, priority: 3 },
    ],
    triggers: ['timeout' as const],
    failback: 'manual' as const,
  };
  const policy = (fields: Partial<typeof failover>) =>
    compose([outboundRow()], [settings({ direction: 'outbound', failover: { ...failover, ...fields } })])
      .outbound_policy;

  it('are in the order of their priority, by TLS unless they say otherwise', () => {
    expect(policy({})).toEqual({
      failover: {
        endpoints: [
          { host: 'a.example.com', port: 5080, transport: 'udp' },
          { host: 'b.example.com', transport: 'tls' },
        ],
        triggers: ['timeout'],
        failback: 'manual',
      },
    });
  });

  it('are left out while they are disabled, or none', () => {
    expect(policy({ enabled: false })).toBeUndefined();
    expect(policy({ endpoints: [] })).toBeUndefined();
  });
});

describe('an inbound configuration in the document', () => {
  it.each<[string, Configuration['options'], 'ip' | 'register', string]>([
    ['sip:agent.example.com', {}, 'ip', 'sip:agent.example.com;transport=tcp'],
    ['sip:a@agent.example.com:5080;transport=udp', {}, 'ip', 'sip:a@agent.example.com:5080;transport=udp'],
    ['agent.example.com', { port: 5070, transport: 'tls' }, 'ip', 'sip:agent.example.com:5070;transport=tls'],
    [
      'agent.example.com',
      { port: 5070, transport: 'tls' },
      'register',
      'sip:agent.example.com;transport=tcp',
    ],
    ['wss://bot.example.com/x', { port: 5070 }, 'ip', 'wss://bot.example.com/x'],
  ])('calls the agent %s with %j and auth_mode %s at %s', (sip_endpoint, options, auth_mode, uri) => {
    expect(inbound({ sip_endpoint, options, auth_mode }).agent_uri).toBe(uri);
  });

  it('has no agent where the service’s answer', () => expect('agent_uri' in inbound({})).toBe(false));

  it('has agents that ring together, by TCP unless they say otherwise', () => {
    const agents = {
      strategy: 'ring_all' as const,
      endpoints: ['a.example.com', 'sip:b.example.com;transport=tls', 'wss://bot.example.com'],
    };
    expect(inbound({ options: { agents, port: 5070 } }).agents).toEqual({
      strategy: 'ring_all',
      uris: ['sip:a.example.com;transport=tcp', 'sip:b.example.com;transport=tls', 'wss://bot.example.com'],
    });
  });

  it('accepts the credentials of the registration and of calls', () => {
    const both = {
      register_username: 'pbx',
      pbx_password: 'v1:key:pbx',
      options: { sip_username: 'caller' },
      sip_password: 'v1:key:sip',
    };
    expect(inbound(both).credentials).toEqual([
      { username: 'pbx', password: 'v1:key:pbx' },
      { username: 'caller', password: 'v1:key:sip' },
    ]);
    expect(inbound({ ...both, pbx_password: null }).credentials).toEqual([
      { username: 'caller', password: 'v1:key:sip' },
    ]);
    expect(inbound({ ...both, register_username: null }).credentials).toHaveLength(1);
    expect(inbound({ ...both, sip_password: null }).credentials).toHaveLength(1);
    expect(inbound({ ...both, options: {} }).credentials).toHaveLength(1);
  });

  it.each([true, false])('says whether RTP is symmetric (%s) only when it was set', (symmetric_rtp) => {
    expect(inbound({ options: { symmetric_rtp } }).symmetric_rtp).toBe(symmetric_rtp);
    expect('symmetric_rtp' in inbound({})).toBe(false);
  });
});

describe('the registration in the document', () => {
  const registered = { auth_mode: 'register' as const, register_username: 'pbx', pbx_password: 'v1:key:pbx' };

  it('is at the registrar of the direction', () => {
    expect(
      inbound({ ...registered, registrar: 'sip:reg.example.com:5070;transport=udp' }, [outboundRow()])
        .registration,
    ).toEqual({
      host: 'reg.example.com',
      port: 5070,
      transport: 'udp',
      username: 'pbx',
      password: 'v1:key:pbx',
    });
  });

  it('is at the first server for calls from the number when there is no registrar', () => {
    const servers = [
      outboundRow({ sip_endpoint: 'one.example.com' }),
      outboundRow({ id: 'cfg_3', sip_endpoint: 'two.example.com' }),
    ];
    expect(inbound(registered, servers).registration).toEqual({
      host: 'one.example.com',
      transport: 'tls',
      username: 'pbx',
      password: 'v1:key:pbx',
    });
  });

  it('is none without server, user or password', () => {
    expect(inbound(registered).registration).toBeUndefined();
    expect(inbound({ ...registered, register_username: null }, [outboundRow()]).registration).toBeUndefined();
    expect(inbound({ ...registered, pbx_password: null }, [outboundRow()]).registration).toBeUndefined();
  });

  it('goes by its own options before those of the server', () => {
    const server = outboundRow({
      options: { port: 5080, transport: 'tcp', sip_realm: 'theirs', tls_ca: 'CA of the server' },
    });
    expect(inbound(registered, [server]).registration).toMatchObject({
      port: 5080,
      transport: 'tcp',
      realm: 'theirs',
      tls_ca: 'CA of the server',
    });
    const options = { port: 5090, transport: 'tls' as const, sip_realm: 'own', tls_ca: 'own CA' };
    expect(inbound({ ...registered, options }, [server]).registration).toMatchObject({
      port: 5090,
      transport: 'tls',
      realm: 'own',
      tls_ca: 'own CA',
    });
  });
});

describe('the settings of WebSocket agents in the document', () => {
  const bot = { sip_endpoint: stream.url, agent_streams: [stream] };
  const { header_names: _, ...known } = stream;

  it('are those that were stored, with the secrets that sign the connection', () => {
    expect(inbound(bot, [], ['v1:key:new', 'v1:key:old']).streams).toEqual([
      { ...known, signing_secrets: ['v1:key:new', 'v1:key:old'] },
    ]);
    expect(inbound(bot).streams).toEqual([{ ...known, signing_secrets: [] }]);
  });

  it('are the usual ones for a URL without any, where there is a secret to sign with', () => {
    const [usual] = inbound({ sip_endpoint: 'wss://bot.example.com' }, [], ['v1:key:new']).streams!;
    expect(usual).toMatchObject({
      url: 'wss://bot.example.com',
      format: 'media-streams',
      signing_secrets: ['v1:key:new'],
    });
    expect('streams' in inbound({ sip_endpoint: 'wss://bot.example.com' })).toBe(false);
  });

  it('are each there once, also of agents that ring together', () => {
    const agents = { strategy: 'ring_all' as const, endpoints: [stream.url, 'wss://second.example.com'] };
    const streams = inbound({ ...bot, options: { agents } }, [], ['v1:key:new']).streams!;
    expect(streams.map(({ url }) => url)).toEqual([stream.url, 'wss://second.example.com']);
  });

  it('are left out for SIP agents', () =>
    expect('streams' in inbound({ sip_endpoint: 'sip:agent.example.com', agent_streams: [stream] })).toBe(
      false,
    ));
});

describe('an outbound configuration in the document', () => {
  it('has the credential of calls, with its realm', () => {
    const options = { sip_username: 'user', sip_realm: 'realm' };
    expect(outbound({ options, sip_password: 'v1:key:sip' }).credential).toEqual({
      username: 'user',
      password: 'v1:key:sip',
      realm: 'realm',
    });
    expect(outbound({ options: { sip_username: 'user' }, sip_password: 'v1:key:sip' }).credential).toEqual({
      username: 'user',
      password: 'v1:key:sip',
    });
    expect(outbound({ options }).credential).toBeUndefined();
  });

  it('says that media is plain, and nothing where it is SRTP', () => {
    expect(outbound({ options: { secure_media: false } }).secure_media).toBe(false);
    expect('secure_media' in outbound({ options: { secure_media: true } })).toBe(false);
    expect('secure_media' in outbound({})).toBe(false);
  });

  it('has the certificates that it trusts, and its options before its URI', () => {
    const row = { sip_endpoint: 'pbx.example.com:5060;transport=udp', options: { port: 5061, tls_ca: 'CA' } };
    expect(outbound(row)).toMatchObject({ port: 5061, transport: 'udp', tls_ca: 'CA' });
    expect(outbound({ ...row, options: { transport: 'tls' } })).toMatchObject({
      port: 5060,
      transport: 'tls',
    });
  });

  it('has the agent of calls that the number places', () => {
    expect(outbound({ agent: 'agent.example.com' })).toMatchObject({
      agent_uri: 'sip:agent.example.com;transport=tcp',
    });
    expect('agent_uri' in outbound({})).toBe(false);
    const bot = outbound({ agent: stream.url, agent_streams: [stream] }, ['v1:key:new']);
    expect(bot.agent_uri).toBe(stream.url);
    expect(bot.stream).toMatchObject({ format: 'pcm', signing_secrets: ['v1:key:new'] });
    expect(outbound({ agent: 'wss://other.example.com', agent_streams: [stream] }).stream).toMatchObject({
      url: 'wss://other.example.com',
      format: 'media-streams',
    });
  });
});

describe('the parts of a stored endpoint', () => {
  it('are those of its URI unless options say otherwise', () => {
    expect(endpointOf('sip:user@pbx.example.com:5080;transport=tcp', {})).toEqual({
      host: 'pbx.example.com',
      user: 'user',
      port: 5080,
      transport: 'tcp',
    });
    expect(endpointOf('sip:pbx.example.com:5080;transport=tcp', { port: 1, transport: 'udp' })).toEqual({
      host: 'pbx.example.com',
      port: 1,
      transport: 'udp',
    });
    expect(endpointOf('pbx.example.com', {})).toEqual({ host: 'pbx.example.com' });
  });

  it('cannot be read of what was never one', () =>
    expect(() => endpointOf('a b', {})).toThrow(/^A stored endpoint is invalid: /));
});
