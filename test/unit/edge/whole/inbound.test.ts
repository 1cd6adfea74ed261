import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SipPeer } from '../../../../src/testkit/sip-peer.js';
import { agentDescription, keyLine, trunkDescription } from '../../../contract/media/descriptions.js';
import { PeerCall } from '../../../support/peer-call.js';
import { answerBye, calledNumber, UnitCallBench } from './call-bench.js';

let bench: UnitCallBench;
beforeAll(async () => {
  bench = await UnitCallBench.start({
    DEMARC_RELIABLE_PROVISIONALS: 'required',
    DEMARC_AGENT_RESPONSE_SECONDS: '4',
    DEMARC_AGENT_ANSWER_SECONDS: '6',
  });
});
afterAll(() => bench?.stop());
beforeEach(() => bench.configure({}));
afterEach(() => bench.expectNothingLeft());

const acknowledged = async (trunk: PeerCall, status: number) => {
  const { message } = await trunk.response((each) => each >= 200);
  await trunk.ack(message);
  expect(message.status).toBe(status);
  return message;
};

describe('a call to an agent', () => {
  test('is answered and ended by the caller', async () => {
    const { trunk, agent, invite } = await bench.establish();
    expect(invite.message.body).toContain('RTP/AVP ');
    expect(invite.message.headers.get('X-Demarc-Org')).toBe('acme');
    await trunk.send('BYE', { headers: { Reason: 'Q.850;cause=16' } });
    const bye = await bench.agent.expectRequest('BYE', { callId: agent.callId });
    expect(bye.message.headers.get('Reason')).toContain('Q.850;cause=16');
    await agent.respond(bye, 200);
    await trunk.response(200, 'BYE');
    expect(await bench.record()).toMatchObject({
      outcome: 'completed',
      end_reason: 'caller_hung_up',
      ended_by: 'caller',
      sip_status: 200,
      number: calledNumber,
      organization: 'acme',
      media: { trunk_codec: 'PCMU', agent_codec: 'PCMU', srtp_suite: 'AES_CM_128_HMAC_SHA1_80' },
      sip_call_ids: { trunk: trunk.callId, agent: agent.callId },
    });
  });

  test('keeps the descriptions that each side sent and received', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription() });
    const ok = (await trunk.response(200)).message;
    await trunk.ack(ok);
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    expect(bench.descriptions).toEqual({
      trunk: { remote: trunkDescription(), local: ok.body },
      agent: { remote: agentDescription(), local: invite.message.body },
    });
    await bench.hangUp(trunk, agent);
    await bench.record();
  });

  test('is ended by the agent, also before the caller has acknowledged', async () => {
    const first = await bench.establish();
    await bench.hangUp(first.agent, first.trunk);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up', ended_by: 'agent' });
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription() });
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    const ok = await trunk.response(200);
    await agent.send('BYE');
    await agent.response(200, 'BYE');
    await trunk.ack(ok.message);
    await answerBye(trunk);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up', outcome: 'completed' });
  });

  test('passes on ringing and early media, and the answer over it', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 180);
    expect((await trunk.response(180)).message.body).toBe('');
    await agent.respond(invite, 183, { body: agentDescription({ attributes: ['a=sendonly'] }) });
    const early = (await trunk.response(183)).message;
    expect(early.body).toMatch(/RTP\/SAVP.*a=sendonly/s);
    expect(bench.descriptions).toEqual({
      trunk: { remote: trunkDescription(), local: early.body },
      agent: { remote: agentDescription({ attributes: ['a=sendonly'] }), local: invite.message.body },
    });
    await agent.respond(invite, 200, { body: agentDescription() });
    const ok = (await trunk.response(200)).message;
    expect(ok.body).not.toContain('a=sendonly');
    await trunk.ack(ok);
    await bench.hangUp(trunk, agent);
    expect((await bench.record()).ringing_at).not.toBeNull();
  });

  test('without an offer is offered SRTP in the 200, and answers in the ACK', async () => {
    const trunk = await bench.call({ body: '' });
    const { agent, invite } = await bench.atAgent();
    expect(invite.message.body).toBe('');
    await agent.respond(invite, 200, { body: agentDescription({ formats: '0 8 101' }) });
    const ok = (await trunk.response(200)).message;
    expect(ok.body).toContain('RTP/SAVP');
    const answer = trunkDescription({ crypto: [keyLine(ok.body, 'B'.repeat(40))] });
    await trunk.ack(ok, { body: answer });
    const ack = await bench.agent.expectRequest('ACK', { callId: agent.callId });
    expect(ack.message.body).toContain('RTP/AVP');
    expect(bench.descriptions).toEqual({
      trunk: { remote: answer, local: ok.body },
      agent: { remote: agentDescription({ formats: '0 8 101' }), local: ack.message.body },
    });
    await bench.hangUp(trunk, agent);
    expect(await bench.record()).toMatchObject({
      end_reason: 'caller_hung_up',
      media: { trunk_codec: 'PCMU' },
    });
  });

  test('without an offer is let go when the ACK answers in the clear', async () => {
    const trunk = await bench.call({ body: '' });
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription() });
    await trunk.ack((await trunk.response(200)).message, { body: agentDescription() });
    await Promise.all([answerBye(agent), answerBye(trunk)]);
    expect(await bench.record()).toMatchObject({ end_reason: 'media_failed', ended_by: 'edge' });
  });

  test('without an offer is refused when the agent answers without a description', async () => {
    const trunk = await bench.call({ body: '' });
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200);
    await acknowledged(trunk, 488);
    await answerBye(agent);
    expect(await bench.record()).toMatchObject({ end_reason: 'media_failed' });
  });

  test('ends at the longest duration of its number', async () => {
    bench.configure({ limits: { max_duration_seconds: 1 } });
    const { trunk, agent } = await bench.establish();
    const [atTrunk, atAgent] = await Promise.all([
      bench.trunk.expectRequest('BYE', { callId: trunk.callId }),
      bench.agent.expectRequest('BYE', { callId: agent.callId }),
    ]);
    expect(atTrunk.message.headers.get('Reason')).toContain('Maximum duration');
    await trunk.respond(atTrunk, 200);
    await agent.respond(atAgent, 200);
    expect(await bench.record()).toMatchObject({ end_reason: 'max_duration', ended_by: 'edge' });
  });

  test('ends when its INVITE expires before the answer', async () => {
    const trunk = await bench.call({ headers: { Expires: '1' } });
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 180);
    await agent.respond(await bench.agent.expectRequest('CANCEL', { callId: agent.callId }), 200);
    await agent.respond(invite, 487);
    await acknowledged(trunk, 487);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_no_answer', sip_status: 487 });
  });

  test('sends reliable provisional responses to a caller that requires them', async () => {
    const trunk = await bench.call({ headers: { Require: '100rel' } });
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 180);
    const ringing = (await trunk.response(180)).message;
    const rack = `${ringing.headers.get('RSeq')} ${ringing.headers.get('CSeq')}`;
    await trunk.send('PRACK', { headers: { RAck: rack } });
    await trunk.response(200, 'PRACK');
    await agent.respond(invite, 200, { body: agentDescription() });
    await trunk.ack((await trunk.response(200)).message);
    await bench.hangUp(trunk, agent);
    await bench.record();
  });
});

describe('a refusal', () => {
  test.each([
    [486, 'Busy Here', 486, 'agent_refused'],
    [603, 'Decline', 603, 'agent_refused'],
    [503, 'Overloaded', 503, 'agent_refused'],
    [401, 'Unauthorized', 500, 'agent_refused'],
    [415, 'Unsupported Media Type', 488, 'agent_refused'],
    [408, 'Request Timeout', 504, 'agent_no_answer'],
  ])('of the agent with %i %s reaches the caller as %i', async (status, reason, relayed, endReason) => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, status, { reason, headers: { 'X-Agent-Internal': 'node-7' } });
    const { headers } = await acknowledged(trunk, relayed);
    expect(headers.get('X-Agent-Internal')).toBeUndefined();
    expect(headers.get('Reason')).toContain(`cause=${status}`);
    expect(await bench.record()).toMatchObject({
      sip_status: relayed,
      end_reason: endReason,
      ended_by: 'agent',
      answered_at: null,
    });
  });

  test('of the audio by the agent is 488 to the caller and a BYE to the agent', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription({ port: 0 }) });
    await answerBye(agent);
    expect((await acknowledged(trunk, 488)).headers.get('Warning')).toContain('305');
    expect(await bench.record()).toMatchObject({ end_reason: 'media_failed', sip_status: 488 });
  });

  test.each([
    ['plain RTP', { body: agentDescription() }, 488, 'refused_media'],
    ['codecs that are not enabled', { body: trunkDescription({ formats: '18 101' }) }, 488, 'refused_media'],
    [
      'a Contact that is no SIP URI',
      { headers: { Contact: '<tel:+14155550100>' } },
      400,
      'refused_bad_request',
    ],
    [
      'a dialog to replace that is not there',
      { headers: { Replaces: 'x;to-tag=1;from-tag=2' } },
      481,
      'refused_bad_request',
    ],
  ] as const)('of a call with %s', async (_what, options, status, endReason) => {
    await acknowledged(await bench.call(options), status);
    expect(await bench.record()).toMatchObject({
      end_reason: endReason,
      outcome: 'refused',
      sip_status: status,
    });
  });

  test('of a number without a document, and by rtpengine', async () => {
    await acknowledged(await bench.call({}, '4930999999'), 404);
    expect(await bench.record()).toMatchObject({ number: null, outcome: 'refused', sip_status: 404 });
    bench.rtpengine.refusal = { result: 'error', 'error-reason': 'Parameters not supported' };
    try {
      const { message } = await (await bench.call()).response((status) => status >= 400);
      expect(message.status).toBeGreaterThanOrEqual(480);
      expect(await bench.record()).toMatchObject({ ended_by: 'edge', answered_at: null });
    } finally {
      bench.rtpengine.refusal = undefined;
    }
  });

  test('of an agent whose port is closed, of one that says nothing, and of one that only rings', async () => {
    bench.configure({ inbound: [{ id: 'any', agent_uri: 'sip:a@127.0.0.1:9;transport=tcp' }] });
    await acknowledged(await bench.call(), 503);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_unreachable', ended_by: 'edge' });
    bench.configure({});
    const unheard = await bench.call();
    const silent = await bench.atAgent();
    await acknowledged(unheard, 504);
    await silent.agent.respond(silent.invite, 180);
    await silent.agent.respond(await bench.agent.expectRequest('CANCEL'), 200);
    await silent.agent.respond(silent.invite, 487);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_unreachable', sip_status: 504 });
    const ringing = await bench.call();
    const patient = await bench.atAgent();
    await patient.agent.respond(patient.invite, 180);
    await patient.agent.respond(await bench.agent.expectRequest('CANCEL'), 200);
    await patient.agent.respond(patient.invite, 487);
    await acknowledged(ringing, 480);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_no_answer', sip_status: 480 });
  });
});

describe('a redirection of the agent', () => {
  test('is followed to the agents that it names, best first', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    const [first, second] = [bench.agent.uri('worker-1'), bench.agent.uri('worker-2')];
    await agent.respond(invite, 302, { headers: { Contact: `<${second}>;q=0.3, <${first}>;q=0.7` } });
    const preferred = await bench.atAgent();
    expect(preferred.invite.message.uri).toBe(first);
    await preferred.agent.respond(preferred.invite, 302, { headers: { Contact: `<${invite.message.uri}>` } });
    const two = await bench.atAgent();
    expect(two.invite.message.uri).toBe(second);
    await two.agent.respond(two.invite, 200, { body: agentDescription() });
    await trunk.ack((await trunk.response(200)).message);
    await bench.agent.expectRequest('ACK', { callId: two.agent.callId });
    await bench.hangUp(trunk, two.agent);
    expect(await bench.record()).toMatchObject({ sip_call_ids: { agent: two.agent.callId } });
  });

  test('to one of our listeners is not followed', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    const { host, port } = bench.trunk.target;
    await agent.respond(invite, 302, { headers: { Contact: `<sip:a@${host}:${port};transport=tcp>` } });
    await acknowledged(trunk, 502);
    expect((await bench.record()).detail).toContain('redirection not followed');
  });
});

describe('a caller who gives up', () => {
  test('while the agent rings', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 180);
    await trunk.response(180);
    await trunk.cancel({ headers: { Reason: 'SIP;cause=200;text="Call completed elsewhere"' } });
    await acknowledged(trunk, 487);
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

  test('just as the agent answers', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 180);
    await trunk.response(180);
    await trunk.cancel();
    const [, cancel] = await Promise.all([trunk.response(487), bench.agent.expectRequest('CANCEL')]);
    await agent.respond(invite, 200, { body: agentDescription() });
    await agent.respond(cancel, 200);
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await answerBye(agent);
    expect(await bench.record()).toMatchObject({ end_reason: 'caller_cancelled', answered_at: null });
  });

  test('while rtpengine works on the offer', async () => {
    bench.rtpengine.isSilent = true;
    const trunk = await bench.call();
    await trunk.response(100);
    await trunk.cancel();
    await acknowledged(trunk, 487);
    bench.rtpengine.isSilent = false;
    expect(await bench.record()).toMatchObject({
      end_reason: 'caller_cancelled',
      sip_call_ids: { agent: null },
    });
  });
});

describe('several agents that ring together', () => {
  let neighbor: SipPeer;
  beforeAll(async () => {
    neighbor = await SipPeer.open({ protocol: 'tcp', target: bench.agent.target });
  });
  afterAll(() => neighbor?.close());
  beforeEach(() => {
    const uris = [bench.agent.uri('one'), neighbor.uri('two')];
    bench.configure({ inbound: [{ id: 'any', agents: { strategy: 'ring_all', uris } }] });
  });
  const rung = () => Promise.all([bench.at(bench.agent), bench.at(neighbor)]);

  test('the first that answers has the call, the other one is cancelled', async () => {
    const trunk = await bench.call();
    const [first, second] = await rung();
    await first.party.respond(first.invite, 180);
    await trunk.response(180);
    await second.party.respond(second.invite, 200, { body: agentDescription({ port: 41_000 }) });
    const cancel = await bench.agent.expectRequest('CANCEL', { callId: first.party.callId });
    expect(cancel.message.headers.get('Reason')).toContain('Call completed elsewhere');
    await first.party.respond(cancel, 200);
    await first.party.respond(first.invite, 487);
    await trunk.ack((await trunk.response(200)).message);
    await neighbor.expectRequest('ACK', { callId: second.party.callId });
    await bench.hangUp(trunk, second.party);
    expect(await bench.record()).toMatchObject({ sip_call_ids: { agent: second.party.callId } });
  });

  test('all refuse: a busy one counts more than one that is down', async () => {
    const trunk = await bench.call();
    const [first, second] = await rung();
    await first.party.respond(first.invite, 503);
    await second.party.respond(second.invite, 486);
    await acknowledged(trunk, 486);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_refused', sip_status: 486 });
  });
});

describe('requests of no call', () => {
  test.each([
    ['OPTIONS', 200],
    ['REGISTER', 405],
    ['SUBSCRIBE', 405],
    ['INFO', 481],
    ['BYE', 481],
  ])('%s is answered with %i', async (method, status) => {
    const stranger = PeerCall.to(bench.trunk, calledNumber);
    await stranger.send(method, { headers: { Event: 'presence' } });
    expect((await stranger.response((each) => each >= 200, method)).message.status).toBe(status);
  });

  test('an INVITE with a To tag of another process gets 481', async () => {
    const stranger = PeerCall.to(bench.trunk, calledNumber);
    stranger.remoteTag = 'lost';
    await stranger.invite({ body: trunkDescription() });
    await stranger.ack((await stranger.response(481)).message);
  });
});
