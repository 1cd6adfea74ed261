import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SipMessage } from '../../../src/sip/message.js';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';
import { PeerCall } from '../../support/peer-call.js';
import { VirtualTimeEngine } from '../../support/virtual-time-engine.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { CallBench } from './bench.js';

let engine: VirtualTimeEngine;
let bench: CallBench;
beforeAll(async () => {
  bench = await CallBench.start({}, async () => {
    engine = await VirtualTimeEngine.start();
    return engine.underTest;
  });
});
afterAll(() => bench?.stop());
afterEach(() => bench.expectNothingLeft());

const minutes = 60;
const timer = (value: string, more: Record<string, string> = {}): Record<string, string> => ({
  Supported: 'timer',
  'Session-Expires': value,
  ...more,
});

/** Answers each refresh of the edge; returns the methods that came, in order. */
function answering(call: PeerCall, body: string, headers: Record<string, string>) {
  const came: string[] = [];
  let isOver = false;
  const run = async (method: 'INVITE' | 'UPDATE'): Promise<void> => {
    while (!isOver) {
      const request = await call.peer
        .expectRequest(method, { callId: call.callId, milliseconds: 200 })
        .catch(() => undefined);
      if (request === undefined) continue;
      came.push(method);
      await call.respond(request, 200, method === 'INVITE' ? { body, headers } : { headers });
    }
  };
  const running = Promise.all([run('INVITE'), run('UPDATE')]);
  return {
    came,
    stop: async () => {
      isOver = true;
      await running;
    },
  };
}

/** Answers a BYE of the edge. */
async function released(call: PeerCall): Promise<string> {
  const bye = await call.peer.expectRequest('BYE', { callId: call.callId });
  await call.respond(bye, 200);
  return bye.message.headers.get('Reason') ?? '';
}

async function hangUp(caller: PeerCall, callee: PeerCall): Promise<void> {
  await caller.send('BYE');
  await released(callee);
  await caller.response(200, 'BYE');
  await bench.record();
}

async function inbound(asked: Record<string, string>, answered: Record<string, string>) {
  const trunk = await bench.call({ headers: asked });
  const { agent, invite } = await bench.atAgent();
  await agent.respond(invite, 200, { body: agentDescription(), headers: answered });
  const ok = await trunk.response(200);
  await trunk.ack(ok.message);
  await bench.agent.expectRequest('ACK', { callId: agent.callId });
  return { trunk, agent, invite, ok };
}

/** Answers one INVITE 422 and takes the next. */
async function raised(peer: SipPeer, call: PeerCall, minimum: number) {
  const again = await peer.expectRequest('INVITE', { callId: call.callId });
  expect(again.message.headers.get('Session-Expires')).toBe(String(minimum));
  expect(again.message.headers.get('Min-SE')).toBe(String(minimum));
  expect(again.message.headers.get('From')).toBe(call.invitation!.headers.get('From'));
  const number = (text: string | undefined) => Number.parseInt(text ?? '', 10);
  expect(number(again.message.headers.get('CSeq'))).toBe(number(call.invitation!.headers.get('CSeq')) + 1);
  return again;
}

describe('session timers over thirty minutes and more', () => {
  it('we refresh both legs: by UPDATE where it is allowed, else by re-INVITE', async () => {
    const asked = timer('1800;refresher=uas', { Allow: 'INVITE, ACK, BYE, CANCEL, UPDATE' });
    const answered = timer('1800;refresher=uac', { Require: 'timer' });
    const { trunk, agent, invite, ok } = await inbound(asked, answered);
    expect(ok.message.headers.get('Session-Expires')).toBe('1800;refresher=uas');
    expect(invite.message.headers.get('Session-Expires')).toBe('1800');
    expect(invite.message.headers.get('Supported')).toContain('timer');
    const atTrunk = answering(trunk, '', timer('1800;refresher=uac'));
    const atAgent = answering(agent, agentDescription(), answered);
    // A third refresh would come at 45 minutes, give or take some seconds.
    await engine.advance(40 * minutes);
    await Promise.all([atTrunk.stop(), atAgent.stop()]);
    expect(atTrunk.came).toEqual(['UPDATE', 'UPDATE']);
    expect(atAgent.came).toEqual(['INVITE', 'INVITE']);
    await hangUp(trunk, agent);
  });

  it('the peers refresh, and the call ends when one of them stops', async () => {
    const asked = timer('1800;refresher=uac');
    const { trunk, agent, ok } = await inbound(asked, timer('1800;refresher=uas'));
    expect(ok.message.headers.get('Require')).toBe('timer');
    for (let quarter = 0; quarter < 3; quarter++) {
      await engine.advance(15 * minutes);
      await trunk.send('UPDATE', { headers: asked });
      const updated = await trunk.response(200, 'UPDATE');
      expect(updated.message.headers.get('Session-Expires')).toBe('1800;refresher=uac');
      await agent.send('INVITE', { headers: timer('1800;refresher=uac'), body: agentDescription() });
      const refreshed = await agent.response(200);
      expect(refreshed.message.headers.get('Session-Expires')).toBe('1800;refresher=uac');
      await agent.ack(refreshed.message);
    }
    // From here on the trunk is silent.
    await engine.advance(15 * minutes);
    await agent.send('UPDATE', { headers: timer('1800;refresher=uac') });
    await agent.response(200, 'UPDATE');
    const releases = Promise.all([released(trunk), released(agent)]);
    await engine.advance(15 * minutes + 5);
    expect((await releases).join()).toContain('Session timer expired');
    expect(await bench.record()).toMatchObject({ end_reason: 'session_expired', ended_by: 'edge' });
  });

  it('a peer that does not answer our refresh loses the call', async () => {
    const { trunk, agent } = await inbound({}, timer('1800;refresher=uac', { Allow: 'UPDATE' }));
    const releases = Promise.all([released(trunk), released(agent)]);
    await engine.advance(16 * minutes);
    expect((await releases).join()).toContain('Session timer expired');
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_lost', outcome: 'completed' });
  });

  it('peers without the extension are left alone', async () => {
    const { trunk, agent, ok } = await inbound({}, {});
    expect(ok.message.headers.has('Session-Expires')).toBe(false);
    await engine.advance(60 * minutes);
    for (const { peer, callId } of [trunk, agent]) {
      const isAsked = (message: SipMessage): boolean =>
        message.kind === 'request' && message.method !== 'ACK' && message.headers.get('Call-ID') === callId;
      await peer.expectNothing(isAsked, 20, 'No side gets a request');
    }
    await hangUp(trunk, agent);
  });

  it('outbound calls: 422 raises the interval on both legs, then each role is kept', async () => {
    const { host, port } = { host: '127.0.0.1', port: bench.trunk.port };
    await bench.configure({ outbound: [{ id: 'out', host, port, transport: 'tcp' }] });
    await bench.order({ max_duration_seconds: 86_000 });
    const { agent, invite: first } = await bench.atAgent();
    await bench.answerProbe();
    await agent.respond(first, 422, { headers: { 'Min-SE': '2400' } });
    const atAgent = await raised(bench.agent, agent, 2_400);
    await agent.respond(atAgent, 200, { body: agentDescription(), headers: timer('2400;refresher=uac') });
    const offered = await bench.trunk.expectRequest('INVITE');
    const trunk = PeerCall.from(bench.trunk, offered.message);
    await trunk.respond(offered, 422, { headers: { 'Min-SE': '3600' } });
    const again = await raised(bench.trunk, trunk, 3_600);
    expect(again.message.body).toBe(offered.message.body);
    await trunk.respond(again, 200, { body: trunkDescription(), headers: timer('3600;refresher=uas') });
    await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    const refreshes = answering(agent, agentDescription(), timer('2400;refresher=uac'));
    await engine.advance(30 * minutes);
    await trunk.send('UPDATE', { headers: timer('3600;refresher=uac') });
    await trunk.response(200, 'UPDATE');
    await engine.advance(30 * minutes);
    const releases = Promise.all([released(trunk), released(agent)]);
    await engine.advance(30 * minutes + 5);
    await releases;
    await refreshes.stop();
    expect(refreshes.came).toEqual(['INVITE', 'INVITE', 'INVITE', 'INVITE']);
    expect(await bench.record()).toMatchObject({ direction: 'outbound', end_reason: 'session_expired' });
    await bench.configure({});
  });
});
