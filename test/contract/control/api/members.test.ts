import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AreaDeps } from '../../../../src/control/area.js';
import { contactRoutes } from '../../../../src/control/contacts/routes.js';
import type { Delivery } from '../../../../src/control/deliveries/sender.js';
import { keyRoutes } from '../../../../src/control/keys/routes.js';
import { membersArea } from '../../../../src/control/members/index.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { acceptInvitation } from '../../../../src/control/people/invitations.js';
import { createPerson } from '../../../../src/control/people/people.js';
import { Passwords } from '../../../../src/control/secrets/passwords.js';
import { beginSession } from '../../../../src/control/session/sessions.js';
import { trunkRoutes } from '../../../../src/control/trunks/routes.js';
import { cheapPasswords } from '../../../support/cheap-passwords.js';
import { Stopwatch } from '../../../support/stopwatch.js';
import { ApiUnderTest, attachBody, freshNumber, inbound, type Tenant } from './fixture.js';

let api: ApiUnderTest;
const mails: Delivery[] = [];

/** Headers that a browser adds to requests of the dashboard's own page. */
const ownPage = { 'sec-fetch-site': 'same-origin' };
const password = 'correct horse battery staple';
const sessionLimits = { absoluteMilliseconds: 3_600_000, idleMilliseconds: 3_600_000 };
let people = 0;
const freshEmail = (): string => `person${++people}@example.com`;

beforeAll(async () => {
  const send = async (mail: Delivery) => {
    mails.push(mail);
    return { kind: 'delivered', status: 250 } as const;
  };
  const area = membersArea.create({ senders: { email: { send } } } as unknown as AreaDeps);
  api = await ApiUnderTest.start(
    {
      DEMARC_LOGINS_PER_MINUTE: '1000',
      DEMARC_PUBLIC_URL: 'https://demarc.example.com',
      DEMARC_SMTP_URL: 'smtp://mail.example.com',
      DEMARC_SMTP_FROM: 'demarc@example.com',
    },
    [trunkRoutes],
    [
      area.accountRoutes!,
      keyRoutes,
      (server, deps) => contactRoutes(server, deps as Parameters<typeof contactRoutes>[1]),
    ],
    [area.publicRoutes!],
  );
});
afterAll(async () => {
  await api?.stop();
});

interface Reply {
  readonly status: number;
  readonly cookie: string;
  readonly cookies: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: Tests say themselves what they expect of an answer.
  readonly body: any;
}

/** As a browser of that address, with its cookies. */
async function ask(
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
  { cookie = '', address = '127.0.0.1', headers = ownPage as Record<string, string> } = {},
): Promise<Reply> {
  const response = await api.server.inject({
    method,
    url,
    remoteAddress: address,
    headers: { ...headers, ...(cookie === '' ? {} : { cookie }) },
    ...(payload === undefined ? {} : { payload }),
  });
  const cookies = Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]));
  const session = cookies.demarc_session;
  return {
    status: response.statusCode,
    cookie: session === undefined ? '' : `demarc_session=${session}`,
    cookies,
    body: response.json(),
  };
}

const tokenOf = (link: string): string => new URL(link).hash.slice(1);

async function invite(tenant: Tenant | { cookie: string }, role: string, email = freshEmail()) {
  const [headers, cookie] =
    'key' in tenant ? [{ authorization: `Bearer ${tenant.key}` }, ''] : [ownPage, tenant.cookie];
  const reply = await ask('POST', '/v1/invitations', { email, role }, { headers, cookie });
  return { email, reply, token: reply.status === 200 ? tokenOf(reply.body.data.link) : '' };
}

/** A member with a session. */
async function member(tenant: Tenant, role: string, email = freshEmail()) {
  const { token } = await invite(tenant, role, email);
  const account = { email, name: `The ${role}`, password: await cheapPasswords.hash(password) };
  const accepted = await acceptInvitation(api.database, token, (transaction) =>
    createPerson(transaction, account),
  );
  const { memberId } = accepted!;
  const session = await beginSession(api.database, { memberId }, sessionLimits);
  return { email, cookie: `demarc_session=${session.token}`, id: memberId };
}

/** A member with a session, as the page of the link makes one. */
async function memberByLink(tenant: Tenant, role: string, email = freshEmail()) {
  const { token } = await invite(tenant, role, email);
  const { status, cookie, body } = await ask('POST', '/v1/invitations/accept', {
    token,
    name: `The ${role}`,
    password,
  });
  expect({ status, role: body.data?.member?.role }).toEqual({ status: 200, role });
  return { email, cookie, id: body.data.member.id as string };
}

const errorOf = ({ status, body }: Reply) => [status, body.errors?.[0]?.error];

describe('an invitation', () => {
  it('sends at most ten emails a day to one address, and still sends to other addresses', async () => {
    const [tenant, neighbor] = [await api.tenant(), await api.tenant()];
    const email = freshEmail();
    for (let mail = 0; mail < 10; mail++)
      expect((await invite(tenant, 'viewer', email)).reply.status).toBe(200);
    const { reply } = await invite(tenant, 'viewer', email);
    expect(errorOf(reply)).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(reply.body.errors[0].message).toContain(
      'mails of this organization to this address is 10 requests a day',
    );
    expect((await invite(tenant, 'viewer')).reply.status).toBe(200);
    expect((await invite(neighbor, 'viewer', email)).reply.status).toBe(200);
  });

  it('does not delay the mail of another organization while one sends more than its mails of a day', async () => {
    const [attacker, victim] = [await api.tenant(), await api.tenant()];
    const duration = async (): Promise<number> => {
      const begun = performance.now();
      const { email, reply } = await invite(victim, 'viewer');
      expect(reply.status).toBe(200);
      expect(mails.some(({ target }) => target === email)).toBe(true);
      return performance.now() - begun;
    };
    const slowestOf = async (): Promise<number> => {
      const times: number[] = [];
      while (times.length < 15) times.push(await duration());
      // One pause of the machine is not the attack.
      return times.sort((a, b) => a - b).at(-2)!;
    };
    const quiet = await slowestOf();
    const watch = Stopwatch.start();
    let refused = 0;
    const attack = Promise.all(
      Array.from({ length: 5 }, async () => {
        for (let mail = 0; mail < 42; mail++)
          if ((await invite(attacker, 'viewer')).reply.status === 429) refused++;
      }),
    );
    expect(await slowestOf()).toBeLessThan(watch.bound(3 * quiet + 100));
    await attack;
    expect(refused).toBe(10);
  });

  it('quotes the words of the customer in its mail', async () => {
    const tenant = await api.tenant();
    await sql`update api_keys set name = 'Sign in at https://evil.example/login'
      where organization_id = ${tenant.organizationId}`.execute(api.database);
    await invite(tenant, 'viewer');
    const text = mails.at(-1)?.content?.text ?? '';
    expect(text).toContain('“Sign in at https[:]//evil[.]example/login” invites you to “');
    expect(text).not.toContain('evil.example');
  });

  it('makes an account by its link, which is mailed, and signs in', async () => {
    const tenant = await api.tenant();
    const { email, reply, token } = await invite(tenant, 'operator');
    expect(reply.body.data).toMatchObject({ email, role: 'operator', invited_by: 'test', mailed: true });
    expect(reply.body.data.link).toBe(`https://demarc.example.com/join#${token}`);
    expect(Date.parse(reply.body.data.expires_at) - Date.now()).toBeGreaterThan(71.9 * 3_600_000);
    expect(mails.at(-1)).toMatchObject({ target: email });
    expect(mails.at(-1)?.content?.text).toContain(reply.body.data.link);
    const shown = await ask('POST', '/v1/invitations/look-up', { token });
    expect(shown.body.data).toMatchObject({
      email,
      role: 'operator',
      invited_by: 'test',
      has_account: false,
    });
    const accepted = await ask('POST', '/v1/invitations/accept', { token, name: 'Ada', password });
    expect(accepted.body.data).toMatchObject({
      key: null,
      operator: false,
      via: 'cookie',
      member: { name: 'Ada', email, role: 'operator' },
      organization: { id: tenant.organizationId },
      organizations: [{ id: tenant.organizationId }],
    });
    const signedIn = await ask('POST', '/v1/sign-in', { email: email.toUpperCase(), password });
    expect(signedIn.body.data.member.name).toBe('Ada');
  });

  it('works once, and not after a newer one, a withdrawal or its end', async () => {
    const tenant = await api.tenant();
    const accept = (token: string) => ask('POST', '/v1/invitations/accept', { token, name: 'Ada', password });
    const [used, replaced, withdrawn, late] = [
      await invite(tenant, 'viewer'),
      await invite(tenant, 'viewer'),
      await invite(tenant, 'viewer'),
      await invite(tenant, 'viewer'),
    ];
    const both = await Promise.all([accept(used.token), accept(used.token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
    await invite(tenant, 'viewer', replaced.email);
    await api.call(tenant, 'DELETE', `/v1/invitations/${withdrawn.reply.body.data.invitation_id}`);
    await sql`update invitations set expires_at = now() where email = ${late.email}`.execute(api.database);
    for (const { token } of [used, replaced, withdrawn, late]) {
      expect(errorOf(await accept(token))).toEqual([410, 'LINK_NOT_VALID']);
      expect(errorOf(await ask('POST', '/v1/invitations/look-up', { token }))).toEqual([
        410,
        'LINK_NOT_VALID',
      ]);
    }
  });

  it('of an existing account needs its password, and adds an organization to switch to', async () => {
    const [first, second] = [await api.tenant(), await api.tenant()];
    const { email, cookie } = await member(first, 'viewer');
    const { token } = await invite(second, 'owner', email);
    const wrong = await ask('POST', '/v1/invitations/accept', { token, password: 'a guess of the owner' });
    expect(errorOf(wrong)).toEqual([401, 'WRONG_PASSWORD']);
    const accepted = await ask('POST', '/v1/invitations/accept', { token, password });
    expect(accepted.body.data).toMatchObject({ member: { name: 'The viewer', role: 'owner' } });
    expect(accepted.body.data.organizations).toHaveLength(2);
    const switched = await ask(
      ...(['PATCH', '/v1/session', { organization_id: first.organizationId }] as const),
      { cookie: accepted.cookie },
    );
    expect(switched.body.data).toMatchObject({
      member: { role: 'viewer' },
      organization: { id: first.organizationId },
    });
    expect((await ask('GET', '/v1/session', undefined, { cookie: accepted.cookie })).status).toBe(401);
    const third = await api.tenant();
    const foreign = await ask(
      ...(['PATCH', '/v1/session', { organization_id: third.organizationId }] as const),
      {
        cookie,
      },
    );
    expect(errorOf(foreign)).toEqual([404, 'NOT_FOUND']);
  });

  it('takes any password of twelve characters, and no shorter one', async () => {
    const { token } = await invite(await api.tenant(), 'viewer');
    const short = await ask('POST', '/v1/invitations/accept', {
      token,
      name: 'Ada',
      password: 'elevenchars',
    });
    expect([short.status, short.body.errors[0]]).toEqual([
      400,
      expect.objectContaining({ path: 'password', message: 'password must have at least 12 characters.' }),
    ]);
    const plain = await ask('POST', '/v1/invitations/accept', {
      token,
      name: 'Ada',
      password: 'twelve chars',
    });
    expect(plain.status).toBe(200);
  });
});

describe('a role', () => {
  it.each([
    ['viewer', 403, 403, 403],
    ['operator', 403, 403, 403],
    ['owner', 200, 200, 200],
  ] as const)(
    '%s: attach a number %i, create a key %i, read the audit log %i',
    async (role, attach, key, audit) => {
      const { cookie } = await member(await api.tenant(), role);
      const body = attachBody([freshNumber()], inbound());
      expect((await ask('GET', '/v1/sip/numbers', undefined, { cookie })).status).toBe(200);
      expect((await ask('POST', '/v1/sip/attach', body, { cookie })).status).toBe(attach);
      expect((await ask('POST', '/v1/keys', { name: 'mine' }, { cookie })).status).toBe(key);
      expect((await ask('GET', '/v1/audit', undefined, { cookie })).status).toBe(audit);
    },
  );

  it.each(['viewer', 'operator'])('%s gives itself or others no other role', async (role) => {
    const tenant = await api.tenant();
    const [owner, own] = [await member(tenant, 'owner'), await member(tenant, role)];
    const tries = [
      await ask('PATCH', `/v1/members/${own.id}`, { role: 'owner' }, own),
      await ask('PATCH', `/v1/members/${owner.id}`, { role: 'viewer' }, own),
      await ask('DELETE', `/v1/members/${owner.id}`, undefined, own),
      await ask('POST', `/v1/members/${owner.id}/reset-link`, {}, own),
      (await invite(own, 'viewer')).reply,
    ];
    expect(tries.map(errorOf)).toEqual(tries.map(() => [403, 'INSUFFICIENT_SCOPE']));
    expect(tries[0]!.body.errors[0].message).toContain(`your role is ${role}`);
  });

  it('is given only by a key with its rights that does not expire', async () => {
    const tenant = await api.tenant();
    const { database } = api;
    const keys = await Promise.all([
      createKey(database, tenant.organizationId, 'people', { scopes: ['members:write'] }),
      createKey(database, tenant.organizationId, 'soon', { expiresAt: new Date(Date.now() + 60_000) }),
    ]);
    for (const { key } of keys) {
      const refused = await invite({ ...tenant, key }, 'owner');
      expect(errorOf(refused.reply)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
  });

  it('changes at once for sessions, and the last owner keeps it', async () => {
    const tenant = await api.tenant();
    const [first, second] = [await member(tenant, 'owner'), await member(tenant, 'owner')];
    expect((await ask('PATCH', `/v1/members/${second.id}`, { role: 'viewer' }, first)).status).toBe(200);
    expect((await ask('POST', '/v1/keys', { name: 'late' }, second)).status).toBe(403);
    expect(errorOf(await ask('PATCH', `/v1/members/${first.id}`, { role: 'viewer' }, first))).toEqual([
      409,
      'LAST_OWNER',
    ]);
    expect(errorOf(await ask('DELETE', `/v1/members/${first.id}`, undefined, first))).toEqual([
      409,
      'LAST_OWNER',
    ]);
    const third = await member(tenant, 'owner');
    const each = await Promise.all([
      ask('DELETE', `/v1/members/${third.id}`, undefined, first),
      ask('DELETE', `/v1/members/${first.id}`, undefined, third),
    ]);
    expect(each.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('of another organization is not seen or touched', async () => {
    const [mine, otherTenant] = [await api.tenant(), await api.tenant()];
    const [owner, stranger] = [await member(mine, 'owner'), await member(otherTenant, 'owner')];
    const pending = await invite(otherTenant, 'viewer');
    const list = await ask('GET', '/v1/members', undefined, owner);
    expect(list.body.data.members.map(({ member_id: id }: { member_id: string }) => id)).toEqual([owner.id]);
    expect((await ask('GET', '/v1/invitations', undefined, owner)).body.data.invitations).toEqual([]);
    const invitation = pending.reply.body.data.invitation_id;
    for (const reply of [
      await ask('PATCH', `/v1/members/${stranger.id}`, { role: 'viewer' }, owner),
      await ask('DELETE', `/v1/members/${stranger.id}`, undefined, owner),
      await ask('POST', `/v1/members/${stranger.id}/reset-link`, {}, owner),
      await ask('DELETE', `/v1/invitations/${invitation}`, undefined, owner),
    ]) {
      expect(errorOf(reply)).toEqual([404, 'NOT_FOUND']);
    }
    const events = (await ask('GET', '/v1/audit', undefined, owner)).body.data.events;
    expect(JSON.stringify(events)).not.toContain(stranger.id);
  });
});

describe('a session of a member', () => {
  it('ends with the membership, in the middle of everything', async () => {
    const tenant = await api.tenant();
    const [owner, gone] = [await member(tenant, 'owner'), await member(tenant, 'operator')];
    expect((await ask('GET', '/v1/members', undefined, gone)).status).toBe(200);
    await ask('DELETE', `/v1/members/${gone.id}`, undefined, owner);
    expect((await ask('GET', '/v1/members', undefined, gone)).status).toBe(401);
    expect(errorOf(await ask('POST', '/v1/sign-in', { email: gone.email, password }))).toEqual([
      401,
      'WRONG_PASSWORD',
    ]);
  });

  it('never has a token that was there before', async () => {
    const { email } = await member(await api.tenant(), 'viewer');
    const attacker = await member(await api.tenant(), 'viewer');
    const signedIn = await ask('POST', '/v1/sign-in', { email, password }, attacker);
    expect(signedIn.cookie).not.toBe(attacker.cookie);
    expect((await ask('GET', '/v1/session', undefined, attacker)).status).toBe(401);
  });

  it.each([{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])(
    'neither begins nor changes anything for a page of %o',
    async (headers) => {
      const tenant = await api.tenant();
      const owner = await member(tenant, 'owner');
      const { token } = await invite(tenant, 'viewer');
      const replies = [
        await ask('POST', '/v1/sign-in', { email: owner.email, password }, { headers }),
        await ask('POST', '/v1/invitations/accept', { token, name: 'Eve', password }, { headers }),
        await ask('POST', '/v1/password/reset', { email: owner.email }, { headers }),
        await ask('PATCH', `/v1/members/${owner.id}`, { role: 'viewer' }, { headers, cookie: owner.cookie }),
        await ask(
          'PUT',
          '/v1/session/password',
          { current_password: password, password },
          { headers, cookie: owner.cookie },
        ),
      ];
      expect(replies.map(errorOf)).toEqual(replies.map(() => [403, 'FOREIGN_ORIGIN']));
    },
  );

  it('of a changed password is the only one left', async () => {
    const { email, cookie } = await member(await api.tenant(), 'viewer');
    const signedIn = await ask('POST', '/v1/sign-in', { email, password });
    const next = 'eleven blue cups on the shelf';
    const wrong = await ask(
      'PUT',
      '/v1/session/password',
      { current_password: next, password: next },
      { cookie },
    );
    expect(errorOf(wrong)).toEqual([401, 'WRONG_PASSWORD']);
    const changed = await ask(
      'PUT',
      '/v1/session/password',
      { current_password: password, password: next },
      { cookie },
    );
    expect(changed.status).toBe(200);
    expect((await ask('GET', '/v1/session', undefined, { cookie: changed.cookie })).status).toBe(200);
    for (const ended of [cookie, signedIn.cookie]) {
      expect((await ask('GET', '/v1/session', undefined, { cookie: ended })).status).toBe(401);
    }
    expect((await ask('POST', '/v1/sign-in', { email, password })).status).toBe(401);
    expect((await ask('POST', '/v1/sign-in', { email, password: next })).status).toBe(200);
  });

  it('takes Idempotency-Key like a key', async () => {
    const owner = await member(await api.tenant(), 'owner');
    const headers = { ...ownPage, 'idempotency-key': 'once' };
    const [first, again] = [
      await ask('POST', '/v1/keys', { name: 'billing' }, { headers, cookie: owner.cookie }),
      await ask('POST', '/v1/keys', { name: 'billing' }, { headers, cookie: owner.cookie }),
    ];
    expect(again.body).toEqual(first.body);
  });
});

it('signs in with a hash of another cost, and stores one of the present cost', async () => {
  const { email } = await member(await api.tenant(), 'viewer');
  const ofEarlierRelease = await new Passwords({ logN: 3, r: 8, p: 1 }).hash(password);
  const set = api.database.updateTable('people').set({ password: ofEarlierRelease });
  await set.where('email', '=', email).execute();
  const signIn = async (given: string) =>
    (await ask('POST', '/v1/sign-in', { email, password: given })).status;
  const find = api.database.selectFrom('people').select('password').where('email', '=', email);
  const stored = async () => (await find.executeTakeFirstOrThrow()).password;
  expect(await signIn('wrong')).toBe(401);
  expect(await stored()).toBe(ofEarlierRelease);
  expect(await signIn(password)).toBe(200);
  expect(await stored()).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$/);
  expect(await signIn(password)).toBe(200);
});

describe('guessing a password', () => {
  it('says the same of a wrong password and an unknown address', async () => {
    const { email } = await member(await api.tenant(), 'viewer');
    const [wrong, unknown] = [
      await ask('POST', '/v1/sign-in', { email, password: 'wrong' }),
      await ask('POST', '/v1/sign-in', { email: freshEmail(), password: 'wrong' }),
    ];
    expect(errorOf(wrong)).toEqual([401, 'WRONG_PASSWORD']);
    expect(wrong.body.errors).toEqual(unknown.body.errors);
  });

  it('ends after ten attempts, also through an invitation, and locks no member out', async () => {
    const { email } = await member(await api.tenant(), 'viewer');
    const signedIn = await ask('POST', '/v1/sign-in', { email, password }, { address: '198.51.100.7' });
    const browser = `demarc_browser=${signedIn.cookies.demarc_browser}`;
    const from = { address: '203.0.113.9' };
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt++) {
      statuses.push((await ask('POST', '/v1/sign-in', { email, password: `guess ${attempt}` }, from)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    expect((await ask('POST', '/v1/sign-in', { email, password }, from)).status).toBe(429);
    const { token } = await invite(await api.tenant(), 'viewer', email);
    expect((await ask('POST', '/v1/invitations/accept', { token, password: 'a guess' }, from)).status).toBe(
      429,
    );
    // The person, at another address, and even at the attacker's with a browser of before.
    expect((await ask('POST', '/v1/sign-in', { email, password }, { address: '198.51.100.8' })).status).toBe(
      200,
    );
    expect((await ask('POST', '/v1/sign-in', { email, password }, { ...from, cookie: browser })).status).toBe(
      200,
    );
  });
});

describe('a forgotten password', () => {
  it('is reset by a mailed link, once, which ends all sessions', async () => {
    const { email, cookie } = await member(await api.tenant(), 'viewer');
    expect((await ask('POST', '/v1/password/reset', { email: freshEmail() })).body.data).toEqual({
      sends_mail: true,
    });
    const before = mails.length;
    expect((await ask('POST', '/v1/password/reset', { email })).body.data).toEqual({ sends_mail: true });
    await expect.poll(() => mails.length).toBe(before + 1);
    const link = /https:\S+/.exec(mails.at(-1)!.content!.text!)![0];
    expect(link).toMatch(/^https:\/\/demarc\.example\.com\/reset#/);
    const body = { token: tokenOf(link), password: 'a brand new passphrase' };
    expect((await ask('POST', '/v1/password/set', body)).body.data).toEqual({ email });
    expect(errorOf(await ask('POST', '/v1/password/set', body))).toEqual([410, 'LINK_NOT_VALID']);
    expect((await ask('GET', '/v1/session', undefined, { cookie })).status).toBe(401);
    expect((await ask('POST', '/v1/sign-in', { email, password: body.password })).status).toBe(200);
  });

  it('gives no owner an account that belongs to another organization, too', async () => {
    const [mine, otherTenant] = [await api.tenant(), await api.tenant()];
    const { email, id } = await member(mine, 'viewer');
    const early = await api.call<{ link: string }>(mine, 'POST', `/v1/members/${id}/reset-link`, {});
    const { token } = await invite(otherTenant, 'owner', email);
    expect((await ask('POST', '/v1/invitations/accept', { token, password })).status).toBe(200);
    const late = await api.call(mine, 'POST', `/v1/members/${id}/reset-link`, {});
    expect([late.status, late.errors?.[0]?.error]).toEqual([409, 'MEMBER_ELSEWHERE']);
    const set = { token: tokenOf(early.data.link), password: 'the owner of the other one' };
    expect(errorOf(await ask('POST', '/v1/password/set', set))).toEqual([410, 'LINK_NOT_VALID']);
    expect((await ask('POST', '/v1/sign-in', { email, password })).status).toBe(200);
  });
});

it('gives no owner an account that sees the fleet', async () => {
  const tenant = await api.tenant();
  const { id } = await member(tenant, 'viewer');
  const early = await api.call<{ link: string }>(tenant, 'POST', `/v1/members/${id}/reset-link`, {});
  await api.database.updateTable('members').set({ is_operator: true }).where('id', '=', id).execute();
  const late = await api.call(tenant, 'POST', `/v1/members/${id}/reset-link`, {});
  expect([late.status, late.errors?.[0]?.error]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  const set = { token: tokenOf(early.data.link), password: 'that of the tenant’s owner' };
  expect(errorOf(await ask('POST', '/v1/password/set', set))).toEqual([410, 'LINK_NOT_VALID']);
});

describe('the audit log', () => {
  it('names who did what from where, and no value of a field', async () => {
    const owner = await memberByLink(await api.tenant(), 'owner');
    const number = freshNumber();
    const secret = 'a-secret-nobody-may-read';
    const options = { sip_username: 'acme', sip_password: secret };
    await ask('POST', '/v1/sip/attach', attachBody([number], inbound({ options })), owner);
    const created = await ask('POST', '/v1/keys', { name: 'billing' }, owner);
    await ask('DELETE', `/v1/keys/${created.body.data.id}`, undefined, owner);
    await ask('POST', '/v1/keys', { name: '' }, owner);
    const { events } = (await ask('GET', '/v1/audit', undefined, owner)).body.data;
    const by = { kind: 'member', id: owner.id, name: 'The owner' };
    expect(events).toMatchObject([
      { action: 'revokeKey', subject: created.body.data.id, actor: by, address: '127.0.0.1' },
      { action: 'createKey', subject: 'billing', fields: 'name', summary: 'Create an API key' },
      { action: 'attachNumbers', subject: number, fields: 'phone_numbers, directions, service' },
      { action: 'signIn', actor: by },
      { action: 'acceptInvitation', subject: `${owner.email} owner` },
      { action: 'inviteMember', actor: { kind: 'key', name: 'test' }, subject: `${owner.email} owner` },
    ]);
    expect(JSON.stringify(events)).not.toContain(secret);
    const page = (await ask('GET', `/v1/audit?limit=2&after=${events[1].audit_event_id}`, undefined, owner))
      .body;
    expect(page.data.events).toEqual(events.slice(2, 4));
    expect(page.has_more).toBe(true);
  });
});

it('keeps what names a contact out of the audit log, so that an erasure removes it', async () => {
  const owner = await member(await api.tenant(), 'owner');
  const person = { phone_number: '+4930987654', email: 'jane.doe@example.com', name: 'Jane Doe' };
  const resolved = await ask('POST', '/v1/contacts/resolve', person, owner);
  expect(resolved.status).toBe(200);
  const { id } = resolved.body.data.contact;
  expect((await ask('PATCH', `/v1/contacts/${id}`, { name: 'Jane Roe' }, owner)).status).toBe(200);
  const { events } = (await ask('GET', '/v1/audit', undefined, owner)).body.data;
  expect(events.slice(0, 2)).toMatchObject([
    { action: 'updateContact', subject: id, fields: 'name' },
    { action: 'resolveContact', subject: '', fields: 'phone_number, email, name' },
  ]);
});

it('keeps passwords, links and cookies out of the log and the database', async () => {
  const owner = await member(await api.tenant(), 'owner');
  const { token } = await invite(owner, 'viewer');
  await ask('POST', '/v1/sign-in', { email: owner.email, password: 'not the password' });
  const kept = [...api.logged, await api.dump()].join('\n');
  expect(kept).toContain(owner.email);
  for (const secret of [password, 'not the password', token, owner.cookie.split('=')[1]!]) {
    expect(kept).not.toContain(secret);
  }
});
