import { describe, expect, it } from 'vitest';
import type { Challenge, DigestInput } from '../../../src/sip/digest.js';
import {
  answerChallenge,
  digestAlgorithms,
  digestHa1,
  digestResponse,
  formatChallenge,
  formatCredentials,
  hashedUsername,
  parseChallenges,
  parseCredentials,
  readAlgorithm,
  selectChallenge,
} from '../../../src/sip/digest.js';
import { fromText } from '../../../src/sip/message.js';

/** RFC 7616 §3.9.1. */
const mufasa: Omit<DigestInput, 'algorithm'> = {
  username: 'Mufasa',
  realm: 'http-auth@example.org',
  password: 'Circle of Life',
  method: 'GET',
  uri: '/dir/index.html',
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  nc: '00000001',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  qop: 'auth',
};

/** RFC 7616 §3.9.2. */
const doe = {
  username: fromText('Jäsøn Doe'),
  realm: 'api@example.org',
  password: 'Secret, or not?',
  method: 'GET',
  uri: '/doe.json',
  nonce: '5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK',
  cnonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v',
};

describe('digestResponse', () => {
  it('gives the values of RFC 7616 §3.9.1', () => {
    expect(digestResponse({ ...mufasa, algorithm: 'MD5' })).toBe('8ca523f5e9506fed4657c9700eebdbec');
    expect(digestResponse({ ...mufasa, algorithm: 'SHA-256' })).toBe(
      '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    );
  });

  it('gives the values of RFC 7616 §3.9.2 as corrected by erratum 4897', () => {
    expect(hashedUsername('SHA-512-256', doe.username, doe.realm)).toBe(
      '793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b',
    );
    expect(digestResponse({ ...doe, algorithm: 'SHA-512-256', nc: '00000001', qop: 'auth' })).toBe(
      '3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5',
    );
  });

  it('gives the value of RFC 2617 §3.5', () => {
    const input: DigestInput = {
      algorithm: 'MD5',
      username: 'Mufasa',
      realm: 'testrealm@host.com',
      password: 'Circle Of Life',
      method: 'GET',
      uri: '/dir/index.html',
      nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
    };
    expect(digestResponse({ ...input, qop: 'auth', nc: '00000001', cnonce: '0a4f113b' })).toBe(
      '6629fae49393a05397450978507c4ef1',
    );
    // Without qop, as in RFC 2069.
    expect(digestResponse(input)).toBe('670fd8c2df070c60b045671b8b24ff02');
  });

  it('covers the body with auth-int and the nonces with -sess', () => {
    const base: DigestInput = { ...mufasa, algorithm: 'MD5', qop: 'auth-int', body: 'v=0' };
    expect(digestResponse(base)).not.toBe(digestResponse({ ...base, body: 'v=1' }));
    const session: DigestInput = { ...mufasa, algorithm: 'MD5-sess' };
    expect(digestResponse(session)).not.toBe(digestResponse({ ...mufasa, algorithm: 'MD5' }));
  });

  it.each(digestAlgorithms)('%s: the stored hash serves as well as the password', (algorithm) => {
    const { password = '', ...rest } = mufasa;
    const ha1 = digestHa1(algorithm, mufasa.username, mufasa.realm, password);
    expect(digestResponse({ ...rest, algorithm, ha1 })).toBe(digestResponse({ ...mufasa, algorithm }));
  });
});

describe('challenges', () => {
  it('are read from one line and from several, other schemes left out', () => {
    const challenges = parseChallenges([
      'Basic realm="b", Digest realm="r, \\"1\\"", nonce="n1", algorithm=SHA-256, qop="auth, auth-int", opaque="", stale=TRUE , digest realm=r2,nonce=n2',
      'DIGEST nonce="n3" ,qop=auth,realm="r3",algorithm=sha-512-256-SESS,userhash=true,domain="sip:a sip:b", unknown=1',
      'Negotiate abc==',
      'Digest realm="no nonce"',
      '',
      ', ,',
      'Digest',
      'Digest realm="open',
    ]);
    expect(challenges).toEqual<Challenge[]>([
      {
        scheme: 'Digest',
        realm: 'r, "1"',
        nonce: 'n1',
        algorithm: 'SHA-256',
        qop: ['auth', 'auth-int'],
        opaque: '',
        stale: true,
        userhash: false,
      },
      {
        scheme: 'digest',
        realm: 'r2',
        nonce: 'n2',
        algorithm: 'MD5',
        qop: [],
        stale: false,
        userhash: false,
      },
      {
        scheme: 'DIGEST',
        realm: 'r3',
        nonce: 'n3',
        algorithm: 'SHA-512-256-sess',
        qop: ['auth'],
        domain: 'sip:a sip:b',
        stale: false,
        userhash: true,
      },
    ]);
  });

  it('are written as they are read', () => {
    const [challenge] = parseChallenges([
      'Digest realm="a \\"b\\\\", nonce="n", domain="d", opaque="o", stale=true, algorithm=SHA-256, qop="auth,auth-int", userhash=true',
    ]);
    expect(parseChallenges([formatChallenge(challenge!)])).toEqual([challenge]);
  });

  it('are chosen in the server’s order, unknown ones passed over (RFC 8760 §2.4)', () => {
    const challenges = parseChallenges([
      'Digest realm="r", nonce="1", algorithm=SHA3-512, qop="auth"',
      'Digest realm="r", nonce="2", algorithm=SHA-512-256, qop="token"',
      'Digest realm="r", nonce="3", algorithm=SHA-256, qop="auth"',
      'Digest realm="r", nonce="4", algorithm=MD5, qop="auth"',
    ]);
    expect(challenges[0]?.algorithm).toBeUndefined();
    expect(selectChallenge(challenges)?.nonce).toBe('3');
    expect(selectChallenge(challenges.slice(0, 2))).toBeUndefined();
  });
});

describe('credentials', () => {
  const answer = (challenge: string, body?: string) =>
    answerChallenge(parseChallenges([challenge])[0]!, {
      username: doe.username,
      password: doe.password,
      method: 'INVITE',
      uri: 'sip:b@example.org',
      cnonce: doe.cnonce,
      nonceCount: 26,
      ...(body === undefined ? {} : { body }),
    });

  it('answer a challenge with qop', () => {
    const credentials = answer(
      'Digest realm="r", nonce="n", qop="auth-int,auth", algorithm=SHA-256, opaque="o"',
    );
    expect(credentials).toMatchObject({ qop: 'auth', nc: '0000001a', cnonce: doe.cnonce, opaque: 'o' });
    expect(parseCredentials(formatCredentials(credentials!))).toEqual(credentials);
  });

  it('answer auth-int over the body, when nothing else is offered', () => {
    const challenge = 'Digest realm="r", nonce="n", qop="auth-int"';
    expect(answer(challenge, 'a')?.qop).toBe('auth-int');
    expect(answer(challenge, 'a')?.response).not.toBe(answer(challenge, 'b')?.response);
  });

  it('answer an old server without qop, and hide the name when asked', () => {
    const old = answer('Digest realm="r", nonce="n"');
    expect(old?.qop).toBeUndefined();
    expect(old?.cnonce).toBeUndefined();
    expect(answer('Digest realm="r", nonce="n", algorithm=MD5-sess')?.cnonce).toBe(doe.cnonce);
    const hidden = answer(
      'Digest realm="api@example.org", nonce="n", algorithm=SHA-512-256, qop="auth", userhash=true',
    );
    expect(hidden?.username).toBe(hashedUsername('SHA-512-256', doe.username, doe.realm));
  });

  it('do not answer unknown schemes', () => {
    expect(answer('Digest realm="r", nonce="n", algorithm=SHA3-256')).toBeUndefined();
    expect(answer('Digest realm="r", nonce="n", qop="token"')).toBeUndefined();
  });

  it('are read from what telephones send', () => {
    expect(
      parseCredentials(
        'Digest username="bob",realm="example.org", nonce="84a4cc6f3082121f32b42a2187831a9e",uri="sip:example.org;x=1,2", response="7587245234b3434cc3412213e5f113a5432", qop=AUTH, nc=00000001, cnonce="a\\"b", algorithm=md5',
      ),
    ).toMatchObject({
      username: 'bob',
      uri: 'sip:example.org;x=1,2',
      qop: 'auth',
      nc: '00000001',
      cnonce: 'a"b',
      algorithm: 'MD5',
    });
    expect(
      parseCredentials("Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, realm=r, nonce=n, uri=u, response=r")
        ?.username,
    ).toBe(doe.username);
  });

  it.each([
    '',
    'Digest',
    'Basic abc',
    'Digest username="a", realm="r"',
    'NoOneKnowsThisScheme opaque-data=here',
  ])('are not %j', (value) => expect(parseCredentials(value)).toBeUndefined());

  it('know algorithms in any case', () => {
    expect(readAlgorithm('sha-256')).toBe('SHA-256');
    expect(readAlgorithm('SHA-1')).toBeUndefined();
  });
});
