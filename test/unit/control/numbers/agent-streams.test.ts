import { describe, expect, it } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import type { InvalidRequest } from '../../../../src/control/http/validation.js';
import {
  type AgentRequest,
  agentForEdges,
  agentSchema,
  agentView,
  areStored,
  checkAgentReachable,
  openedHeaders,
  storedAgent,
  storedStream,
  type WebSocketAgent,
  webSocketAgentView,
  withStoredHeaders,
} from '../../../../src/control/numbers/agent-streams.js';

const secrets = new SecretBox([generateSecretKey()]);
const url = 'wss://bot.example.com/stream';
const bot = (fields: Partial<WebSocketAgent> = {}): WebSocketAgent => ({ type: 'websocket', url, ...fields });
const stored = (fields: Partial<WebSocketAgent> = {}) => storedStream(bot(fields), secrets, 'org_1');
const isTaken = (agent: unknown): boolean => agentSchema.safeParse(agent).success;

describe('an agent in a request', () => {
  it.each(['sip:agent.example.com', 'agent.example.com:5070', '192.0.2.7', url, 'wss://bot.example.com'])(
    'may be %s',
    (text) => expect(isTaken(text)).toBe(true),
  );

  it.each([
    '',
    'http://bot.example.com',
    'wss://',
    'wss://bot.example.com?token=1',
    '+14155550100',
    'a'.repeat(513),
  ])('is not "%s"', (text) => expect(isTaken(text)).toBe(false));

  it.each<[string, object]>([
    ['another type', { type: 'http' }],
    ['an unknown field', { token: 'x' }],
    ['a rate that is none', { sample_rate: 44_100 }],
    ['an unknown format', { format: 'wav' }],
    ['a query in its URL', { url: `${url}?token=1` }],
    ['a fallback that is a bot', { fallback: url }],
    ['an empty name of a header', { headers: { '': 'x' } }],
    ['a name of 65 characters', { headers: { ['x'.repeat(65)]: '1' } }],
    ['a space in the name of a header', { headers: { 'X Key': '1' } }],
    ['a line break in a header', { headers: { 'X-Key': 'a\r\nb' } }],
    ['a header of 1001 characters', { headers: { 'X-Key': 'x'.repeat(1_001) } }],
    ['umlauts in a header', { headers: { 'X-Key': 'ü' } }],
    ['headers of 2001 characters together', { headers: { a: 'x'.repeat(1_000), b: 'x'.repeat(999) } }],
  ])('is refused with %s', (_, fields) => expect(isTaken({ ...bot(), ...fields })).toBe(false));

  it.each([
    'Host',
    'connection',
    'UPGRADE',
    'content-length',
    'transfer-encoding',
    'user-agent',
    'Origin',
    'Sec-WebSocket-Key',
    'sec-websocket-protocol',
    'x-twilio-signature',
    'X-Demarc-Signature',
  ])('does not set the header %s, which is ours', (name) =>
    expect(isTaken(bot({ headers: { [name]: 'x' } }))).toBe(false),
  );

  it.each(['Authorization', 'X-Host', 'Hostname', 'X-Api-Key', 'Sec-Fetch-Mode', 'x'.repeat(64)])(
    'may set the header %s',
    (name) => expect(isTaken(bot({ headers: { [name]: 'x' } }))).toBe(true),
  );

  it('may have headers of 2000 characters together', () =>
    expect(isTaken(bot({ headers: { a: 'x'.repeat(999), b: 'x'.repeat(999) } }))).toBe(true));
});

describe('a WebSocket agent as it is stored', () => {
  it('has every setting, the usual ones where none was given', () => {
    expect(stored()).toEqual({
      url,
      format: 'media-streams',
      sample_rate: 16_000,
      preamble: 'demarc',
      parameters: {},
      answer_on: 'start',
      comfort_tone: false,
      header_names: [],
    });
    expect(
      stored({
        format: 'pcm',
        sample_rate: 8_000,
        preamble: 'listen',
        parameters: { tenant: 'blue' },
        answer_on: 'first_audio',
        comfort_tone: true,
      }),
    ).toEqual({
      url,
      format: 'pcm',
      sample_rate: 8_000,
      preamble: 'listen',
      parameters: { tenant: 'blue' },
      answer_on: 'first_audio',
      comfort_tone: true,
      header_names: [],
    });
  });

  it('has its headers sealed, with their names readable', () => {
    const row = stored({ headers: { Authorization: 'Bearer 1', 'X-Key': '2' } });
    expect(row.header_names).toEqual(['Authorization', 'X-Key']);
    expect(row.headers).not.toContain('Bearer');
    expect(openedHeaders(row.headers, secrets, 'org_1')).toEqual({ Authorization: 'Bearer 1', 'X-Key': '2' });
  });

  it('has its fallback as a URI by TCP unless it says otherwise', () => {
    expect(stored({ fallback: 'agent.example.com' }).fallback).toBe('sip:agent.example.com;transport=tcp');
    expect(stored({ fallback: 'tls://agent.example.com:5061' }).fallback).toBe(
      'sip:agent.example.com:5061;transport=tls',
    );
  });

  it('needs a key for headers alone', () => {
    const without = new SecretBox([]);
    expect(storedStream(bot(), without, 'org_1').header_names).toEqual([]);
    expect(storedStream(bot({ headers: {} }), without, 'org_1').headers).toBeUndefined();
    expect(() => storedStream(bot({ headers: { a: 'b' } }), without, 'org_1')).toThrow(
      expect.objectContaining({ code: 'SECRET_KEY_MISSING' }),
    );
  });
});

describe('sealed headers', () => {
  const { headers } = stored({ headers: { a: 'b' } });

  it('are none where none were stored', () => expect(openedHeaders(undefined, secrets, 'org_1')).toEqual({}));

  it('cannot be opened for another organization, or with another key', () => {
    expect(openedHeaders(headers, secrets, 'org_2')).toBeUndefined();
    expect(openedHeaders(headers, new SecretBox([generateSecretKey()]), 'org_1')).toBeUndefined();
  });
});

describe('whether storing agents would change nothing', () => {
  const same = (agents: WebSocketAgent[], rows: ReturnType<typeof stored>[]): boolean =>
    areStored(agents, rows, secrets, 'org_1');

  it('holds for the same settings, however the fields are ordered', () => {
    expect(same([], [])).toBe(true);
    expect(same([bot()], [stored()])).toBe(true);
    expect(same([bot({ format: 'media-streams', comfort_tone: false })], [stored()])).toBe(true);
    const headers = { a: '1', b: '2' };
    expect(same([bot({ headers })], [stored({ headers })])).toBe(true);
    expect(
      same([bot({ parameters: { a: '1', b: '2' } })], [stored({ parameters: { b: '2', a: '1' } })]),
    ).toBe(true);
  });

  it('holds for several agents in any order', () => {
    const second = { ...stored(), url: 'wss://second.example.com' };
    expect(same([bot(), bot({ url: 'wss://second.example.com' })], [second, stored()])).toBe(true);
  });

  it.each<[string, WebSocketAgent[], ReturnType<typeof stored>[]]>([
    ['another setting', [bot({ comfort_tone: true })], [stored()]],
    ['another URL', [bot({ url: 'wss://second.example.com' })], [stored()]],
    ['one agent more', [bot(), bot({ url: 'wss://second.example.com' })], [stored()]],
    ['one agent fewer', [], [stored()]],
    ['another value of a header', [bot({ headers: { a: '1' } })], [stored({ headers: { a: '2' } })]],
    ['another header', [bot({ headers: { a: '1' } })], [stored({ headers: { b: '1' } })]],
    ['a header more', [bot({ headers: { a: '1' } })], [stored()]],
    ['a header fewer', [bot()], [stored({ headers: { a: '1' } })]],
    ['a fallback', [bot({ fallback: 'a.example.com' })], [stored()]],
  ])('fails for %s', (_, agents, rows) => expect(same(agents, rows)).toBe(false));

  it('fails for headers that cannot be opened', () => {
    const row = stored({ headers: { a: '1' } });
    expect(areStored([bot({ headers: { a: '1' } })], [row], secrets, 'org_2')).toBe(false);
  });
});

describe('the headers of an update', () => {
  const row = stored({ headers: { Authorization: 'Bearer 1', 'X-Key': '2' } });
  const merged = (fields: Partial<WebSocketAgent>, rows = [row]) =>
    withStoredHeaders(bot(fields), rows, secrets, 'org_1').headers;

  it('stay as they are when the update has none', () => {
    expect(merged({})).toEqual({ Authorization: 'Bearer 1', 'X-Key': '2' });
    expect(merged({}, [])).toEqual({});
    expect(merged({ url: 'wss://second.example.com' })).toEqual({});
  });

  it('keep the value of one that is sent back as it was shown', () => {
    expect(merged({ headers: { Authorization: '[redacted]', 'X-Key': '3' } })).toEqual({
      Authorization: 'Bearer 1',
      'X-Key': '3',
    });
    expect(merged({ headers: { 'X-Other': '[redacted]' } })).toEqual({ 'X-Other': '[redacted]' });
  });

  it('are all replaced by those that are sent', () => expect(merged({ headers: {} })).toEqual({}));

  it('are not those that cannot be opened', () =>
    expect(withStoredHeaders(bot(), [row], secrets, 'org_2').headers).toEqual({}));
});

describe('an agent in a response', () => {
  it('shows rate and preamble of PCM alone', () => {
    const view = webSocketAgentView(stored({ format: 'pcm', sample_rate: 24_000, preamble: 'listen' }));
    expect(view).toMatchObject({ format: 'pcm', sample_rate: 24_000, preamble: 'listen' });
    const usual = webSocketAgentView(stored());
    expect('sample_rate' in usual || 'preamble' in usual).toBe(false);
  });

  it('shows the names of its headers and not their values', () => {
    expect(webSocketAgentView(stored({ headers: { Authorization: 'Bearer 1' } })).headers).toEqual({
      Authorization: '[redacted]',
    });
    expect(webSocketAgentView(stored()).fallback).toBeNull();
  });

  it('is its endpoint where it has no settings', () => {
    const view = (agent: AgentRequest) => agentView(storedAgent(agent, secrets, 'org_1'));
    expect(view('sip:agent.example.com')).toBe('sip:agent.example.com');
    expect(view(url)).toBe(url);
    expect(view(bot())).toMatchObject({ type: 'websocket', url });
  });
});

describe('an agent for the edges', () => {
  const forEdges = (agent: AgentRequest) =>
    agentForEdges(storedAgent(agent, secrets, 'org_1'), ['v1:key:key']);

  it('is a URI by TCP unless it says otherwise', () => {
    expect(forEdges('agent.example.com')).toEqual({ agent_uri: 'sip:agent.example.com;transport=tcp' });
    expect(forEdges('sip:a.example.com;transport=udp')).toEqual({
      agent_uri: 'sip:a.example.com;transport=udp',
    });
  });

  it('is a bot with its settings, or with the usual ones, and what signs its connection', () => {
    expect(forEdges(bot({ format: 'pcm' }))).toMatchObject({
      agent_uri: url,
      stream: { url, format: 'pcm', signing_secrets: ['v1:key:key'] },
    });
    expect('header_names' in forEdges(bot()).stream!).toBe(false);
    expect(forEdges(url)).toMatchObject({
      agent_uri: url,
      stream: { format: 'media-streams', signing_secrets: ['v1:key:key'] },
    });
  });
});

describe('an agent that must not be reached', () => {
  const settings = { privateEndpoints: 'refuse', privateNetworks: [] } as unknown as Parameters<
    typeof checkAgentReachable
  >[0];
  const pathOf = (agent: AgentRequest | null | undefined): string | undefined => {
    try {
      checkAgentReachable(settings, agent, 'agent');
      return undefined;
    } catch (error) {
      return (error as InvalidRequest).faults[0]!.path;
    }
  };

  it('is refused for its address, and for that of its fallback', () => {
    expect(pathOf('10.0.0.1')).toBe('agent');
    expect(pathOf('wss://10.0.0.1')).toBe('agent');
    expect(pathOf(bot({ url: 'wss://localhost' }))).toBe('agent');
    expect(pathOf(bot({ fallback: '10.0.0.1' }))).toBe('agent.fallback');
  });

  it('is accepted in the public network, or when there is none', () => {
    for (const agent of [
      null,
      undefined,
      '8.8.8.8',
      'sip:agent.example.com',
      bot(),
      bot({ fallback: 'a.example.com' }),
    ])
      expect(pathOf(agent)).toBeUndefined();
  });
});
