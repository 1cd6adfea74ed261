import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { placeTestCall } from '../../../../src/edge/test-call/place-test-call.js';
import { readSession } from '../../../../src/sdp/sdp.js';
import type { SipRequest } from '../../../../src/sip/message.js';
import { type Arrival, SipPeer } from '../../../../src/testkit/sip-peer.js';
import { agentDescription, trunkDescription } from '../../../contract/media/descriptions.js';
import { inviteAsAgent, operatorAgentSettings } from '../../../support/agent-credentials.js';
import { PeerCall } from '../../../support/peer-call.js';
import { answerBye, calledNumber, UnitCallBench } from './call-bench.js';

const key = generateSecretKey();
let bench: UnitCallBench;
let backup: SipPeer;
beforeAll(async () => {
  bench = await UnitCallBench.start({
    DEMARC_SECRET_KEY: key,
    // Agent and callee are in this process, which may be stalled for longer than shorter ones.
    DEMARC_RING_SECONDS: '9',
    DEMARC_HELD_ANSWER_SECONDS: '3',
    ...operatorAgentSettings,
  });
  backup = await SipPeer.open({ protocol: 'tcp', target: bench.trunk.target });
});
afterAll(async () => {
  await backup?.close();
  await bench?.stop();
});
const endpoint = (port = bench.trunk.port) => ({ host: '127.0.0.1', port, transport: 'tcp' as const });
const configure = (outbound: Record<string, unknown> = {}, more: Record<string, unknown> = {}): void =>
  bench.configure({ outbound: [{ id: 'out', ...endpoint(), ...outbound }], ...more });
beforeEach(() => configure());
afterEach(() => bench.expectNothingLeft());

/** The agent answers our INVITE without SDP by an offer. */
async function agentOffers(): Promise<PeerCall> {
  const { agent, invite } = await bench.atAgent();
  await agent.respond(invite, 200, { body: agentDescription() });
  return agent;
}

async function atTrunk(peer = bench.trunk): Promise<{ trunk: PeerCall; invite: Arrival<SipRequest> }> {
  const { party, invite } = await bench.at(peer);
  return { trunk: party, invite };
}

async function refuse(peer: SipPeer, status: number, headers: Record<string, string> = {}) {
  const { trunk, invite } = await atTrunk(peer);
  await trunk.respond(invite, status, { headers });
  await peer.expectRequest('ACK', { callId: trunk.callId });
  return { trunk, invite };
}

async function agentIsReleased(agent: PeerCall): Promise<void> {
  await bench.agent.expectRequest('ACK', { callId: agent.callId });
  await answerBye(agent);
}

async function establish(answer = trunkDescription()) {
  const agent = await agentOffers();
  const { trunk, invite } = await atTrunk();
  await trunk.respond(invite, 180);
  await trunk.respond(invite, 200, { body: answer });
  await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
  const ack = await bench.agent.expectRequest('ACK', { callId: agent.callId });
  return { agent, trunk, invite, ack };
}

describe('an ordered call', () => {
  test('invites the agent first, offers the trunk SRTP, and connects the two', async () => {
    configure({ headers: [{ type: 'custom', key: 'campaign', value: 'X-Campaign', passthrough: false }] });
    const call = bench.order({ variables: { campaign: 'autumn' } });
    const { agent, invite: atAgent } = await bench.atAgent();
    expect(atAgent.message.body).toBe('');
    expect(atAgent.message.headers.get('X-Demarc-Call-ID')).toBe(call.state.id);
    expect(atAgent.message.headers.get('X-Demarc-Direction')).toBe('outbound');
    await agent.respond(atAgent, 200, { body: agentDescription() });
    const { trunk, invite } = await atTrunk();
    expect(invite.message.uri).toBe(`sip:+14155550100@127.0.0.1:${bench.trunk.port};transport=tcp`);
    expect(invite.message.headers.get('From')).toContain(`sip:+${calledNumber}@127.0.0.1`);
    expect(invite.message.headers.get('X-Campaign')).toBe('autumn');
    expect(invite.text).not.toMatch(/X-Demarc/i);
    expect(readSession(invite.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/SAVP' });
    await trunk.respond(invite, 180);
    await trunk.respond(invite, 200, { body: trunkDescription() });
    await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    const ack = await bench.agent.expectRequest('ACK', { callId: agent.callId });
    expect(readSession(ack.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/AVP' });
    expect(bench.descriptions).toEqual({
      trunk: { remote: trunkDescription(), local: invite.message.body },
      agent: { remote: agentDescription(), local: ack.message.body },
    });
    await bench.hangUp(trunk, agent);
    expect(await bench.record()).toMatchObject({
      call_id: call.state.id,
      direction: 'outbound',
      outcome: 'completed',
      end_reason: 'callee_hung_up',
      ended_by: 'callee',
      sip_status: 200,
      sip_call_ids: { trunk: trunk.callId, agent: agent.callId },
    });
  });

  test('is ended by the agent, by its longest duration, or stopped', async () => {
    bench.order();
    const first = await establish();
    await bench.hangUp(first.agent, first.trunk);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up', outcome: 'completed' });
    bench.order({ max_duration_seconds: 1 });
    const second = await establish();
    await Promise.all([answerBye(second.trunk), answerBye(second.agent)]);
    expect(await bench.record()).toMatchObject({ end_reason: 'max_duration', outcome: 'completed' });
    const call = bench.order();
    const third = await establish();
    expect(await bench.ask(call.state.id, { action: 'stop' })).toMatchObject({ result: 'done' });
    await Promise.all([answerBye(third.trunk), answerBye(third.agent)]);
    expect(await bench.record()).toMatchObject({ end_reason: 'stopped', ended_by: 'api' });
  });

  test('is cancelled at the trunk when it is stopped while it rings', async () => {
    const call = bench.order();
    const agent = await agentOffers();
    const { trunk, invite } = await atTrunk();
    await trunk.respond(invite, 180);
    await bench.ask(call.state.id, { action: 'stop' });
    const cancel = await bench.trunk.expectRequest('CANCEL', { callId: trunk.callId });
    expect(cancel.message.headers.get('Reason')).toBe('SIP;cause=487;text="Stopped"');
    await trunk.respond(cancel, 200);
    await trunk.respond(invite, 487);
    await agentIsReleased(agent);
    expect(await bench.record()).toMatchObject({
      end_reason: 'stopped',
      ended_by: 'api',
      outcome: 'cancelled',
      sip_status: 487,
    });
  });

  test('offers plain RTP where the trunk disables SRTP, and ends where SRTP is answered in the clear', async () => {
    configure({ secure_media: false });
    bench.order();
    const { trunk, agent, invite } = await establish(agentDescription({ port: 44_000 }));
    expect(readSession(invite.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/AVP' });
    await bench.hangUp(trunk, agent);
    expect(await bench.record()).toMatchObject({ outcome: 'completed', media: { srtp_suite: null } });
    configure();
    bench.order();
    const waiting = await agentOffers();
    const clear = await atTrunk();
    await clear.trunk.respond(clear.invite, 200, { body: agentDescription() });
    await bench.trunk.expectRequest('ACK', { callId: clear.trunk.callId });
    await answerBye(clear.trunk);
    await agentIsReleased(waiting);
    expect(await bench.record()).toMatchObject({ end_reason: 'media_failed' });
  });

  test('is not sent to the trunk when the agent refuses or makes no offer', async () => {
    bench.order();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 486);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_refused', sip_status: null });
    bench.order();
    const silent = await bench.atAgent();
    await silent.agent.respond(silent.invite, 200);
    await agentIsReleased(silent.agent);
    expect(await bench.record()).toMatchObject({ end_reason: 'media_failed' });
    await bench.trunk.expectNothing(
      (message) => message.kind === 'request' && message.method === 'INVITE',
      100,
      'INVITE to the trunk',
    );
  });

  test('is refused without an outbound direction, for another organization, and beyond the limit', async () => {
    bench.configure({});
    bench.order();
    expect(await bench.record()).toMatchObject({ end_reason: 'refused_unknown_number', outcome: 'refused' });
    configure();
    bench.order({ organization: 'somebody' });
    expect(await bench.record()).toMatchObject({ end_reason: 'refused_unknown_number' });
    configure({}, { outbound_policy: { limits: { concurrent_calls: 0 } } });
    bench.order();
    expect(await bench.record()).toMatchObject({ end_reason: 'refused_limit', outcome: 'refused' });
  });

  test.each([486, 404, 603])('ends with the status %i with which the trunk refuses it', async (status) => {
    bench.order();
    const agent = await agentOffers();
    await refuse(bench.trunk, status);
    await agentIsReleased(agent);
    expect(await bench.record()).toMatchObject({
      end_reason: 'trunk_refused',
      ended_by: 'callee',
      sip_status: status,
    });
  });

  test('goes to the backup of a server that is down, and not when the callee declined', async () => {
    const failover = {
      outbound_policy: {
        failover: { endpoints: [endpoint(backup.port)], triggers: ['unreachable'], failback: 'auto' },
      },
    };
    configure({ port: 9 }, failover);
    bench.order();
    const agent = await agentOffers();
    const { trunk, invite } = await atTrunk(backup);
    await trunk.respond(invite, 486);
    await agentIsReleased(agent);
    const record = await bench.record();
    expect(record).toMatchObject({ end_reason: 'trunk_refused', sip_status: 486 });
    expect(record.attempts.map(({ sip_status }) => sip_status)).toEqual([503, 486]);
    configure({}, failover);
    bench.order();
    const second = await agentOffers();
    await refuse(bench.trunk, 486);
    await agentIsReleased(second);
    expect((await bench.record()).attempts.map(({ sip_status }) => sip_status)).toEqual([486]);
  });

  test('answers the challenge of its server with the number’s credential', async () => {
    configure({ credential: { username: 'trunk-user', password: new SecretBox([key]).seal('secret') } });
    bench.order();
    const agent = await agentOffers();
    const challenge = 'Digest realm="r", nonce="n1", algorithm=SHA-256, qop="auth"';
    const first = await refuse(bench.trunk, 401, { 'WWW-Authenticate': challenge });
    const { trunk, invite } = await atTrunk();
    expect(trunk.callId).toBe(first.trunk.callId);
    expect(invite.message.headers.get('CSeq')).toBe('2 INVITE');
    expect(invite.message.headers.get('Authorization')).toMatch(/username="trunk-user".*nonce="n1"/);
    await trunk.respond(invite, 486);
    await agentIsReleased(agent);
    expect(await bench.record()).toMatchObject({ sip_status: 486 });
  });

  test('holds the agent while the phone rings for long, and connects it by a re-INVITE', async () => {
    bench.order();
    const agent = await agentOffers();
    const { trunk, invite } = await atTrunk();
    await trunk.respond(invite, 180);
    const ack = await bench.agent.expectRequest('ACK', { callId: agent.callId });
    expect(ack.message.body).toContain('a=inactive');
    await agent.send('INVITE', { body: agentDescription({ version: 2 }) });
    await agent.ack((await agent.response(491)).message);
    await trunk.respond(invite, 200, { body: trunkDescription() });
    await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    const joining = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
    expect(joining.message.body).not.toContain('a=inactive');
    await agent.respond(joining, 491);
    const again = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
    await agent.respond(again, 200, { body: agentDescription({ version: 3 }) });
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await bench.hangUp(trunk, agent);
    expect(await bench.record()).toMatchObject({ outcome: 'completed', end_reason: 'callee_hung_up' });
  });

  test('ends when the held agent refuses to be connected, or hangs up before', async () => {
    bench.order();
    const first = { agent: await agentOffers(), ...(await atTrunk()) };
    await first.trunk.respond(first.invite, 180);
    await bench.agent.expectRequest('ACK', { callId: first.agent.callId });
    await first.trunk.respond(first.invite, 200, { body: trunkDescription() });
    await bench.trunk.expectRequest('ACK', { callId: first.trunk.callId });
    const joining = await bench.agent.expectRequest('INVITE', { callId: first.agent.callId });
    await first.agent.respond(joining, 488);
    await Promise.all([answerBye(first.trunk), answerBye(first.agent)]);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_refused', ended_by: 'agent' });
    bench.order();
    const second = { agent: await agentOffers(), ...(await atTrunk()) };
    await second.trunk.respond(second.invite, 180);
    await bench.agent.expectRequest('ACK', { callId: second.agent.callId });
    await second.agent.send('BYE');
    await second.agent.response(200, 'BYE');
    await second.trunk.respond(await bench.trunk.expectRequest('CANCEL'), 200);
    await second.trunk.respond(second.invite, 487);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up', outcome: 'cancelled' });
  });

  test('rings no longer than the setting allows', async () => {
    bench.order();
    const agent = await agentOffers();
    const { trunk, invite } = await atTrunk();
    await trunk.respond(invite, 180);
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await trunk.respond(await bench.trunk.expectRequest('CANCEL', { milliseconds: 12_000 }), 200);
    await trunk.respond(invite, 487);
    await answerBye(agent);
    expect(await bench.record()).toMatchObject({ end_reason: 'trunk_no_answer', sip_status: 487 });
  });

  test('sends digits to the trunk before the agent is heard: by INFO where it knows no telephone events', async () => {
    bench.order({ precall_dtmf_sequence: '1#' });
    const agent = await agentOffers();
    const { trunk, invite } = await atTrunk();
    await trunk.respond(invite, 200, { body: trunkDescription({ formats: '0' }) });
    await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    for (const signal of ['1', '#']) {
      const info = await bench.trunk.expectRequest('INFO', { callId: trunk.callId });
      expect(info.message.body).toContain(`Signal=${signal}`);
      await trunk.respond(info, 200);
    }
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await bench.hangUp(trunk, agent);
    expect(await bench.record()).toMatchObject({ outcome: 'completed' });
  });
});

describe('an agent that hangs up before its ACK', () => {
  test('ends the call, and the trunk’s INVITE is cancelled', async () => {
    bench.order();
    const agent = await agentOffers();
    const { trunk, invite } = await atTrunk();
    await trunk.respond(invite, 180);
    await agent.send('BYE');
    await agent.response(200, 'BYE');
    await trunk.respond(await bench.trunk.expectRequest('CANCEL', { callId: trunk.callId }), 200);
    await trunk.respond(invite, 487);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up', outcome: 'cancelled' });
  });
});

describe('a test call', () => {
  const placed = () =>
    placeTestCall(
      { ...bench.parts.outbound, redis: bench.redis.asRedis },
      {
        version: 1,
        call_id: crypto.randomUUID(),
        organization: 'acme',
        number: calledNumber,
        phone_number: '14155550100',
        max_duration_seconds: 600,
        expires_at: new Date(Date.now() + 60_000).toISOString(),
        test: true,
      },
      () => {},
    );

  test('calls the number without an agent, plays an announcement, and ends', async () => {
    const call = placed();
    const { trunk, invite } = await atTrunk();
    expect(readSession(invite.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/SAVP' });
    await trunk.respond(invite, 180);
    await trunk.respond(invite, 200, { body: trunkDescription() });
    await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    const bye = await bench.trunk.expectRequest('BYE', { callId: trunk.callId, milliseconds: 12_000 });
    expect(bye.message.headers.get('Reason')).toContain('Test call completed');
    await trunk.respond(bye, 200);
    expect(await bench.record()).toMatchObject({
      call_id: call.state.id,
      end_reason: 'test_completed',
      outcome: 'completed',
    });
    expect(
      bench.rtpengine.received.some(
        ({ command, callId }) => command === 'play media' && callId !== undefined,
      ),
    ).toBe(true);
  });

  test('has the status for its reason when the callee declines', async () => {
    placed();
    await refuse(bench.trunk, 486);
    expect(await bench.record()).toMatchObject({ end_reason: 'trunk_refused', sip_status: 486 });
  });
});

describe('what the API asks of an active call', () => {
  test('hold and resume, digits by INFO, values for the record; an unknown call is said', async () => {
    const call = bench.order();
    const { agent, trunk } = await establish(trunkDescription({ formats: '0' }));
    const { id } = call.state;
    expect(await bench.ask('another', { action: 'stop' })).toMatchObject({ result: 'unknown' });
    expect(await bench.ask(id, { action: 'resume' })).toMatchObject({ result: 'conflict' });
    expect(await bench.ask(id, { action: 'hold', music: true })).toMatchObject({ result: 'done' });
    expect(await bench.ask(id, { action: 'hold', music: false })).toMatchObject({ result: 'done' });
    const held = await bench.ask(id, { action: 'send_digits', digits: '1' });
    expect(held).toMatchObject({ result: 'conflict', detail: 'The call is on hold' });
    expect(await bench.ask(id, { action: 'resume' })).toMatchObject({ result: 'done' });
    const sent = bench.ask(id, { action: 'send_digits', digits: '5' });
    const info = await bench.trunk.expectRequest('INFO', { callId: trunk.callId });
    expect(await bench.ask(id, { action: 'send_digits', digits: '6' })).toMatchObject({ result: 'conflict' });
    await trunk.respond(info, 200);
    expect(await sent).toMatchObject({ result: 'done' });
    const noted = await bench.ask(id, { action: 'note', values: { mood: 'good' } });
    expect(noted).toMatchObject({ result: 'done', metadata: { mood: 'good' } });
    expect(await bench.ask(id, { action: 'complete_transfer' })).toMatchObject({ result: 'conflict' });
    expect(await bench.ask(id, { action: 'cancel_transfer' })).toMatchObject({ result: 'conflict' });
    await bench.hangUp(trunk, agent);
    expect(await bench.record()).toMatchObject({ agent_metadata: { mood: 'good' } });
    const commands = bench.rtpengine.commands();
    for (const command of ['silence media', 'play media', 'stop media', 'unsilence media'])
      expect(commands).toContain(command);
  });
});

describe('a call of the agent', () => {
  const callee = '14155550100';
  async function agentCalls(
    options: { body?: string; from?: string; headers?: Record<string, string> } = {},
  ) {
    const { from = calledNumber, ...rest } = options;
    const agent = PeerCall.to(bench.agent, `+${callee}`);
    agent.localUri = `sip:${from}@agent.example`;
    await inviteAsAgent(agent, { body: agentDescription(), ...rest });
    return agent;
  }
  const refusedWith = async (agent: PeerCall, status: number) => {
    const refusal = await agent.response(status);
    await agent.ack(refusal.message);
    return refusal.message;
  };

  test('is sent to the trunk of the number in From, with SRTP', async () => {
    const agent = await agentCalls();
    const { trunk, invite } = await atTrunk();
    expect(invite.message.uri).toBe(`sip:+${callee}@127.0.0.1:${bench.trunk.port};transport=tcp`);
    expect(invite.message.headers.get('From')).toContain(`sip:+${calledNumber}@127.0.0.1`);
    expect(readSession(invite.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/SAVP' });
    await trunk.respond(invite, 183, { body: trunkDescription() });
    const early = await agent.response(183);
    await trunk.respond(invite, 200, { body: trunkDescription() });
    await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    const ok = await agent.response(200);
    expect(ok.message.body).toBe(early.message.body);
    await agent.ack(ok.message);
    expect(bench.descriptions).toEqual({
      trunk: { remote: trunkDescription(), local: invite.message.body },
      agent: { remote: agentDescription(), local: ok.message.body },
    });
    await bench.hangUp(trunk, agent);
    expect(await bench.record()).toMatchObject({
      call_id: ok.message.headers.get('X-Demarc-Call-ID'),
      direction: 'outbound',
      end_reason: 'callee_hung_up',
      number: calledNumber,
      organization: 'acme',
    });
  });

  test('without an offer gets the trunk’s, and its answer goes to the trunk', async () => {
    const agent = await agentCalls({ body: '' });
    const { trunk, invite } = await atTrunk();
    expect(invite.message.body).toBe('');
    await trunk.respond(invite, 200, { body: trunkDescription() });
    const ok = await agent.response(200);
    expect(readSession(ok.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/AVP' });
    await agent.ack(ok.message, { body: agentDescription() });
    const ack = await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    expect(readSession(ack.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/SAVP' });
    await bench.hangUp(trunk, agent);
    expect(await bench.record()).toMatchObject({ outcome: 'completed' });
  });

  test.each([false, true])(
    'is cancelled at the trunk when the agent cancels; a 200 crosses: %s',
    async (crosses) => {
      const agent = await agentCalls();
      const { trunk, invite } = await atTrunk();
      await trunk.respond(invite, 180);
      await agent.response(180);
      await agent.cancel();
      await refusedWith(agent, 487);
      const cancel = await bench.trunk.expectRequest('CANCEL', { callId: trunk.callId });
      if (crosses) {
        await trunk.respond(invite, 200, { body: trunkDescription() });
        await trunk.respond(cancel, 200);
        await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
        await answerBye(trunk);
      } else {
        await trunk.respond(cancel, 200);
        await trunk.respond(invite, 487);
      }
      expect(await bench.record()).toMatchObject({
        end_reason: 'agent_hung_up',
        ended_by: 'agent',
        outcome: 'cancelled',
      });
    },
  );

  test.each([
    [486, 486],
    [603, 603],
    [407, 403],
  ])('gets, when the trunk refuses with %i, %i and the reason', async (status, relayed) => {
    const agent = await agentCalls();
    const challenge = { 'Proxy-Authenticate': 'Digest realm="r", nonce="n"' };
    await refuse(bench.trunk, status, status === 407 ? challenge : {});
    const { headers } = await refusedWith(agent, relayed);
    expect(headers.get('Reason')).toContain(`SIP;cause=${status};`);
    expect(await bench.record()).toMatchObject({ end_reason: 'trunk_refused', sip_status: status });
  });

  test('follows a redirection of the trunk within the rules, and to no emergency number', async () => {
    const at = (user: string) => `<sip:${user}@127.0.0.1:${bench.trunk.port};transport=tcp>`;
    const agent = await agentCalls();
    await refuse(bench.trunk, 302, { Contact: `${at('+12125550123')}, ${at('2002')}` });
    const { trunk, invite } = await atTrunk();
    expect(invite.message.uri).toBe(at('2002').slice(1, -1));
    await trunk.respond(invite, 486);
    await refusedWith(agent, 486);
    expect((await bench.record()).attempts.map(({ sip_status }) => sip_status)).toEqual([302, 486]);
    const second = await agentCalls();
    await refuse(bench.trunk, 302, { Contact: at('911') });
    await refusedWith(second, 502);
    expect((await bench.record()).detail).toContain('emergency number');
  });

  test('from a number that is not there is refused', async () => {
    const agent = await agentCalls({ from: '4930999999' });
    const { message } = await agent.response((status) => status >= 400);
    expect(message.status).toBeLessThan(500);
    await agent.ack(message);
    expect(await bench.record()).toMatchObject({ outcome: 'refused', end_reason: 'refused_unknown_number' });
  });
});
