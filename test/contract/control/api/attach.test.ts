import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { composeNumberDocuments } from '../../../../src/control/numbers/number-documents.js';
import { ApiUnderTest, attachBody, freshNumber, inbound, outbound, query, type Tenant } from './fixture.js';

interface Attached {
  readonly configured: string[];
  readonly failed: { phone_number: string; error: string; message: string }[];
  readonly warnings: { phone_number: string; warning: string; message: string }[];
  readonly register_password_for_pbx: string | null;
}

describe('POST /v1/sip/attach', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let otherTenant: Tenant;
  beforeAll(async () => {
    api = await ApiUnderTest.start();
    tenant = await api.tenant();
    otherTenant = await api.tenant();
  });
  afterAll(() => api?.stop());
  beforeEach(() => api.emptyOutbox());

  const attach = (body: unknown, by = tenant) => api.call<Attached>(by, 'POST', '/v1/sip/attach', body);
  const documentOf = async (number: string) =>
    (await composeNumberDocuments(api.database, [number.slice(1)])).get(number.slice(1));

  it('configures both directions and notes the number for the projection', async () => {
    const number = freshNumber();
    const options = { port: 5080, transport: 'tcp', sip_username: 'acme', sip_password: 'h0rse-battery' };
    const answer = await attach(
      attachBody([number], inbound({ allowed_ips: ['203.0.113.0/24'] }), outbound(undefined, { options })),
    );
    expect(answer).toMatchObject({
      status: 200,
      data: { configured: [number], failed: [], warnings: [], register_password_for_pbx: null },
      errors: null,
    });
    expect(await api.outbox()).toEqual([number.slice(1)]);
    const document = await documentOf(number);
    expect(document).toMatchObject({
      number: number.slice(1),
      organization: tenant.organizationId,
      inbound: [{ allowed_sources: ['203.0.113.0/24'], credentials: [] }],
      outbound: [{ host: 'pbx.example.com', port: 5080, transport: 'tcp', credential: { username: 'acme' } }],
    });
    expect(api.parts.secrets.open(document!.outbound[0]!.credential!.password)).toBe('h0rse-battery');
  });

  it('changes nothing when the same request comes again', async () => {
    const number = freshNumber();
    const body = attachBody(
      [number],
      inbound({ auth_mode: 'register', register_auth: { username: 'acme', password: 'correct horse' } }),
      outbound('tls://pbx.example.com:5061', { options: { sip_username: 'a', sip_password: 'b' } }),
    );
    const first = await attach(body);
    expect(first.data.register_password_for_pbx).toMatch(/^[A-Za-z2-9]{32}$/);
    // The audit log has each request.
    const before = await api.dump({ audit: false });
    await api.emptyOutbox();
    const second = await attach(body);
    expect(second.data).toEqual({ ...first.data, register_password_for_pbx: null });
    expect(await api.dump({ audit: false })).toBe(before);
    expect(await api.outbox()).toEqual([]);
  });

  it('configures valid numbers and gives the reason for each other', async () => {
    const [good, taken] = [freshNumber(), freshNumber()];
    await attach(attachBody([taken], inbound()), otherTenant);
    const answer = await attach(
      attachBody(['+1415', good, taken, 'nonsense', good, '', '9'.repeat(500)], inbound()),
    );
    expect(answer.status).toBe(200);
    expect(answer.data.configured).toEqual([good]);
    expect(answer.data.failed).toEqual([
      { phone_number: '+1415', error: 'INVALID_PHONE_NUMBER', message: expect.stringMatching(/E\.164/) },
      { phone_number: taken, error: 'NUMBER_TAKEN', message: expect.any(String) },
      { phone_number: 'nonsense', error: 'INVALID_PHONE_NUMBER', message: expect.any(String) },
      { phone_number: '', error: 'INVALID_PHONE_NUMBER', message: expect.any(String) },
      { phone_number: '9'.repeat(500), error: 'INVALID_PHONE_NUMBER', message: expect.any(String) },
    ]);
    expect(answer.text).not.toContain(otherTenant.organizationId);
    expect((await documentOf(taken))?.organization).toBe(otherTenant.organizationId);
  });

  it('leaves no trace of a number that fails', async () => {
    const number = freshNumber();
    const many = Array.from({ length: 11 }, (_, place) => outbound(`sip:pbx${place}.example.com`));
    const answer = await attach(attachBody([number], ...many));
    expect(answer.data.failed).toMatchObject([{ phone_number: number, error: 'TOO_MANY_CONFIGURATIONS' }]);
    expect(await documentOf(number)).toBeUndefined();
    expect(await api.dump({ audit: false })).not.toContain(number.slice(1));
    expect(await api.outbox()).toEqual([]);
  });

  it('takes ten configurations a number over several requests, not eleven', async () => {
    const number = freshNumber();
    for (let place = 0; place < 10; place++) {
      const answer = await attach(attachBody([number], outbound(`sip:pbx${place}.example.com`)));
      expect(answer.data.configured).toEqual([number]);
    }
    const eleventh = await attach(attachBody([number], inbound()));
    expect(eleventh.data.failed).toMatchObject([{ error: 'TOO_MANY_CONFIGURATIONS' }]);
    expect((await documentOf(number))?.outbound).toHaveLength(10);
  });

  it('takes a hundred numbers, not a hundred and one', async () => {
    const numbers = Array.from({ length: 101 }, (_, place) => `+1212555${String(place).padStart(4, '0')}`);
    const refused = await attach(attachBody(numbers, inbound()));
    expect(refused).toMatchObject({
      status: 400,
      data: null,
      errors: [{ error: 'VALIDATION_ERROR', path: 'phone_numbers' }],
    });
    const answer = await attach(attachBody(numbers.slice(1), inbound()));
    expect(answer.data.configured).toHaveLength(100);
    expect(await api.outbox()).toHaveLength(100);
  });

  it('replaces the configuration for the same server, and the one that named no callers', async () => {
    const number = freshNumber();
    await attach(attachBody([number], inbound(), outbound('sip:pbx.example.com;transport=tls')));
    await attach(
      attachBody(
        [number],
        inbound({ allowed_ips: ['198.51.100.1'] }),
        inbound({ allowed_ips: ['198.51.100.2'], sip_endpoint: 'sip:agent@10.1.2.3:5080' }),
        outbound('sips:pbx.example.com', { options: { sip_username: 'a', sip_password: 'b' } }),
      ),
    );
    expect(await documentOf(number)).toMatchObject({
      inbound: [
        { allowed_sources: ['198.51.100.1'] },
        { allowed_sources: ['198.51.100.2'], agent_uri: 'sip:agent@10.1.2.3:5080;transport=tcp' },
      ],
      outbound: [{ host: 'pbx.example.com', credential: { username: 'a' } }],
    });
  });

  it('states who may call when no caller is configured', async () => {
    const [alone, withServer] = [freshNumber(), freshNumber()];
    const first = await attach(attachBody([alone], inbound()));
    expect(first.data.warnings).toEqual([
      {
        phone_number: alone,
        warning: 'NO_ALLOWED_IPS',
        message: expect.stringMatching(/No caller is admitted.*403/),
      },
    ]);
    const second = await attach(attachBody([withServer], inbound(), outbound()));
    expect(second.data.warnings).toEqual([
      {
        phone_number: withServer,
        warning: 'NO_ALLOWED_IPS',
        message: expect.stringContaining('pbx.example.com'),
      },
    ]);
    const registered = freshNumber();
    const register_auth = { username: 'acme', password: '12345678' };
    const third = await attach(attachBody([registered], inbound({ auth_mode: 'register', register_auth })));
    expect(third.data.warnings).toMatchObject([{ warning: 'NO_REGISTRAR' }]);
  });

  it('derives one password for all numbers, another one for another organization', async () => {
    const [first, second, third] = [freshNumber(), freshNumber(), freshNumber()];
    const register_auth = { username: 'acme', password: 'correct horse' };
    const direction = inbound({ auth_mode: 'register', register_auth });
    const mine = await attach(attachBody([first, second], direction));
    const attachedByOther = await attach(attachBody([third], direction), otherTenant);
    const password = mine.data.register_password_for_pbx!;
    expect(attachedByOther.data.register_password_for_pbx).not.toBe(password);
    for (const number of [first, second]) {
      const document = await documentOf(number);
      const [credential] = document!.inbound[0]!.credentials;
      expect(credential?.username).toBe('acme');
      expect(api.parts.secrets.open(credential!.password)).toBe(password);
    }
  });

  it('shows, stores and logs no password', async () => {
    const number = freshNumber();
    const secrets = ['reg1ster-secret', 'c4ll-secret'];
    const body = attachBody(
      [number],
      inbound({ auth_mode: 'register', register_auth: { username: 'u', password: secrets[0] } }),
      outbound(undefined, { options: { sip_username: 'u', sip_password: secrets[1] } }),
    );
    const attached = await attach(body);
    secrets.push(attached.data.register_password_for_pbx!);
    const shown = await api.call(tenant, 'GET', query('/v1/sip', { phone_number: number }));
    const refused = await attach({ ...(body as object), unknown: 1, service: secrets[0] });
    expect(refused.status).toBe(400);
    const dump = await api.dump();
    for (const secret of secrets) {
      expect(shown.text).not.toContain(secret);
      expect(refused.text).not.toContain(secret);
      expect(dump).not.toContain(secret);
      expect(api.logged.join('')).not.toContain(secret);
    }
    expect(shown.data).toMatchObject({
      inbound: { register_auth: { username: 'u', password: '[redacted]' } },
      outbound: { options: { sip_username: 'u', sip_password: '[redacted]' } },
    });
  });

  it.each([
    ['an unknown field', { nonsense: true }, 'nonsense'],
    ['a wrong service', { service: 'pstn' }, 'service'],
    ['no directions', { directions: [] }, 'directions'],
    ['no number', { phone_numbers: undefined }, 'phone_numbers'],
    ['both forms of numbers', { phone_number: '+14155550100' }, 'phone_numbers'],
    ['a number of the wrong type', { phone_numbers: ['+14155550100', 5] }, 'phone_numbers.1'],
    ['an unknown direction', { directions: [{ type: 'sideways' }] }, 'directions.0.type'],
    [
      'an unknown field deep below',
      { directions: [inbound({ options: { prot: 1 } })] },
      'directions.0.options.prot',
    ],
    [
      'a port of the wrong type',
      { directions: [inbound({ options: { port: '5060' } })] },
      'directions.0.options.port',
    ],
    [
      'a port out of range',
      { directions: [inbound({ options: { port: 70_000 } })] },
      'directions.0.options.port',
    ],
    ['no endpoint', { directions: [{ type: 'outbound' }] }, 'directions.0.sip_endpoint'],
    ['a bad endpoint', { directions: [outbound('http://x')] }, 'directions.0.sip_endpoint'],
    ['any source', { directions: [inbound({ allowed_ips: ['0.0.0.0/0'] })] }, 'directions.0.allowed_ips.0'],
    ['any IPv6 source', { directions: [inbound({ allowed_ips: ['::/0'] })] }, 'directions.0.allowed_ips.0'],
    ['a bad CIDR', { directions: [inbound({ allowed_ips: ['10.0.0.0/40'] })] }, 'directions.0.allowed_ips.0'],
    [
      'register without credentials',
      { directions: [inbound({ auth_mode: 'register' })] },
      'directions.0.register_auth',
    ],
    [
      'a short password',
      {
        directions: [
          inbound({ auth_mode: 'register', register_auth: { username: 'a', password: '1234567' } }),
        ],
      },
      'directions.0.register_auth.password',
    ],
    [
      'a user name without password',
      { directions: [outbound('h.example', { options: { sip_username: 'a' } })] },
      'directions.0.options.sip_password',
    ],
    [
      'a realm without credentials',
      { directions: [outbound('h.example', { options: { sip_realm: 'r' } })] },
      'directions.0.options.sip_realm',
    ],
    [
      'a realm where the challenges are ours',
      { directions: [inbound({ options: { sip_username: 'a', sip_password: 'b', sip_realm: 'r' } })] },
      'directions.0.options.sip_realm',
    ],
    [
      'a line end in a realm',
      {
        directions: [
          outbound('h.example', { options: { sip_username: 'a', sip_password: 'b', sip_realm: 'a\r\nb' } }),
        ],
      },
      'directions.0.options.sip_realm',
    ],
    [
      'a line end in a password',
      { directions: [outbound('h.example', { options: { sip_username: 'a', sip_password: 'a\r\nb' } })] },
      'directions.0.options.sip_password',
    ],
    [
      'the same server twice',
      { directions: [outbound('h.example'), outbound('h.example', { options: { secure_media: true } })] },
      'directions.1',
    ],
    [
      'headers of the other direction',
      { directions: [inbound({ headers: { direction: 'outbound', headers: [] } })] },
      'directions.0.headers.direction',
    ],
    [
      'a reserved header',
      {
        directions: [
          outbound('h.example', {
            headers: { direction: 'outbound', headers: [{ type: 'custom', key: 'x', value: 'Via' }] },
          }),
        ],
      },
      'directions.0.headers.headers.0.value',
    ],
    [
      'a line end in a header',
      {
        directions: [
          outbound('h.example', {
            headers: {
              direction: 'outbound',
              headers: [{ type: 'custom', key: 'X-Tenant', value: 'a\r\nVia: x', passthrough: true }],
            },
          }),
        ],
      },
      'directions.0.headers.headers.0.value',
    ],
    [
      'sixteen mappings',
      {
        directions: [
          inbound({
            headers: {
              direction: 'inbound',
              headers: Array.from({ length: 16 }, (_, place) => ({
                type: 'custom',
                key: `X-Header-${place}`,
                value: `variable_${place}`,
              })),
            },
          }),
        ],
      },
      'directions.0.headers.headers',
    ],
  ])('refuses %s and names the place', async (_what, change, path) => {
    const body = { ...(attachBody([freshNumber()], inbound()) as object), ...change };
    const answer = await attach(body);
    expect(answer.status).toBe(400);
    expect(answer.data).toBeNull();
    expect(answer.errors?.map((fault) => fault.path)).toContain(path);
    expect(answer.errors?.every(({ error }) => error === 'VALIDATION_ERROR')).toBe(true);
    expect(await api.outbox()).toEqual([]);
  });

  it('stores mappings of every kind', async () => {
    const number = freshNumber();
    const mappings = [
      { type: 'custom', key: 'X-Account', value: 'account', passthrough: false },
      { type: 'custom', key: 'tier', value: 'gold', passthrough: true },
      { type: 'uui', target: 'ticket', purpose: 'isdn-uui', encoding: 'hex', content: 'isdn-uui' },
    ];
    const headers = { direction: 'inbound', headers: mappings };
    const answer = await attach(attachBody([number], inbound({ headers })));
    expect(answer.data.configured).toEqual([number]);
    const shown = await api.call(tenant, 'GET', query('/v1/sip', { phone_number: number }));
    expect(shown.data).toMatchObject({ inbound: { headers } });
    expect((await documentOf(number))?.inbound[0]?.headers).toEqual(mappings);
  });

  it('keeps a number whole when two requests attach to it at once', async () => {
    const number = freshNumber();
    const bodies = Array.from({ length: 12 }, (_, place) =>
      attachBody([number], outbound(`sip:pbx${place}.example.com`)),
    );
    const answers = await Promise.all(bodies.map((body) => attach(body)));
    expect(answers.filter(({ data }) => data.configured.length === 1)).toHaveLength(10);
    expect(answers.filter(({ data }) => data.failed[0]?.error === 'TOO_MANY_CONFIGURATIONS')).toHaveLength(2);
    expect((await documentOf(number))?.outbound).toHaveLength(10);
  });

  it('gives a number that two organizations want at once to one of them', async () => {
    const number = freshNumber();
    const answers = await Promise.all(
      [tenant, otherTenant].map((by) => attach(attachBody([number], inbound()), by)),
    );
    expect(answers.map(({ data }) => data.configured.length).sort()).toEqual([0, 1]);
  });

  describe('many numbers at once', () => {
    it('are changed and detached independently, with a reason for each failure', async () => {
      const [first, second, foreign] = [freshNumber(), freshNumber(), freshNumber()];
      const stranger = await api.tenant();
      await api.call(tenant, 'POST', '/v1/sip/attach', attachBody([first, second], inbound()));
      await api.call(stranger, 'POST', '/v1/sip/attach', attachBody([foreign], inbound()));
      const phone_numbers = [first, second, first, foreign, '4155550104'];
      const answer = await api.call<unknown>(tenant, 'POST', '/v1/sip/numbers/update', {
        phone_numbers,
        updates: { type: 'inbound', allowed_ips: ['203.0.113.7'] },
      });
      expect(answer.data).toMatchObject({
        updated: [first, second],
        failed: [
          { phone_number: foreign, error: 'NOT_FOUND' },
          {
            phone_number: '4155550104',
            error: 'INVALID_PHONE_NUMBER',
            message: expect.stringContaining('Did you mean +14155550104?'),
          },
        ],
      });
      const contradicting = await api.call<unknown>(tenant, 'POST', '/v1/sip/numbers/update', {
        phone_numbers: [first],
        updates: { type: 'inbound', auth_mode: 'register' },
      });
      expect(contradicting.data).toMatchObject({ updated: [], failed: [{ error: 'VALIDATION_ERROR' }] });
      const detached = await api.call<unknown>(tenant, 'POST', '/v1/sip/numbers/detach', {
        phone_numbers,
        directions: [{ type: 'inbound' }],
      });
      expect(detached.data).toMatchObject({
        detached: [
          { phone_number: first, detached: ['inbound'], remaining: [] },
          { phone_number: second, detached: ['inbound'], remaining: [] },
        ],
        failed: [{ phone_number: foreign }, { error: 'INVALID_PHONE_NUMBER' }],
      });
      expect((await api.call(tenant, 'GET', query('/v1/sip', { phone_number: first }))).status).toBe(404);
    });

    it('do not reveal who owns a number', async () => {
      const taken = freshNumber();
      const owner = await api.tenant();
      await api.call(owner, 'POST', '/v1/sip/attach', attachBody([taken], inbound()));
      const answer = await api.call<unknown>(
        tenant,
        'POST',
        '/v1/sip/attach',
        attachBody([taken], inbound()),
      );
      expect(answer.data).toMatchObject({
        configured: [],
        failed: [{ phone_number: taken, error: 'NUMBER_TAKEN', message: 'The number cannot be attached' }],
      });
      expect(answer.text).not.toContain(owner.organizationId);
    });
  });
});
