import { describe, expect, it } from 'vitest';
import { generateSecretKey, numberPlace, SecretBox } from '../../../../src/contract/secret.js';
import { InvalidRequest } from '../../../../src/control/http/validation.js';
import { type StoredStream, storedStream } from '../../../../src/control/numbers/agent-streams.js';
import type { Configuration } from '../../../../src/control/numbers/tables.js';
import {
  changedColumns,
  isDuplicate,
  isSameColumn,
  updateSchema,
} from '../../../../src/control/trunks/changed-columns.js';
import { derivePbxPassword } from '../../../../src/control/trunks/passwords.js';
import { configurationRow, outboundRow } from '../numbers/configuration-row.js';

const key = generateSecretKey();
const secrets = new SecretBox([key]);
const place = numberPlace('org_1');
const settings = {
  secretKeys: [key],
  privateEndpoints: 'refuse',
  privateNetworks: [],
} as unknown as Parameters<typeof changedColumns>[0]['settings'];

const changes = (fields: object) =>
  updateSchema.parse({ phone_number: '+14155550100', updates: fields }).updates;
const change = (row: Configuration, fields: object, box = secrets) =>
  changedColumns({ settings, secrets: box }, 'org_1', row, changes({ type: row.direction, ...fields }));
const columns = (row: Configuration, fields: object) => change(row, fields).columns;

/** Path and message of the refusal; undefined: it is accepted. */
function refusal(row: Configuration, fields: object): [string | undefined, string] | undefined {
  try {
    change(row, fields);
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return [error.faults[0]!.path, error.faults[0]!.message];
  }
}

const registered = configurationRow({
  auth_mode: 'register',
  registrar: 'reg.example.com',
  register_username: 'pbx',
  register_password: secrets.seal('long enough', place),
  pbx_password: secrets.seal('derived', place),
});

describe('a change of an outbound direction', () => {
  it('changes what it names alone', () => {
    expect(columns(outboundRow(), {})).toEqual({});
    expect(columns(outboundRow(), { sip_endpoint: 'new.example.com' })).toEqual({
      sip_endpoint: 'new.example.com',
    });
    expect(columns(outboundRow(), { headers: null })).toEqual({ headers: '[]' });
  });

  it('sets and clears the agent of calls that the number places', () => {
    expect(columns(outboundRow(), { agent: 'agent.example.com' })).toEqual({
      agent: 'agent.example.com',
      agent_streams: '[]',
    });
    expect(columns(outboundRow({ agent: 'agent.example.com' }), { agent: null })).toEqual({
      agent: null,
      agent_streams: '[]',
    });
  });

  it('is refused where it leads into a private network', () => {
    expect(refusal(outboundRow(), { sip_endpoint: '10.0.0.1' })?.[0]).toBe('updates.sip_endpoint');
    expect(refusal(outboundRow(), { agent: '10.0.0.1' })?.[0]).toBe('updates.agent');
    const bot = { type: 'websocket', url: 'wss://bot.example.com', fallback: '10.0.0.1' };
    expect(refusal(outboundRow(), { agent: bot })?.[0]).toBe('updates.agent.fallback');
  });

  it('has no agents that ring together', () => {
    const agents = { strategy: 'ring_all', endpoints: ['a.example.com', 'b.example.com'] };
    expect(refusal(outboundRow(), { options: { agents } })).toEqual([
      'updates.options.agents',
      'Agents answer calls to the number: an inbound direction has them',
    ]);
  });
});

describe('a change of options', () => {
  const row = outboundRow({ options: { port: 5070, transport: 'tls', secure_media: true } });

  it('keeps what it does not name, and clears what is null', () => {
    expect(columns(row, { options: { port: 5080 } }).options).toBe(
      '{"port":5080,"transport":"tls","secure_media":true}',
    );
    expect(columns(row, { options: { port: null, transport: null } }).options).toBe('{"secure_media":true}');
    expect(columns(row, { options: {} }).options).toBe(JSON.stringify(row.options));
    expect(columns(row, { options: null })).toEqual({ options: '{}', sip_password: null });
  });

  it('sets user and password together, the password sealed', () => {
    const { sip_password: sealed, options } = columns(row, {
      options: { sip_username: 'user', sip_password: 'secret' },
    });
    expect(options).toContain('"sip_username":"user"');
    expect(secrets.open(sealed!, place)).toBe('secret');
  });

  it('leaves a password that stays the same', () => {
    const known = outboundRow({
      options: { sip_username: 'user' },
      sip_password: secrets.seal('secret', place),
    });
    expect('sip_password' in columns(known, { options: { sip_password: 'secret' } })).toBe(false);
    expect('sip_password' in columns(known, { options: { port: 1 } })).toBe(false);
    expect(secrets.open(columns(known, { options: { sip_password: 'new' } }).sip_password!, place)).toBe(
      'new',
    );
    expect(columns(known, { options: { sip_username: null, sip_password: null } }).sip_password).toBeNull();
    expect(refusal(known, { options: { sip_username: null } })?.[0]).toBe('updates.options.sip_username');
    expect(refusal(known, { options: { sip_password: null } })?.[0]).toBe('updates.options.sip_password');
  });

  it('is refused with one of user and password alone', () => {
    const together = 'sip_username and sip_password must be set together';
    expect(refusal(row, { options: { sip_username: 'user' } })).toEqual([
      'updates.options.sip_password',
      together,
    ]);
    expect(refusal(row, { options: { sip_password: 'secret' } })).toEqual([
      'updates.options.sip_username',
      together,
    ]);
  });

  it('needs a key for a password', () =>
    expect(() =>
      change(row, { options: { sip_username: 'user', sip_password: 'secret' } }, new SecretBox([])),
    ).toThrow(expect.objectContaining({ code: 'SECRET_KEY_MISSING' })));

  it('is refused with a realm that no credentials are for', () => {
    expect(refusal(row, { options: { sip_realm: 'realm' } })).toEqual([
      'updates.options.sip_realm',
      'Requires sip_username',
    ]);
    expect(refusal(configurationRow(), { options: { sip_realm: 'realm' } })).toEqual([
      'updates.options.sip_realm',
      'Inbound directions require auth_mode register',
    ]);
    expect(refusal(registered, { options: { sip_realm: 'realm' } })).toBeUndefined();
  });

  it('is refused when certificates are left without TLS', () => {
    const trusting = outboundRow({ options: { tls_ca: 'CA' } });
    expect(refusal(trusting, { options: { transport: 'tcp' } })).toEqual([
      'updates.options.tls_ca',
      'Requires transport tls; it is tcp',
    ]);
    expect(refusal(trusting, { sip_endpoint: 'udp://pbx.example.com' })).toEqual([
      'updates.options.tls_ca',
      'Requires transport tls; it is udp',
    ]);
    expect(refusal(trusting, { sip_endpoint: 'pbx2.example.com' })).toBeUndefined();
  });

  it('checks each of the agents that ring together', () => {
    const agents = { strategy: 'ring_all', endpoints: ['a.example.com', '10.0.0.1'] };
    expect(refusal(configurationRow(), { options: { agents } })?.[0]).toBe(
      'updates.options.agents.endpoints.1',
    );
  });
});

describe('a change of an inbound direction', () => {
  const open = configurationRow({ sip_endpoint: 'agent.example.com' });
  const noRegistration = {
    auth_mode: 'ip',
    registrar: null,
    register_username: null,
    register_password: null,
    pbx_password: null,
  };

  it('keeps its agent and clears what a registration left', () => {
    expect(columns(open, {})).toEqual(noRegistration);
    expect(columns(open, { allowed_ips: ['192.0.2.1'] })).toEqual({
      ...noRegistration,
      allowed_ips: '["192.0.2.1"]',
    });
  });

  it('sets and clears the agent, also by its older name', () => {
    const agentOf = (fields: object) => columns(open, fields).sip_endpoint;
    expect(agentOf({ agent: 'new.example.com' })).toBe('new.example.com');
    expect(agentOf({ sip_endpoint: 'new.example.com' })).toBe('new.example.com');
    expect(agentOf({ agent: null })).toBeNull();
    expect(agentOf({ sip_endpoint: null })).toBeNull();
  });

  it('begins a registration with the password that the PBX gets', () => {
    const register_auth = { username: 'pbx', password: 'long enough' };
    const { columns: all, newPassword } = change(open, {
      auth_mode: 'register',
      register_auth,
      registrar: 'reg.example.com',
    });
    expect(newPassword).toBe(derivePbxPassword(key, 'org_1', register_auth));
    expect(all).toMatchObject({
      auth_mode: 'register',
      register_username: 'pbx',
      registrar: 'reg.example.com',
    });
    expect(secrets.open(all.register_password!, place)).toBe('long enough');
    expect(secrets.open(all.pbx_password!, place)).toBe(newPassword);
  });

  it('keeps the registration of the same user and password', () => {
    const same = change(registered, { register_auth: { username: 'pbx', password: 'long enough' } });
    expect(same.newPassword).toBeUndefined();
    expect('register_password' in same.columns).toBe(false);
    for (const register_auth of [
      { username: 'pbx2', password: 'long enough' },
      { username: 'pbx', password: 'other enough' },
    ])
      expect(change(registered, { register_auth }).newPassword).toBe(
        derivePbxPassword(key, 'org_1', register_auth),
      );
  });

  it('is refused when credentials and auth_mode contradict each other', () => {
    const register_auth = { username: 'pbx', password: 'long enough' };
    expect(refusal(open, { register_auth })).toEqual([
      'updates.register_auth',
      'Requires auth_mode register',
    ]);
    expect(refusal(open, { auth_mode: 'register' })).toEqual([
      'updates.register_auth',
      'Required with auth_mode register',
    ]);
    expect(refusal(registered, {})).toBeUndefined();
  });

  it('changes the registrar, also by its older name', () => {
    const registrarOf = (fields: object) => columns(registered, fields).registrar;
    expect(registrarOf({ registrar: 'new.example.com' })).toBe('new.example.com');
    expect(registrarOf({ sip_endpoint: 'new.example.com' })).toBe('new.example.com');
    expect(registrarOf({ registrar: null })).toBeNull();
    expect(registrarOf({})).toBeUndefined();
    expect('sip_endpoint' in columns(registered, { sip_endpoint: 'new.example.com' })).toBe(false);
    expect(columns(registered, { agent: 'agent.example.com' }).sip_endpoint).toBe('agent.example.com');
  });

  it('names who answers when the registration ends', () => {
    expect(refusal(registered, { auth_mode: 'ip' })).toEqual([
      'updates.agent',
      'agent is required: auth_mode ip gives up the registrar reg.example.com. Name the SIP URI that answers, or null for the service’s own agents.',
    ]);
    expect(columns(registered, { auth_mode: 'ip', agent: null })).toMatchObject({
      ...noRegistration,
      sip_endpoint: null,
    });
    expect(columns(registered, { auth_mode: 'ip', sip_endpoint: 'a.example.com' }).sip_endpoint).toBe(
      'a.example.com',
    );
    expect(refusal({ ...registered, registrar: null }, { auth_mode: 'ip' })).toBeUndefined();
  });

  it('is refused with a registrar where there is no registration', () =>
    expect(refusal(open, { registrar: 'reg.example.com' })).toEqual([
      'updates.registrar',
      'registrar requires auth_mode register.',
    ]));

  it('is refused where it leads into a private network', () => {
    expect(refusal(open, { agent: '10.0.0.1' })?.[0]).toBe('updates.agent');
    expect(refusal(open, { sip_endpoint: '10.0.0.1' })?.[0]).toBe('updates.agent');
    expect(refusal(registered, { registrar: '10.0.0.1' })?.[0]).toBe('updates.registrar');
    expect(refusal(registered, { sip_endpoint: '10.0.0.1' })?.[0]).toBe('updates.registrar');
  });
});

describe('a change of WebSocket agents', () => {
  const stored = (url: string): StoredStream =>
    storedStream({ type: 'websocket', url, format: 'pcm', headers: { a: url } }, secrets, 'org_1');
  const [first, second, third] = [
    'wss://one.example.com',
    'wss://two.example.com',
    'wss://three.example.com',
  ];
  const row = configurationRow({
    sip_endpoint: first!,
    options: { agents: { strategy: 'ring_all', endpoints: [second!, 'a.example.com'] } },
    agent_streams: [stored(first!), stored(second!)],
  });
  const urls = (fields: object): string[] | undefined => {
    const { agent_streams: text } = columns(row, fields);
    return text === undefined ? undefined : (JSON.parse(text) as StoredStream[]).map(({ url }) => url).sort();
  };

  it('keeps those that it is not about', () => {
    expect(urls({})).toBeUndefined();
    expect(urls({ options: { port: 5070 } })).toBeUndefined();
    expect(urls({ agent: null })).toEqual([second]);
    expect(urls({ agent: { type: 'websocket', url: third } })).toEqual([third, second].sort());
    expect(urls({ options: null })).toEqual([first]);
    expect(urls({ options: { agents: null } })).toEqual([first]);
    expect(
      urls({
        options: {
          agents: { strategy: 'ring_all', endpoints: [{ type: 'websocket', url: third }, 'b.example.com'] },
        },
      }),
    ).toEqual([first, third].sort());
    expect(urls({ sip_endpoint: 'agent.example.com' })).toEqual([second]);
  });

  it('keeps the headers of those that stay', () => {
    const [kept] = JSON.parse(columns(row, { agent: null }).agent_streams!) as StoredStream[];
    expect(kept).toMatchObject({ url: second, format: 'pcm', header_names: ['a'] });
  });
});

describe('a column that stays the same', () => {
  it('is compared as it would be written', () => {
    expect(isSameColumn('a', 'a')).toBe(true);
    expect(isSameColumn(null, null)).toBe(true);
    expect(isSameColumn(['a'], '["a"]')).toBe(true);
    expect(isSameColumn({ port: 1 }, '{"port":1}')).toBe(true);
    expect(isSameColumn({ port: 1 }, '{"port":2}')).toBe(false);
    expect(isSameColumn('a', 'b')).toBe(false);
    expect(isSameColumn(null, 'null')).toBe(false);
    expect(isSameColumn('a', null)).toBe(false);
  });
});

describe('a duplicate of another configuration', () => {
  const first = outboundRow({ id: 'a', sip_endpoint: 'one.example.com' });
  const second = outboundRow({ id: 'b', sip_endpoint: 'two.example.com' });
  const moved = { ...second, sip_endpoint: 'one.example.com' };

  it('is one that came to apply to the same calls', () => {
    expect(isDuplicate(moved, second, [first, moved])).toBe(true);
    expect(isDuplicate({ ...second, sip_endpoint: 'three.example.com' }, second, [first, second])).toBe(
      false,
    );
  });

  it('is none that was one before, nor itself, nor one of the other direction', () => {
    expect(isDuplicate(moved, moved, [first, moved])).toBe(false);
    expect(isDuplicate(moved, second, [moved])).toBe(false);
    const callers = configurationRow({ id: 'c', allowed_ips: ['192.0.2.1'] });
    expect(
      isDuplicate({ ...callers, id: 'd' }, configurationRow({ id: 'd' }), [
        { ...callers, direction: 'outbound', sip_endpoint: 'x.example.com' },
      ]),
    ).toBe(false);
    expect(isDuplicate({ ...callers, id: 'd' }, configurationRow({ id: 'd' }), [callers])).toBe(true);
  });
});
