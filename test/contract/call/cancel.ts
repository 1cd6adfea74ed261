import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PeerCall } from '../../support/peer-call.js';
import { agentDescription } from '../media/descriptions.js';
import { type CallBench, calledNumber } from './bench.js';
import { plainBench } from './plain-bench.js';

let bench: CallBench;
beforeAll(async () => {
  bench = await plainBench.take();
});
afterEach(() => bench.expectNothingLeft());

describe('a caller who gives up', () => {
  it('while the agent rings', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 180);
    await trunk.response(180);
    await trunk.cancel({ headers: { Reason: 'SIP;cause=200;text="Call completed elsewhere"' } });
    await trunk.response(200, 'CANCEL');
    await trunk.ack((await trunk.response(487)).message);
    const cancel = await bench.agent.expectRequest('CANCEL');
    expect(cancel.message.headers.get('Reason')).toContain('completed elsewhere');
    await agent.respond(cancel, 200);
    await agent.respond(invite, 487);
    expect(await bench.record()).toMatchObject({
      outcome: 'cancelled',
      end_reason: 'caller_cancelled',
      ended_by: 'caller',
      sip_status: 487,
    });
  });

  it('before the agent has said anything', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await trunk.cancel();
    await trunk.ack((await trunk.response(487)).message);
    await agent.respond(invite, 180);
    const cancel = await bench.agent.expectRequest('CANCEL');
    await agent.respond(cancel, 200);
    await agent.respond(invite, 487);
    expect(await bench.record()).toMatchObject({ end_reason: 'caller_cancelled' });
  });

  it('before the agent is called', async () => {
    await bench.rtpengine.freeze();
    const trunk = await bench.call();
    await trunk.response(100);
    await trunk.cancel();
    await trunk.ack((await trunk.response(487)).message);
    // The engine refuses the INVITE without the edge; a response of the edge shows that the edge has read the CANCEL as well.
    const options = PeerCall.to(bench.trunk, calledNumber);
    await options.send('OPTIONS');
    await options.response((status) => status >= 200, 'OPTIONS');
    bench.rtpengine.thaw();
    await bench.agent.expectNothing(
      (message) => message.kind === 'request' && message.method === 'INVITE',
      300,
      'The agent hears nothing',
    );
    expect(await bench.record()).toMatchObject({
      end_reason: 'caller_cancelled',
      sip_call_ids: { agent: null },
    });
  });

  it('just as the agent answers', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 180);
    await trunk.response(180);
    await trunk.cancel();
    const [, cancel] = await Promise.all([trunk.response(487), bench.agent.expectRequest('CANCEL')]);
    await agent.respond(invite, 200, { body: agentDescription() });
    await agent.respond(cancel, 200);
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    expect(await bench.record()).toMatchObject({ end_reason: 'caller_cancelled', answered_at: null });
  });
});
