import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, recognizeKey, revokeKey } from '../../../../src/control/organizations/keys.js';
import { buildServer } from '../../../../src/control/server/server.js';
import { trunkRoutes } from '../../../../src/control/trunks/routes.js';
import { DemarcError } from '../../../../src/errors.js';
import { ApiUnderTest, attachBody, freshNumber, inbound, type Tenant } from './fixture.js';

let api: ApiUnderTest;
let folder: string;

/** Headers that a browser adds to requests of the dashboard's own page. */
const ownPage = { 'sec-fetch-site': 'same-origin' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demarc-dashboard-'));
  api = await ApiUnderTest.start({ DEMARC_LOGINS_PER_MINUTE: '1000' });
});
afterAll(async () => {
  await api?.stop();
  await rm(folder, { recursive: true, force: true });
});

type Headers = Record<string, string>;
interface Login {
  readonly status: number;
  readonly cookie: string;
  readonly setCookie: string;
  // biome-ignore lint/suspicious/noExplicitAny: Tests say themselves what they expect of an answer.
  readonly body: any;
}

async function login(key: string, headers: Headers = ownPage, server = api.server): Promise<Login> {
  const response = await server.inject({
    method: 'POST',
    url: '/v1/session',
    headers,
    payload: { api_key: key },
  });
  const setCookie = String(response.headers['set-cookie'] ?? '');
  return { status: response.statusCode, setCookie, cookie: setCookie.split(';')[0]!, body: response.json() };
}

async function ask(cookie: string, method: 'GET' | 'POST' | 'DELETE', url: string, more: object = {}) {
  const { headers, ...rest } = { headers: {}, ...more } as { headers: Headers };
  const response = await api.server.inject({ method, url, headers: { cookie, ...headers }, ...rest });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

async function keyIdOf(tenant: Tenant): Promise<string> {
  const caller = await recognizeKey(api.database, tenant.key);
  if (caller instanceof DemarcError) throw caller;
  return caller.keyId;
}

describe('login', () => {
  it('turns a key into a cookie that opens the API', async () => {
    const tenant = await api.tenant();
    const { status, cookie, setCookie, body } = await login(tenant.key);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      organization: { id: tenant.organizationId, sip_enabled: true },
      key: { name: 'test', prefix: tenant.key.slice(0, 16) },
      operator: false,
      via: 'cookie',
    });
    expect(setCookie).toMatch(
      /^demarc_session=[A-Za-z0-9_-]{43}; Path=\/; Expires=.+; HttpOnly; SameSite=Strict$/,
    );
    const who = await ask(cookie, 'GET', '/v1/session');
    expect(who).toMatchObject({ status: 200, body: { data: { via: 'cookie', operator: false } } });
    expect((await ask(cookie, 'GET', '/v1/sip/numbers')).status).toBe(200);
    const byKey = await api.call<{ via: string; expires_at: null }>(tenant, 'GET', '/v1/session');
    expect(byKey.data).toMatchObject({ via: 'key', expires_at: null, idle_expires_at: null });
  });

  it('sets Secure behind a trusted TLS proxy', async () => {
    const tenant = await api.tenant();
    const forwarded = { ...ownPage, 'x-forwarded-proto': 'https' };
    expect((await login(tenant.key, forwarded)).setCookie).not.toContain('Secure');
    const settings = { ...api.parts.settings, trustProxy: true };
    const server = await buildServer({ ...api.parts, settings }, []);
    expect((await login(tenant.key, forwarded, server)).setCookie).toContain('; Secure');
    await server.close();
  });

  it('refuses wrong and revoked keys, and sets no cookie', async () => {
    const revoked = await api.tenant();
    await revokeKey(api.database, await keyIdOf(revoked));
    for (const key of ['nonsense', `${revoked.key.slice(0, -4)}AAAA`, revoked.key]) {
      const { status, setCookie, body } = await login(key);
      expect({ status, setCookie, error: body.errors[0].error }).toEqual({
        status: 401,
        setCookie: '',
        error: 'UNAUTHORIZED',
      });
    }
  });

  it('admits a user without the entitlement and explains why nothing is shown', async () => {
    const tenant = await api.tenant({ sipEnabled: false });
    const { cookie, body } = await login(tenant.key);
    expect(body.data.organization.sip_enabled).toBe(false);
    expect(await ask(cookie, 'GET', '/v1/sip/numbers')).toMatchObject({
      status: 403,
      body: { errors: [{ error: 'SIP_NOT_ENABLED' }] },
    });
  });

  it('is slowed down by address', async () => {
    const settings = { ...api.parts.settings, loginsPerMinute: 3 };
    const server = await buildServer({ ...api.parts, settings }, []);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      statuses.push((await login('nonsense', ownPage, server)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    await server.close();
  });
});

describe('the end of a session', () => {
  it('comes with a logout, for that session alone', async () => {
    const tenant = await api.tenant();
    const [first, second] = [await login(tenant.key), await login(tenant.key)];
    const ended = await ask(first.cookie, 'DELETE', '/v1/session', { headers: ownPage });
    expect(ended).toMatchObject({ status: 200, body: { data: { ended: true } } });
    expect(String(ended.headers['set-cookie'])).toMatch(/^demarc_session=; .*Expires=Thu, 01 Jan 1970/);
    expect((await ask(first.cookie, 'GET', '/v1/session')).status).toBe(401);
    expect((await ask(second.cookie, 'GET', '/v1/session')).status).toBe(200);
  });

  it('comes with the revocation of its key', async () => {
    const tenant = await api.tenant();
    const { cookie } = await login(tenant.key);
    await revokeKey(api.database, await keyIdOf(tenant));
    const refused = await ask(cookie, 'GET', '/v1/session');
    expect(refused.status).toBe(401);
    expect(String(refused.headers['set-cookie'])).toMatch(/^demarc_session=;/);
  });

  it.each([
    ['too old', sql`expires_at = now() - interval '1 second'`],
    ['idle', sql`used_at = now() - interval '61 minutes'`],
  ])('comes when it is %s, and its row goes with the next login', async (_name, change) => {
    const tenant = await api.tenant();
    const { cookie } = await login(tenant.key);
    const keyId = await keyIdOf(tenant);
    await sql`update sessions set ${change} where key_id = ${keyId}`.execute(api.database);
    expect((await ask(cookie, 'GET', '/v1/session')).status).toBe(401);
    await login((await api.tenant()).key);
    const left = await api.database.selectFrom('sessions').selectAll().where('key_id', '=', keyId).execute();
    expect(left).toEqual([]);
  });

  it('is put off by use', async () => {
    const tenant = await api.tenant();
    const { cookie } = await login(tenant.key);
    const keyId = await keyIdOf(tenant);
    const age = sql`used_at = now() - interval '59 minutes'`;
    await sql`update sessions set ${age} where key_id = ${keyId}`.execute(api.database);
    const { body } = await ask(cookie, 'GET', '/v1/session');
    expect(Date.parse(body.data.idle_expires_at) - Date.now()).toBeGreaterThan(3_540_000);
    const { used_at } = await api.database
      .selectFrom('sessions')
      .select('used_at')
      .where('key_id', '=', keyId)
      .executeTakeFirstOrThrow();
    expect(Date.now() - used_at.getTime()).toBeLessThan(60_000);
  });
});

describe('requests of other sites', () => {
  const foreign: [string, Headers][] = [
    ['a browser says cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['a browser says same-site, as from another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['another Origin', { origin: 'https://evil.example' }],
    ['the Origin of a sandbox', { origin: 'null' }],
    ['our host on another port', { origin: 'http://localhost:81' }],
  ];

  it.each([...foreign, ['no header that names the origin', {}] as [string, Headers]])(
    'change nothing with the cookie: %s',
    async (_name, headers) => {
      const tenant = await api.tenant();
      const { cookie } = await login(tenant.key);
      const payload = attachBody([freshNumber()], inbound());
      const refused = await ask(cookie, 'POST', '/v1/sip/attach', { headers, payload });
      expect(refused).toMatchObject({ status: 403, body: { errors: [{ error: 'FOREIGN_ORIGIN' }] } });
      expect((await ask(cookie, 'GET', '/v1/sip/numbers')).body.data.numbers).toEqual([]);
    },
  );

  it.each([
    ['by Sec-Fetch-Site', ownPage],
    ['by Origin, over plain HTTP', { origin: 'http://localhost:80' }],
  ] as [string, Headers][])(
    'differ from requests of the own page, which are recognized %s',
    async (_name, headers) => {
      const tenant = await api.tenant();
      const { cookie } = await login(tenant.key);
      const payload = attachBody([freshNumber()], inbound());
      expect((await ask(cookie, 'POST', '/v1/sip/attach', { headers, payload })).status).toBe(200);
    },
  );

  it.each(foreign)('can neither sign in nor sign out: %s', async (_name, headers) => {
    const tenant = await api.tenant();
    expect((await login(tenant.key, headers)).status).toBe(403);
    const { cookie } = await login(tenant.key);
    expect((await ask(cookie, 'DELETE', '/v1/session', { headers })).status).toBe(403);
    expect((await ask(cookie, 'GET', '/v1/session')).status).toBe(200);
  });

  it('need no origin with a key, which browsers never add', async () => {
    const tenant = await api.tenant();
    const body = attachBody([freshNumber()], inbound());
    expect((await api.call(tenant, 'POST', '/v1/sip/attach', body)).status).toBe(200);
  });
});

describe('secrets', () => {
  it('stores and logs neither token nor key', async () => {
    const tenant = await api.tenant();
    const { cookie } = await login(tenant.key);
    const token = cookie.split('=')[1]!;
    await ask(cookie, 'GET', '/v1/session');
    await ask(`demarc_session=${token}x`, 'GET', '/v1/session');
    const { rows } = await sql<{ row: string }>`select row_to_json(t)::text as row from sessions t`.execute(
      api.database,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const secret of [token, tenant.key]) {
      expect(rows.map(({ row }) => row).join()).not.toContain(secret);
      expect(api.logged.join('')).not.toContain(secret);
    }
  });

  it('keeps at most a hundred sessions of a key, the newest', async () => {
    const tenant = await api.tenant();
    const first = await login(tenant.key);
    let last = first;
    for (let at = 0; at < 100; at++) last = await login(tenant.key);
    expect((await ask(first.cookie, 'GET', '/v1/session')).status).toBe(401);
    expect((await ask(last.cookie, 'GET', '/v1/session')).status).toBe(200);
  });
});

describe('operators', () => {
  it('are identified by their keys', async () => {
    const { organizationId } = await api.tenant();
    const { key } = await createKey(api.database, organizationId, 'night shift', { isOperator: true });
    expect((await login(key)).body.data).toMatchObject({ operator: true, key: { name: 'night shift' } });
  });
});

describe('the dashboard', () => {
  let server: Awaited<ReturnType<typeof buildServer>>;
  const html = '<!doctype html><script type="module" src="/assets/app-1a2b.js"></script>';
  beforeAll(async () => {
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), html);
    await writeFile(join(folder, 'favicon.svg'), '<svg/>');
    await writeFile(join(folder, '.secret'), 'no');
    await writeFile(join(folder, 'assets', 'app-1a2b.js'), 'void 0');
    server = await buildServer({ ...api.parts, dashboard: folder }, [trunkRoutes]);
  });
  afterAll(() => server?.close());
  const get = (url: string, accept = 'text/html,*/*;q=0.8') =>
    server.inject({ method: 'GET', url, headers: { accept } });

  it.each(['/', '/trunks', '/calls/abc%40example.com', '/calls?direction=inbound'])(
    'is served at %s with a strict policy',
    async (url) => {
      const response = await get(url);
      expect(response.statusCode).toBe(200);
      expect(response.body).toBe(html);
      const policy = String(response.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(response.headers).toMatchObject({
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
    },
  );

  it('has browsers fetch the session, and of a signed-in user the figures of the overview, while its scripts load', async () => {
    const preloads = async (url: string, cookie?: string) => {
      const headers = { accept: 'text/html', ...(cookie && { cookie }) };
      const { headers: answered } = await server.inject({ method: 'GET', url, headers });
      return [...String(answered.link).matchAll(/<(.+?)>; rel=preload; as=fetch; crossorigin/g)].map(
        ([, path]) => path,
      );
    };
    expect(await preloads('/')).toEqual(['/v1/session']);
    expect(await preloads('/?window=5m', 'demarc_session=x')).toEqual(['/v1/session', '/v1/noc/summary']);
    expect(await preloads('/calls', 'demarc_session=x')).toEqual(['/v1/session']);
    expect((await get('/assets/app-1a2b.js')).headers.link).toBeUndefined();
  });

  it('applies its policy to the page of the API as well', async () => {
    const response = await get('/docs');
    const policy = String(response.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https:|unsafe-inline|validator/);
    expect(response.headers['x-frame-options']).toBe('DENY');
  });

  it('lets browsers cache content-addressed files', async () => {
    const asset = await get('/assets/app-1a2b.js', '*/*');
    expect(asset.statusCode).toBe(200);
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(asset.headers['content-type']).toContain('javascript');
    expect((await get('/favicon.svg', 'image/*')).headers['cache-control']).toBe('no-cache');
  });

  it('is at / for programs that take anything as well', async () => {
    expect((await get('/', '*/*')).body).toBe(html);
    const head = await server.inject({ method: 'HEAD', url: '/', headers: { range: 'bytes=99999-' } });
    expect(head.statusCode).toBe(200);
  });

  it.each(['/v1/nonsense', '/v1', '/assets/gone.js', '/assets/..%2f..%2fx', '/docs/nothing-here'])(
    'is not what %s answers with',
    async (url) => {
      const response = await get(url);
      expect(response.statusCode).toBe(404);
      expect(response.json()).toMatchObject({ data: null, errors: [{ error: 'NOT_FOUND' }] });
    },
  );

  it('shows nothing outside its folder, and no hidden files', async () => {
    for (const url of [
      '/../package.json',
      '/..%2fpackage.json',
      '/assets/..%2f..%2fpackage.json',
      '/.secret',
    ]) {
      const response = await get(url, '*/*');
      expect(response.statusCode).toBeGreaterThanOrEqual(400);
      expect(response.body).not.toContain('"name"');
    }
  });

  it('leaves 405 and missing builds unchanged', async () => {
    const wrongMethod = await server.inject({ method: 'GET', url: '/v1/sip/attach' });
    expect(wrongMethod.statusCode).toBe(405);
    const without = await buildServer({ ...api.parts, dashboard: join(folder, 'nothing') }, []);
    const response = await without.inject({ method: 'GET', url: '/', headers: { accept: 'text/html' } });
    expect(response.statusCode).toBe(404);
    await without.close();
  });
});
