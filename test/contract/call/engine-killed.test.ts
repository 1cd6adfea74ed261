import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { generateSecretKey } from '../../../src/contract/secret.js';
import { topVia } from '../../../src/sip/via.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { type EngineUnderTest, isRealServer, startEngine } from '../../support/engine-under-test.js';
import { PeerCall } from '../../support/peer-call.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { CallBench, calledNumber } from './bench.js';

let bench: CallBench;
let engine: EngineUnderTest;
beforeAll(async () => {
  bench = await CallBench.start({ DEMARC_SECRET_KEY: generateSecretKey() });
  engine = bench.engine;
});
afterAll(async () => {
  await bench?.stop();
  await engine?.stop();
});
afterEach(() => bench.expectNothingLeft());

/** `kill -9`, and another one on the same ports, as a supervisor starts it. */
async function replaceEngine(): Promise<void> {
  process.kill(engine.pid!, 'SIGKILL');
  engine = await startEngine({ t1: 100, successorOf: engine });
}

/** A call whose agent rang when the engine was killed. */
async function cancelledByNextEngine() {
  const peer = await SipPeer.open({ protocol: 'tcp', target: bench.trunk.target });
  const caller = PeerCall.to(peer, calledNumber);
  await caller.invite({ body: trunkDescription() });
  const { agent, invite } = await bench.atAgent();
  await agent.respond(invite, 180);
  await caller.response(180);
  await replaceEngine();
  const cancel = await bench.agent.expectRequest('CANCEL', { callId: agent.callId });
  await peer.close();
  return { agent, invite, cancel };
}

async function expectRecord(): Promise<void> {
  expect((await bench.record(10_000)).end_reason).toBe('engine_lost');
}

describe.skipIf(isRealServer)('an engine that is killed leaves no phone ringing', () => {
  it('sends CANCEL from the next engine to an agent that rings', async () => {
    const { agent, invite, cancel } = await cancelledByNextEngine();
    expect(topVia(cancel.message)?.branch).toBe(topVia(invite.message)?.branch);
    expect(cancel.message.headers.get('CSeq')).toBe(
      invite.message.headers.get('CSeq')?.replace('INVITE', 'CANCEL'),
    );
    await agent.respond(cancel, 200);
    await agent.respond({ ...invite, route: cancel.route }, 487);
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await expectRecord();
  });

  it('sends ACK and BYE to an agent whose 200 crosses that CANCEL', async () => {
    const { agent, invite, cancel } = await cancelledByNextEngine();
    await agent.respond({ ...invite, route: cancel.route }, 200, { body: agentDescription() });
    await agent.respond(cancel, 200);
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    await expectRecord();
  });

  it('sends BYE to both sides of a call that ended before the next engine was there', async () => {
    await bench.configure({ limits: { max_duration_seconds: 2 } });
    const { trunk, agent } = await bench.establish();
    const isWritten = async (): Promise<boolean> =>
      (await bench.redis.keys('demarc:held-calls:*')).length > 0;
    await until(isWritten, 2_000, 'the document of the call');
    process.kill(engine.pid!, 'SIGKILL');
    expect((await bench.record(10_000)).end_reason).toBe('max_duration');
    engine = await startEngine({ t1: 100, successorOf: engine });
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    await trunk.respond(await bench.trunk.expectRequest('BYE', { callId: trunk.callId }), 200);
    await bench.configure({});
  });

  it('sends CANCEL to the ringing callee of an ordered call, and ACK and BYE to the agent that waits for it', async () => {
    await bench.configure({
      outbound: [{ id: 'out', host: '127.0.0.1', port: bench.trunk.port, transport: 'tcp' }],
    });
    await bench.answerProbe();
    await bench.order();
    const { agent, invite: atAgent } = await bench.atAgent();
    await agent.respond(atAgent, 200, { body: agentDescription() });
    const atTrunk = await bench.trunk.expectRequest('INVITE');
    const trunk = PeerCall.from(bench.trunk, atTrunk.message);
    await trunk.respond(atTrunk, 183, { body: trunkDescription() });
    await bench.agent.inbox.none(() => false, 100, 'time for the 183');
    await replaceEngine();
    const cancel = await bench.trunk.expectRequest('CANCEL', { callId: trunk.callId });
    await trunk.respond(cancel, 200);
    await trunk.respond({ ...atTrunk, route: cancel.route }, 487);
    await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    await expectRecord();
  });
});
