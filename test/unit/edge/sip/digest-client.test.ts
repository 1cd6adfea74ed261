import { describe, expect, it } from 'vitest';
import { DigestClient } from '../../../../src/edge/sip/digest-client.js';
import { digestResponse, parseCredentials } from '../../../../src/sip/digest.js';
import { fromText } from '../../../../src/sip/message.js';

const request = { method: 'INVITE', uri: 'sip:+1415@pbx.example;transport=tls', body: 'v=0' };
const client = (password = 'secret') =>
  new DigestClient({ username: 'user', password }, () => 'c0ffee').begin();
const challenge = (status: number, value: string, name?: string) => ({
  status,
  get: (wanted: string) =>
    wanted === (name ?? (status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate')) ? value : undefined,
});

describe('the digest client', () => {
  it('has no credentials before a challenge', () => {
    expect(client().headers(request)).toEqual({});
  });

  it('answers over the Request-URI as it is and counts the uses of the nonce', () => {
    const digest = client();
    expect(digest.accept(challenge(401, 'Digest realm="r", nonce="n", qop="auth"'))).toBe(true);
    const first = parseCredentials(digest.headers(request).Authorization!)!;
    expect(first).toMatchObject({ uri: request.uri, nc: '00000001', qop: 'auth', algorithm: 'MD5' });
    const again = { method: 'BYE', uri: 'sip:contact@192.0.2.1' };
    const second = parseCredentials(digest.headers(again).Authorization!)!;
    expect(second.nc).toBe('00000002');
    expect(second.response).toBe(
      digestResponse({
        ...again,
        algorithm: 'MD5',
        username: 'user',
        realm: 'r',
        password: 'secret',
        nonce: 'n',
        nc: '00000002',
        cnonce: 'c0ffee',
        qop: 'auth',
      }),
    );
  });

  it('keeps counting a nonce that a server uses for several requests', () => {
    const digest = new DigestClient({ username: 'user', password: 'secret' });
    const counts = ['a', 'a', 'b', 'b'].map((nonce) => {
      const exchange = digest.begin();
      expect(exchange.headers(request)).toEqual({});
      expect(exchange.accept(challenge(407, `Digest realm="r", nonce="${nonce}", qop="auth"`))).toBe(true);
      return parseCredentials(exchange.headers(request)['Proxy-Authorization']!)!.nc;
    });
    expect(counts).toEqual(['00000001', '00000002', '00000001', '00000002']);
  });

  it('gives each of several realms a separate line', () => {
    const digest = client();
    const both = 'Digest realm="one", nonce="1",Digest realm="two", nonce="2"';
    expect(digest.accept(challenge(407, both))).toBe(true);
    const [first, second, ...more] = digest.headers(request)['Proxy-Authorization']!.split('\r\n');
    expect(more).toEqual([]);
    expect(parseCredentials(first!)).toMatchObject({ realm: 'one' });
    expect(second).toMatch(/^Proxy-Authorization: Digest /);
    expect(parseCredentials(second!.slice('Proxy-Authorization: '.length))).toMatchObject({ realm: 'two' });
  });

  it('takes the first challenge that it understands, and the proxy’s header for a proxy', () => {
    const digest = client();
    const value =
      'Digest realm="r", nonce="a", algorithm=NEW-1, Digest realm="r", nonce="b", algorithm=SHA-512-256, qop="auth,auth-int", Digest realm="r", nonce="c", algorithm=MD5';
    expect(digest.accept(challenge(407, value))).toBe(true);
    const lines = digest.headers(request);
    expect(Object.keys(lines)).toEqual(['Proxy-Authorization']);
    expect(parseCredentials(lines['Proxy-Authorization']!)).toMatchObject({
      nonce: 'b',
      algorithm: 'SHA-512-256',
      qop: 'auth',
    });
  });

  it('covers the body where only auth-int is offered', () => {
    const digest = client('pässword');
    digest.accept(challenge(401, 'Digest realm="r", nonce="n", algorithm=SHA-256, qop="auth-int"'));
    const credentials = parseCredentials(digest.headers(request).Authorization!)!;
    expect(credentials.response).toBe(
      digestResponse({
        ...request,
        algorithm: 'SHA-256',
        username: 'user',
        realm: 'r',
        nonce: 'n',
        nc: '00000001',
        password: Buffer.from('pässword').toString('latin1'),
        cnonce: 'c0ffee',
        qop: 'auth-int',
      }),
    );
  });

  it('tries again for a stale nonce, once for each, and not for a nonce that it has answered', () => {
    const digest = client();
    expect(digest.accept(challenge(401, 'Digest realm="r", nonce="1"'))).toBe(true);
    expect(digest.accept(challenge(401, 'Digest realm="r", nonce="2", stale=true'))).toBe(true);
    expect(parseCredentials(digest.headers(request).Authorization!)).toMatchObject({ nonce: '2' });
    expect(digest.accept(challenge(401, 'Digest realm="r", nonce="2", stale=true'))).toBe(false);
    expect(digest.accept(challenge(401, 'Digest realm="r", nonce="3"'))).toBe(false);
  });

  it('answers a proxy and the server behind it, and not for ever', () => {
    const digest = client();
    expect(digest.accept(challenge(407, 'Digest realm="proxy", nonce="1"'))).toBe(true);
    expect(digest.accept(challenge(401, 'Digest realm="server", nonce="2"'))).toBe(true);
    expect(Object.keys(digest.headers(request))).toEqual(['Proxy-Authorization', 'Authorization']);
    let rounds = 0;
    while (digest.accept(challenge(401, `Digest realm="server", nonce="s${rounds}", stale=true`))) rounds++;
    expect(rounds).toBeLessThan(5);
  });

  it('answers only the pinned realm, and reports the realm of the challenge', () => {
    const digest = new DigestClient({ username: 'user', password: 'secret', realm: 'müller "1"' }).begin();
    const own = 'Digest realm="müller \\"1\\"", nonce="1"';
    expect(digest.accept(challenge(407, `Digest realm="two", nonce="2", ${own}`))).toBe(true);
    const lines = digest.headers(request)['Proxy-Authorization']!.split('\r\n');
    expect(lines.map((line) => parseCredentials(fromText(line))?.nonce)).toEqual(['1']);
    expect(digest.accept(challenge(407, 'Digest realm="two", nonce="3"'))).toBe(false);
    expect(digest.problem).toBe('The challenge is for realm "two", but sip_realm is "müller "1""');
  });

  it('answers only as many realms as fit a request, and repeats no overlong values', () => {
    const realms = Array.from({ length: 30 }, (_, index) => `Digest realm="r${index}", nonce="n"`);
    const digest = client();
    expect(digest.accept(challenge(401, realms.join(', ')))).toBe(true);
    expect(digest.headers(request).Authorization!.split('\r\n')).toHaveLength(5);
    const long = 'x'.repeat(9_000);
    for (const value of [
      `realm="${long}", nonce="n"`,
      `realm="r", nonce="${long}"`,
      `realm="r", nonce="n", opaque="${long}"`,
    ]) {
      expect(client().accept(challenge(401, `Digest ${value}`))).toBe(false);
    }
    const both = `Digest realm="r", nonce="${long}", Digest realm="s", nonce="n"`;
    const secondClient = client();
    expect(secondClient.accept(challenge(401, both))).toBe(true);
    expect(parseCredentials(secondClient.headers(request).Authorization!)).toMatchObject({ realm: 's' });
  });

  it.each([
    ['no challenge', 401, ''],
    ['another scheme', 401, 'Basic realm="r"'],
    ['only unknown algorithms', 401, 'Digest realm="r", nonce="n", algorithm=NEW-1'],
    ['another status', 403, 'Digest realm="r", nonce="n"'],
  ])('gives up on %s', (_, status, value) => {
    const digest = client();
    expect(digest.accept(challenge(status, value, 'WWW-Authenticate'))).toBe(false);
    expect(digest.headers(request)).toEqual({});
  });
});
