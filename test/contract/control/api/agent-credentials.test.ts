import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { resealAgentCredentials } from '../../../../src/control/agent-credentials/credentials.js';
import { agentCredentialRoutes } from '../../../../src/control/agent-credentials/routes.js';
import { readDocuments } from '../../../../src/control/projection/documents.js';
import { trunkRoutes } from '../../../../src/control/trunks/routes.js';
import { ApiUnderTest, attachBody, freshNumber, inbound, type Tenant } from './fixture.js';

const path = '/v1/sip/agent-credentials';
const key = generateSecretKey();
let api: ApiUnderTest;
let tenant: Tenant;
let otherTenant: Tenant;
const number = freshNumber();
const foreign = freshNumber();
beforeAll(async () => {
  api = await ApiUnderTest.start({ DEMARC_SECRET_KEY: key }, [trunkRoutes, agentCredentialRoutes]);
  tenant = await api.tenant();
  otherTenant = await api.tenant();
  await api.call(tenant, 'POST', '/v1/sip/attach', attachBody([number], inbound()));
  await api.call(otherTenant, 'POST', '/v1/sip/attach', attachBody([foreign], inbound()));
  await api.emptyOutbox();
});
afterAll(() => api?.stop());

interface Created {
  readonly credential_id: string;
  readonly username: string;
  readonly password: string;
}
const create = (by: Tenant) => api.call<Created>(by, 'POST', path, { name: 'Outbound runtime' });
const credentialsIn = async (which: string) =>
  (await readDocuments(api.database, [which.slice(1)])).documents.get(which.slice(1))?.agent_credentials;

describe('credentials of agents', () => {
  it('are shown once, stored sealed, and reach the edges with the organization’s numbers alone', async () => {
    const { status, data } = await create(tenant);
    expect(status).toBe(200);
    expect(data.password).toMatch(/^[A-Za-z0-9_-]{32}$/);
    const [kept] = (await credentialsIn(number))!;
    expect(kept!.username).toBe(data.username);
    expect(api.parts.secrets.open(kept!.password)).toBe(data.password);
    expect(await credentialsIn(foreign)).toBeUndefined();
    expect(await api.outbox()).toEqual([number.slice(1)]);
    const listed = await api.call(tenant, 'GET', path);
    expect(listed.text).toContain(data.credential_id);
    expect(listed.text + JSON.stringify(await api.dump()) + api.logged.join()).not.toContain(data.password);
  });

  it.each(['two\r\nlines', 'bell\u0007', 'c1\u0085'])(
    'have no name with control characters: %j',
    async (name) => {
      const { status, errors } = await api.call(tenant, 'POST', path, { name });
      expect(status).toBe(400);
      expect(errors).toMatchObject([{ path: 'name', message: 'must not contain control characters.' }]);
    },
  );

  it('can be revoked only by their organization, which also applies at the edges', async () => {
    const { data } = await create(tenant);
    await api.emptyOutbox();
    expect((await api.call(otherTenant, 'GET', path)).text).not.toContain(data.credential_id);
    expect((await api.call(otherTenant, 'DELETE', `${path}/${data.credential_id}`)).status).toBe(404);
    expect(await api.outbox()).toEqual([]);
    expect((await api.call(tenant, 'DELETE', `${path}/${data.credential_id}`)).status).toBe(200);
    expect((await credentialsIn(number))!.map(({ username }) => username)).not.toContain(data.username);
    expect(await api.outbox()).toEqual([number.slice(1)]);
  });

  it('are as many as a number’s document takes', async () => {
    let last = await create(otherTenant);
    for (let i = 0; i < 20 && last.status === 200; i++) last = await create(otherTenant);
    expect(last.errors?.[0]?.error).toBe('AGENT_CREDENTIALS_FULL');
    expect(await credentialsIn(foreign)).toHaveLength(20);
  });

  it('are re-encrypted when the key changes', async () => {
    const current = generateSecretKey();
    const secrets = new SecretBox([current, key]);
    const { resealed } = await resealAgentCredentials({ database: api.database, secrets });
    expect(resealed).toBeGreaterThan(0);
    const onlyCurrent = new SecretBox([current]);
    for (const { password } of (await credentialsIn(number))!) {
      expect(onlyCurrent.open(password)).toHaveLength(32);
    }
    expect(await resealAgentCredentials({ database: api.database, secrets })).toEqual({
      resealed: 0,
      unreadable: 0,
    });
  });
});
