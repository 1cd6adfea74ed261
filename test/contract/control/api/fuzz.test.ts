import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trunkRoutes } from '../../../../src/control/trunks/routes.js';
import {
  type Answer,
  ApiUnderTest,
  attachBody,
  freshNumber,
  healthWithoutEdges,
  historyWithoutEdges,
  inbound,
  outbound,
  type Tenant,
} from './fixture.js';

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const number = freshNumber();
const headers = (direction: string) => ({
  direction,
  headers: [
    { type: 'custom', key: 'X-Account', value: 'X-Tenant' },
    { type: 'uui', target: 'ticket', purpose: 'p', encoding: 'hex', content: 'c' },
  ],
});
const register_auth = { username: 'acme', password: 'correct horse' };

const seeds: readonly (readonly ['POST' | 'PATCH', string, unknown])[] = [
  [
    'POST',
    '/v1/sip/attach',
    attachBody(
      [number, '+442079460123'],
      inbound({ auth_mode: 'register', register_auth, headers: headers('inbound') }),
      inbound({ allowed_ips: ['203.0.113.0/24', '2001:db8::1'], sip_endpoint: 'sip:a@b.example:5060' }),
      outbound('tls://pbx.example.com:5061', {
        options: { port: 5061, transport: 'tls', secure_media: true, sip_username: 'a', sip_password: 'b' },
        headers: headers('outbound'),
      }),
    ),
  ],
  [
    'POST',
    '/v1/sip/update',
    {
      phone_number: number,
      updates: {
        type: 'inbound',
        auth_mode: 'register',
        register_auth,
        allowed_ips: ['10.0.0.1'],
        options: { port: 1 },
      },
    },
  ],
  [
    'POST',
    '/v1/sip/update',
    {
      phone_number: number,
      updates: { type: 'outbound', sip_endpoint: 'x.example', headers: headers('outbound') },
    },
  ],
  [
    'POST',
    '/v1/sip/detach',
    { phone_number: number, directions: [{ type: 'outbound', id: 'cfg_1' }], service: 'sip' },
  ],
  ['POST', '/v1/sip/parse-destination', { input: 'sip:user@pbx.example.com:5061;transport=tls' }],
  [
    'PATCH',
    '/v1/sip/config',
    {
      phone_number: number,
      direction: 'outbound',
      failover_config: {
        enabled: true,
        endpoints: [{ host: 'b.example', port: 5061, transport: 'tls', priority: 1 }],
        triggers: ['unreachable'],
        failback: 'auto',
      },
      codec_config: { codecs: ['PCMU', 'Opus'], transcode: true },
      alert_config: {
        enabled: true,
        thresholds: { unreachable_minutes: 5 },
        channels: { webhook: 'https://example.com/hook' },
      },
      limits: { concurrent_calls: 5, calls_per_second: 2 },
      transfer_config: { mode: 'refer', fallback: true, allowed_targets: ['+49', 'desk.example.org'] },
    },
  ],
];

const nasty: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    -0,
    2 ** 53,
    '',
    ' ',
    '0',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udc00y',
  ],
  ...[
    '\r\nVia: x',
    '%00',
    '%',
    '../..',
    "'; drop table numbers; --",
    '{}',
    '٣',
    '+١٢٣',
    '\u202e',
    '💥'.repeat(50),
  ],
  ...[
    'x'.repeat(5_000),
    'sip:',
    'sip:@',
    '[::',
    '0.0.0.0/0',
    '::/0',
    '1.2.3.4/33',
    'inbound',
    'outbound',
    'register',
  ],
  ...[
    [],
    {},
    [[]],
    [{}],
    { a: { b: { c: {} } } },
    ['x'],
    Array(200).fill('+14155550100'),
    { __proto__: null, x: 1 },
  ],
];

/** A copy with one place changed: replaced, removed, doubled, or given an unknown field. */
function mutate(value: unknown, random: () => number): unknown {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const copy: unknown = structuredClone(value);
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      places.push({ holder: node as Record<string, unknown>, key });
      collect((node as Record<string, unknown>)[key]);
    }
  };
  collect(copy);
  const place = places.length === 0 ? undefined : pick(places);
  if (place === undefined) return pick(nasty);
  const { holder, key } = place;
  switch (Math.floor(random() * 5)) {
    case 0:
      delete holder[key];
      break;
    case 1:
      holder[pick(['nonsense', 'constructor', 'toString', 'id', 'x\u0000', ''])] = pick(nasty);
      break;
    case 2:
      holder[key] = [holder[key], holder[key]];
      break;
    case 3:
      holder[key] = pick(seeds)[2];
      break;
    default:
      holder[key] = pick(nasty);
  }
  return copy;
}

/** JSON text with a few of its characters changed. */
function scramble(text: string, random: () => number): string {
  const characters = [...text];
  for (let count = 0; count < 3; count++) {
    const place = Math.floor(random() * characters.length);
    characters[place] = String.fromCharCode(Math.floor(random() * 256));
  }
  return characters.join('');
}

describe('random requests', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  beforeAll(async () => {
    api = await ApiUnderTest.start({}, [trunkRoutes, historyWithoutEdges, healthWithoutEdges]);
    tenant = await api.tenant();
  });
  afterAll(() => api?.stop());

  /** What is wrong with the envelope of an answer. One `expect` for each part of each answer would take a third of the time. */
  const faultOf = ({ status, data, errors }: Answer<unknown>): string | undefined => {
    if (status >= 500) return 'a failure of the server';
    if (status === 200) return errors === null ? undefined : 'errors beside a success';
    if (data !== null) return 'data beside errors';
    if (errors === null || errors.length === 0) return 'no error';
    if (status === 400 && typeof errors[0]?.path !== 'string') return 'no path';
    return undefined;
  };
  const expectEnvelope = (answer: Answer<unknown>, request: string): void => {
    const fault = faultOf(answer);
    if (fault === undefined) return;
    expect.fail(`${fault}: ${request.slice(0, 2_000)} -> ${answer.status} ${answer.text.slice(0, 500)}`);
  };

  it('never fail the server: 600 bodies', async () => {
    const random = randomOf(20_261_120);
    const statuses = new Map<number, number>();
    for (let round = 0; round < 600; round++) {
      const [method, path, seed] = seeds[round % seeds.length]!;
      let body = seed;
      const mutations = Math.floor(random() * 4);
      for (let count = 0; count < mutations; count++) body = mutate(body, random);
      let text = JSON.stringify(body) ?? 'undefined';
      if (random() < 0.1) text = scramble(text, random);
      if (random() < 0.02) text = `${'['.repeat(50_000)}`;
      if (random() < 0.02) text = `{"directions":${'[{"a":'.repeat(2_000)}1${'}]'.repeat(2_000)}}`;
      if (random() < 0.02) text = text.replace('{', '{"__proto__":{"x":1},');
      const answer = await api.call<unknown>(tenant, method, path, text);
      expectEnvelope(answer, `${method} ${path} ${text}`);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
    // Otherwise the bodies would all be refused at the door.
    expect(statuses.get(200)).toBeGreaterThan(60);
    expect(statuses.get(400)).toBeGreaterThan(200);
    expect(api.logged.filter((line) => line.includes('A request failed'))).toEqual([]);
  });

  it('never fail the server: 400 queries', async () => {
    const random = randomOf(7);
    const paths = [
      '/v1/sip',
      '/v1/sip/numbers',
      '/v1/sip/status',
      '/v1/sip/outbound-setup',
      '/v1/sip/generate-password',
      '/v1/sip/calls',
      '/v1/sip/calls/x%00y',
    ];
    const names = [
      'phone_number',
      'limit',
      'after',
      'length',
      'strength',
      '__proto__',
      'phone_number[]',
      'before',
      'started_after',
      'sip_code',
      'format',
      '',
    ];
    const values = [
      '+14155550100',
      '',
      '%',
      '%00',
      '%ff',
      '%ED%A0%80',
      '1',
      '-1',
      '1e9',
      '999999',
      'long',
      '٣',
      '+',
      'a b',
      '%F0%9F',
    ];
    for (let round = 0; round < 400; round++) {
      const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
      const parts = Array.from({ length: Math.floor(random() * 4) }, () => `${pick(names)}=${pick(values)}`);
      const path = `${pick(paths)}?${parts.join('&')}`;
      const answer = await api.call<unknown>(tenant, 'GET', path);
      expectEnvelope(answer, path);
    }
  });
});
