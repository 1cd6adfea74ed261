import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { ApiUnderTest, attachBody, freshNumber, inbound, type Tenant } from './fixture.js';

let api: ApiUnderTest;
let tenant: Tenant;
let otherTenant: Tenant;
let operator: string;
beforeAll(async () => {
  api = await ApiUnderTest.start({ DEMARC_NUMBER_PROOF: 'required' });
  tenant = await api.tenant();
  otherTenant = await api.tenant();
  ({ key: operator } = await createKey(api.database, otherTenant.organizationId, 'noc', {
    isOperator: true,
  }));
});
afterAll(() => api?.stop());

const attach = async (by: Tenant, number: string) =>
  (
    await api.call<{ configured: string[]; failed: object[] }>(
      by,
      'POST',
      '/v1/sip/attach',
      attachBody([number], inbound()),
    )
  ).data;
const prove = (by: Tenant | string, organization: string, number: string) =>
  api.call(by, 'POST', '/v1/sip/numbers/prove', { organization_id: organization, phone_numbers: [number] });

const stateOf = async (by: Tenant, number: string) =>
  (
    await api.call<{ state: string }>(
      by,
      'GET',
      `/v1/sip/numbers/check?phone_number=${encodeURIComponent(number)}`,
    )
  ).data.state;

describe('where proof is required, a number', () => {
  it('is attached only when an operator has noted it for the organization', async () => {
    const number = freshNumber();
    const refused = { configured: [], failed: [{ phone_number: number, error: 'NUMBER_NOT_PROVEN' }] };
    expect(await attach(tenant, number)).toMatchObject(refused);
    expect(await stateOf(tenant, number)).toBe('proof_required');
    expect((await prove(tenant, tenant.organizationId, number)).errors?.[0]?.error).toBe('OPERATOR_ONLY');
    expect((await prove(operator, 'org_unknown', number)).status).toBe(404);
    expect((await prove(operator, tenant.organizationId, number)).status).toBe(200);
    expect((await prove(operator, tenant.organizationId, number)).status).toBe(200);
    expect(await stateOf(tenant, number)).toBe('available');
    expect(await attach(tenant, number)).toMatchObject({ configured: [number], failed: [] });
    expect(await stateOf(tenant, number)).toBe('attached');
    expect(await attach(otherTenant, number)).toMatchObject(refused);
  });

  it('answers other organizations the same whether the number is in use or not', async () => {
    const [taken, free] = [freshNumber(), freshNumber()];
    await prove(operator, tenant.organizationId, taken);
    await attach(tenant, taken);
    const answer = JSON.stringify(await attach(otherTenant, taken));
    expect(answer.replaceAll(taken, free)).toBe(JSON.stringify(await attach(otherTenant, free)));
    expect(await stateOf(otherTenant, taken)).toBe('proof_required');
    await prove(operator, otherTenant.organizationId, taken);
    expect(await stateOf(otherTenant, taken)).toBe('taken');
  });
});
