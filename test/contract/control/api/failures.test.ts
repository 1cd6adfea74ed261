import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteGroup } from '../../../../src/control/http/api-server.js';
import { trunkRoutes } from '../../../../src/control/trunks/routes.js';
import { ApiUnderTest, attachBody, freshNumber, inbound, outbound, type Tenant } from './fixture.js';

const faulty: RouteGroup = (server) => {
  server.get('/faulty', async () => {
    throw new Error('the s3cret reason');
  });
};

describe('an API without a key for secrets', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  beforeAll(async () => {
    api = await ApiUnderTest.start({ DEMARC_SECRET_KEY: '' }, [trunkRoutes, faulty]);
    tenant = await api.tenant();
  });
  afterAll(() => api?.stop());

  it('takes numbers, but no passwords', async () => {
    const number = freshNumber();
    const attach = (...directions: unknown[]) =>
      api.call<{ configured: string[] }>(
        tenant,
        'POST',
        '/v1/sip/attach',
        attachBody([number], ...directions),
      );
    const register_auth = { username: 'acme', password: 'correct horse' };
    const options = { sip_username: 'a', sip_password: 'b' };
    for (const direction of [
      inbound({ auth_mode: 'register', register_auth }),
      outbound('h.example', { options }),
    ]) {
      expect(await attach(inbound(), direction)).toMatchObject({
        status: 503,
        data: null,
        errors: [{ error: 'SECRET_KEY_MISSING' }],
      });
    }
    expect((await attach(inbound())).data.configured).toEqual([number]);
    for (const updates of [
      { type: 'inbound', auth_mode: 'register', register_auth },
      { type: 'inbound', options },
    ]) {
      const answer = await api.call(tenant, 'POST', '/v1/sip/update', { phone_number: number, updates });
      expect(answer).toMatchObject({ status: 503, errors: [{ error: 'SECRET_KEY_MISSING' }] });
    }
  });

  it('answers an internal error without details, which the log has', async () => {
    const answer = await api.call(tenant, 'GET', '/v1/faulty');
    expect(answer).toMatchObject({
      status: 500,
      data: null,
      errors: [{ error: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' }],
    });
    expect(answer.text).not.toContain('s3cret');
    const line = api.logged.find((text) => text.includes('the s3cret reason'));
    expect(line).toContain(String(answer.headers['x-request-id']));
  });
});
