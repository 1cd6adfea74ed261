import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CallBench, calledNumber } from './bench.js';

let bench: CallBench;
beforeAll(async () => {
  bench = await CallBench.start();
});
afterAll(() => bench?.stop());
afterEach(() => bench.expectNothingLeft());

describe('an inbound call', () => {
  it('is answered by the agent and ended by the caller', async () => {
    const { trunk, agent, invite } = await bench.establish();
    expect(invite.message.headers.get('X-Demarc-Number')).toBe(calledNumber);
    await trunk.send('BYE');
    const bye = await bench.agent.expectRequest('BYE', { callId: agent.callId });
    await agent.respond(bye, 200);
    await trunk.response(200, 'BYE');
    const record = await bench.record();
    expect(record).toMatchObject({
      outcome: 'completed',
      end_reason: 'caller_hung_up',
      ended_by: 'caller',
      sip_status: 200,
      number: calledNumber,
      organization: 'acme',
      media: { trunk_codec: 'PCMU', agent_codec: 'PCMU', srtp_suite: 'AES_CM_128_HMAC_SHA1_80' },
    });
  });
});
