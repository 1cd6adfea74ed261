import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  agentCredentialPlace,
  numberPlace,
  SecretBox,
  SecretError,
} from '../../../../src/contract/secret.js';
import {
  createAgentCredential,
  resealAgentCredentials,
} from '../../../../src/control/agent-credentials/credentials.js';
import {
  agentKeyPlace,
  resealAgentKeys,
} from '../../../../src/control/agent-testing/conversation/agent-keys.js';
import { createScenario } from '../../../../src/control/agent-testing/scenarios/scenario-storage.js';
import { scenarioCreation } from '../../../../src/control/agent-testing/schemas/scenario.js';
import { createEndpoint, findEndpoint } from '../../../../src/control/deliveries/webhook/endpoint-storage.js';
import {
  endpointPlace,
  openSecrets,
  resealSigningSecrets,
  rotateSigningSecret,
  signingSecrets,
} from '../../../../src/control/deliveries/webhook/secrets.js';
import { keyRoutes } from '../../../../src/control/keys/routes.js';
import { resealPasswords } from '../../../../src/control/trunks/reseal.js';
import { trunkRoutes } from '../../../../src/control/trunks/routes.js';
import { sharedTrunkRoutes } from '../../../../src/control/trunks/shared/routes.js';
import { resealTrunks } from '../../../../src/control/trunks/shared/trunk-storage.js';
import { ApiUnderTest, attachBody, freshNumber, inbound, outbound, type Tenant } from './fixture.js';

let api: ApiUnderTest;
let victim: Tenant;
let otherTenant: Tenant;
beforeAll(async () => {
  api = await ApiUnderTest.start({}, [trunkRoutes, sharedTrunkRoutes], [keyRoutes]);
  victim = await api.tenant();
  otherTenant = await api.tenant();
});
afterAll(() => api?.stop());

const createTrunk = async (tenant: Tenant, password: string): Promise<string> => {
  const options = { sip_username: 'demarc', sip_password: password };
  const directions = [outbound('sip:pbx.example.com', { options })];
  const answer = await api.call<{ trunk_id: string }>(tenant, 'POST', '/v1/trunks', {
    name: 'hq',
    directions,
  });
  expect(answer.status).toBe(200);
  return answer.data.trunk_id;
};

const endpointOf = ({ organizationId }: Tenant) =>
  createEndpoint(api.parts, organizationId, {
    url: 'https://receiver.example.com/',
    description: '',
    events: ['*'],
    enabled: true,
  });

describe('a sealed secret that was moved to another row', () => {
  it('is not the password of a trunk there', async () => {
    const [victims, own, further] = [
      await createTrunk(victim, 'of the victim'),
      await createTrunk(otherTenant, 'own'),
      await createTrunk(victim, 'of another trunk'),
    ];
    const attach = (tenant: Tenant, trunk: string) =>
      api.call(tenant, 'POST', `/v1/trunks/${trunk}/numbers`, { phone_numbers: [freshNumber()] });
    expect((await attach(otherTenant, own)).status).toBe(200);
    for (const [tenant, id] of [
      [otherTenant, own],
      [victim, further],
    ] as const) {
      await sql`update trunks set directions = (select directions from trunks where id = ${victims}) where id = ${id}`.execute(
        api.database,
      );
      expect(await attach(tenant, id)).toMatchObject({ status: 500 });
    }
    expect((await attach(victim, victims)).status).toBe(200);
  });

  it('is not given back as the answer of a request', async () => {
    const create = (tenant: Tenant, name: string) =>
      api.call<{ key: string }>(tenant, 'POST', '/v1/keys', { name: 'once' }, { 'idempotency-key': name });
    const victimsEndpoint = await create(victim, 'theirs');
    const own = await create(otherTenant, 'own');
    const answers = await api.database.selectFrom('idempotent_requests').selectAll().execute();
    const stored = answers.find(({ idempotency_key: name }) => name === 'theirs')!.answer;
    await api.database
      .updateTable('idempotent_requests')
      .set({ answer: stored })
      .where('idempotency_key', '=', 'own')
      .execute();
    const repeated = await create(otherTenant, 'own');
    expect(own.status).toBe(200);
    expect(repeated.errors?.[0]?.error).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(repeated.text).not.toContain(victimsEndpoint.data.key);
    expect((await create(victim, 'theirs')).data.key).toBe(victimsEndpoint.data.key);
  });

  it('signs no webhooks there, nor opens as a key of another kind', async () => {
    const { database, parts } = api;
    const [victims, own] = [await endpointOf(victim), await endpointOf(otherTenant)];
    const { secret: ofVictim } = await rotateSigningSecret(parts, victim.organizationId);
    await rotateSigningSecret(parts, otherTenant.organizationId);
    await database
      .updateTable('webhook_endpoints')
      .set({ secret: victims.row.secret })
      .where('id', '=', own.row.id)
      .execute();
    const moved = (await findEndpoint(database, otherTenant.organizationId, own.row.id))!;
    const place = endpointPlace(otherTenant.organizationId, own.row.id);
    expect(() => openSecrets(parts.secrets, moved, place)).toThrow(SecretError);
    expect(() =>
      parts.secrets.open(victims.row.secret, agentKeyPlace(victim.organizationId, victims.row.id)),
    ).toThrow(SecretError);
    await sql`update webhook_secrets set secret = (select secret from webhook_secrets
      where organization_id = ${victim.organizationId}) where organization_id = ${otherTenant.organizationId}`.execute(
      database,
    );
    await expect(signingSecrets(parts, otherTenant.organizationId)).rejects.toThrow(SecretError);
    expect(await signingSecrets(parts, victim.organizationId)).toEqual([ofVictim]);
  });
});

describe('the passwords of numbers and of agents, which edges read', () => {
  const register = (number: string) =>
    attachBody(
      [number],
      inbound({ auth_mode: 'register', register_auth: { username: 'desk', password: 'of the PBX' } }),
      outbound('sip:pbx.example.com', { options: { sip_username: 'desk', sip_password: 'of the trunk' } }),
    );
  const passwordsOf = async (number: string) => {
    const rows = await api.database
      .selectFrom('configurations')
      .select(['register_password', 'pbx_password', 'sip_password'])
      .where('number', '=', number.slice(1))
      .execute();
    return rows.flatMap((row) => Object.values(row)).filter((password) => password !== null);
  };

  it('are bound to the organization once the operator says that all edges read them so, and unbound again', async () => {
    const { parts } = api;
    const tenant = await api.tenant();
    const number = freshNumber();
    expect((await api.call(tenant, 'POST', '/v1/sip/attach', register(number))).status).toBe(200);
    const { id } = await createAgentCredential(parts, tenant.organizationId, 'bot');
    const all = async () => {
      const agent = await api.database
        .selectFrom('agent_credentials')
        .select('password')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return { agent: agent.password, numbers: await passwordsOf(number) };
    };
    const cautious = new SecretBox(parts.settings.secretKeys, 'refuse', false);
    const binding = new SecretBox(parts.settings.secretKeys, 'refuse', true);
    const here = numberPlace(tenant.organizationId);
    const passwords = async () => (await all()).numbers.map((sealed) => cautious.open(sealed, here)).sort();
    // The third is derived, and random.
    expect(await passwords()).toHaveLength(3);
    expect(await passwords()).toEqual(expect.arrayContaining(['of the PBX', 'of the trunk']));
    const before = await passwords();

    for (const [secrets, format] of [
      [binding, 'v2:'],
      [cautious, 'v1:'],
      [binding, 'v2:'],
    ] as const) {
      await resealPasswords({ ...parts, secrets });
      await resealAgentCredentials({ ...parts, secrets });
      const { agent, numbers } = await all();
      expect([agent, ...numbers].every((sealed) => sealed.startsWith(format))).toBe(true);
      expect(numbers).toHaveLength(3);
      expect(await passwords()).toEqual(before);
    }
    const { agent, numbers } = await all();
    const elsewhere = numberPlace(otherTenant.organizationId);
    for (const sealed of numbers) {
      expect(() => parts.secrets.open(sealed, elsewhere)).toThrow(SecretError);
      expect(() => parts.secrets.open(sealed, agentCredentialPlace(tenant.organizationId))).toThrow(
        SecretError,
      );
    }
    expect(() => parts.secrets.open(agent, here)).toThrow(SecretError);
    // What is stored is still recognized as the same.
    expect((await api.call(tenant, 'POST', '/v1/sip/attach', register(number))).status).toBe(200);
    expect((await all()).numbers.sort()).toEqual(numbers.sort());
  });
});

describe('a secret that an earlier release sealed', () => {
  it('opens, is bound at the next start, and is refused unbound where the operator wants that', async () => {
    const { database, parts } = api;
    const tenant = await api.tenant();
    const { organizationId } = tenant;
    const { row } = await endpointOf(tenant);
    const trunk = await createTrunk(tenant, 'unused');
    const scenario = await createScenario(
      parts,
      organizationId,
      'b0a7c5b2-0c5c-4c3e-9f5e-0d6b6f2f1a11',
      scenarioCreation.parse({
        name: 'bound',
        scenario_type: 'AGENT',
        tester_persona_prompt: 'Ask for the time.',
        agent: { url: 'https://agent.example.com/v1', model: 'm', api_key: 'sk-key' },
      }),
    );
    const unbound = parts.secrets.seal('of an earlier release');
    await database
      .updateTable('webhook_endpoints')
      .set({ secret: unbound })
      .where('id', '=', row.id)
      .execute();
    await database.updateTable('agent_test_scenarios').set({ agent_key: unbound }).execute();
    await sql`update trunks set directions = jsonb_set(directions, '{0,options,sip_password}', to_jsonb(${unbound}::text))
      where id = ${trunk}`.execute(database);
    const strict = new SecretBox(parts.settings.secretKeys, 'refuse');
    const place = endpointPlace(organizationId, row.id);
    const endpoint = async () => (await findEndpoint(database, organizationId, row.id))!;
    expect(openSecrets(parts.secrets, await endpoint(), place)).toEqual(['of an earlier release']);
    expect(() => openSecrets(strict, { ...row, secret: unbound }, place)).toThrow(SecretError);

    expect((await resealSigningSecrets(parts)).resealed).toBe(1);
    expect(await resealAgentKeys(parts)).toEqual({ resealed: 1, unreadable: 0 });
    expect((await resealTrunks(parts)).resealed).toBe(1);

    expect(openSecrets(strict, await endpoint(), place)).toEqual(['of an earlier release']);
    const { agent_key } = await database
      .selectFrom('agent_test_scenarios')
      .select('agent_key')
      .executeTakeFirstOrThrow();
    expect(strict.open(agent_key!, agentKeyPlace(organizationId, scenario.row.id))).toBe(
      'of an earlier release',
    );
    const numbers = { phone_numbers: [freshNumber()] };
    expect((await api.call(tenant, 'POST', `/v1/trunks/${trunk}/numbers`, numbers)).status).toBe(200);
  });
});
