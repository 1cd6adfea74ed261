import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readSession } from '../../../src/sdp/sdp.js';
import type { SipRequest } from '../../../src/sip/message.js';
import { type Arrival, SipPeer } from '../../../src/testkit/sip-peer.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { PeerCall } from '../../support/peer-call.js';
import type { CallBench } from '../call/bench.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { secureAnswer } from './answers.js';
import { twoEdges } from './two-edges.js';

let bench: CallBench;
/** The number's servers. */
let first: SipPeer;
let second: SipPeer;
let isOver = false;
beforeAll(async () => {
  // Without a key no edge continues calls: they end with the connection to the engine.
  bench = await twoEdges({});
  const open = () => SipPeer.open({ protocol: 'tcp', target: bench.trunk.target });
  [first, second] = [await open(), await open()];
  for (const peer of [first, second]) void answerProbes(peer);
});
afterAll(async () => {
  isOver = true;
  await Promise.all([first?.close(), second?.close()]);
  await bench?.stop();
});
afterEach(() => bench.expectNothingLeft());

async function answerProbes(peer: SipPeer): Promise<void> {
  while (!isOver) {
    const probe = await peer.expectRequest('OPTIONS', { milliseconds: 500 }).catch(() => undefined);
    if (probe !== undefined) await PeerCall.from(peer, probe.message).respond(probe, 200);
  }
}

const configure = (outbound: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
  bench.configure({
    outbound: [{ id: 'out', host: '127.0.0.1', port: first.port, transport: 'tcp', ...outbound }],
    transfer: { mode: 'bridge', allowed_targets: ['+1415'] },
    ...more,
  });

async function refer(by: PeerCall): Promise<void> {
  await by.send('REFER', { headers: { 'Refer-To': '<tel:+14155550100>', 'Refer-Sub': 'false' } });
  await by.response(202, 'REFER');
}

async function invited(peer: SipPeer): Promise<{ party: PeerCall; invite: Arrival<SipRequest> }> {
  const invite = await peer.expectRequest('INVITE');
  return { party: PeerCall.from(peer, invite.message), invite };
}

const answerBye = async (of: PeerCall): Promise<void> => {
  await of.respond(await of.peer.expectRequest('BYE', { callId: of.callId }), 200);
};

async function moved(stays: PeerCall, answer: (offer: string) => string): Promise<void> {
  const invite = await stays.peer.expectRequest('INVITE', { callId: stays.callId });
  await stays.respond(invite, 200, { body: answer(invite.message.body) });
  await stays.peer.expectRequest('ACK', { callId: stays.callId });
}

describe('the new party of a transfer', () => {
  it('is called by the next server where the first is out of service', async () => {
    const failover = {
      endpoints: [{ host: '127.0.0.1', port: second.port, transport: 'tcp' }],
      triggers: ['unreachable', 'timeout'],
      failback: 'auto',
    };
    await configure({}, { outbound_policy: { failover } });
    const { trunk, agent } = await bench.establish();
    await refer(trunk);
    const refused = await invited(first);
    await refused.party.respond(refused.invite, 503);
    await first.expectRequest('ACK', { callId: refused.party.callId });
    const { party, invite } = await invited(second);
    await party.respond(invite, 200, { body: secureAnswer(invite.message.body) });
    await second.expectRequest('ACK', { callId: party.callId });
    await moved(agent, () => agentDescription({ version: 2 }));
    await trunk.hangUp();
    await agent.send('BYE');
    await answerBye(party);
    await agent.response(200, 'BYE');
    const record = await bench.record();
    expect(record.transfers).toMatchObject([{ status: 'completed', sip_call_id: party.callId }]);
    expect(record.trace.some(({ message }) => message.includes(refused.party.callId))).toBe(true);
  });

  it('gets plain RTP where the number is so configured, and the agent gets the re-INVITE again after 491', async () => {
    await configure({ secure_media: false });
    const { trunk, agent } = await bench.establish();
    await refer(trunk);
    const { party, invite } = await invited(first);
    expect(readSession(invite.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/AVP' });
    await party.respond(invite, 200, { body: agentDescription({ port: 43_000 }) });
    await first.expectRequest('ACK', { callId: party.callId });
    const glare = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
    await agent.respond(glare, 491);
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await moved(agent, () => agentDescription({ version: 2 }));
    await answerBye(trunk);
    await party.send('BYE');
    await answerBye(agent);
    await party.response(200, 'BYE');
    expect(await bench.record()).toMatchObject({ media: { srtp_suite: null } });
  });

  it('is hung up when it answers without SRTP, and the call continues', async () => {
    await configure();
    const { trunk, agent } = await bench.establish();
    await refer(trunk);
    const { party, invite } = await invited(first);
    await party.respond(invite, 200, { body: agentDescription() });
    await first.expectRequest('ACK', { callId: party.callId });
    await answerBye(party);
    await trunk.send('BYE');
    await answerBye(agent);
    await trunk.response(200, 'BYE');
    expect((await bench.record()).transfers).toMatchObject([{ status: 'failed', reason: 'media_failed' }]);
  });
});

describe('a transfer of a call that we placed', () => {
  it('by the agent joins callee and new party', async () => {
    await configure();
    await bench.order();
    const { agent, invite: atAgent } = await bench.atAgent();
    await agent.respond(atAgent, 200, { body: agentDescription() });
    const callee = await invited(first);
    await callee.party.respond(callee.invite, 200, { body: trunkDescription() });
    await first.expectRequest('ACK', { callId: callee.party.callId });
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await refer(agent);
    const { party, invite } = await invited(first);
    await party.respond(invite, 200, { body: secureAnswer(invite.message.body) });
    await first.expectRequest('ACK', { callId: party.callId });
    await moved(callee.party, secureAnswer);
    await answerBye(agent);
    await callee.party.send('BYE');
    await answerBye(party);
    await callee.party.response(200, 'BYE');
    expect(await bench.record()).toMatchObject({
      direction: 'outbound',
      end_reason: 'callee_hung_up',
      transfers: [{ mode: 'bridge', requested_by: 'agent', status: 'completed' }],
    });
  });
});

describe('a transfer that the edge does not live to see', () => {
  it('ends with the call when the engine is lost, or the edge drains', async () => {
    await configure();
    // A drachtio-server neither cancels nor ends what a lost application had.
    for (const how of isRealServer ? ['drained'] : ['drained', 'engine lost']) {
      const { trunk, agent } = await bench.establish();
      await refer(trunk);
      const { party, invite } = await invited(first);
      await party.respond(invite, 180);
      if (how === 'engine lost') bench.dropEngineConnection();
      else for (const edge of bench.edges) edge.endAll('drained', 'Test');
      const cancel = await first.expectRequest('CANCEL', { callId: party.callId });
      await party.respond(cancel, 200);
      await party.respond(invite, 487);
      await Promise.all([answerBye(trunk), answerBye(agent)]);
      expect((await bench.record()).transfers).toMatchObject([{ status: 'failed', reason: 'call_ended' }]);
    }
  });
});
