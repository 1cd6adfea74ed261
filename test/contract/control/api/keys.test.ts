import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallGrant, signCallToken } from '../../../../src/contract/call-token.js';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { readEntry, storeEntries } from '../../../../src/control/calls/history/call-storage.js';
import type { RouteGroup } from '../../../../src/control/http/api-server.js';
import { keyRoutes } from '../../../../src/control/keys/routes.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { trunkRoutes } from '../../../../src/control/trunks/routes.js';
import { usageRoutes } from '../../../../src/control/usage/routes.js';
import { sampleRecord } from '../history/sample-record.js';
import {
  type Answer,
  ApiUnderTest,
  attachBody,
  freshNumber,
  healthWithoutEdges,
  historyWithoutEdges,
  inbound,
  outbound,
  query,
  type Tenant,
} from './fixture.js';

/** Answers what the caller's token grants; a POST takes an `Idempotency-Key` as every other. */
const grantRoutes: RouteGroup = (server) => {
  server.post(
    '/grant',
    { config: { acceptsCallToken: true }, schema: { hide: true } },
    async ({ caller, operationId }) => ({
      data: { grant: caller.call ?? null, operationId },
      errors: null,
    }),
  );
};

let api: ApiUnderTest;
let tenant: Tenant;
beforeAll(async () => {
  api = await ApiUnderTest.start(
    {},
    [trunkRoutes, historyWithoutEdges, healthWithoutEdges, grantRoutes],
    [keyRoutes, usageRoutes],
  );
  tenant = await api.tenant();
});
afterAll(() => api?.stop());

interface Key {
  readonly id: string;
  readonly key: string;
  readonly scopes: string[] | null;
  readonly last_used_at: string | null;
}
const create = (body: object, by: Tenant | string = tenant): Promise<Answer<Key>> =>
  api.call<Key>(by, 'POST', '/v1/keys', { name: 'test', ...body });
const codeOf = ({ errors }: Answer<unknown>): string | undefined => errors?.[0]?.error;

describe('/v1/keys', () => {
  it('makes a key that works at once, and shows it once', async () => {
    const made = await create({ name: 'billing', scopes: ['usage:read'] });
    expect(made).toMatchObject({
      status: 200,
      data: {
        name: 'billing',
        scopes: ['usage:read'],
        expires_at: null,
        last_used_at: null,
        revoked_at: null,
      },
    });
    const { key, ...shown } = made.data;
    expect(key).toMatch(/^sk-demarc-/);
    expect((await api.call<unknown>(tenant, 'GET', `/v1/keys/${shown.id}`)).data).toEqual(shown);
    expect((await api.call(key, 'GET', '/v1/usage')).status).toBe(200);
    const used = await api.call<Key>(tenant, 'GET', `/v1/keys/${shown.id}`);
    expect(Date.now() - Date.parse(used.data.last_used_at!)).toBeLessThan(60_000);
  });

  it('keeps a key out of every area that it has no scope for', async () => {
    const { key } = (await create({ scopes: ['usage:read'] })).data;
    const { paths } = (await api.server.inject({ method: 'GET', url: '/openapi.json' })).json<{
      paths: Record<string, Record<string, { tags: string[] }>>;
    }>();
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { tags }]) => ({ path, method: method.toUpperCase(), tags })),
    );
    expect(operations.length).toBeGreaterThan(15);
    for (const { path, method, tags } of operations) {
      if (['Usage', 'Session'].includes(tags[0]!)) continue;
      const answer = await api.call(key, method as 'GET', path.replaceAll(/[{}]/g, ''));
      expect(answer, `${method} ${path}`).toMatchObject({
        status: 403,
        errors: [{ error: 'INSUFFICIENT_SCOPE' }],
      });
      expect(answer.headers['www-authenticate']).toMatch(
        /error="insufficient_scope", scope="[a-z]+:(read|write)"/,
      );
    }
  });

  it('lets a key that may only read change nothing, and one that may write read', async () => {
    const reader = (await create({ scopes: ['trunks:read'] })).data.key;
    const writer = (await create({ scopes: ['trunks:write'] })).data.key;
    const attach = attachBody([freshNumber()], inbound());
    expect(codeOf(await api.call(reader, 'POST', '/v1/sip/attach', attach))).toBe('INSUFFICIENT_SCOPE');
    expect((await api.call(writer, 'POST', '/v1/sip/attach', attach)).status).toBe(200);
    for (const key of [reader, writer]) {
      expect((await api.call(key, 'GET', '/v1/sip/numbers')).status).toBe(200);
      expect((await api.call(key, 'POST', '/v1/sip/parse-destination', { input: 'a.example' })).status).toBe(
        200,
      );
    }
  });

  it('creates no key with more rights or a later expiry than the requesting key', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const limited = (await create({ scopes: ['keys:write', 'calls:read'], expires_at })).data.key;
    expect((await create({}, limited)).data).toMatchObject({
      scopes: ['keys:write', 'calls:read'],
      expires_at,
    });
    expect((await create({ scopes: ['calls:read'] }, limited)).status).toBe(200);
    expect(codeOf(await create({ scopes: ['calls:write'] }, limited))).toBe('INSUFFICIENT_SCOPE');
    const later = new Date(Date.now() + 7_200_000).toISOString();
    expect((await create({ expires_at: later }, limited)).errors?.[0]).toMatchObject({ path: 'expires_at' });
    expect((await create({ expires_at: '2020-01-01T00:00:00Z' })).errors?.[0]).toMatchObject({
      path: 'expires_at',
    });
  });

  it('refuses an expired or revoked key, and states which', async () => {
    const expired = await createKey(api.database, tenant.organizationId, 'old', {
      expiresAt: new Date(Date.now() - 1),
    });
    expect((await api.call(expired.key, 'GET', '/v1/usage')).errors?.[0]?.message).toMatch(/expired at 20/);
    const { id, key } = (await create({})).data;
    expect((await api.call<Key>(tenant, 'DELETE', `/v1/keys/${id}`)).data).toMatchObject({
      id,
      revoked_at: expect.stringMatching(/^20/),
    });
    expect((await api.call(key, 'GET', '/v1/usage')).errors?.[0]?.message).toMatch(/revoked at 20/);
    expect((await api.call(tenant, 'DELETE', `/v1/keys/${id}`)).status).toBe(200);
  });

  it('lists keys in pages, to their organization alone', async () => {
    const otherTenant = await api.tenant();
    const made: string[] = [];
    for (let count = 0; count < 3; count++) made.unshift((await create({}, otherTenant)).data.id);
    interface Page {
      data: { keys: Key[] };
      has_more: boolean;
      next: string | null;
    }
    const page = async (path: string): Promise<Page> =>
      JSON.parse((await api.call(otherTenant, 'GET', path)).text);
    const first = await page('/v1/keys?limit=2');
    expect(first.data.keys.map(({ id }) => id)).toEqual(made.slice(0, 2));
    expect(first).toMatchObject({ has_more: true, next: made[1] });
    const rest = await page(`/v1/keys?limit=2&after=${first.next}`);
    expect(rest.data.keys[0]?.id).toBe(made[2]);
    expect(rest).toMatchObject({ has_more: false, next: null });
    expect((await api.call(tenant, 'GET', `/v1/keys/${made[0]}`)).status).toBe(404);
    expect((await api.call(tenant, 'DELETE', `/v1/keys/${made[0]}`)).status).toBe(404);
  });

  it("does not let a customer's key revoke an operator's", async () => {
    const { id } = await createKey(api.database, tenant.organizationId, 'noc', { isOperator: true });
    expect(codeOf(await api.call(tenant, 'DELETE', `/v1/keys/${id}`))).toBe('OPERATOR_ONLY');
  });

  it('makes one key when the request is repeated, and stores it sealed', async () => {
    const idempotent = { 'idempotency-key': 'key-1' };
    const [first, second] = [
      await api.call<Key>(tenant, 'POST', '/v1/keys', { name: 'once' }, idempotent),
      await api.call<Key>(tenant, 'POST', '/v1/keys', { name: 'once' }, idempotent),
    ];
    expect(second.data).toEqual(first.data);
    expect(
      JSON.stringify(await api.database.selectFrom('idempotent_requests').selectAll().execute()),
    ).not.toContain(first.data.key);
    // As if the process had died before it answered.
    await api.database
      .updateTable('idempotent_requests')
      .set({ status: null, lease_until: new Date(0) })
      .execute();
    const third = await api.call<Key>(tenant, 'POST', '/v1/keys', { name: 'once' }, idempotent);
    expect(third.data.id).toBe(first.data.id);
    expect((await api.call(third.data.key, 'GET', '/v1/usage')).status).toBe(200);
    expect((await api.call(first.data.key, 'GET', '/v1/usage')).status).toBe(401);
  });
});

describe('/v1/usage', () => {
  const store = async (organization: string, id: string, from: string, to: string, more = {}) => {
    const record = sampleRecord(id, {
      organization,
      started_at: from,
      answered_at: from,
      ended_at: to,
      duration_milliseconds: Date.parse(to) - Date.parse(from),
      ...more,
    });
    await storeEntries(api.database, [await readEntry({ id: '1-1', json: JSON.stringify(record) })]);
  };
  const dayAgo = (days: number): string =>
    new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

  it('counts calls, minutes and the most at once by day, also over midnight', async () => {
    const { organizationId, key } = await api.tenant();
    const [before, day] = [dayAgo(2), dayAgo(1)];
    await store(organizationId, 'u1', `${before}T23:59:00Z`, `${day}T00:01:00Z`);
    await store(organizationId, 'u2', `${day}T00:00:30Z`, `${day}T00:02:00Z`, { direction: 'outbound' });
    await store(organizationId, 'u3', `${day}T00:02:00Z`, `${day}T00:03:00Z`);
    await store(organizationId, 'u4', `${day}T12:00:00Z`, `${day}T12:00:01Z`, {
      answered_at: null,
      outcome: 'failed',
    });
    const read = async () =>
      (await api.call<{ days: object[]; total: object }>(key, 'GET', `/v1/usage?from=${before}&to=${day}`))
        .data;
    expect(await read()).toEqual({
      from: before,
      to: day,
      limits: [],
      number_limits: [],
      total: { calls: 4, answered_calls: 3, minutes: 4.5 },
      days: [
        {
          date: before,
          calls: 1,
          answered_calls: 1,
          minutes: 2,
          peak_concurrent_calls: 1,
          inbound: { calls: 1, answered_calls: 1, minutes: 2 },
          outbound: { calls: 0, answered_calls: 0, minutes: 0 },
        },
        {
          date: day,
          calls: 3,
          answered_calls: 2,
          minutes: 2.5,
          peak_concurrent_calls: 2,
          inbound: { calls: 2, answered_calls: 1, minutes: 1 },
          outbound: { calls: 1, answered_calls: 1, minutes: 1.5 },
        },
      ],
    });
    // The record of an edge that was down arrives late: the day that was counted is counted again.
    await store(organizationId, 'u5', `${day}T00:00:40Z`, `${day}T00:00:50Z`);
    expect((await read()).days[1]).toMatchObject({ calls: 4, peak_concurrent_calls: 3 });
    expect((await api.call<{ total: object }>(tenant, 'GET', '/v1/usage')).data.total).toMatchObject({
      calls: 0,
    });
  });

  it.each(['from=2026-13-01', 'from=2026-01-01&to=2025-12-31', 'from=2025-01-01&to=2026-01-01'])(
    'refuses %s',
    async (parameters) => {
      expect((await api.call(tenant, 'GET', `/v1/usage?${parameters}`)).errors?.[0]?.path).toBe('from');
    },
  );
});

describe('every answer', () => {
  it('reports the remaining requests and the request id', async () => {
    const answer = await api.call(tenant, 'GET', '/v1/sip/numbers');
    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '10000', 'x-ratelimit-reset': '1' });
    expect(Number(answer.headers['x-ratelimit-remaining'])).toBeLessThan(10_000);
    const refused = await api.call(tenant, 'GET', '/v1/sip/calls/unknown');
    expect(JSON.parse(refused.text).request_id).toBe(refused.headers['x-request-id']);
    const unknown = await api.call(undefined, 'GET', '/v1/sip/numbers');
    expect(unknown.headers['x-ratelimit-limit']).toBe('600');
  });

  it('is gzip for clients that accept it, and identity for others', async () => {
    const get = (encoding: string) =>
      api.server.inject({ method: 'GET', url: '/openapi.json', headers: { 'accept-encoding': encoding } });
    const [packed, plain] = [await get('gzip, br'), await get('identity')];
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it('lists the allowed methods of a path, HEAD included', async () => {
    const path = '/v1/sip/numbers';
    const head = await api.call(tenant, 'HEAD', path);
    expect(head).toMatchObject({ status: 200, text: '' });
    const options = await api.call(tenant, 'OPTIONS', path);
    expect(options).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } });
    const wrong = await api.call(tenant, 'DELETE', path);
    expect(wrong).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
    expect((await api.call(tenant, 'HEAD', '/v1/sip/attach')).headers.allow).toBe('POST, OPTIONS');
  });
});

describe('If-Match', () => {
  it('keeps two people from undoing the change of each other', async () => {
    const number = freshNumber();
    await api.call(tenant, 'POST', '/v1/sip/attach', attachBody([number], inbound(), outbound()));
    const path = query('/v1/sip', { phone_number: number });
    const tagOf = async () => String((await api.call(tenant, 'GET', path)).headers.etag);
    const seen = await tagOf();
    const update = (etag: string, ip: string) =>
      api.call(
        tenant,
        'POST',
        '/v1/sip/update',
        { phone_number: number, updates: { type: 'inbound', allowed_ips: [ip] } },
        { 'if-match': etag },
      );
    const mine = await update(seen, '192.0.2.1');
    expect(mine.status).toBe(200);
    expect(mine.headers.etag).toBe(await tagOf());
    expect(await update(seen, '192.0.2.2')).toMatchObject({
      status: 412,
      errors: [{ error: 'PRECONDITION_FAILED' }],
    });
    const config = { phone_number: number, direction: 'outbound', limits: { concurrent_calls: 3 } };
    const change = (etag: string) =>
      api.call(tenant, 'PATCH', '/v1/sip/config', config, { 'if-match': etag });
    expect((await change(seen)).status).toBe(412);
    expect((await change(`"nonsense", ${mine.headers.etag}`)).status).toBe(200);
    const detach = { phone_number: number, directions: [{ type: 'outbound' }] };
    const remove = (etag: string) => api.call(tenant, 'POST', '/v1/sip/detach', detach, { 'if-match': etag });
    expect((await remove(seen)).status).toBe(412);
    expect((await remove('*')).status).toBe(200);
    const unchanged = await api.call(tenant, 'GET', path, undefined, { 'if-none-match': await tagOf() });
    expect(unchanged).toMatchObject({ status: 304, text: '' });
  });
});

describe('the token of a call', () => {
  const grantOf = (more: Partial<CallGrant> = {}): CallGrant => ({
    organization: tenant.organizationId,
    callId: randomUUID(),
    persona: { id: randomUUID(), version: 3 },
    knowledgeIds: [randomUUID()],
    expiresAt: Math.floor(Date.now() / 1_000) + 3_600,
    ...more,
  });
  const post = (token: string, path = '/v1/grant', more: Record<string, string> = {}, by?: Tenant) =>
    api.call<{ grant: CallGrant | null; operationId: string }>(
      by,
      'POST',
      path,
      {},
      { 'x-demarc-token': token, ...more },
    );
  const signed = (grant: CallGrant): string => signCallToken(api.parts.secrets, grant);
  const storeCall = async (callId: string, endedSecondsAgo: number): Promise<void> => {
    const end = Date.now() - endedSecondsAgo * 1_000;
    const [started, ended] = [new Date(end - 12_750).toISOString(), new Date(end).toISOString()];
    const record = {
      ...sampleRecord(callId),
      organization: tenant.organizationId,
      started_at: started,
      ended_at: ended,
    };
    await storeEntries(api.database, [await readEntry({ id: '1-1', json: JSON.stringify(record) })]);
  };

  it('is a caller with the rights of that call, also beside an API key', async () => {
    const grant = grantOf();
    expect(await post(signed(grant))).toMatchObject({ status: 200, data: { grant } });
    expect(await post(signed(grant), '/v1/grant', {}, tenant)).toMatchObject({
      status: 200,
      data: { grant },
    });
    const withKey = await api.call<{ grant: null }>(tenant, 'POST', '/v1/grant', {});
    expect(withKey).toMatchObject({ status: 200, data: { grant: null } });
  });

  it('reaches no operation that does not accept it, with or without a key', async () => {
    for (const by of [undefined, tenant]) {
      const refused = await post(signed(grantOf()), '/v1/keys', {}, by);
      expect(refused.status).toBe(403);
      expect(codeOf(refused)).toBe('CALL_TOKEN_NOT_ACCEPTED');
    }
  });

  it('is refused when forged, expired, or of an organization that does not exist', async () => {
    const forged = signCallToken(new SecretBox([generateSecretKey()]), grantOf());
    const expired = signed(grantOf({ expiresAt: Math.floor(Date.now() / 1_000) - 1 }));
    for (const token of [forged, expired, 'nonsense', signed(grantOf({ organization: 'org_none' }))]) {
      const refused = await post(token);
      expect(refused.status).toBe(401);
      expect(codeOf(refused)).toBe('CALL_TOKEN_INVALID');
      expect(refused.text).not.toContain(token);
    }
    expect((await post(expired)).errors?.[0]?.message).toContain('expired');
  });

  it('works for five minutes after the end of its call, and is refused from then on', async () => {
    const [recent, over] = [grantOf(), grantOf()];
    await storeCall(recent.callId, 290);
    await storeCall(over.callId, 310);
    expect((await post(signed(recent))).status).toBe(200);
    const refused = await post(signed(over));
    expect(refused.status).toBe(401);
    expect(refused.errors?.[0]?.message).toContain('the call ended at');
  });

  it('takes an Idempotency-Key', async () => {
    const token = signed(grantOf());
    const key = { 'idempotency-key': randomUUID() };
    const first = await post(token, '/v1/grant', key);
    const second = await post(token, '/v1/grant', key);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.data.operationId).toBe(first.data.operationId);
  });

  it('appears in no line of the log', async () => {
    const token = signed(grantOf());
    await post(token, '/v1/none');
    await post(token.slice(0, -2));
    expect(api.logged.join('\n')).not.toContain(token.slice(0, 40));
  });
});
