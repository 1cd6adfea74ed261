import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEntry, storeEntries } from '../../../../src/control/calls/history/call-storage.js';
import { revokeKey } from '../../../../src/control/organizations/keys.js';
import { setEntitlement } from '../../../../src/control/organizations/organizations.js';
import { buildServer } from '../../../../src/control/server/server.js';
import { trunkRoutes } from '../../../../src/control/trunks/routes.js';
import { until } from '../../../../src/testkit/waiting.js';
import { stays } from '../../../support/stays.js';
import { sampleRecord } from '../history/sample-record.js';
import {
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

const number = freshNumber();

/** Every endpoint with a request that succeeds for the tenant who has the number. */
const endpoints = [
  ['POST', '/v1/sip/attach', attachBody([number], inbound())],
  ['POST', '/v1/sip/update', { phone_number: number, updates: { type: 'inbound', allowed_ips: [] } }],
  [
    'PATCH',
    '/v1/sip/config',
    { phone_number: number, direction: 'inbound', limits: { concurrent_calls: 3 } },
  ],
  [
    'POST',
    '/v1/sip/numbers/update',
    { phone_numbers: [number], updates: { type: 'inbound', allowed_ips: [] } },
  ],
  [
    'POST',
    '/v1/sip/numbers/detach',
    { phone_numbers: [number], directions: [{ type: 'outbound' }], service: 'sip' },
  ],
  ['POST', '/v1/sip/parse-destination', { input: 'pbx.example.com' }],
  ['POST', '/v1/sip/parse-certificates', { pem: 'MIIB' }],
  ['GET', query('/v1/sip/numbers/check', { phone_number: number }), undefined],
  ['GET', query('/v1/sip', { phone_number: number }), undefined],
  ['GET', '/v1/sip/numbers', undefined],
  ['GET', query('/v1/sip/status', { phone_number: number }), undefined],
  ['GET', query('/v1/sip/health/history', { phone_number: number }), undefined],
  ['GET', '/v1/sip/firewall-ips', undefined],
  ['GET', query('/v1/sip/outbound-setup', { phone_number: number }), undefined],
  ['GET', '/v1/sip/generate-password', undefined],
  ['GET', query('/v1/sip/calls', { phone_number: number }), undefined],
  ['GET', query('/v1/sip/calls.csv', { phone_number: number }), undefined],
  ['GET', '/v1/sip/calls/call-of-owner', undefined],
  ['POST', '/v1/sip/detach', { phone_number: number, directions: [{ type: 'inbound' }], service: 'sip' }],
] as const;

/** Those that answer 404 for a number that is not the caller's; the list of calls is empty then. */
const ofNumbers = endpoints.filter(
  ([, path, body]) =>
    (path.includes('phone_number') && !/\/(calls|check)/.test(path)) ||
    (body !== undefined && 'phone_number' in body),
);

describe('access to the API', () => {
  let api: ApiUnderTest;
  let owner: Tenant;
  let stranger: Tenant;
  let unentitled: Tenant;
  beforeAll(async () => {
    api = await ApiUnderTest.start({}, [trunkRoutes, historyWithoutEdges, healthWithoutEdges]);
    owner = await api.tenant();
    stranger = await api.tenant();
    unentitled = await api.tenant({ sipEnabled: false });
    // The first use of a key is noted with it.
    await api.call(stranger, 'GET', '/v1/sip/numbers');
    const record = sampleRecord('call-of-owner', {
      organization: owner.organizationId,
      number: number.slice(1),
    });
    await storeEntries(api.database, [await readEntry({ id: '1-1', json: JSON.stringify(record) })]);
  });
  afterAll(() => api?.stop());

  it('tests every endpoint that there is', async () => {
    const response = await api.server.inject({ method: 'GET', url: '/openapi.json' });
    const { paths } = response.json<{
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    }>();
    for (const { responses } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '500']));
    }
    // The way in has its own tests, in session.test.ts, and what is for operators in proof.test.ts.
    delete paths['/v1/sip/numbers/prove'];
    delete paths['/v1/session'];
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const tested = endpoints.map(
      ([method, path]) => `${method} ${path.split('?', 1)[0]!.replace('call-of-owner', '{call_id}')}`,
    );
    expect(documented.sort()).toEqual(tested.sort());
  });

  describe.each(endpoints)('%s %s', (method, path, body) => {
    it('is 401 without a key, with a malformed, an unknown and a revoked one', async () => {
      const revoked = await api.tenant();
      const keys = await api.database
        .selectFrom('api_keys')
        .select('id')
        .where('organization_id', '=', revoked.organizationId)
        .execute();
      await revokeKey(api.database, keys[0]!.id);
      const unknown = `${owner.key.slice(0, -4)}AAAA`;
      for (const authorization of [
        undefined,
        'Bearer nonsense',
        `Bearer ${unknown}`,
        revoked.key,
        'Basic YTpi',
      ]) {
        const answer = await api.call(authorization, method, path, body);
        expect(answer).toMatchObject({ status: 401, data: null, errors: [{ error: 'UNAUTHORIZED' }] });
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    });

    it('is 403 without the entitlement', async () => {
      const answer = await api.call(unentitled, method, path, body);
      expect(answer).toMatchObject({ status: 403, data: null, errors: [{ error: 'SIP_NOT_ENABLED' }] });
    });

    it('is 400 for an unknown field', async () => {
      const answer =
        method === 'GET'
          ? await api.call(owner, method, `${path}${path.includes('?') ? '&' : '?'}nonsense=1`)
          : await api.call(owner, method, path, { ...body, nonsense: 1 });
      expect(answer).toMatchObject({
        status: 400,
        data: null,
        errors: [{ error: 'VALIDATION_ERROR', path: 'nonsense' }],
      });
    });

    it('works with the bare key and with Bearer in any case', async () => {
      await api.call(owner, 'POST', '/v1/sip/attach', attachBody([number], inbound()));
      for (const authorization of [owner.key, `Bearer ${owner.key}`, `bearer ${owner.key}`]) {
        await api.call(owner, 'POST', '/v1/sip/attach', attachBody([number], inbound()));
        const answer = await api.call(authorization, method, path, body);
        expect(answer.text).toMatch(/"errors":null|^call_id,/);
        expect(answer.status).toBe(200);
      }
    });
  });

  it.each(ofNumbers)(
    "%s %s answers the same for a stranger's number and an unassigned one",
    async (method, path, body) => {
      const free = freshNumber();
      await api.call(owner, 'POST', '/v1/sip/attach', attachBody([number], inbound(), outbound()));
      const before = await api.dump();
      const answer = await api.call(stranger, method, path, body);
      const ofFree = await api.call(
        stranger,
        method,
        path.replace(encodeURIComponent(number), encodeURIComponent(free)),
        body && { ...body, phone_number: free },
      );
      expect(answer.status).toBe(404);
      expect(answer.errors?.[0]?.error).toBe('NOT_FOUND');
      expect(JSON.stringify(answer.errors)).toBe(JSON.stringify(ofFree.errors).replace(free, number));
      expect(answer.text).not.toContain(owner.organizationId);
      expect(await api.dump()).toBe(before);
    },
  );

  it('shows no call to another organization', async () => {
    const list = await api.call<unknown>(stranger, 'GET', '/v1/sip/calls');
    expect(list.data).toEqual({ calls: [], organizations: {}, has_more: false, total: null });
    const path = '/v1/sip/calls/call-of-owner';
    for (const format of ['json', 'text', 'pcap']) {
      const answer = await api.call(stranger, 'GET', `${path}?format=${format}`);
      expect(answer).toMatchObject({ status: 404, errors: [{ error: 'NOT_FOUND' }] });
    }
    expect((await api.call(owner, 'GET', path)).status).toBe(200);
  });

  it('lists each tenant only its numbers', async () => {
    const strangersNumber = freshNumber();
    await api.call(owner, 'POST', '/v1/sip/attach', attachBody([number], inbound(), outbound()));
    await api.call(stranger, 'POST', '/v1/sip/attach', attachBody([strangersNumber], inbound()));
    const mine = await api.call<unknown>(owner, 'GET', '/v1/sip/numbers');
    expect(mine.data).toEqual({
      numbers: [
        {
          phone_number: number,
          directions: ['inbound', 'outbound'],
          sip_endpoint: 'sip:pbx.example.com',
          health_status: 'unchecked',
        },
      ],
      next: null,
    });
    const foreign = await api.call<{ numbers: { phone_number: string }[] }>(
      stranger,
      'GET',
      '/v1/sip/numbers',
    );
    expect(foreign.data.numbers.map(({ phone_number }) => phone_number)).toEqual([strangersNumber]);
  });

  it('gives and takes the entitlement from the next request on', async () => {
    const tenant = await api.tenant({ sipEnabled: false });
    expect((await api.call(tenant, 'GET', '/v1/sip/numbers')).status).toBe(403);
    await setEntitlement(api.database, tenant.organizationId, true);
    expect((await api.call(tenant, 'GET', '/v1/sip/numbers')).status).toBe(200);
    await setEntitlement(api.database, tenant.organizationId, false);
    expect((await api.call(tenant, 'GET', '/v1/sip/numbers')).status).toBe(403);
  });

  it('stores no key', async () => {
    expect(await api.dump()).not.toContain(owner.key);
    expect(api.logged.join('')).not.toContain(owner.key);
  });

  it('answers unknown paths 404 and unknown methods 405', async () => {
    expect(await api.call(owner, 'GET', '/v1/nonsense')).toMatchObject({
      status: 404,
      data: null,
      errors: [{ error: 'NOT_FOUND' }],
    });
    const answer = await api.call(owner, 'GET', '/v1/sip/attach');
    expect(answer).toMatchObject({ status: 405, errors: [{ error: 'METHOD_NOT_ALLOWED' }] });
    expect(answer.headers.allow).toBe('POST, OPTIONS');
  });

  it('takes an empty JSON body, as SDKs send it, for one without fields', async () => {
    const response = await api.server.inject({
      method: 'POST',
      url: '/v1/sip/parse-destination',
      headers: { authorization: owner.key, 'content-type': 'application/json' },
    });
    expect(response.json().errors).toEqual([
      { error: 'VALIDATION_ERROR', message: 'input is required.', path: 'input' },
    ]);
  });

  it('refuses bodies that are no JSON, too large or of another type', async () => {
    const post = (payload: string, type = 'application/json') =>
      api.server.inject({
        method: 'POST',
        url: '/v1/sip/attach',
        headers: { authorization: owner.key, 'content-type': type },
        payload,
      });
    for (const payload of ['{', ' ', '[1,', '"a', `{"a":"${'x'.repeat(300_000)}"}`]) {
      const response = await post(payload);
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({
        data: null,
        errors: [{ error: 'VALIDATION_ERROR', path: 'body' }],
      });
    }
    for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
      const refused = await post('a=b', type);
      expect(refused.statusCode).toBe(415);
      expect(refused.json()).toMatchObject({ data: null, errors: [{ error: 'UNSUPPORTED_MEDIA_TYPE' }] });
    }
  });

  it('answers in the envelope what the router or the HTTP parser gives up on', async () => {
    for (const path of ['/v1/%', '/v1/sip/calls/%E0%A4%A', `/v1/sip/calls/${'a'.repeat(5_000)}`]) {
      expect(await api.call(owner, 'GET', path)).toMatchObject({
        status: 400,
        data: null,
        errors: [{ error: 'VALIDATION_ERROR', path: 'path' }],
      });
    }
    await api.server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = api.server.server.address() as AddressInfo;
    for (const request of ['NONSENSE\r\n\r\n', `GET / HTTP/1.1\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`]) {
      const socket = connect(port, '127.0.0.1', () => socket.write(request));
      const answer = await text(socket);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
        data: null,
        errors: [{ error: 'VALIDATION_ERROR' }],
      });
    }
  });
});

describe('rates', () => {
  let api: ApiUnderTest;
  beforeAll(async () => {
    api = await ApiUnderTest.start({
      DEMARC_API_REQUESTS_PER_SECOND: '3',
      DEMARC_API_WRONG_KEYS_PER_MINUTE: '4',
    });
  });
  afterAll(() => api?.stop());

  it('sends Retry-After to a key over its limit, and to no other key', async () => {
    const [fast, slow] = [await api.tenant(), await api.tenant()];
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.call(fast, 'GET', '/v1/sip/firewall-ips')),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    for (const answer of refused) {
      expect(answer.errors).toMatchObject([{ error: 'TOO_MANY_REQUESTS' }]);
      expect(Number(answer.headers['retry-after'])).toBe(1);
    }
    expect((await api.call(slow, 'GET', '/v1/sip/firewall-ips')).status).toBe(200);
    await until(
      async () => (await api.call(fast, 'GET', '/v1/sip/firewall-ips')).status === 200,
      5_000,
      'the next second',
    );
  });

  it('limits concurrent requests per key, and releases those whose client disconnects', async () => {
    const waiting: (() => void)[] = [];
    const settings = { ...api.parts.settings, requestsPerSecond: 120, requestsPerSecondOfOrganization: 360 };
    const server = await buildServer({ ...api.parts, settings }, [
      (group) =>
        group.get('/slow', async () => {
          await new Promise<void>((resolve) => waiting.push(resolve));
          return {};
        }),
    ]);
    await server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.server.address() as AddressInfo;
    const { key } = await api.tenant();
    const ask = (signal?: AbortSignal) =>
      fetch(`http://127.0.0.1:${port}/v1/slow`, { headers: { authorization: key }, signal: signal ?? null });
    const leaving = new AbortController();
    const left = Promise.allSettled(Array.from({ length: 60 }, () => ask(leaving.signal)));
    await until(() => waiting.length === 60, 5_000, 'sixty wait');
    const staying = Promise.all(Array.from({ length: 60 }, () => ask()));
    await until(() => waiting.length === 120, 5_000, 'as many again');
    // Longer than the second in which they count as requests.
    await stays(async () => {
      const refused = await ask();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    }, 1_100);
    leaving.abort();
    await left;
    const next = ask();
    await until(() => waiting.length === 121, 5_000, 'there is room');
    for (const answer of waiting) answer();
    expect((await staying).map(({ status }) => status)).toEqual(Array(60).fill(200));
    expect((await next).status).toBe(200);
    await server.close();
  });

  it('throttles key guessing, and admits a valid key', async () => {
    const tenant = await api.tenant();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      statuses.push((await api.call('nonsense', 'GET', '/v1/sip/firewall-ips')).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
    expect((await api.call(tenant, 'GET', '/v1/sip/firewall-ips')).status).toBe(200);
  });

  it.each([
    ['false', [401, 401, 401, 401, 429, 429]],
    ['true', [401, 401, 401, 401, 401, 401]],
  ])('counts what a proxy adds to X-Forwarded-For only if configured: %s', async (trust, expected) => {
    const settings = { ...api.parts.settings, trustProxy: trust === 'true' };
    const server = await buildServer({ ...api.parts, settings }, [trunkRoutes]);
    const get = async (forwarded: string): Promise<number> => {
      const headers = { 'x-forwarded-for': forwarded };
      return (await server.inject({ method: 'GET', url: '/v1/sip/numbers', headers })).statusCode;
    };
    const statuses: number[] = [];
    for (let client = 1; client <= 6; client++) statuses.push(await get(`192.0.2.${client}`));
    expect(statuses).toEqual(expected);
    if (trust === 'true') {
      // What a client writes itself stands before what the proxy adds.
      const invented: number[] = [];
      for (let attempt = 1; attempt <= 6; attempt++)
        invented.push(await get(`10.0.0.${attempt}, 198.51.100.7`));
      expect(invented).toEqual([401, 401, 401, 401, 429, 429]);
    }
    await server.close();
  });
});
