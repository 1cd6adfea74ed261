import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AreaDeps } from '../../../../src/control/area.js';
import { keyRoutes } from '../../../../src/control/keys/index.js';
import { composeNumberDocuments } from '../../../../src/control/numbers/number-documents.js';
import { operatorsArea } from '../../../../src/control/operators/index.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { addMember } from '../../../../src/control/people/members.js';
import { createPerson } from '../../../../src/control/people/people.js';
import { trunkRoutes } from '../../../../src/control/trunks/routes.js';
import { type Answer, ApiUnderTest, attachBody, freshNumber, inbound, type Tenant } from './fixture.js';

let api: ApiUnderTest;
let operator: Tenant;
let customer: Tenant;

interface Organization {
  readonly organization_id: string;
  readonly name: string;
  readonly sip_enabled: boolean;
  readonly limits: Readonly<Record<string, number | null>>;
  readonly numbers: number;
  readonly owners: number;
  readonly keys: number;
}

beforeAll(async () => {
  const senders = { email: { send: async () => ({ kind: 'failed', error: 'no mail server' }) } };
  const area = operatorsArea.create({ senders } as unknown as AreaDeps);
  api = await ApiUnderTest.start(
    { DEMARC_PUBLIC_URL: 'https://demarc.example.com' },
    [trunkRoutes],
    [area.accountRoutes!, keyRoutes],
  );
  const { organizationId } = await api.tenant();
  const { key } = await createKey(api.database, organizationId, 'operators', { isOperator: true });
  operator = { organizationId, key };
  customer = await api.tenant();
});
afterAll(() => api?.stop());

const path = (id: string, rest = ''): string => `/v1/operator/organizations/${id}${rest}`;
const codeOf = ({ errors }: Answer<unknown>): string | undefined => errors?.[0]?.error;
const actionsOf = async (id: string): Promise<string[]> => {
  const rows = await api.database
    .selectFrom('audit_events')
    .select(['action', 'actor_name'])
    .where('organization_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ action, actor_name }) => `${actor_name} ${action}`);
};

describe('/v1/operator/organizations', () => {
  it('creates an organization, invites its owner and creates a key, recorded in the logs of both', async () => {
    const name = `Acme ${Date.now()}`;
    const created = await api.call<Organization>(operator, 'POST', '/v1/operator/organizations', {
      name,
      limits: { concurrent_calls: 5, call_retention_days: 30 },
    });
    expect(created.data).toMatchObject({
      name,
      sip_enabled: true,
      limits: { concurrent_calls: 5, calls_per_second: null, call_retention_days: 30 },
      numbers: 0,
      owners: 0,
      keys: 0,
    });
    const { organization_id: id } = created.data;
    const invited = await api.call<{ link: string; role: string }>(
      operator,
      'POST',
      path(id, '/invitations'),
      {
        email: 'ada@example.com',
        role: 'owner',
      },
    );
    expect(invited.data.link).toMatch(/^https:\/\/demarc\.example\.com\/join#/);
    const key = await api.call<{ key: string; operator: boolean; scopes: null }>(
      operator,
      'POST',
      path(id, '/keys'),
      { name: 'first' },
    );
    expect(key.data).toMatchObject({ operator: false, scopes: null });
    // The key is of the new organization and sees nothing of the others.
    const own = await api.call<{ keys: { name: string }[] }>(
      { organizationId: id, key: key.data.key },
      'GET',
      '/v1/keys',
    );
    expect(own.data.keys.map((key) => key.name)).toEqual(['first']);
    const found = await api.call<{ organizations: Organization[] }>(
      operator,
      'GET',
      `/v1/operator/organizations?q=${encodeURIComponent(name.toLowerCase())}`,
    );
    expect(found.data.organizations).toMatchObject([{ organization_id: id, keys: 1, members: 0 }]);
    const acts = ['createOrganization', 'inviteMemberForOrganization', 'createKeyForOrganization'];
    expect(await actionsOf(id)).toEqual(acts.map((act) => `operators ${act}`));
    expect(await actionsOf(operator.organizationId)).toEqual(acts.map((act) => `operators ${act}`));
    const again = await api.call(operator, 'POST', '/v1/operator/organizations', { name });
    expect([again.status, again.errors?.[0]?.path]).toEqual([400, 'name']);
  });

  it('gives limits to the documents of the numbers, and takes them back', async () => {
    const number = freshNumber();
    await api.call(customer, 'POST', '/v1/sip/attach', attachBody([number], inbound()));
    await api.emptyOutbox();
    const limitsInDocument = async () =>
      (await composeNumberDocuments(api.database, [number.slice(1)])).get(number.slice(1))
        ?.organization_limits;
    expect(await limitsInDocument()).toBeUndefined();
    const { organizationId: id } = customer;
    const limited = await api.call<Organization>(operator, 'PATCH', path(id), {
      limits: { concurrent_calls: 7, calls_per_second: 2 },
    });
    expect(limited.data.limits).toEqual({
      concurrent_calls: 7,
      calls_per_second: 2,
      call_retention_days: null,
      minutes_per_month: null,
    });
    expect(await limitsInDocument()).toEqual({ concurrent_calls: 7, calls_per_second: 2 });
    expect(await api.outbox()).toEqual([number.slice(1)]);
    const kept = await api.call<Organization>(operator, 'PATCH', path(id), {
      limits: { concurrent_calls: null },
    });
    expect(kept.data.limits).toMatchObject({ concurrent_calls: null, calls_per_second: 2 });
    await api.call(operator, 'PATCH', path(id), { limits: { calls_per_second: null } });
    expect(await limitsInDocument()).toBeUndefined();
    const refused = await api.call(operator, 'PATCH', path(id), { limits: { concurrent_calls: 0 } });
    expect([refused.status, refused.errors?.[0]?.path]).toEqual([400, 'limits.concurrent_calls']);
  });

  it('revokes keys and withdraws the entitlement of one organization only', async () => {
    const { organizationId: id } = customer;
    const { id: keyId, key } = await createKey(api.database, id, 'lost');
    await api.call(operator, 'DELETE', path(id, `/keys/${keyId}`));
    expect((await api.call({ organizationId: id, key }, 'GET', '/v1/keys')).status).toBe(401);
    const withdrawn = await api.call<Organization>(operator, 'PATCH', path(id), { sip_enabled: false });
    expect(withdrawn.data.sip_enabled).toBe(false);
    expect((await api.call(customer, 'GET', '/v1/sip/numbers')).status).toBe(403);
    await api.call(operator, 'PATCH', path(id), { sip_enabled: true });
    expect((await api.call(customer, 'GET', '/v1/sip/numbers')).status).toBe(200);
  });

  it('changes roles and removes members, but never the last owner', async () => {
    const { organizationId: id } = await api.tenant();
    const person = async (name: string) =>
      createPerson(api.database, {
        email: `${name}@${id.replace('_', '-')}.example`,
        name,
        password: 'none',
      });
    const ada = await addMember(api.database, id, (await person('ada')).id, 'owner');
    const grace = await addMember(api.database, id, (await person('grace')).id, 'viewer');
    const promoted = await api.call<{ role: string }>(operator, 'PATCH', path(id, `/members/${grace}`), {
      role: 'owner',
    });
    expect(promoted.data.role).toBe('owner');
    expect((await api.call(operator, 'DELETE', path(id, `/members/${ada}`))).status).toBe(200);
    expect(codeOf(await api.call(operator, 'DELETE', path(id, `/members/${grace}`)))).toBe('LAST_OWNER');
    const members = await api.call<{ members: { name: string }[] }>(operator, 'GET', path(id, '/members'));
    expect(members.data.members.map(({ name }) => name)).toEqual(['grace']);
  });

  it('refuses customers, operator keys without the scope, and operators who may only read', async () => {
    const { organizationId: id } = customer;
    for (const [method, url, body] of [
      ['GET', '/v1/operator/organizations', undefined],
      ['POST', '/v1/operator/organizations', { name: 'Mine' }],
      ['GET', path(id), undefined],
      ['PATCH', path(id), { sip_enabled: true }],
      ['GET', path(id, '/keys'), undefined],
      ['POST', path(id, '/keys'), { name: 'mine' }],
      ['GET', path(id, '/members'), undefined],
      ['GET', path(id, '/usage'), undefined],
    ] as const) {
      // Also for the organization of the key: these paths are for operators.
      expect(codeOf(await api.call(customer, method, url, body)), `${method} ${url}`).toBe('OPERATOR_ONLY');
    }
    const { key } = await createKey(api.database, operator.organizationId, 'reader', {
      isOperator: true,
      scopes: ['organizations:read'],
    });
    const reader = { organizationId: operator.organizationId, key };
    expect((await api.call(reader, 'GET', path(id, '/keys'))).status).toBe(200);
    expect(codeOf(await api.call(reader, 'POST', path(id, '/keys'), { name: 'more' }))).toBe(
      'INSUFFICIENT_SCOPE',
    );
    expect(codeOf(await api.call(reader, 'PATCH', path(id), { sip_enabled: false }))).toBe(
      'INSUFFICIENT_SCOPE',
    );
    const missing = path('org_000000000000000000000000');
    expect((await api.call(operator, 'GET', missing)).status).toBe(404);
    expect((await api.call(operator, 'GET', `${missing}/keys`)).status).toBe(404);
  });

  it('replays a repeated request for an organization from its idempotency key', async () => {
    const { organizationId: id } = customer;
    const create = (): Promise<Answer<{ key: string }>> =>
      api.call(operator, 'POST', path(id, '/keys'), { name: 'once' }, { 'idempotency-key': 'create-once' });
    const first = await create();
    expect((await create()).data.key).toBe(first.data.key);
  });
});
