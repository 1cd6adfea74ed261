import { afterAll, beforeAll, expect, it } from 'vitest';
import { webhookRoutes } from '../../../../src/control/webhooks/routes.js';
import { ApiUnderTest, type Tenant } from '../api/fixture.js';

let api: ApiUnderTest;
let tenant: Tenant;
let otherTenant: Tenant;
beforeAll(async () => {
  api = await ApiUnderTest.start({}, [webhookRoutes(() => {})]);
  tenant = await api.tenant();
  otherTenant = await api.tenant();
});
afterAll(() => api?.stop());

async function store(by: Tenant, id: string, minute: number): Promise<string> {
  await api.database
    .insertInto('deliveries')
    .values({
      id,
      organization_id: by.organizationId,
      event: 'call.completed',
      subject: `call of ${id}`,
      channel: 'webhook',
      target: 'https://example.com/hook',
      created_at: new Date(Date.UTC(2026, 0, 1, 0, minute)),
    })
    .execute();
  return id;
}

const page = (by: Tenant, query: string) =>
  api.call<{ deliveries: { delivery_id: string }[] }>(by, 'GET', `/v1/webhooks/deliveries?limit=2&${query}`);

it('deliveries are paginated, and another organization’s delivery is no valid cursor', async () => {
  for (let minute = 1; minute <= 3; minute++) await store(tenant, `dlv_${minute}`, minute);
  const foreign = await store(otherTenant, 'dlv_foreign', 9);
  const idsOf = async (query: string) =>
    (await page(tenant, query)).data.deliveries.map(({ delivery_id }) => delivery_id);
  expect(await idsOf('')).toEqual(['dlv_3', 'dlv_2']);
  expect(await idsOf('after=dlv_2')).toEqual(['dlv_1']);
  expect(await idsOf('before=dlv_2')).toEqual(['dlv_1']);
  for (const name of ['after', 'before']) {
    const refused = await page(tenant, `${name}=${foreign}`);
    // It is answered like an unknown id.
    const unknown = await page(tenant, `${name}=dlv_nobody`);
    expect([refused.status, refused.errors]).toEqual([400, unknown.errors]);
    expect(refused.errors?.[0]?.path).toBe(name);
  }
});
