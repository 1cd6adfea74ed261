import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberDocumentSchema } from '../../../../src/contract/number.js';
import { composeNumberDocuments } from '../../../../src/control/numbers/number-documents.js';
import {
  answer,
  chainOver,
  challengesOf,
  invite,
  settings,
  type TestChain,
} from '../../../unit/edge/admission/request.js';
import { ApiUnderTest, attachBody, freshNumber, inbound, outbound, type Tenant } from './fixture.js';

interface Attached {
  readonly warnings: { message: string }[];
  readonly register_password_for_pbx: string | null;
}

/** What the API promises is what the edge does: documents of the one, admission of the other. */
describe('an attached number at the edge', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  beforeAll(async () => {
    api = await ApiUnderTest.start();
    tenant = await api.tenant();
  });
  afterAll(() => api?.stop());

  const attach = async (
    directions: readonly unknown[],
    sourcePolicy: 'none' | 'any' = 'none',
  ): Promise<{ number: string; attached: Attached; edge: TestChain }> => {
    const number = freshNumber();
    const { data } = await api.call<Attached>(
      tenant,
      'POST',
      '/v1/sip/attach',
      attachBody([number], ...directions),
    );
    const digits = number.slice(1);
    const composed = (await composeNumberDocuments(api.database, [digits])).get(digits);
    // As it travels: through JSON and the edge's own check.
    const document = numberDocumentSchema.parse(JSON.parse(JSON.stringify(composed)));
    const parts = { secrets: api.parts.secrets, settings: { ...settings, sourcePolicy } };
    return { number, attached: data, edge: chainOver([document], parts) };
  };

  const statusFor = async (edge: TestChain, number: string, sourceAddress: string): Promise<number> => {
    const admission = await edge.chain.admit(invite({ calledUser: number, sourceAddress }));
    return admission.admitted ? 200 : admission.refusal.status;
  };

  it('accepts only allowed_ips', async () => {
    const { number, edge } = await attach([
      inbound({ allowed_ips: ['203.0.113.0/24', '2001:db8::/32'] }),
      outbound('192.0.2.1'),
    ]);
    expect(await statusFor(edge, number, '203.0.113.9')).toBe(200);
    expect(await statusFor(edge, number, '2001:db8::9')).toBe(200);
    expect(await statusFor(edge, number, '198.51.100.1')).toBe(403);
    expect(await statusFor(edge, number, '192.0.2.1')).toBe(403);
  });

  it('without allowed_ips accepts its servers, as the warning says', async () => {
    const { number, attached, edge } = await attach([inbound(), outbound('192.0.2.1')]);
    expect(attached.warnings[0]?.message).toMatch(/192\.0\.2\.1.*may call/);
    expect(await statusFor(edge, number, '192.0.2.1')).toBe(200);
    expect(await statusFor(edge, number, '192.0.2.2')).toBe(403);
  });

  it('without allowed_ips and servers accepts no source, or all where the policy allows it', async () => {
    const { number, attached, edge } = await attach([inbound()]);
    expect(attached.warnings[0]?.message).toContain('No caller is admitted');
    expect(await statusFor(edge, number, '203.0.113.9')).toBe(403);
    const open = await attach([inbound()], 'any');
    expect(await statusFor(open.edge, open.number, '203.0.113.9')).toBe(200);
  });

  it('accepts no source when it is attached for outbound calls only', async () => {
    const { number, edge } = await attach([outbound('192.0.2.1')]);
    expect(await statusFor(edge, number, '192.0.2.1')).toBe(404);
  });

  it.each(['MD5', 'SHA-256'] as const)(
    'lets a PBX in that answers with the derived password (%s)',
    async (algorithm) => {
      const register_auth = { username: 'acme', password: 'correct horse' };
      const { number, attached, edge } = await attach([inbound({ auth_mode: 'register', register_auth })]);
      const callWith = async (password: string): Promise<boolean> => {
        const request = invite({ calledUser: number });
        const challenged = await edge.chain.admit(request);
        if (challenged.admitted) throw new Error('admitted without credentials');
        expect(challenged.refusal.status).toBe(401);
        const { nonce } = challengesOf(challenged.refusal.headers)[0]!;
        const credentials = answer(nonce, request, { username: 'acme', password, algorithm });
        const header = (name: string) => (name === 'Authorization' ? credentials : undefined);
        return (await edge.chain.admit({ ...request, header })).admitted;
      };
      expect(await callWith(attached.register_password_for_pbx!)).toBe(true);
      expect(await callWith('correct horse')).toBe(false);
    },
  );

  it('is forwarded to its endpoint, within its codecs and limits', async () => {
    const { number, edge } = await attach([
      inbound({ allowed_ips: ['203.0.113.9'], sip_endpoint: 'agent.example.com', options: { port: 5070 } }),
    ]);
    const admission = await edge.chain.admit(invite({ calledUser: number, sourceAddress: '203.0.113.9' }));
    expect(admission).toMatchObject({
      admitted: true,
      agentUris: ['sip:agent.example.com:5070;transport=tcp'],
    });
    await api.call(tenant, 'PATCH', '/v1/sip/config', {
      phone_number: number,
      direction: 'inbound',
      limits: { concurrent_calls: 0 },
    });
    const digits = number.slice(1);
    const limited = chainOver([...(await composeNumberDocuments(api.database, [digits])).values()]);
    expect(await statusFor(limited, number, '203.0.113.9')).toBe(503);
  });
});
