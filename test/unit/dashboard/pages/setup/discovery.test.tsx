import { describe, expect, it } from 'vitest';
import type { Discovery } from '../../../../../src/dashboard/api/setup.js';
import type { Configuration } from '../../../../../src/dashboard/api/trunks.js';
import {
  AttemptsTable,
  destinationUri,
  Findings,
  ReadDestination,
} from '../../../../../src/dashboard/pages/setup/discovery-findings.js';
import {
  existingOf,
  planOf,
  stepRequests,
} from '../../../../../src/dashboard/pages/trunks/add/number-plan.js';
import { PbxFindings } from '../../../../../src/dashboard/pages/trunks/add/pbx-findings.js';
import { type Rendered, rendered } from '../../rendered.js';

const attempt = (fields: object = {}) => ({
  address: '192.0.2.1',
  port: 5061,
  transport: 'tls',
  response_time_ms: 42,
  response_code: 200,
  user_agent: null,
  reason: null,
  detail: null,
  ...fields,
});
const recommended = (fields: object = {}) => ({
  port: 5061,
  transport: 'tls',
  detected_system: null,
  user_agent: null,
  codecs: [],
  methods: [],
  mutual_tls: false,
  ...fields,
});
const discovery = (fields: object = {}): Discovery =>
  ({
    host: 'pbx.example',
    status: 'completed',
    progress: { done: 3, total: 6 },
    attempts: [],
    recommended: null,
    resolved_addresses: [],
    failure: null,
    detail: null,
    ...fields,
  }) as unknown as Discovery;

describe('what a discovery found for a new number', () => {
  const shown = (fields: object = {}): Rendered => rendered(<PbxFindings discovery={discovery(fields)} />);
  const status = (fields: object = {}): string => shown(fields).all('div')[0]!;

  it('is on its way, failed, or without answer', () => {
    expect(status({ status: 'running' })).toBe('Discovering: 3 of 6 probed');
    expect(
      shown({ status: 'running', progress: { done: 0, total: 0 } }).elements('progress')[0],
    ).toMatchObject({ max: 1 });
    expect(shown().elements('progress')).toEqual([]);
    expect(status({ status: 'failed', failure: 'no_addresses' })).toBe('Discovery failed no addresses');
    expect(status({ status: 'failed', detail: 'NXDOMAIN' })).toBe('Discovery failed NXDOMAIN');
    expect(status()).toMatch(/^No answer /);
  });

  it('is a server, with its answer', () => {
    const attempts = [
      attempt({ transport: 'tcp' }),
      attempt({ reason: 'timeout' }),
      attempt({ port: 5070 }),
      attempt(),
    ];
    expect(status({ attempts, recommended: recommended() })).toBe(
      'Found TLS on port 5061: answered OPTIONS with 200 after 42 ms',
    );
    expect(status({ attempts: [], recommended: recommended() })).toBe('Found TLS on port 5061');
    expect(status({ attempts, recommended: recommended({ port: null }) })).toBe(
      'Found TLS: answered OPTIONS with 200 after 42 ms',
    );
    expect(status({ recommended: recommended({ mutual_tls: true }) })).toContain('client certificate');
    expect(status({ attempts: [attempt({ response_code: null })], recommended: recommended() })).toContain(
      'with a response after',
    );
  });

  it.each<[string, object[], string]>([
    ['not tried', [attempt({ transport: 'udp' })], '–'],
    ['accepted', [attempt({ reason: 'tls' }), attempt()], 'Certificate accepted'],
    ['not there', [attempt({ reason: 'timeout' })], 'no server'],
    [
      'not trusted',
      [attempt({ reason: 'certificate', detail: 'self-signed' })],
      'Certificate not trusted self-signedAdd the certificate',
    ],
    ['refused', [attempt({ reason: 'mutual_tls_required', detail: 'x' })], 'mutual tls required x'],
  ])('has TLS that is %s', (_, attempts, words) => {
    const facts = shown({ attempts });
    expect(facts.all('dd')[1]).toContain(words);
  });

  it('has addresses, system and codecs, where they are known', () => {
    expect(shown().all('dd')).toEqual(['–', '–', '–', 'not reported']);
    const full = shown({
      resolved_addresses: ['192.0.2.1', '192.0.2.2'],
      recommended: recommended({ user_agent: 'Asterisk PBX 22', codecs: ['PCMA', 'PCMU'] }),
    });
    expect(full.all('dd')).toEqual(['192.0.2.1, 192.0.2.2', '–', 'Asterisk PBX 22', 'PCMA, PCMU']);
    expect(shown({ recommended: recommended() }).all('dd')[3]).toBe('not reported');
    expect(shown().all('summary')).toEqual([]);
    expect(shown({ attempts: [attempt()] }).all('summary')).toEqual(['Each attempt']);
  });
});

describe('the page of discoveries', () => {
  const shown = (fields: object = {}): Rendered => rendered(<Findings discovery={discovery(fields)} />);

  it('says how it ended', () => {
    expect(shown().text).toContain('No SIP server responded');
    expect(shown({ status: 'running' }).text).not.toContain('No SIP server responded');
    expect(shown({ status: 'running' }).elements('progress')).toHaveLength(1);
    expect(shown({ status: 'failed', failure: 'no_addresses' }).text).toContain(
      'Discovery failed no addresses',
    );
    expect(shown({ recommended: recommended() }).text).not.toContain('No SIP server responded');
  });

  it('recommends settings', () => {
    const { text } = shown({ recommended: recommended({ mutual_tls: true, methods: ['INVITE', 'BYE'] }) });
    expect(text).toContain('sip:pbx.example:5061;transport=tls');
    expect(text).toContain('System unknown Codecs unknown Methods INVITE, BYE Client certificate Required');
    expect(shown({ recommended: recommended() }).text).not.toContain('Client certificate');
  });

  it.each<[string, number | null, string]>([
    ['pbx.example', 5061, 'sip:pbx.example:5061;transport=tls'],
    ['pbx.example', null, 'sip:pbx.example;transport=tls'],
    ['2001:db8::1', 5061, 'sip:[2001:db8::1]:5061;transport=tls'],
  ])('writes %s with port %s as a URI', (host, port, expected) => {
    expect(destinationUri(host, { port, transport: 'tls' })).toBe(expected);
  });

  it('lists attempts with answers and reasons', () => {
    const attempts = [
      attempt({ response_code: null }),
      attempt({
        port: 5060,
        transport: 'udp',
        reason: 'no_response',
        response_time_ms: null,
        detail: 'after 2 s',
        user_agent: 'X',
      }),
    ] as unknown as Discovery['attempts'];
    const table = rendered(<AttemptsTable attempts={attempts} />);
    expect(table.all('td')).toEqual([
      'TLS',
      'Answers',
      '42 ms',
      '–',
      'UDP',
      'no responseafter 2 s',
      '–',
      'X',
    ]);
  });

  it('says how a destination was read', () => {
    const read = (parsed: object | null): string =>
      rendered(<ReadDestination destination={{ parsed, reason: 'It has no host.' } as never} />).text;
    expect(read(null)).toBe('Not a destination It has no host.');
    const parsed = { normalized: 'sip:x', host: 'x', port: null, transport: null, is_private_ip: false };
    expect(read(parsed)).toBe('Read as sip:x Host x Port not set Transport not set');
    expect(read({ ...parsed, port: 5061, transport: 'tls', is_private_ip: true })).toMatch(
      /Port 5061 Transport TLS Address private: reachable/,
    );
  });
});

describe('the plan of a number', () => {
  const configuration = (direction: string, fields: object = {}): Configuration =>
    ({
      id: direction,
      direction,
      options: {},
      register_auth: null,
      headers: null,
      limits: null,
      codec_config: null,
      failover_config: null,
      alert_config: null,
      transfer_config: null,
      registrar: null,
      agent: null,
      agent_streams: [],
      allowed_ips: [],
      sip_endpoint: 'sip:pbx.example',
      ...fields,
    }) as unknown as Configuration;
  const [inbound, outbound] = [configuration('inbound'), configuration('outbound')];

  it('takes the first configuration of each direction', () => {
    expect(existingOf([outbound, configuration('outbound', { id: 'second' }), inbound])).toEqual({
      inbound,
      outbound,
    });
    expect(existingOf([])).toEqual({ inbound: undefined, outbound: undefined });
  });

  it('of a new number calls and is called; of another one it keeps what is there', () => {
    const wanted = (...configurations: Configuration[]) => planOf(existingOf(configurations)).wanted;
    expect(wanted()).toEqual({ outbound: true, inbound: true });
    expect(wanted(inbound)).toEqual({ outbound: false, inbound: true });
    expect(wanted(outbound)).toEqual({ outbound: true, inbound: true });
    expect(planOf(existingOf([]))).toMatchObject({
      outbound: { type: 'outbound' },
      inbound: { type: 'inbound', auth_mode: 'ip' },
    });
  });

  it('sends each direction in its step', () => {
    const none = existingOf([]);
    const before = planOf(none);
    const count = (step: Parameters<typeof stepRequests>[0], existing = none, draft = before): number =>
      stepRequests(step, '+1312', existing, before, draft).length;
    expect(count('pbx')).toBe(1);
    expect(count('callers')).toBe(1);
    expect(count('number')).toBe(0);
    expect(count('pbx', none, { ...before, wanted: { outbound: false, inbound: true } })).toBe(0);
    // What is attached already is not attached again.
    const existing = existingOf([inbound, outbound]);
    const plan = planOf(existing);
    expect(stepRequests('callers', '+1312', existing, plan, plan)).toEqual([]);
    expect(stepRequests('pbx', '+1312', existing, plan, plan)).toEqual([]);
  });
});
