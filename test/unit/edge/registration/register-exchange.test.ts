import { describe, expect, it } from 'vitest';
import { RegisterExchange } from '../../../../src/edge/registration/register-exchange.js';
import { edgeNames } from '../../../../src/edge/routing/names.js';
import type { StandaloneRequest } from '../../../../src/edge/sip/engine-link.js';
import type { ReceivedResponse } from '../../../../src/edge/sip/messages.js';
import { EgressPolicy } from '../../../../src/naming/egress.js';
import { ScriptedDns } from '../../../support/scripted-dns.js';

const token = '0123456789abcdef0123456789abcdef';
const challenge = 'Digest realm="pbx", nonce="n1", algorithm=SHA-256, qop="auth"';

type Answer = readonly [status: number, headers?: Readonly<Record<string, string>>];

interface Sent extends StandaloneRequest {
  readonly uri: string;
}

/** An exchange with a registrar that gives these answers, the last one again and again. */
function exchangeWith(
  answers: readonly Answer[],
  options: { username?: string; realm?: string; addresses?: string[] } = {},
) {
  const sent: Sent[] = [];
  const exchange = new RegisterExchange(
    {
      engine: {
        request: (uri, request, done) => {
          const [status, headers = {}] = answers[Math.min(sent.length, answers.length - 1)]!;
          sent.push({ uri, ...request });
          const response = { status, reason: 'Reason', source_address: '9.9.9.9', source_port: 5061 };
          const get = (name: string): string | undefined => headers[name];
          done(undefined, { ...response, get } as unknown as ReceivedResponse);
        },
      },
      names: edgeNames({ dns: new ScriptedDns({ a: { '*': options.addresses ?? ['9.9.9.9'] } }) }).targets,
      egress: new EgressPolicy({ allowPrivate: false }),
      timeoutMilliseconds: 1_000,
      maximumTargets: 4,
    },
    {
      registrar: { host: 'pbx.example.com', transport: 'tls' },
      username: options.username ?? '700',
      password: 'right',
      realm: options.realm,
      token,
    },
  );
  return { exchange, sent };
}

describe('REGISTER', () => {
  it('names the domain, the user, and a Contact that only this registrar knows', async () => {
    const { exchange, sent } = exchangeWith([[200, { Expires: '120' }]], { username: 'a b;ü' });
    expect(await exchange.register(300)).toMatchObject({ kind: 'registered', expiresSeconds: 120 });
    const [{ uri, method, headers, proxy }] = sent as [Sent];
    expect([uri, method]).toEqual(['sip:pbx.example.com;transport=tls', 'REGISTER']);
    expect(headers.To).toBe('<sip:a%20b;%C3%BC@pbx.example.com>');
    expect(headers.Contact).toBe(`<sip:${token}@localhost;transport=tls;line=${token}>;expires=300`);
    expect(proxy).toBe('sip:pbx.example.com:5061;transport=tls;maddr=9.9.9.9');
  });

  it('takes the expiry of its binding, not that of others or of Expires', async () => {
    const contacts = `<sip:other@192.0.2.1>;expires=3600, <sip:${token}@198.51.100.1:5061;transport=tls>;expires=77`;
    const { exchange } = exchangeWith([[200, { Contact: contacts, Expires: '1800' }]]);
    expect(await exchange.register(300)).toMatchObject({ expiresSeconds: 77 });
  });

  it.each(['0', '-5'])('is refused where the registrar drops the binding at once (%s)', async (expires) => {
    const { exchange } = exchangeWith([[200, { Contact: `<sip:${token}@198.51.100.1>;expires=${expires}` }]]);
    expect(await exchange.register(300)).toMatchObject({ kind: 'refused' });
  });

  it('does not believe a registrar that promises years', async () => {
    const { exchange } = exchangeWith([[200, { Expires: '4294967295000' }]]);
    expect(await exchange.register(300)).toMatchObject({ kind: 'registered', expiresSeconds: 86_400 });
  });

  it('does not follow 423 after 423', async () => {
    const answers: Answer[] = Array.from({ length: 50 }, (_, count) => [
      423,
      { 'Min-Expires': String(400 + count) },
    ]);
    const { exchange, sent } = exchangeWith(answers);
    expect(await exchange.register(300)).toMatchObject({ kind: 'refused' });
    expect(sent.length).toBeLessThan(10);
    const { exchange: secondExchange } = exchangeWith([[423, { 'Min-Expires': '4294967295' }]]);
    expect(await secondExchange.register(300)).toMatchObject({ kind: 'refused', status: 423 });
  });

  it('answers a proxy and then the registrar, and uses both nonces again', async () => {
    const { exchange, sent } = exchangeWith([
      [407, { 'Proxy-Authenticate': challenge.replace('pbx', 'proxy') }],
      [401, { 'WWW-Authenticate': challenge }],
      [200],
    ]);
    expect(await exchange.register(300)).toMatchObject({ kind: 'registered' });
    await exchange.register(300);
    expect(sent.map(({ headers }) => [!!headers['Proxy-Authorization'], !!headers.Authorization])).toEqual([
      [false, false],
      [true, false],
      [true, true],
      [true, true],
    ]);
    expect(sent.at(-1)!.headers.Authorization).toContain('nc=00000002');
    expect(sent.map(({ headers }) => headers.CSeq)).toEqual([1, 2, 3, 4].map((count) => `${count} REGISTER`));
    expect(new Set(sent.map(({ headers }) => headers['Call-ID'])).size).toBe(1);
  });

  it('retries with a new nonce where each is valid once only, without reporting a wrong password', async () => {
    const { exchange, sent } = exchangeWith([
      [401, { 'WWW-Authenticate': challenge }],
      [200],
      [401, { 'WWW-Authenticate': challenge.replace('n1', 'n2') }],
      [200],
    ]);
    await exchange.register(300);
    expect(await exchange.register(300)).toMatchObject({ kind: 'registered' });
    expect(sent).toHaveLength(4);
  });

  it('stops after one answer that is not taken, and starts without credentials the next time', async () => {
    const { exchange, sent } = exchangeWith([[401, { 'WWW-Authenticate': challenge }]]);
    expect(await exchange.register(300)).toMatchObject({ kind: 'refused', status: 401 });
    expect(sent).toHaveLength(2);
    await exchange.register(300);
    expect(sent[2]!.headers.Authorization).toBeUndefined();
  });

  it('gives up after repeated stale nonces', async () => {
    let count = 0;
    const answers: Answer[] = Array.from({ length: 50 }, () => [
      401,
      { 'WWW-Authenticate': `${challenge.replace('n1', `n${++count}`)}, stale=true` },
    ]);
    const { exchange, sent } = exchangeWith(answers);
    expect(await exchange.register(300)).toMatchObject({ kind: 'refused' });
    expect(sent.length).toBeLessThanOrEqual(8);
  });

  it('answers no other realm than the pinned one', async () => {
    const elsewhere = exchangeWith([[401, { 'WWW-Authenticate': challenge }]], { realm: 'another' });
    expect(await elsewhere.exchange.register(300)).toMatchObject({
      kind: 'refused',
      status: 401,
      detail: expect.stringContaining('sip_realm is "another"'),
    });
    expect(elsewhere.sent).toHaveLength(1);
    const there = exchangeWith([[401, { 'WWW-Authenticate': challenge }], [200]], { realm: 'pbx' });
    expect(await there.exchange.register(300)).toMatchObject({ kind: 'registered' });
  });

  it('cannot answer AKA alone', async () => {
    const aka = 'Digest realm="ims", nonce="abc", algorithm=AKAv1-MD5, qop="auth"';
    const { exchange } = exchangeWith([[401, { 'WWW-Authenticate': aka }]]);
    expect(await exchange.register(300)).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining('authentication scheme'),
    });
  });

  it('keeps TLS where a redirect would drop it, and contacts no private address', async () => {
    const plain = exchangeWith([[302, { Contact: '<sip:9.9.9.77:5060;transport=udp>' }], [200]]);
    expect(await plain.exchange.register(300)).toMatchObject({ kind: 'registered' });
    expect(plain.sent[1]!.uri).toBe('sip:9.9.9.77:5060;transport=tls');
    const inside = exchangeWith([[302, { Contact: '<sip:10.0.0.1>' }], [200]]);
    expect(await inside.exchange.register(300)).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining('private address'),
    });
    expect(inside.sent).toHaveLength(1);
    const rebound = exchangeWith([[200]], { addresses: ['127.0.0.1'] });
    expect(await rebound.exchange.register(300)).toMatchObject({ kind: 'refused' });
    expect(rebound.sent).toHaveLength(0);
  });

  it.each([
    [403, 'refused'],
    [404, 'refused'],
    [600, 'refused'],
    [408, 'unreachable'],
    [480, 'unreachable'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ] as const)('takes %i for %s, and says what the server said', async (status, kind) => {
    const { exchange } = exchangeWith([[status, { 'Retry-After': '30 (busy)' }]]);
    expect(await exchange.register(300)).toEqual({
      kind,
      status,
      detail: `The registrar answered ${status} Reason`,
      retryAfterSeconds: 30,
    });
  });
});
