import { beforeEach, describe, expect, it } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import type { Admission } from '../../../../src/edge/admission/chain.js';
import { NonceKeeper } from '../../../../src/edge/admission/digest-nonce.js';
import {
  type AnswerFields,
  answer,
  chainOver,
  challengesOf,
  invite,
  numberDocument,
  secrets,
  settings,
  type TestChain,
} from './request.js';

const document = numberDocument({
  inbound: [
    { id: 'ip', allowed_sources: ['192.0.2.0/24'] },
    { id: 'auth', credentials: [{ username: 'trunk', password: secrets.seal('right') }] },
    { id: 'auth-3', credentials: [{ username: 'neighbour', password: secrets.seal('also right') }] },
    { id: 'auth-2', credentials: [{ username: 'jürgen', password: secrets.seal('grün') }] },
  ],
});

let test: TestChain;
beforeEach(() => {
  test = chainOver([document]);
});

const refusalOf = (admission: Admission) => {
  if (admission.admitted) throw new Error('admitted');
  return admission.refusal;
};

async function nonceFor(sourceAddress = '203.0.113.7'): Promise<string> {
  return challengesOf(refusalOf(await test.chain.admit(invite({ sourceAddress }))).headers)[0]!.nonce;
}

/** An INVITE that answers a challenge. */
function authorized(nonce: string, fields: AnswerFields & { sourceAddress?: string; target?: string } = {}) {
  const { sourceAddress = '203.0.113.7', target, ...rest } = fields;
  const bare = invite({ sourceAddress, ...(target === undefined ? {} : { uri: target }) });
  return {
    ...bare,
    header: (name: string) => (name === 'Authorization' ? answer(nonce, bare, rest) : undefined),
  };
}

const isStale = (admission: Admission): boolean => challengesOf(refusalOf(admission).headers)[0]!.stale;

describe('the challenge', () => {
  it('offers SHA-256 first, then MD5, each in a separate header, with qop auth', async () => {
    const refusal = refusalOf(await test.chain.admit(invite()));
    expect(refusal).toMatchObject({ status: 401, isChallenge: true, endReason: 'refused_credentials' });
    const challenges = challengesOf(refusal.headers);
    expect(challenges.map(({ algorithm }) => algorithm)).toEqual(['SHA-256', 'MD5']);
    expect(
      challenges.every(({ qop, realm, stale }) => qop[0] === 'auth' && realm === 'demarc' && !stale),
    ).toBe(true);
  });

  it('offers no MD5, and takes none, when that is switched off', async () => {
    test = chainOver([document], {
      settings: { ...settings, digest: { ...settings.digest, algorithms: ['SHA-256'] } },
    });
    const challenges = challengesOf(refusalOf(await test.chain.admit(invite())).headers);
    expect(challenges.map(({ algorithm }) => algorithm)).toEqual(['SHA-256']);
    const admission = await test.chain.admit(authorized(challenges[0]!.nonce, { algorithm: 'MD5' }));
    expect(refusalOf(admission).status).toBe(401);
  });

  it('offers MD5 alone to a phone that gives up on SHA-256, but not where MD5 is switched off', async () => {
    const old = invite({ headers: { 'User-Agent': 'baresip v1.0.0 (x86_64/linux)' } });
    const offered = async () =>
      challengesOf(refusalOf(await test.chain.admit(old)).headers).map(({ algorithm }) => algorithm);
    expect(await offered()).toEqual(['MD5']);
    test = chainOver([document], {
      settings: { ...settings, digest: { ...settings.digest, algorithms: ['SHA-256'] } },
    });
    expect(await offered()).toEqual(['SHA-256']);
  });

  it('never repeats a nonce', async () => {
    const nonces = new Set<string>();
    for (let i = 0; i < 200; i++) nonces.add(await nonceFor());
    expect(nonces.size).toBe(200);
  });

  it('is not sent to an allowed source', async () => {
    expect(await test.chain.admit(invite({ sourceAddress: '192.0.2.5' }))).toMatchObject({ admitted: true });
  });
});

describe('a right answer', () => {
  it.each(['SHA-256', 'MD5'] as const)(
    'with %s is admitted, by the configuration of that user',
    async (algorithm) => {
      const admission = await test.chain.admit(authorized(await nonceFor(), { algorithm }));
      expect(admission).toMatchObject({ admitted: true, authenticatedAs: 'trunk', inbound: { id: 'auth' } });
    },
  );

  it('works over UDP from an address that would not do alone', async () => {
    const request = authorized(await nonceFor());
    expect(await test.chain.admit({ ...request, protocol: 'udp' })).toMatchObject({ admitted: true });
  });

  it('works with names and passwords beyond ASCII', async () => {
    const bytes = (text: string) => Buffer.from(text).toString('latin1');
    const nonce = await nonceFor();
    const bare = invite();
    const value = answer(nonce, bare, { username: bytes('jürgen'), password: bytes('grün') });
    const request = { ...bare, header: () => Buffer.from(value, 'latin1').toString('utf8') };
    request.header = ((name: string) =>
      name === 'Authorization'
        ? Buffer.from(value, 'latin1').toString('utf8')
        : undefined) as typeof request.header;
    expect(await test.chain.admit(request)).toMatchObject({ admitted: true, inbound: { id: 'auth-2' } });
  });

  it('is found among several Authorization headers', async () => {
    const nonce = await nonceFor();
    const bare = invite();
    const elsewhere = answer('n', bare, { realm: 'elsewhere' });
    const request = {
      ...bare,
      header: (name: string) =>
        name === 'Authorization' ? `${elsewhere},${answer(nonce, bare)}` : undefined,
    };
    expect(await test.chain.admit(request)).toMatchObject({ admitted: true });
  });

  it('may be used again with a higher nonce count', async () => {
    const nonce = await nonceFor();
    for (const nc of ['00000001', '00000002', '0000000a']) {
      expect(await test.chain.admit(authorized(nonce, { nc })), nc).toMatchObject({ admitted: true });
    }
  });

  it.each([
    ['without parameters', 'sip:+14155550100@edge.example.com'],
    ['with another spelling of host and number', 'sip:14155550100@EDGE.example.com:5061;transport=TLS'],
  ])('is taken for an equal URI: %s', async (_name, uri) => {
    expect(await test.chain.admit(authorized(await nonceFor(), { uri }))).toMatchObject({ admitted: true });
  });
});

describe('several edges of one service', () => {
  const chains = (keys: readonly [SecretBox, SecretBox]) =>
    keys.map((box) => chainOver([document], { secrets: box }).chain) as [
      TestChain['chain'],
      TestChain['chain'],
    ];

  it('an edge accepts the answer to the challenge of another one', async () => {
    const [first, second] = chains([secrets, secrets]);
    const challenge = challengesOf(
      refusalOf(await first.admit(invite({ sourceAddress: '203.0.113.7' }))).headers,
    );
    expect(await second.admit(authorized(challenge[0]!.nonce))).toMatchObject({ admitted: true });
  });

  it('but not of an edge with another key, and not for another source', async () => {
    const otherSecretBox = new SecretBox([generateSecretKey()]);
    const [first, second] = chains([otherSecretBox, secrets]);
    const challenge = challengesOf(
      refusalOf(await first.admit(invite({ sourceAddress: '203.0.113.7' }))).headers,
    );
    expect(isStale(await second.admit(authorized(challenge[0]!.nonce)))).toBe(true);
    const elsewhere = authorized(await nonceFor('198.51.100.1'));
    expect(isStale(await second.admit(elsewhere))).toBe(true);
  });

  it('an answer that an earlier process of the edge may have accepted is stale', () => {
    const key = secrets.keyFor('digest nonce of trunks');
    const clock = { now: 5_000_000 };
    const nonce = new NonceKeeper(60, () => clock.now, key).make('203.0.113.7');
    clock.now += 1_000;
    expect(new NonceKeeper(60, () => clock.now, key).check(nonce, '203.0.113.7')).toBe('expired');
  });
});

describe('attacks', () => {
  it('a replayed answer is stale', async () => {
    const nonce = await nonceFor();
    expect(await test.chain.admit(authorized(nonce))).toMatchObject({ admitted: true });
    const replay = await test.chain.admit(authorized(nonce));
    expect(refusalOf(replay).status).toBe(401);
    expect(isStale(replay)).toBe(true);
  });

  it('an answer whose nonce was evicted in a flood is stale, not accepted a second time', () => {
    const clock = { now: 5_000_000 };
    const keeper = new NonceKeeper(60, () => clock.now);
    const first = keeper.make('203.0.113.7');
    expect(keeper.use(first, 1)).toBe(true);
    clock.now += 1_000;
    for (let i = 0; i < 50_000; i++) keeper.use(keeper.make('203.0.113.7'), 1);
    expect(keeper.remembered).toBe(50_000);
    expect(keeper.check(first, '203.0.113.7')).toBe('expired');
    // Others made later are as good as before.
    expect(keeper.check(keeper.make('203.0.113.7'), '203.0.113.7')).toBe('good');
  });

  it('a lower nonce count than the last is stale', async () => {
    const nonce = await nonceFor();
    await test.chain.admit(authorized(nonce, { nc: '00000005' }));
    expect(isStale(await test.chain.admit(authorized(nonce, { nc: '00000004' })))).toBe(true);
  });

  it('another spelling of the same nonce does not bypass the replay check', async () => {
    const nonce = await nonceFor();
    await test.chain.admit(authorized(nonce));
    for (const spelled of [`${nonce}=`, `${nonce} `, nonce.replaceAll('-', '+').replaceAll('_', '/')]) {
      if (spelled === nonce) continue;
      expect(await test.chain.admit(authorized(spelled)), spelled).toMatchObject({ admitted: false });
    }
  });

  it('a wrong answer does not use up the nonce count', async () => {
    const nonce = await nonceFor();
    await test.chain.admit(authorized(nonce, { password: 'wrong', nc: 'ffffffff' }));
    expect(await test.chain.admit(authorized(nonce))).toMatchObject({ admitted: true });
  });

  it('an expired nonce is stale, regardless of the password', async () => {
    for (const password of ['right', 'wrong']) {
      const nonce = await nonceFor();
      test.clock.now += 61_000;
      expect(isStale(await test.chain.admit(authorized(nonce, { password })))).toBe(true);
    }
  });

  it('the nonce of another source does not do', async () => {
    const nonce = await nonceFor('198.51.100.1');
    expect(await test.chain.admit(authorized(nonce))).toMatchObject({
      admitted: false,
      refusal: { status: 401 },
    });
  });

  it('a forged nonce is refused, and reveals nothing about the password', async () => {
    const forged = Buffer.alloc(33, 7).toString('base64url');
    const [right, wrong] = [
      await test.chain.admit(authorized(forged)),
      await test.chain.admit(authorized(forged, { password: 'wrong' })),
    ];
    expect(shapeOf(right!)).toEqual(shapeOf(wrong!));
    const genuine = Buffer.from(await nonceFor(), 'base64url');
    for (let i = 0; i < genuine.length; i++) {
      const changed = Buffer.from(genuine);
      changed[i]! ^= 1;
      expect((await test.chain.admit(authorized(changed.toString('base64url')))).admitted).toBe(false);
    }
  });

  it.each([
    ['another number', 'sip:+14155550999@edge.example.com;transport=tls'],
    ['another host', 'sip:+14155550100@other.example.com'],
    ['no URI', 'nonsense'],
  ])('rejects a digest response computed for %s', async (_name, uri) => {
    const admission = await test.chain.admit(authorized(await nonceFor(), { uri }));
    expect(refusalOf(admission).status).toBe(401);
    expect(isStale(admission)).toBe(false);
  });

  it.each(['sip:edge.example.com:5061', 'sip:edge.example.com', 'sip:192.0.2.10:5061'])(
    'an answer whose uri is our host alone, %s, does, as SIPp makes it',
    async (uri) => {
      test = chainOver([document], { ownHostPorts: () => ['192.0.2.10:5061'] });
      expect(await test.chain.admit(authorized(await nonceFor(), { uri }))).toMatchObject({ admitted: true });
    },
  );

  it.each(['sip:other.example.com', 'sip:192.0.2.10:5062', 'sip:192.0.2.11'])(
    'an answer whose uri is another host alone, %s, does not, and the record says why',
    async (uri) => {
      test = chainOver([document], { ownHostPorts: () => ['192.0.2.10:5061'] });
      const refusal = refusalOf(await test.chain.admit(authorized(await nonceFor(), { uri })));
      expect(refusal).toMatchObject({ status: 401, detail: expect.stringContaining(`uri="${uri}"`) });
    },
  );

  it('RFC 2069 answers without qop are not taken', async () => {
    const admission = await test.chain.admit(authorized(await nonceFor(), { qop: undefined }));
    expect(refusalOf(admission).status).toBe(401);
  });

  it('auth-int is not taken, because it was not offered', async () => {
    const admission = await test.chain.admit(authorized(await nonceFor(), { qop: 'auth-int' }));
    expect(refusalOf(admission).status).toBe(401);
  });

  it('unknown user and wrong password get equal answers', async () => {
    const unknown = await test.chain.admit(authorized(await nonceFor(), { username: 'nobody' }));
    const wrong = await test.chain.admit(authorized(await nonceFor(), { password: 'wrong' }));
    const none = await test.chain.admit(invite());
    expect(shapeOf(unknown)).toEqual(shapeOf(wrong));
    expect(shapeOf(unknown)).toEqual(shapeOf(none));
    expect(refusalOf(unknown).detail).toContain('nobody');
    expect(refusalOf(wrong).detail).not.toContain('nobody');
  });

  it('unknown user and wrong password open as many sealed passwords', async () => {
    let opened = 0;
    class CountingBox extends SecretBox {
      override open(sealed: string): string {
        opened++;
        return super.open(sealed);
      }
    }
    const counting = new CountingBox([generateSecretKey()]);
    const sealed = numberDocument({
      inbound: [{ id: 'auth', credentials: [{ username: 'trunk', password: counting.seal('right') }] }],
    });
    test = chainOver([sealed], { secrets: counting });
    for (const fields of [{ username: 'nobody' }, { password: 'wrong' }]) {
      opened = 0;
      await test.chain.admit(authorized(await nonceFor(), fields));
      expect(opened, JSON.stringify(fields)).toBe(1);
    }
  });

  it('unknown user and wrong password cost the same work', async () => {
    const measure = async (fields: AnswerFields, sourceAddress: string): Promise<number> => {
      const request = authorized(await nonceFor(sourceAddress), { ...fields, sourceAddress });
      const began = process.hrtime.bigint();
      await test.chain.admit(request);
      return Number(process.hrtime.bigint() - began);
    };
    const unknown: number[] = [];
    const wrong: number[] = [];
    // Alternating, so that other load on the machine slows both equally.
    for (let i = 0; i < 400; i++) {
      const source = `203.0.113.${i % 200}`;
      unknown.push(await measure({ username: 'nobody' }, source));
      wrong.push(await measure({ password: 'wrong' }, source));
    }
    const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length / 2]!;
    expect(median(unknown) / median(wrong)).toBeGreaterThan(0.5);
    expect(median(unknown) / median(wrong)).toBeLessThan(2);
  });

  describe('guessing', () => {
    const per = settings.digest.failuresPerMinute;
    interface Attempt extends AnswerFields {
      readonly from?: string;
      readonly callId?: string;
    }
    const attempt = async ({ from = '203.0.113.7', callId, ...fields }: Attempt): Promise<Admission> => {
      // Within the limit of calls of one source.
      test.clock.now += 2;
      const request = authorized(await nonceFor(from), { sourceAddress: from, ...fields });
      return test.chain.admit(callId === undefined ? request : { ...request, callId });
    };
    const statusOf = async (fields: Attempt): Promise<number> => {
      const admission = await attempt(fields);
      return admission.admitted ? 200 : admission.refusal.status;
    };
    const checkedOf = async (attempts: readonly Attempt[]): Promise<number> => {
      let checked = 0;
      for (const attempt of attempts)
        if ((await statusOf({ password: 'wrong', ...attempt })) === 401) checked += 1;
      return checked;
    };

    it('twice in one call is one call: the first answer is a challenge, the second ends it with its cause', async () => {
      const wrong = { password: 'wrong', callId: 'call-1' };
      expect(refusalOf(await attempt(wrong))).toMatchObject({ status: 401, isChallenge: true });
      const final = refusalOf(await attempt(wrong));
      expect(final).toMatchObject({ status: 403, endReason: 'refused_credentials' });
      expect(final.isChallenge).toBeUndefined();
      expect(final.detail).toBe('Wrong password for "trunk". The caller repeated it in this call.');
    });

    it('ends in 403 without a check, for that source only and for a while only', async () => {
      expect(await checkedOf(Array.from({ length: per + 5 }, () => ({})))).toBe(per);
      const admission = refusalOf(await attempt({}));
      expect(admission).toMatchObject({ status: 403, endReason: 'refused_guessing' });
      expect(admission.detail).toMatch(/"trunk" from 203\.0\.113\.7/);
      expect(await statusOf({ from: '198.51.100.77' })).toBe(200);
      test.clock.now += 60_000;
      expect(await statusOf({})).toBe(200);
    });

    it('from many addresses of one IPv6 /64 is that of one source', async () => {
      const attempts = Array.from({ length: per * 3 }, (_, i) => ({
        from: `2001:db8:0:1::${i.toString(16)}`,
      }));
      expect(await checkedOf(attempts)).toBe(per);
      expect(await statusOf({ from: '2001:db8:0:1:ffff::1' })).toBe(403);
      expect(await statusOf({ from: '2001:db8:0:2::1' })).toBe(200);
    });

    it('one user from many sources ends, but not for a source that gave the right answer before', async () => {
      expect(await statusOf({ from: '198.51.100.1' })).toBe(200);
      const attempts = Array.from({ length: 15 * per }, (_, i) => ({ from: `192.0.3.${i % 15}` }));
      expect(await checkedOf(attempts)).toBe(3 * per);
      expect(await statusOf({ from: '198.51.100.9' })).toBe(403);
      expect(await statusOf({ from: '198.51.100.1' })).toBe(200);
    });

    it('many users from one source ends, whether they exist or not', async () => {
      const names = (name: string) =>
        Array.from({ length: per + 5 }, (_, i) => ({ username: `${name} ${i}` }));
      expect(await checkedOf(names('nobody'))).toBe(per);
      expect(await statusOf({})).toBe(403);
    });

    it('a PBX that repeats one wrong password ten times in a call gets 403 at the second, its neighbours none', async () => {
      for (let call = 0; call < 3 * per; call++) {
        const statuses: number[] = [];
        for (let i = 0; i < 10; i++)
          statuses.push(await statusOf({ callId: `call ${call}`, password: 'wrong' }));
        const [first] = statuses;
        expect(statuses.slice(1).every((status) => status === 403)).toBe(true);
        expect(first).toBe(call < per / 2 ? 401 : 403);
      }
      expect(await statusOf({ username: 'neighbour', password: 'also right' })).toBe(200);
    });
  });

  it('answers to nonces we never issued ban no source', async () => {
    for (let i = 0; i < 50; i++) await test.chain.admit(authorized('bm9uc2Vuc2U', { password: 'x' }));
    expect(await test.chain.admit(authorized(await nonceFor()))).toMatchObject({ admitted: true });
  });
});

it('a password sealed with another key never matches, and the record says so', async () => {
  test = chainOver([document], { secrets: new SecretBox([generateSecretKey()]) });
  const refusal = refusalOf(await test.chain.admit(authorized(await nonceFor())));
  expect(refusal).toMatchObject({ status: 401 });
  expect(refusal.detail).toContain('another key');
});

it('without any key even an empty password does not match', async () => {
  test = chainOver([document], { secrets: new SecretBox([]) });
  for (const username of ['trunk', 'nobody']) {
    expect(await test.chain.admit(authorized(await nonceFor(), { username, password: '' }))).toMatchObject({
      admitted: false,
    });
  }
});

/** An answer without the parts that are random. */
function shapeOf(admission: Admission): unknown {
  const { detail, headers, isChallenge, ...rest } = refusalOf(admission);
  return { ...rest, headers: JSON.stringify(headers).replace(/nonce=\\"[^"]*"/g, 'nonce') };
}
