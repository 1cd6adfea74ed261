import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readCallToken } from '../../../src/contract/call-token.js';
import { contactId } from '../../../src/contract/contact-id.js';
import { failoverKey } from '../../../src/contract/failover.js';
import { callEvidenceKey, endpointName } from '../../../src/contract/health.js';
import { orderedCallKey, stopChannel } from '../../../src/contract/keys.js';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import { readSession } from '../../../src/sdp/sdp.js';
import {
  answerChallenge,
  type DigestAlgorithm,
  formatChallenge,
  parseCredentials,
} from '../../../src/sip/digest.js';
import { type SipRequest, toText } from '../../../src/sip/message.js';
import { type Arrival, SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { freePort } from '../../support/free-ports.js';
import { PeerCall } from '../../support/peer-call.js';
import { sideBySide } from '../../support/side-by-side.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { CallBench, calledNumber } from '../call/bench.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';

const key = generateSecretKey();
sideBySide(2, () => {
  let bench: CallBench;
  let backup: SipPeer;
  let isOver = false;
  beforeAll(async () => {
    bench = await CallBench.start({
      DEMARC_SECRET_KEY: key,
      // Agent and callee are in this process, which may be stalled for longer than shorter ones.
      DEMARC_RING_SECONDS: '9',
      DEMARC_HELD_ANSWER_SECONDS: '3',
    });
    backup = await SipPeer.open({ protocol: 'tcp', target: bench.trunk.target });
    for (const peer of [bench.trunk, backup]) void answerProbes(peer);
  });
  afterAll(async () => {
    isOver = true;
    await backup?.close();
    await bench?.stop();
  });
  afterEach(async () => {
    await bench.redis.del(failoverKey(calledNumber));
    await bench.expectNothingLeft();
  });

  /** The edge asks trunks for their health as soon as it knows them. */
  async function answerProbes(peer: SipPeer): Promise<void> {
    while (!isOver) {
      const probe = await peer.expectRequest('OPTIONS', { milliseconds: 500 }).catch(() => undefined);
      if (probe !== undefined) await PeerCall.from(peer, probe.message).respond(probe, 200);
    }
  }

  const endpoint = (port = bench.trunk.port) => ({ host: '127.0.0.1', port, transport: 'tcp' as const });

  /** As the control plane reads it. */
  const phaseOf = (callId: string) => bench.redis.hget(orderedCallKey(callId), 'phase');

  const configure = (outbound: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
    bench.configure({ outbound: [{ id: 'out', ...endpoint(), ...outbound }], ...more });

  const failover = (...ports: number[]) => ({
    outbound_policy: {
      failover: {
        endpoints: ports.map((port) => endpoint(port)),
        triggers: ['unreachable', 'timeout', 'auth_failure'],
        failback: 'auto',
      },
    },
  });

  /** The agent answers our INVITE without SDP by an offer. */
  async function agentOffers(): Promise<PeerCall> {
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription() });
    return agent;
  }

  async function atTrunk(peer = bench.trunk): Promise<{ trunk: PeerCall; invite: Arrival<SipRequest> }> {
    const invite = await peer.expectRequest('INVITE');
    return { trunk: PeerCall.from(peer, invite.message), invite };
  }

  async function refuse(peer: SipPeer, status: number, headers: Record<string, string> = {}) {
    const { trunk, invite } = await atTrunk(peer);
    await trunk.respond(invite, status, { headers });
    await peer.expectRequest('ACK', { callId: trunk.callId });
    return { trunk, invite };
  }

  async function agentIsReleased(agent: PeerCall): Promise<void> {
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
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

  /** What the agent learns of itself, and what the token grants. */
  const knownTo = ({ message: { headers } }: Arrival<SipRequest>) => ({
    persona: headers.get('X-Demarc-Persona-ID'),
    version: headers.get('X-Demarc-Persona-Version'),
    knowledge: headers.get('X-Demarc-Knowledge'),
    grant: readCallToken(new SecretBox([key]), headers.get('X-Demarc-Token') ?? '', Date.now()),
  });
  const persona = '0d0e0c2a-77c5-4b50-8f50-0d4e8a3b9c11';
  const knowledge = ['4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d', '9a1c1f0e-2f0b-4d6a-8f65-53a4e3f1d2b7'];

  describe('the agent of a call', () => {
    it('learns persona, version and knowledge of the order, with a token that no trace shows', async () => {
      await configure();
      const order = { persona_id: persona, persona_version: 3, knowledge_ids: knowledge };
      const callId = await bench.order(order);
      const { agent, invite } = await bench.atAgent();
      expect(knownTo(invite)).toMatchObject({
        persona,
        version: '3',
        knowledge: knowledge.join(','),
        grant: {
          organization: 'acme',
          callId,
          persona: { id: persona, version: 3 },
          knowledgeIds: knowledge,
          contactId: contactId('acme', '+14155550100'),
        },
      });
      await agent.respond(invite, 486);
      await bench.agent.expectRequest('ACK', { callId: agent.callId });
      const record = JSON.stringify(await bench.record());
      expect(record).toContain('X-Demarc-Token: [redacted]');
      expect(record).not.toContain(invite.message.headers.get('X-Demarc-Token'));
    });

    it('learns the pathway and the voice of the order, and reads that version with its token', async () => {
      await configure();
      await bench.order({ pathway_id: persona, pathway_version: 4, voice: 'maya' });
      const { agent, invite } = await bench.atAgent();
      const { headers } = invite.message;
      expect(headers.get('X-Demarc-Pathway-ID')).toBe(persona);
      expect(headers.get('X-Demarc-Pathway-Version')).toBe('4');
      expect(headers.get('X-Demarc-Voice')).toBe('maya');
      expect(knownTo(invite)).toMatchObject({ grant: { pathway: { id: persona, version: 4 } } });
      await agent.respond(invite, 486);
      await bench.record();
    });

    it('learns the pathway of the number that was called, and the knowledge of its nodes', async () => {
      const pathway = { id: persona, version: 2 };
      await configure({}, { pathway, pathway_knowledge_ids: knowledge, voice: 'maya' });
      const trunk = await bench.call();
      const { agent, invite } = await bench.atAgent();
      expect(invite.message.headers.get('X-Demarc-Pathway-Version')).toBe('2');
      expect(knownTo(invite)).toMatchObject({
        persona: undefined,
        knowledge: knowledge.join(','),
        grant: { pathway, knowledgeIds: knowledge },
      });
      await agent.respond(invite, 486);
      await trunk.response(486);
      await bench.record();
    });

    it('learns the persona of the number that was called, whatever the caller sends', async () => {
      await configure({}, { persona: { id: persona, version: 7, knowledge_ids: knowledge.slice(0, 1) } });
      const headers = {
        'X-Demarc-Persona-ID': 'mine',
        'X-Demarc-Knowledge': 'all',
        'X-Demarc-Token': 'forged',
      };
      const trunk = await bench.call({ headers });
      const { agent, invite } = await bench.atAgent();
      expect(knownTo(invite)).toMatchObject({
        persona,
        version: '7',
        knowledge: knowledge[0],
        grant: { persona: { id: persona, version: 7 }, knowledgeIds: knowledge.slice(0, 1) },
      });
      await agent.respond(invite, 486);
      await trunk.response(486);
      await bench.record();
    });
  });

  describe('an ordered call', () => {
    it.each([
      ['of the outbound direction before that of calls to the number', {}, 'outbound'],
      ['of the order before all others', { agent: 'order' }, 'order'],
    ] as const)('invites the agent %s', async (_name, { agent: named }: { agent?: string }, user) => {
      const at = (each: string): string => `sip:${each}@127.0.0.1:${bench.agent.port};transport=tcp`;
      await configure({ agent_uri: at('outbound') }, { inbound: [{ id: 'any', agent_uri: at('inbound') }] });
      await bench.order(named === undefined ? {} : { agent_uri: at(named) });
      const { agent, invite } = await bench.atAgent();
      expect(invite.message.uri).toContain(`sip:${user}@`);
      await agent.respond(invite, 486);
      await bench.agent.expectRequest('ACK', { callId: agent.callId });
      await bench.record();
    });

    it('invites the agent first, offers the trunk SRTP, and connects the two', async () => {
      await configure({
        headers: [
          { type: 'custom', key: 'campaign', value: 'X-Campaign', passthrough: false },
          { type: 'custom', key: 'account', value: 'X-Account', passthrough: false },
        ],
      });
      const callId = await bench.order({ variables: { campaign: 'autumn', account: 'Zoë', other: 'x' } });
      const { agent, invite: atAgent } = await bench.atAgent();
      expect(atAgent.message.body).toBe('');
      expect(atAgent.message.headers.get('X-Demarc-Call-ID')).toBe(callId);
      expect(atAgent.message.headers.get('X-Demarc-Direction')).toBe('outbound');
      expect(atAgent.message.headers.get('X-Demarc-Contact')).toBe(contactId('acme', '+14155550100'));
      await agent.respond(atAgent, 200, { body: agentDescription(), headers: { campaign: 'spring' } });
      const { trunk, invite } = await atTrunk();
      expect(invite.message.uri).toBe(`sip:+14155550100@127.0.0.1:${bench.trunk.port};transport=tcp`);
      expect(invite.message.headers.get('From')).toContain(`sip:+${calledNumber}@127.0.0.1`);
      expect(invite.message.headers.get('To')).toBe('<sip:+14155550100@127.0.0.1>');
      expect(invite.message.headers.get('X-Campaign')).toBe('spring');
      expect(toText(invite.message.headers.get('X-Account')!)).toBe('Zoë');
      expect(invite.message.headers.get('other')).toBeUndefined();
      expect(invite.text).not.toMatch(/X-Demarc|somebody|private name/i);
      expect(readSession(invite.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/SAVP' });
      await trunk.respond(invite, 180);
      await until(async () => (await phaseOf(callId)) === 'ringing', 2_000, 'ringing is reported');
      await trunk.respond(invite, 200, { body: trunkDescription() });
      await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
      const ack = await bench.agent.expectRequest('ACK', { callId: agent.callId });
      await until(async () => (await phaseOf(callId)) === 'answered', 5_000, 'the answer is reported');
      expect(readSession(ack.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/AVP' });
      await trunk.send('BYE');
      await trunk.response(200, 'BYE');
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      const record = await bench.record();
      expect(record).toMatchObject({
        call_id: callId,
        direction: 'outbound',
        outcome: 'completed',
        end_reason: 'callee_hung_up',
        ended_by: 'callee',
        sip_status: 200,
        number: calledNumber,
        organization: 'acme',
        media: { srtp_suite: 'AES_CM_128_HMAC_SHA1_80', trunk_codec: 'PCMU' },
        sip_call_ids: { trunk: trunk.callId, agent: agent.callId },
      });
      expect(record.trace.map(({ leg, summary }) => `${leg} ${summary}`)).toEqual(
        expect.arrayContaining(['trunk INVITE', 'trunk 200 OK', 'agent INVITE', 'agent 200 OK']),
      );
      // An answered call counts as a sign of health.
      expect(await bench.redis.exists(callEvidenceKey(endpointName(endpoint())))).toBe(1);
    });

    it('is ended by the agent', async () => {
      await configure();
      await bench.order();
      const { agent, trunk } = await establish();
      await agent.send('BYE');
      await agent.response(200, 'BYE');
      await trunk.respond(await bench.trunk.expectRequest('BYE', { callId: trunk.callId }), 200);
      expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up', outcome: 'completed' });
    });

    it('offers plain RTP where the trunk disables SRTP', async () => {
      await configure({ secure_media: false });
      await bench.order();
      const { trunk, agent, invite } = await establish(agentDescription({ port: 44_000 }));
      expect(readSession(invite.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/AVP' });
      expect(invite.message.body).not.toContain('crypto');
      await trunk.send('BYE');
      await trunk.response(200, 'BYE');
      await agent.respond(await bench.agent.expectRequest('BYE'), 200);
      expect(await bench.record()).toMatchObject({ outcome: 'completed', media: { srtp_suite: null } });
    });

    it('is ended when the trunk answers SRTP in the clear', async () => {
      await configure();
      await bench.order();
      const agent = await agentOffers();
      const { trunk, invite } = await atTrunk();
      await trunk.respond(invite, 200, { body: agentDescription() });
      await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
      await trunk.respond(await bench.trunk.expectRequest('BYE', { callId: trunk.callId }), 200);
      await agentIsReleased(agent);
      expect(await bench.record()).toMatchObject({
        end_reason: 'media_failed',
        outcome: 'completed',
        detail: expect.stringMatching(/./),
      });
    });

    it('ends after its longest duration', async () => {
      await configure();
      await bench.order({ max_duration_seconds: 1 });
      const { trunk, agent } = await establish();
      await trunk.respond(await bench.trunk.expectRequest('BYE', { callId: trunk.callId }), 200);
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      expect(await bench.record()).toMatchObject({ end_reason: 'max_duration', outcome: 'completed' });
    });

    it('is cancelled at the trunk when it is stopped while it rings', async () => {
      await configure();
      const callId = await bench.order();
      const agent = await agentOffers();
      const { trunk, invite } = await atTrunk();
      await trunk.respond(invite, 180);
      await until(
        async () => (await bench.redis.hget(orderedCallKey(callId), 'phase')) === 'ringing',
        2_000,
        'ringing is reported',
      );
      await bench.redis.hset(orderedCallKey(callId), 'stop', '1');
      await bench.redis.publish(stopChannel, callId);
      const cancel = await bench.trunk.expectRequest('CANCEL', { callId: trunk.callId });
      // 200 would say that the call was answered elsewhere, and phones show no missed call then.
      expect(cancel.message.headers.get('Reason')).toBe('SIP;cause=487;text="Stopped"');
      await trunk.respond(cancel, 200);
      await trunk.respond(invite, 487);
      await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
      await agentIsReleased(agent);
      expect(await bench.record()).toMatchObject({
        end_reason: 'stopped',
        ended_by: 'api',
        outcome: 'cancelled',
        sip_status: 487,
      });
    });

    it('rings no longer than the setting allows', async () => {
      await configure();
      await bench.order();
      const agent = await agentOffers();
      const { trunk, invite } = await atTrunk();
      await trunk.respond(invite, 180);
      await bench.agent.expectRequest('ACK', { callId: agent.callId });
      const cancel = await bench.trunk.expectRequest('CANCEL', {
        callId: trunk.callId,
        milliseconds: 12_000,
      });
      await trunk.respond(cancel, 200);
      await trunk.respond(invite, 487);
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      expect(await bench.record()).toMatchObject({ end_reason: 'trunk_no_answer', sip_status: 487 });
    });

    it('ends with the connection to the engine, and the next call is sent', async () => {
      await configure();
      await bench.order();
      const agent = await agentOffers();
      const { trunk, invite } = await atTrunk();
      bench.dropEngineConnection();
      expect(await bench.record()).toMatchObject({ end_reason: 'engine_lost', outcome: 'failed' });
      // The engine itself withdraws what the edge can no longer speak of.
      await trunk.respond(invite, 180);
      const cancel = await bench.trunk.expectRequest('CANCEL', { callId: trunk.callId });
      await trunk.respond(cancel, 200);
      await trunk.respond(invite, 487);
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      await until(async () => (await bench.health()) === 200, 5_000, 'the edge is ready again');
      await bench.order();
      const next = await agentOffers();
      await refuse(bench.trunk, 486);
      await agentIsReleased(next);
      expect(await bench.record()).toMatchObject({ sip_status: 486 });
    });

    it('is ended in time during a drain', async () => {
      await configure();
      await bench.order();
      const { trunk, agent } = await establish();
      bench.edge.endAll('drained', 'Server is going down');
      await trunk.respond(await bench.trunk.expectRequest('BYE', { callId: trunk.callId }), 200);
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      expect(await bench.record()).toMatchObject({ end_reason: 'drained', outcome: 'completed' });
    });

    it('is held and resumed by the callee', async () => {
      await configure();
      await bench.order();
      const { trunk, agent } = await establish();
      await trunk.send('INVITE', { body: trunkDescription({ version: 2, attributes: ['a=sendonly'] }) });
      const hold = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
      expect(hold.message.body).toContain('a=sendonly');
      await agent.respond(hold, 200, { body: agentDescription({ version: 2, attributes: ['a=recvonly'] }) });
      const held = await trunk.response(200);
      await trunk.ack(held.message);
      expect(held.message.body).toContain('a=recvonly');
      expect(held.message.body).toContain('AES_CM_128_HMAC_SHA1_80');
      await bench.agent.expectRequest('ACK', { callId: agent.callId });
      await trunk.send('BYE');
      await trunk.response(200, 'BYE');
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      expect(await bench.record()).toMatchObject({ end_reason: 'callee_hung_up' });
    });

    it('is not sent to the trunk when the agent refuses', async () => {
      await configure();
      await bench.order();
      const { agent, invite } = await bench.atAgent();
      await agent.respond(invite, 486);
      expect(await bench.record()).toMatchObject({
        end_reason: 'agent_refused',
        outcome: 'refused',
        sip_status: null,
      });
      await bench.trunk.expectNothing(
        (message) => message.kind === 'request' && message.method === 'INVITE',
        200,
        'No INVITE to the trunk',
      );
    });

    it('is refused for a number without an outbound direction, and for another organization', async () => {
      await bench.configure({});
      await bench.order();
      expect(await bench.record()).toMatchObject({
        end_reason: 'refused_unknown_number',
        outcome: 'refused',
      });
      await configure();
      await bench.order({ organization: 'somebody' });
      expect(await bench.record()).toMatchObject({
        end_reason: 'refused_unknown_number',
        number: calledNumber,
      });
    });

    it('respects the outbound limits of the number', async () => {
      await configure({}, { outbound_policy: { limits: { concurrent_calls: 0 } } });
      await bench.order();
      expect(await bench.record()).toMatchObject({
        end_reason: 'refused_limit',
        outcome: 'refused',
        detail: `The limit of 0 concurrent calls from ${calledNumber} is reached (limits.concurrent_calls).`,
      });
    });
  });

  describe('an agent that waits while the phone rings for long', () => {
    /** Rings until the agent is held. */
    async function heldAgent() {
      await configure();
      const callId = await bench.order();
      const agent = await agentOffers();
      const { trunk, invite } = await atTrunk();
      await trunk.respond(invite, 180);
      const ack = await bench.agent.expectRequest('ACK', { callId: agent.callId });
      return { callId, agent, trunk, invite, ack };
    }

    async function answeredAtTrunk(trunk: PeerCall, invite: Arrival<SipRequest>) {
      await trunk.respond(invite, 200, { body: trunkDescription() });
      await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
      return bench.agent.expectRequest('INVITE');
    }

    async function hangUp(trunk: PeerCall, agent: PeerCall) {
      await trunk.send('BYE');
      await trunk.response(200, 'BYE');
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    }

    it('is held by a valid answer, and connected by a re-INVITE when the callee answers', async () => {
      const { agent, trunk, invite, ack } = await heldAgent();
      const held = readSession(ack.message.body)!;
      expect(held.media).toHaveLength(1);
      expect(held.media[0]).toMatchObject({ protocol: 'RTP/AVP', formats: ['0', '101'] });
      expect(held.media[0]!.port).toBeGreaterThan(0);
      expect(ack.message.body).toContain('a=inactive');
      const joining = await answeredAtTrunk(trunk, invite);
      expect(joining.message.headers.get('Call-ID')).toBe(agent.callId);
      const offer = readSession(joining.message.body)!.media[0]!;
      expect(offer).toMatchObject({ protocol: 'RTP/AVP' });
      expect(joining.message.body).not.toMatch(/a=inactive|0\.0\.0\.0/);
      const [, , version] = /^o=- (\d+) (\d+)/m.exec(joining.message.body)!;
      expect(version).toBe('2');
      // From another port than the one it offered: media goes there.
      await agent.respond(joining, 200, { body: agentDescription({ version: 2, port: 42_500 }) });
      await bench.agent.expectRequest('ACK', { callId: agent.callId });
      await until(
        async () =>
          JSON.stringify(
            await bench.rtpengine.command('query', { 'call-id': (await bench.rtpengine.sessions())[0]! }),
          ).includes('42500'),
        2_000,
        'rtpengine knows the new port',
      );
      await hangUp(trunk, agent);
      expect(await bench.record()).toMatchObject({
        outcome: 'completed',
        end_reason: 'callee_hung_up',
        media: { trunk_codec: 'PCMU', agent_codec: 'PCMU' },
      });
    });

    it('gets the re-INVITE again after glare with its re-INVITE', async () => {
      const { agent, trunk, invite } = await heldAgent();
      const joining = await answeredAtTrunk(trunk, invite);
      await agent.respond(joining, 491);
      const again = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
      await agent.respond(again, 200, { body: agentDescription({ version: 2 }) });
      await bench.agent.expectRequest('ACK', { callId: agent.callId });
      await hangUp(trunk, agent);
      expect(await bench.record()).toMatchObject({ outcome: 'completed' });
    });

    it('ends the call when it refuses the connecting re-INVITE', async () => {
      const { agent, trunk, invite } = await heldAgent();
      const joining = await answeredAtTrunk(trunk, invite);
      await agent.respond(joining, 488);
      const bye = await bench.trunk.expectRequest('BYE', { callId: trunk.callId });
      expect(bye.message.headers.get('Reason')).toContain('cause=488');
      await trunk.respond(bye, 200);
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      expect(await bench.record()).toMatchObject({ end_reason: 'agent_refused', ended_by: 'agent' });
    });

    it('may hang up even before it is held', async () => {
      await configure();
      await bench.order();
      const agent = await agentOffers();
      const { trunk, invite } = await atTrunk();
      await trunk.respond(invite, 180);
      await agent.send('BYE');
      await agent.response(200, 'BYE');
      await trunk.respond(await bench.trunk.expectRequest('CANCEL', { callId: trunk.callId }), 200);
      await trunk.respond(invite, 487);
      expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up', outcome: 'cancelled' });
    });

    it('may hang up before the callee answers', async () => {
      const { agent, trunk, invite } = await heldAgent();
      await agent.send('BYE');
      await agent.response(200, 'BYE');
      const cancel = await bench.trunk.expectRequest('CANCEL', { callId: trunk.callId });
      // The CANCEL crosses the 200.
      await trunk.respond(invite, 200, { body: trunkDescription() });
      await trunk.respond(cancel, 200);
      await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
      await trunk.respond(await bench.trunk.expectRequest('BYE', { callId: trunk.callId }), 200);
      expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up', outcome: 'cancelled' });
    });

    it('gets 491 for its offers until then', async () => {
      const { agent, trunk, invite } = await heldAgent();
      await agent.send('INVITE', { body: agentDescription({ version: 2, port: 42_500 }) });
      const refusal = await agent.response(491);
      await agent.ack(refusal.message);
      await trunk.respond(invite, 486);
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      expect(await bench.record()).toMatchObject({ end_reason: 'trunk_refused', sip_status: 486 });
    });
  });

  describe('digits before the agent is heard', () => {
    async function establishedWith(digits: string, formats: string) {
      await configure();
      const callId = await bench.order({ precall_dtmf_sequence: digits });
      const agent = await agentOffers();
      const { trunk, invite } = await atTrunk();
      await trunk.respond(invite, 200, { body: trunkDescription({ formats }) });
      await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
      await bench.agent.expectRequest('ACK', { callId: agent.callId });
      return { agent, trunk, callId };
    }

    it('go by INFO to a trunk without telephone events, and then the call is answered', async () => {
      const { agent, trunk, callId } = await establishedWith('1w#', '0');
      const first = await bench.trunk.expectRequest('INFO', { callId: trunk.callId });
      expect(first.message.headers.get('Content-Type')).toBe('application/dtmf-relay');
      expect(first.message.body).toMatch(/^Signal=1\r\nDuration=\d+\r\n/);
      const from = performance.now();
      await trunk.respond(first, 200);
      const second = await bench.trunk.expectRequest('INFO', { callId: trunk.callId });
      expect(performance.now() - from).toBeGreaterThan(500);
      expect(second.message.body).toContain('Signal=#');
      expect(await phaseOf(callId)).toBe('dialling');
      await trunk.respond(second, 200);
      await until(async () => (await phaseOf(callId)) === 'answered', 2_000, 'the call is answered');
      await trunk.send('BYE');
      await trunk.response(200, 'BYE');
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      expect(await bench.record()).toMatchObject({ outcome: 'completed' });
    });

    it('end the call when they cannot be sent at all', async () => {
      const { agent, trunk } = await establishedWith('1', '0 101');
      // The agent sends no audio: INFO is what is left.
      const info = await bench.trunk.expectRequest('INFO', { callId: trunk.callId });
      await trunk.respond(info, 405);
      await trunk.respond(await bench.trunk.expectRequest('BYE', { callId: trunk.callId }), 200);
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      expect(await bench.record()).toMatchObject({ end_reason: 'media_failed', ended_by: 'edge' });
    });
  });

  describe('digest', () => {
    const credential = () => ({
      credential: { username: 'trunk-user', password: new SecretBox([key]).seal('pässword') },
    });

    it.each<[DigestAlgorithm, 401 | 407]>([
      ['MD5', 401],
      ['SHA-256', 407],
      ['SHA-512-256', 401],
    ])('%s is answered, same Call-ID and tag, CSeq counted up', async (algorithm, status) => {
      await configure(credential());
      await bench.order();
      const agent = await agentOffers();
      const challenge = {
        scheme: 'Digest',
        realm: 'a, "realm"',
        nonce: 'n1',
        algorithm,
        qop: ['auth', 'auth-int'],
        opaque: 'o',
        stale: false,
        userhash: false,
      };
      const unknown = 'Digest realm="a, \\"realm\\"", nonce="n0", algorithm=TIGER, qop="auth"';
      const name = status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate';
      const first = await refuse(bench.trunk, status, {
        [name]: `${unknown}, ${formatChallenge(challenge)}`,
      });
      const { trunk, invite } = await atTrunk();
      expect(trunk.callId).toBe(first.trunk.callId);
      expect(trunk.remoteTag).toBe(first.trunk.remoteTag);
      expect(invite.message.headers.get('CSeq')).toBe('2 INVITE');
      const line = invite.message.headers.get(status === 401 ? 'Authorization' : 'Proxy-Authorization')!;
      const credentials = parseCredentials(line)!;
      expect(credentials).toMatchObject({
        uri: invite.message.uri,
        nonce: 'n1',
        nc: '00000001',
        opaque: 'o',
        algorithm,
      });
      const expected = answerChallenge(challenge, {
        username: 'trunk-user',
        password: Buffer.from('pässword').toString('latin1'),
        method: 'INVITE',
        uri: invite.message.uri,
        cnonce: credentials.cnonce!,
        nonceCount: 1,
      })!;
      expect(credentials.response).toBe(expected.response);
      await trunk.respond(invite, 486);
      await agentIsReleased(agent);
      const record = await bench.record();
      expect(record).toMatchObject({ end_reason: 'trunk_refused', sip_status: 486, ended_by: 'callee' });
      expect(JSON.stringify(record)).not.toContain(credentials.response);
    });

    it('answers several challenges with the same header name, each in a separate header line', async () => {
      await configure(credential());
      await bench.order();
      const agent = await agentOffers();
      const first = await atTrunk();
      await first.trunk.respond(first.invite, 407, {
        headers: {
          'Proxy-Authenticate': [
            'Digest realm="one, and only", nonce="n1", qop="auth"',
            'Digest realm="two", nonce="n2", algorithm=SHA-256, qop="auth"',
          ],
        },
      });
      const { trunk, invite } = await atTrunk();
      const lines = [...invite.text.matchAll(/^Proxy-Authorization: (.*)$/gim)];
      expect(lines.map(([, value]) => parseCredentials(value!)?.realm)).toEqual(['one, and only', 'two']);
      await trunk.respond(invite, 486);
      await agentIsReleased(agent);
      expect(await bench.record()).toMatchObject({ sip_status: 486 });
    });

    /** Challenges a request inside the dialog and gives what came back for it. */
    async function challenged(trunk: PeerCall, method: string, nonce: string) {
      const first = await bench.trunk.expectRequest(method, { callId: trunk.callId });
      expect(first.message.headers.has('Authorization')).toBe(false);
      await trunk.respond(first, 401, {
        headers: { 'WWW-Authenticate': `Digest realm="r", nonce="${nonce}", algorithm=SHA-256, qop="auth"` },
      });
      const again = await bench.trunk.expectRequest(method, { callId: trunk.callId });
      const credentials = parseCredentials(again.message.headers.get('Authorization')!)!;
      expect(credentials).toMatchObject({ username: 'trunk-user', uri: again.message.uri, nonce });
      return { again, given: credentials };
    }

    it('repeats challenged requests inside the dialog, and counts the nonce', async () => {
      await configure(credential());
      await bench.order();
      const { agent, trunk } = await establish();
      await agent.send('INFO', {
        headers: { 'Content-Type': 'application/dtmf-relay' },
        body: 'Signal=5\r\nDuration=160\r\n',
      });
      const info = await challenged(trunk, 'INFO', 'n1');
      expect(info.again.message.body).toContain('Signal=5');
      await trunk.respond(info.again, 200);
      await agent.response(200, 'INFO');
      await agent.send('INVITE', { body: agentDescription({ version: 2, attributes: ['a=sendonly'] }) });
      const hold = await challenged(trunk, 'INVITE', 'n1');
      expect(hold.given.nc).toBe('00000002');
      expect(hold.again.message.body).toContain('a=sendonly');
      await trunk.respond(hold.again, 200, {
        body: trunkDescription({ version: 2, attributes: ['a=recvonly'] }),
      });
      await agent.ack((await agent.response(200)).message);
      await agent.send('BYE');
      await agent.response(200, 'BYE');
      const bye = await challenged(trunk, 'BYE', 'n2');
      expect(bye.given.nc).toBe('00000001');
      await trunk.respond(bye.again, 200);
      const record = await bench.record();
      expect(record).toMatchObject({ end_reason: 'agent_hung_up', outcome: 'completed' });
      expect(JSON.stringify(record)).not.toContain(bye.given.response);
    });

    it.each(['UPDATE', 'INVITE'])('refreshes the session with them, by %s', async (method) => {
      await configure(credential());
      await bench.order();
      const agent = await agentOffers();
      const { trunk, invite } = await atTrunk();
      const allow = `INVITE, ACK, BYE, CANCEL${method === 'UPDATE' ? ', UPDATE' : ''}`;
      const agreed = (seconds: number) => ({ 'Session-Expires': `${seconds};refresher=uac`, Allow: allow });
      await trunk.respond(invite, 200, { body: trunkDescription(), headers: agreed(10) });
      await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
      await bench.agent.expectRequest('ACK', { callId: agent.callId });
      const { again } = await challenged(trunk, method, 'n1');
      expect(again.message.headers.get('Session-Expires')).toBe('10;refresher=uac');
      expect(again.message.body).toBe(method === 'UPDATE' ? '' : invite.message.body);
      await trunk.respond(again, 200, {
        headers: agreed(1_800),
        ...(method === 'UPDATE' ? {} : { body: trunkDescription() }),
      });
      await trunk.send('BYE');
      await trunk.response(200, 'BYE');
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      expect(await bench.record()).toMatchObject({ end_reason: 'callee_hung_up' });
    });

    it('gives up a BYE whose credentials are refused, and one without credentials', async () => {
      await configure(credential());
      await bench.order();
      const { agent, trunk } = await establish();
      await agent.send('BYE');
      await agent.response(200, 'BYE');
      const { again } = await challenged(trunk, 'BYE', 'n1');
      await trunk.respond(again, 401, { headers: { 'WWW-Authenticate': 'Digest realm="r", nonce="n2"' } });
      expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up' });
      // The engine gives the dialog up after 64·T1.
      await bench.expectNothingLeft(10_000);
    });

    it('is given up when the credentials are wrong', async () => {
      await configure(credential());
      await bench.order();
      const agent = await agentOffers();
      const challenge = (nonce: string) => ({
        'WWW-Authenticate': `Digest realm="r", nonce="${nonce}", qop="auth"`,
      });
      await refuse(bench.trunk, 401, challenge('n1'));
      await refuse(bench.trunk, 401, challenge('n2'));
      await agentIsReleased(agent);
      expect(await bench.record()).toMatchObject({ end_reason: 'trunk_refused', sip_status: 401 });
      await bench.trunk.expectNothing(
        (message) => message.kind === 'request' && message.method === 'INVITE',
        200,
        'No third INVITE',
      );
    });

    it('is given up when a realm other than the pinned one challenges', async () => {
      await configure({ credential: { ...credential().credential, realm: 'calls.example' } });
      await bench.order();
      const agent = await agentOffers();
      await refuse(bench.trunk, 401, { 'WWW-Authenticate': 'Digest realm="r", nonce="n1", qop="auth"' });
      await agentIsReleased(agent);
      expect(await bench.record()).toMatchObject({
        end_reason: 'trunk_refused',
        sip_status: 401,
        detail: expect.stringContaining('The challenge is for realm "r", but sip_realm is "calls.example"'),
      });
    });
  });

  describe('failover', () => {
    it.each([500, 503, 408, 504, 403])('fails over to the next server after %i', async (status) => {
      await configure({}, failover(backup.port));
      await bench.order();
      const agent = await agentOffers();
      const first = await refuse(bench.trunk, status);
      const { trunk, invite } = await atTrunk(backup);
      expect(trunk.callId).not.toBe(first.trunk.callId);
      await trunk.respond(invite, 603);
      await agentIsReleased(agent);
      const record = await bench.record();
      expect(record).toMatchObject({ end_reason: 'trunk_refused', sip_status: 603 });
      expect(record.detail).toContain(`: ${status} `);
      expect(record.trace.filter(({ leg, summary }) => leg === 'trunk' && summary === 'INVITE')).toHaveLength(
        2,
      );
    });

    it.each([404, 486, 600, 603, 607, 608, 480, 488])('never after %i', async (status) => {
      await configure({}, failover(backup.port));
      await bench.order();
      const agent = await agentOffers();
      await refuse(bench.trunk, status);
      await agentIsReleased(agent);
      expect(await bench.record()).toMatchObject({ end_reason: 'trunk_refused', sip_status: status });
      await backup.expectNothing(
        (message) => message.kind === 'request' && message.method === 'INVITE',
        200,
        'Nothing at the backup',
      );
    });

    it('reaches the third server at once when two refuse the connection', async () => {
      await configure({ port: await freePort() }, failover(await freePort(), backup.port));
      await bench.order();
      const agent = await agentOffers();
      const watch = Stopwatch.start();
      const { trunk, invite } = await atTrunk(backup);
      // One that is silent would have taken longer.
      expect(watch.milliseconds).toBeLessThan(watch.bound(3_000));
      await trunk.respond(invite, 486);
      await agentIsReleased(agent);
      expect(await bench.record()).toMatchObject({ sip_status: 486, outcome: 'refused' });
    });

    it('reaches the next server when one is silent', async () => {
      await configure({}, failover(backup.port));
      await bench.order();
      const agent = await agentOffers();
      await atTrunk();
      const invite = await backup.expectRequest('INVITE', { milliseconds: 8_000 });
      await PeerCall.from(backup, invite.message).respond(invite, 486);
      await agentIsReleased(agent);
      expect(await bench.record()).toMatchObject({ sip_status: 486 });
      // The engine gives the silent server up in its own time.
      await bench.expectNothingLeft(15_000);
    });

    it('is not for a phone that has rung', async () => {
      await configure({}, failover(backup.port));
      await bench.order();
      const agent = await agentOffers();
      const { trunk, invite } = await atTrunk();
      await trunk.respond(invite, 180);
      await trunk.respond(invite, 503);
      await agentIsReleased(agent);
      expect(await bench.record()).toMatchObject({ end_reason: 'trunk_refused', sip_status: 503 });
    });

    it('reports an unreachable trunk', async () => {
      await configure({ port: await freePort() });
      await bench.order();
      const agent = await agentOffers();
      await agentIsReleased(agent);
      expect(await bench.record()).toMatchObject({
        end_reason: 'trunk_unreachable',
        outcome: 'failed',
        ended_by: 'edge',
      });
    });
  });
});
