import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SipRequest } from '../../../src/sip/message.js';
import { type Arrival, SipPeer } from '../../../src/testkit/sip-peer.js';
import { PeerCall } from '../../support/peer-call.js';
import { agentDescription } from '../media/descriptions.js';
import type { CallBench } from './bench.js';
import { plainBench } from './plain-bench.js';

let bench: CallBench;
let otherSipPeer: SipPeer;
beforeAll(async () => {
  bench = await plainBench.take();
  otherSipPeer = await SipPeer.open({ protocol: 'tcp', target: bench.engine.listeners.tcp! });
});
afterAll(() => otherSipPeer?.close());
beforeEach(() => configure([bench.agent.uri('one'), otherSipPeer.uri('two')]));
afterEach(() => bench.expectNothingLeft());

const configure = (uris: string[]): Promise<void> =>
  bench.configure({ inbound: [{ id: 'any', agents: { strategy: 'ring_all', uris } }] });

interface Rung {
  readonly leg: PeerCall;
  readonly invite: Arrival<SipRequest>;
}

async function rung(peer: SipPeer): Promise<Rung> {
  const invite = await peer.expectRequest('INVITE');
  return { leg: PeerCall.from(peer, invite.message), invite };
}

/** The agent of a call that another has taken gets CANCEL and answers it. */
async function isCancelled(peer: SipPeer, { leg, invite }: Rung): Promise<string | undefined> {
  const cancel = await peer.expectRequest('CANCEL', { callId: leg.callId });
  await leg.respond(cancel, 200);
  await leg.respond(invite, 487);
  await peer.expectRequest('ACK', { callId: leg.callId });
  return cancel.message.headers.get('Reason');
}

describe('a group of agents that ring together', () => {
  it('gives the call to the first that answers, and cancels the other as completed elsewhere', async () => {
    const trunk = await bench.call();
    const [first, second] = await Promise.all([rung(bench.agent), rung(otherSipPeer)]);
    expect(second.invite.message.body.toString()).toBe(first.invite.message.body.toString());
    await first.leg.respond(first.invite, 180);
    await second.leg.respond(second.invite, 183, { body: agentDescription() });
    expect((await trunk.response(180)).message.body).toHaveLength(0);
    await second.leg.respond(second.invite, 200, { body: agentDescription({ port: 41_000 }) });
    expect(await isCancelled(bench.agent, first)).toBe('SIP;cause=200;text="Call completed elsewhere"');
    const ok = await trunk.response(200);
    await trunk.ack(ok.message);
    await otherSipPeer.expectRequest('ACK', { callId: second.leg.callId });
    await trunk.send('BYE');
    await trunk.response(200, 'BYE');
    await second.leg.respond(await otherSipPeer.expectRequest('BYE', { callId: second.leg.callId }), 200);
    const record = await bench.record();
    expect(record).toMatchObject({
      outcome: 'completed',
      sip_call_ids: { agent: second.leg.callId },
    });
    // The ladder has the agent that lost as well.
    expect(record.trace.filter(({ summary }) => summary === 'CANCEL')).not.toEqual([]);
  });

  it('keeps ringing when one of them fails', async () => {
    const trunk = await bench.call();
    const [first, second] = await Promise.all([rung(bench.agent), rung(otherSipPeer)]);
    await first.leg.respond(first.invite, 500);
    await bench.agent.expectRequest('ACK', { callId: first.leg.callId });
    await second.leg.respond(second.invite, 180);
    await trunk.response(180);
    await second.leg.respond(second.invite, 200, { body: agentDescription() });
    const ok = await trunk.response(200);
    await trunk.ack(ok.message);
    await otherSipPeer.expectRequest('ACK', { callId: second.leg.callId });
    await second.leg.send('BYE');
    await trunk.respond(await bench.trunk.expectRequest('BYE', { callId: trunk.callId }), 200);
    await second.leg.response(200, 'BYE');
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up' });
  });

  it('is busy when all of them are, and a busy agent counts more than one that is down', async () => {
    await configure(['sip:down@127.0.0.1:9;transport=tcp', bench.agent.uri('one'), otherSipPeer.uri('two')]);
    const trunk = await bench.call();
    const [first, second] = await Promise.all([rung(bench.agent), rung(otherSipPeer)]);
    await first.leg.respond(first.invite, 503);
    await bench.agent.expectRequest('ACK', { callId: first.leg.callId });
    await second.leg.respond(second.invite, 486);
    await otherSipPeer.expectRequest('ACK', { callId: second.leg.callId });
    await trunk.ack((await trunk.response(486)).message);
    expect(await bench.record()).toMatchObject({
      end_reason: 'agent_refused',
      ended_by: 'agent',
      sip_status: 486,
    });
  });

  it('stops ringing when the caller gives up', async () => {
    const trunk = await bench.call();
    const [first, second] = await Promise.all([rung(bench.agent), rung(otherSipPeer)]);
    await Promise.all([first.leg.respond(first.invite, 180), second.leg.respond(second.invite, 180)]);
    await trunk.response(180);
    await trunk.cancel();
    await trunk.response(200, 'CANCEL');
    await Promise.all([isCancelled(bench.agent, first), isCancelled(otherSipPeer, second)]);
    await trunk.ack((await trunk.response(487)).message);
    expect(await bench.record()).toMatchObject({ end_reason: 'caller_cancelled' });
  });

  it('lets go of an agent whose answer crosses the CANCEL', async () => {
    const trunk = await bench.call();
    const [first, second] = await Promise.all([rung(bench.agent), rung(otherSipPeer)]);
    await Promise.all([first.leg.respond(first.invite, 180), second.leg.respond(second.invite, 180)]);
    await trunk.response(180);
    await first.leg.respond(first.invite, 200, { body: agentDescription() });
    const cancel = await otherSipPeer.expectRequest('CANCEL', { callId: second.leg.callId });
    await second.leg.respond(second.invite, 200, { body: agentDescription() });
    await second.leg.respond(cancel, 200);
    // RFC 5407 §3.1.2: the engine acknowledges it and ends its dialog.
    await otherSipPeer.expectRequest('ACK', { callId: second.leg.callId });
    const bye = await otherSipPeer.expectRequest('BYE', { callId: second.leg.callId });
    await second.leg.respond(bye, 200);
    const ok = await trunk.response(200);
    await trunk.ack(ok.message);
    await trunk.send('BYE');
    await trunk.response(200, 'BYE');
    await first.leg.respond(await bench.agent.expectRequest('BYE', { callId: first.leg.callId }), 200);
    expect(await bench.record()).toMatchObject({ end_reason: 'caller_hung_up' });
  });
});
