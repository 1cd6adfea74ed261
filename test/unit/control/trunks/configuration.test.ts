import { describe, expect, it } from 'vitest';
import { generateSecretKey, numberPlace, SecretBox } from '../../../../src/contract/secret.js';
import { storedStream } from '../../../../src/control/numbers/agent-streams.js';
import type { Configuration } from '../../../../src/control/numbers/tables.js';
import {
  columnsOf,
  identityOf,
  identityOfWanted,
  isAlready,
  isPassword,
  namesNoCallers,
  wantedConfiguration,
} from '../../../../src/control/trunks/configuration.js';
import { type DirectionRequest, directionSchema } from '../../../../src/control/trunks/direction-schema.js';
import { configurationRow, outboundRow } from '../numbers/configuration-row.js';

const secrets = new SecretBox([generateSecretKey()]);
const seal = (password: string): string => secrets.seal(password, numberPlace('org_1'));
const request = (fields: object): DirectionRequest => directionSchema.parse(fields);
const wanted = (fields: object) => wantedConfiguration(request(fields));
const credentials = { username: 'pbx', password: 'long enough' };

describe('a wanted configuration', () => {
  it('of an inbound direction has the agent and who may call', () => {
    expect(wanted({ type: 'inbound', allowed_ips: ['203.0.113.7'], agent: 'sip:agent.example.com' })).toEqual(
      {
        direction: 'inbound',
        sipEndpoint: 'sip:agent.example.com',
        agent: null,
        registrar: null,
        authMode: 'ip',
        registerAuth: undefined,
        options: {},
        sipPassword: undefined,
        allowedIps: ['203.0.113.7'],
        headers: [],
        streams: [],
      },
    );
  });

  it('of an outbound direction has the server, and the agent of calls that the number places', () => {
    expect(
      wanted({ type: 'outbound', sip_endpoint: 'pbx.example.com', agent: 'agent.example.com' }),
    ).toMatchObject({
      sipEndpoint: 'pbx.example.com',
      agent: 'agent.example.com',
      authMode: null,
      allowedIps: [],
    });
    expect(wanted({ type: 'outbound', sip_endpoint: 'pbx.example.com' }).agent).toBeNull();
  });

  it('keeps the SIP password apart from the options', () => {
    const { options, sipPassword } = wanted({
      type: 'outbound',
      sip_endpoint: 'pbx.example.com',
      options: { sip_username: 'user', sip_password: 'secret', port: 5070, transport: undefined },
    });
    expect(options).toEqual({ sip_username: 'user', port: 5070 });
    expect(sipPassword).toBe('secret');
  });

  it.each<[string, object, string | null, string | null]>([
    ['an address', { sip_endpoint: 'a.example.com' }, 'a.example.com', null],
    ['an address', { agent: 'b.example.com' }, 'b.example.com', null],
    ['a registration', { sip_endpoint: 'a.example.com', auth_mode: 'register' }, null, 'a.example.com'],
    ['a registration', { registrar: 'r.example.com', auth_mode: 'register' }, null, 'r.example.com'],
    ['a registration', { agent: 'b.example.com', auth_mode: 'register' }, 'b.example.com', null],
    [
      'a registration',
      { agent: 'b.example.com', sip_endpoint: 'a.example.com', auth_mode: 'register' },
      'b.example.com',
      'a.example.com',
    ],
    ['an address', {}, null, null],
  ])('known by %s with %j has the agent %s and the registrar %s', (_, fields, agent, registrar) => {
    const auth = 'auth_mode' in fields ? { register_auth: credentials } : {};
    expect(wanted({ type: 'inbound', ...fields, ...auth })).toMatchObject({ sipEndpoint: agent, registrar });
  });

  it('has the WebSocket agents with settings, also of those that ring together', () => {
    const bot = { type: 'websocket', url: 'wss://bot.example.com' };
    const inbound = wanted({ type: 'inbound', agent: bot });
    expect([inbound.sipEndpoint, inbound.streams]).toEqual(['wss://bot.example.com', [bot]]);
    const group = wanted({
      type: 'inbound',
      options: { agents: { strategy: 'ring_all', endpoints: ['a.example.com', bot] } },
    });
    expect(group.streams).toEqual([bot]);
    expect(group.options.agents).toEqual({
      strategy: 'ring_all',
      endpoints: ['a.example.com', 'wss://bot.example.com'],
    });
    const outbound = wanted({ type: 'outbound', sip_endpoint: 'pbx.example.com', agent: bot });
    expect([outbound.agent, outbound.streams]).toEqual(['wss://bot.example.com', [bot]]);
  });
});

describe('the identity of a configuration', () => {
  const server = (sip_endpoint: string, options: object = {}): string =>
    identityOfWanted(wanted({ type: 'outbound', sip_endpoint, options }));
  const callers = (fields: object): string => identityOfWanted(wanted({ type: 'inbound', ...fields }));

  it('is that of the server for calls to it, however it is written', () => {
    const same = server('sip:PBX.example.com:5061;transport=tls');
    expect(server('tls://pbx.example.com:5061')).toBe(same);
    expect(server('pbx.example.com', { port: 5061 })).toBe(same);
    expect(server('sip:user@pbx.example.com:5061')).toBe(same);
    expect(server('pbx.example.com:5060', { port: 5061, transport: 'tls' })).toBe(same);
  });

  it.each([
    ['another host', server('pbx2.example.com:5061')],
    ['another port', server('pbx.example.com:5060')],
    ['no port', server('pbx.example.com')],
    ['another transport', server('pbx.example.com:5061', { transport: 'udp' })],
  ])('is another one for %s', (_, identity) =>
    expect(identity).not.toBe(server('sip:pbx.example.com:5061;transport=tls')),
  );

  it('is that of the callers for calls from them, in any order', () => {
    expect(callers({ allowed_ips: ['192.0.2.1', '192.0.2.2'] })).toBe(
      callers({ allowed_ips: ['192.0.2.2', '192.0.2.1'], agent: 'a.example.com' }),
    );
    const identities = [
      callers({}),
      callers({ allowed_ips: ['192.0.2.1'] }),
      callers({ auth_mode: 'register', register_auth: credentials }),
      callers({ auth_mode: 'register', register_auth: { ...credentials, username: 'other' } }),
      callers({ options: { sip_username: 'pbx', sip_password: 'x' } }),
      callers({ options: { sip_username: 'other', sip_password: 'x' } }),
    ];
    expect(new Set(identities).size).toBe(6);
  });

  it('is the same of what is wanted and of what is stored', () => {
    expect(identityOf(outboundRow({ sip_endpoint: 'pbx.example.com', options: { port: 5061 } }))).toBe(
      server('tls://pbx.example.com:5061'),
    );
    expect(identityOf(configurationRow({ allowed_ips: ['192.0.2.1'] }))).toBe(
      callers({ allowed_ips: ['192.0.2.1'] }),
    );
    expect(identityOf(configurationRow({ register_username: 'pbx' }))).toBe(
      callers({ auth_mode: 'register', register_auth: credentials }),
    );
    expect(identityOf(configurationRow({ options: { sip_username: 'pbx' } }))).toBe(
      callers({ options: { sip_username: 'pbx', sip_password: 'x' } }),
    );
  });

  it('says whether callers are named at all', () => {
    expect(namesNoCallers(callers({}))).toBe(true);
    expect(namesNoCallers(callers({ agent: 'a.example.com' }))).toBe(true);
    expect(namesNoCallers(callers({ allowed_ips: ['192.0.2.1'] }))).toBe(false);
    expect(namesNoCallers(callers({ options: { sip_username: 'u', sip_password: 'x' } }))).toBe(false);
    expect(namesNoCallers(server('pbx.example.com'))).toBe(false);
  });
});

describe('a sealed password', () => {
  it('is the wanted one only when it opens to it', () => {
    const sealed = seal('secret');
    expect(isPassword('secret', sealed, secrets, 'org_1')).toBe(true);
    expect(isPassword('other', sealed, secrets, 'org_1')).toBe(false);
    expect(isPassword('secret', 'v1:other:key', secrets, 'org_1')).toBe(false);
  });

  it('is neither wanted nor stored where there is none', () => {
    expect(isPassword(undefined, null, secrets, 'org_1')).toBe(true);
    expect(isPassword('secret', null, secrets, 'org_1')).toBe(false);
    expect(isPassword(undefined, seal('secret'), secrets, 'org_1')).toBe(false);
  });
});

describe('a configuration that is stored already', () => {
  const inbound = {
    type: 'inbound',
    auth_mode: 'register',
    register_auth: credentials,
    registrar: 'reg.example.com',
    agent: { type: 'websocket', url: 'wss://bot.example.com', headers: { a: 'b' } },
    allowed_ips: ['192.0.2.1', '192.0.2.2'],
    options: { sip_username: 'user', sip_password: 'sip secret', port: 5070, transport: 'tls' },
  };
  const row: Configuration = configurationRow({
    auth_mode: 'register',
    sip_endpoint: 'wss://bot.example.com',
    registrar: 'reg.example.com',
    register_username: 'pbx',
    register_password: seal('long enough'),
    options: { transport: 'tls', port: 5070, sip_username: 'user' },
    sip_password: seal('sip secret'),
    allowed_ips: ['192.0.2.1', '192.0.2.2'],
    agent_streams: [
      storedStream(
        { type: 'websocket', url: 'wss://bot.example.com', headers: { a: 'b' } },
        secrets,
        'org_1',
      ),
    ],
  });
  const already = (fields: Partial<Configuration>): boolean =>
    isAlready(wanted(inbound), { ...row, ...fields }, secrets, 'org_1');

  it('differs in nothing, whatever the order of its fields', () => expect(already({})).toBe(true));

  it.each<[keyof Configuration, Partial<Configuration>]>([
    ['sip_endpoint', { sip_endpoint: null }],
    ['registrar', { registrar: null }],
    ['agent', { agent: 'a.example.com' }],
    ['auth_mode', { auth_mode: 'ip' }],
    ['register_username', { register_username: 'other' }],
    ['register_password', { register_password: seal('other enough') }],
    ['sip_password', { sip_password: seal('other') }],
    ['options', { options: { ...row.options, port: 5071 } }],
    ['allowed_ips', { allowed_ips: ['192.0.2.1'] }],
    ['allowed_ips', { allowed_ips: ['192.0.2.2', '192.0.2.1'] }],
    ['headers', { headers: [{ header: 'X-A', mapped_name: 'a' } as never] }],
    ['agent_streams', { agent_streams: [] }],
  ])('is another one with a different %s', (_, fields) => expect(already(fields)).toBe(false));

  it('of an outbound direction differs in its agent', () => {
    const outbound = wanted({
      type: 'outbound',
      sip_endpoint: 'sip:pbx.example.com',
      agent: 'a.example.com',
    });
    expect(isAlready(outbound, outboundRow({ agent: 'a.example.com' }), secrets, 'org_1')).toBe(true);
    expect(isAlready(outbound, outboundRow({ agent: null }), secrets, 'org_1')).toBe(false);
  });
});

describe('the columns of a configuration', () => {
  it('hold every password sealed for the organization', () => {
    const columns = columnsOf(
      wanted({
        type: 'inbound',
        auth_mode: 'register',
        register_auth: credentials,
        options: { sip_username: 'user', sip_password: 'sip secret' },
      }),
      'derived',
      secrets,
      'org_1',
    );
    const open = (sealed: string | null) => secrets.open(sealed!, numberPlace('org_1'));
    expect(columns.register_username).toBe('pbx');
    expect(open(columns.register_password)).toBe('long enough');
    expect(open(columns.pbx_password)).toBe('derived');
    expect(open(columns.sip_password)).toBe('sip secret');
    expect(columns.options).toBe('{"sip_username":"user"}');
  });

  it('hold nothing where nothing is wanted', () => {
    expect(
      columnsOf(wanted({ type: 'outbound', sip_endpoint: 'pbx.example.com' }), undefined, secrets, 'org_1'),
    ).toEqual({
      sip_endpoint: 'pbx.example.com',
      registrar: null,
      agent: null,
      auth_mode: null,
      register_username: null,
      register_password: null,
      pbx_password: null,
      options: '{}',
      sip_password: null,
      allowed_ips: '[]',
      headers: '[]',
      agent_streams: '[]',
    });
  });
});
