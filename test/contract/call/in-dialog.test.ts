import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CallBench, type TwoLegs } from './bench.js';

let bench: CallBench;
let legs: TwoLegs;
beforeAll(async () => {
  bench = await CallBench.start();
});
afterAll(() => bench?.stop());
afterEach(async () => {
  await legs.trunk.send('BYE');
  await legs.agent.respond(await bench.agent.expectRequest('BYE', { callId: legs.agent.callId }), 200);
  await bench.record();
  await bench.expectNothingLeft();
});

describe('a request inside the call', () => {
  it('INFO with DTMF crosses in both directions, its answer too', async () => {
    legs = await bench.establish();
    const { trunk, agent } = legs;
    const headers = { 'Content-Type': 'application/dtmf-relay' };
    await trunk.send('INFO', { headers, body: 'Signal=5\r\nDuration=160\r\n' });
    const atAgent = await bench.agent.expectRequest('INFO', { callId: agent.callId });
    expect(atAgent.message.body).toBe('Signal=5\r\nDuration=160\r\n');
    expect(atAgent.message.headers.get('Content-Type')).toBe('application/dtmf-relay');
    await agent.respond(atAgent, 200);
    await trunk.response(200, 'INFO');
    await agent.send('INFO', { headers, body: 'Signal=#\r\n' });
    await trunk.respond(await bench.trunk.expectRequest('INFO', { callId: trunk.callId }), 415);
    expect((await agent.response((status) => status >= 200, 'INFO')).message.status).toBe(415);
  });

  it.each([
    ['OPTIONS', 200],
    ['REFER', 603],
    ['MESSAGE', 405],
    ['NOTIFY', 481],
    ['SUBSCRIBE', 481],
  ])('%s is %i from either side and reaches nobody', async (method, status) => {
    legs = await bench.establish();
    const { trunk, agent } = legs;
    const headers = { 'Refer-To': '<sip:x@127.0.0.1>', Event: 'refer', 'Subscription-State': 'active' };
    for (const side of [trunk, agent]) {
      await side.send(method, { headers });
      expect((await side.response((each) => each >= 200, method)).message.status).toBe(status);
    }
    for (const peer of [bench.trunk, bench.agent]) {
      await peer.expectNothing(
        (m) => m.kind === 'request' && m.method === method,
        50,
        `No ${method} on the other side`,
      );
    }
  });
});
