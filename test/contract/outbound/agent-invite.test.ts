import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readCallToken } from '../../../src/contract/call-token.js';
import { contactId } from '../../../src/contract/contact-id.js';
import { orderedCallKey } from '../../../src/contract/keys.js';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import { cryptoLinesOf, readSession } from '../../../src/sdp/sdp.js';
import { parseCredentials } from '../../../src/sip/digest.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { inviteAsAgent, operatorAgentSettings } from '../../support/agent-credentials.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { freePort } from '../../support/free-ports.js';
import { PeerCall } from '../../support/peer-call.js';
import { CallBench, calledNumber } from '../call/bench.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';

/** The agent runtime places calls by sending an INVITE to the private listener. */
const callee = '14155550100';
const key = generateSecretKey();
let bench: CallBench;
let isOver = false;
beforeAll(async () => {
  bench = await CallBench.start(({ listeners }) => ({
    DEMARC_SECRET_KEY: key,
    DEMARC_AGENT_LISTEN: `${listeners.tcp!.host}:${listeners.tcp!.port}`,
    // The callee is in this process, which may be stalled for longer than a shorter one.
    DEMARC_RING_SECONDS: '5',
    ...operatorAgentSettings,
  }));
  void answerProbes(bench.trunk);
});
afterAll(async () => {
  isOver = true;
  await bench?.stop();
});
afterEach(() => bench.expectNothingLeft());

/** The edge asks trunks for their health as soon as it knows them. */
async function answerProbes(peer: SipPeer): Promise<void> {
  while (!isOver) {
    const probe = await peer.expectRequest('OPTIONS', { milliseconds: 500 }).catch(() => undefined);
    if (probe !== undefined) await PeerCall.from(peer, probe.message).respond(probe, 200);
  }
}

async function configure(outbound: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
  const server = { id: 'out', host: '127.0.0.1', port: bench.trunk.port, transport: 'tcp' };
  await bench.configure({ outbound: [{ ...server, ...outbound }], ...more });
}

interface Options {
  readonly body?: string;
  readonly headers?: Record<string, string | null>;
  readonly from?: string;
  readonly peer?: SipPeer;
  readonly to?: string;
  /** True: it is refused before it is asked for credentials. */
  readonly isUnchallenged?: boolean;
}

async function agentCalls(options: Options = {}): Promise<PeerCall> {
  const { from = calledNumber, to = `+${callee}`, peer = bench.agent, isUnchallenged, ...rest } = options;
  const agent = PeerCall.to(peer, to);
  agent.localUri = `sip:${from}@agent.example`;
  const invite = { body: agentDescription(), ...rest };
  if (isUnchallenged === true) await agent.invite(invite);
  else await inviteAsAgent(agent, invite);
  return agent;
}

async function establish(options: Options = {}, answer?: string) {
  const agent = await agentCalls(options);
  const { trunk, invite } = await bench.atTrunk();
  await trunk.respond(invite, 180);
  await agent.response(180);
  await trunk.respond(invite, 200, { body: answer ?? trunkDescription() });
  await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
  const ok = await agent.response(200);
  await agent.ack(ok.message);
  return { agent, trunk, invite, ok };
}

const reasonOf = ({ message }: { message: { headers: { get(name: string): string | undefined } } }) =>
  message.headers.get('Reason');

async function refusedWith(agent: PeerCall, status: number) {
  const refusal = await agent.response(status);
  await agent.ack(refusal.message);
  return refusal;
}

describe('a call of the agent', () => {
  it('is sent to the trunk of the number in From, with SRTP, and is ended by the callee', async () => {
    await configure({
      headers: [
        { type: 'custom', key: 'campaign', value: 'X-Campaign', passthrough: false },
        { type: 'custom', key: 'tier', value: 'X-Tier', passthrough: false },
        { type: 'custom', key: 'X-Fixed', value: 'yes', passthrough: true },
      ],
    });
    const headers = { 'X-Demarc-Campaign': 'spring', tier: 'gold', 'X-Other': 'stays here' };
    const { agent, trunk, invite, ok } = await establish({ headers });
    expect(invite.message.uri).toBe(`sip:+${callee}@127.0.0.1:${bench.trunk.port};transport=tcp`);
    expect(invite.message.headers.get('From')).toContain(`sip:+${calledNumber}@127.0.0.1`);
    expect(invite.message.headers.get('X-Campaign')).toBe('spring');
    expect(invite.message.headers.get('X-Tier')).toBe('gold');
    expect(invite.message.headers.get('X-Fixed')).toBe('yes');
    expect(invite.text).not.toMatch(/X-Demarc|stays here|agent\.example|private name/i);
    expect(readSession(invite.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/SAVP' });
    expect(readSession(ok.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/AVP' });
    await trunk.send('BYE');
    await trunk.response(200, 'BYE');
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    const contact = contactId('acme', `+${callee}`);
    expect(ok.message.headers.get('X-Demarc-Contact')).toBe(contact);
    const token = ok.message.headers.get('X-Demarc-Token') ?? '';
    const callId = ok.message.headers.get('X-Demarc-Call-ID');
    expect(readCallToken(new SecretBox([key]), token, Date.now())).toMatchObject({
      organization: 'acme',
      callId,
      contactId: contact,
      knowledgeIds: [],
    });
    const record = await bench.record();
    expect(record).toMatchObject({
      call_id: ok.message.headers.get('X-Demarc-Call-ID'),
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
      expect.arrayContaining(['trunk INVITE', 'trunk 180 Ringing', 'agent INVITE', 'agent 200 OK']),
    );
  });

  it('hears the early media of the trunk, and hangs up', async () => {
    await configure();
    const agent = await agentCalls();
    const { trunk, invite } = await bench.atTrunk();
    const [crypto] = cryptoLinesOf(readSession(invite.message.body)!.media[0]!);
    expect(crypto).toBeDefined();
    await trunk.respond(invite, 183, { body: trunkDescription() });
    const early = await agent.response(183);
    expect(readSession(early.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/AVP' });
    await trunk.respond(invite, 200, { body: trunkDescription() });
    await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    const ok = await agent.response(200);
    expect(ok.message.body).toBe(early.message.body);
    await agent.ack(ok.message);
    await agent.send('BYE');
    await agent.response(200, 'BYE');
    await trunk.respond(await bench.trunk.expectRequest('BYE', { callId: trunk.callId }), 200);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up', outcome: 'completed' });
  });

  it('may change its early session by UPDATE after a reliable 183, as the trunk may', async () => {
    await configure();
    const agent = await agentCalls({ headers: { Require: '100rel' } });
    const { trunk, invite } = await bench.atTrunk();
    const reliable = { Require: '100rel', RSeq: '9' };
    await trunk.respond(invite, 183, { headers: reliable, body: trunkDescription() });
    await trunk.respond(await bench.trunk.expectRequest('PRACK', { callId: trunk.callId }), 200);
    const early = (await agent.response(183)).message;
    const rack = `${early.headers.get('RSeq')} ${early.headers.get('CSeq')}`;
    await agent.send('PRACK', { headers: { RAck: rack } });
    await agent.response(200, 'PRACK');
    const audioOf = (body: string) => readSession(body)!.media[0]!;
    for (const [party, body, sent] of [
      [agent, agentDescription({ port: 42_800, version: 2 }), early.body],
      [trunk, trunkDescription({ port: 42_900, version: 2 }), invite.message.body],
    ] as const) {
      await party.send('UPDATE', { body });
      const answer = (await party.response((status) => status >= 200, 'UPDATE')).message;
      expect(answer.status).toBe(200);
      expect(audioOf(answer.body).port).toBe(audioOf(sent).port);
    }
    await trunk.respond(invite, 200, { body: trunkDescription() });
    await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    await agent.ack((await agent.response(200)).message);
    const [session] = await bench.rtpengine.sessions();
    const media = JSON.stringify(await bench.rtpengine.command('query', { 'call-id': session }));
    expect(media).toContain('42800');
    expect(media).toContain('42900');
    await agent.send('BYE');
    await agent.response(200, 'BYE');
    await trunk.respond(await bench.trunk.expectRequest('BYE', { callId: trunk.callId }), 200);
    await bench.record();
  });

  it('without an offer gets the trunk’s, and its answer goes to the trunk', async () => {
    await configure();
    const agent = await agentCalls({ body: '' });
    const { trunk, invite } = await bench.atTrunk();
    expect(invite.message.body).toBe('');
    await trunk.respond(invite, 200, { body: trunkDescription() });
    const ok = await agent.response(200);
    expect(readSession(ok.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/AVP' });
    await agent.ack(ok.message, { body: agentDescription() });
    const ack = await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    expect(readSession(ack.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/SAVP' });
    await trunk.send('BYE');
    await trunk.response(200, 'BYE');
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    expect(await bench.record()).toMatchObject({ outcome: 'completed', media: { trunk_codec: 'PCMU' } });
  });

  it('is cancelled at the trunk when the agent cancels, also when a 200 crosses', async () => {
    await configure();
    for (const crosses of [false, true]) {
      const agent = await agentCalls();
      const { trunk, invite } = await bench.atTrunk();
      await trunk.respond(invite, 180);
      await agent.response(180);
      await agent.cancel();
      await agent.response(200, 'CANCEL');
      await refusedWith(agent, 487);
      const cancel = await bench.trunk.expectRequest('CANCEL', { callId: trunk.callId });
      if (crosses) {
        await trunk.respond(invite, 200, { body: trunkDescription() });
        await trunk.respond(cancel, 200);
        await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
        await trunk.respond(await bench.trunk.expectRequest('BYE', { callId: trunk.callId }), 200);
      } else {
        await trunk.respond(cancel, 200);
        await trunk.respond(invite, 487);
        await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
      }
      expect(await bench.record()).toMatchObject({
        end_reason: 'agent_hung_up',
        ended_by: 'agent',
        outcome: 'cancelled',
        sip_status: 487,
      });
    }
  });

  it.each([
    [486, 486],
    [404, 404],
    [603, 603],
    [607, 607],
    [302, 502],
    [407, 403],
  ])('gets, when the trunk refuses with %i, %i and the reason', async (status, relayed) => {
    await configure();
    const agent = await agentCalls();
    const { trunk, invite } = await bench.atTrunk();
    const challenge = { 'Proxy-Authenticate': 'Digest realm="r", nonce="n"' };
    await trunk.respond(invite, status, { headers: status === 407 ? challenge : {} });
    await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    const refusal = await refusedWith(agent, relayed);
    expect(reasonOf(refusal)).toContain(`SIP;cause=${status};`);
    expect(refusal.text).not.toContain('Proxy-Authenticate');
    expect(await bench.record()).toMatchObject({
      end_reason: 'trunk_refused',
      ended_by: 'callee',
      sip_status: status,
    });
  });

  it('follows a redirection of the trunk within the rules for its transfers, best contact first', async () => {
    await configure();
    const agent = await agentCalls();
    const { trunk, invite } = await bench.atTrunk();
    const at = (user: string, port = bench.trunk.port) => `<sip:${user}@127.0.0.1:${port};transport=tcp>`;
    const ported = `${callee};rn=+14155550000;npdi`;
    const contacts = [
      `${at(`+${ported}`)};q=0.1`,
      `${at('2002')};q=0.9`,
      // Public numbers only as `allowed_targets` says, and no other server.
      at('+12125550123'),
      `<sip:+${callee}@192.0.2.7;transport=tcp>`,
    ];
    await trunk.respond(invite, 302, { headers: { Contact: contacts.join(', ') } });
    await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    const extension = await bench.atTrunk();
    expect(extension.invite.message.uri).toBe(at('2002').slice(1, -1));
    await extension.trunk.respond(extension.invite, 503);
    await bench.trunk.expectRequest('ACK', { callId: extension.trunk.callId });
    const last = await bench.atTrunk();
    expect(last.invite.message.uri).toBe(at(`+${ported}`).slice(1, -1));
    await last.trunk.respond(last.invite, 200, { body: trunkDescription() });
    await bench.trunk.expectRequest('ACK', { callId: last.trunk.callId });
    await agent.ack((await agent.response(200)).message);
    await agent.send('BYE');
    await last.trunk.respond(await bench.trunk.expectRequest('BYE', { callId: last.trunk.callId }), 200);
    const { attempts } = await bench.record();
    expect(attempts.map(({ sip_status }) => sip_status)).toEqual([302, 503, 200]);
    expect(attempts[0]!.sip_reason).toContain('2002@127.0.0.1');
  });

  it.each([
    ['the called number at the same server', `+${callee}`, () => bench.trunk.port, 'was called before'],
    ['a public number', '+12125550123', () => bench.trunk.port, 'public number'],
    ['an emergency number', '911', () => bench.trunk.port, 'emergency number'],
  ])('does not follow a redirection to %s', async (_, user, port, why) => {
    await configure();
    const agent = await agentCalls();
    const { trunk, invite } = await bench.atTrunk();
    const Contact = `<sip:${user}@127.0.0.1:${port()};transport=tcp>`;
    await trunk.respond(invite, 302, { headers: { Contact } });
    await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    expect(reasonOf(await refusedWith(agent, 502))).toContain('SIP;cause=302;');
    expect((await bench.record()).detail).toContain(why);
  });

  it('fails over to the next server, with credentials, and gets 503 when none is reachable', async () => {
    const credential = { username: 'trunk-user', password: new SecretBox([key]).seal('secret') };
    const failover = (port: number) => ({
      outbound_policy: {
        failover: {
          endpoints: [{ host: '127.0.0.1', port, transport: 'tcp' }],
          triggers: ['unreachable'],
          failback: 'auto',
        },
      },
    });
    await configure({ port: await freePort(), credential }, failover(bench.trunk.port));
    const agent = await agentCalls();
    const first = await bench.atTrunk();
    await first.trunk.respond(first.invite, 401, {
      headers: { 'WWW-Authenticate': 'Digest realm="r", nonce="n", qop="auth"' },
    });
    const { trunk, invite } = await bench.atTrunk();
    expect(parseCredentials(invite.message.headers.get('Authorization')!)).toMatchObject({ realm: 'r' });
    await trunk.respond(invite, 486);
    await refusedWith(agent, 486);
    expect(await bench.record()).toMatchObject({ sip_status: 486 });
    await configure({ port: await freePort() }, failover(await freePort()));
    const refusal = await refusedWith(await agentCalls(), 503);
    expect(reasonOf(refusal)).toContain('cause=503');
    expect(await bench.record()).toMatchObject({ end_reason: 'trunk_unreachable', ended_by: 'edge' });
  });

  it('is refused with 503 when the edge is drained while it rings', async () => {
    await configure();
    const agent = await agentCalls();
    const { trunk, invite } = await bench.atTrunk();
    bench.edge.endAll('drained', 'Server is going down');
    await refusedWith(agent, 503);
    await trunk.respond(invite, 180);
    await trunk.respond(await bench.trunk.expectRequest('CANCEL', { callId: trunk.callId }), 200);
    await trunk.respond(invite, 487);
    expect(await bench.record()).toMatchObject({ end_reason: 'drained', outcome: 'failed' });
  });

  it.each([
    ['the setting says', {}, 480],
    ['its Expires says', { Expires: '3' }, 487],
  ])('rings no longer than %s', async (_name, headers: Record<string, string>, status) => {
    await configure();
    const agent = await agentCalls({ headers });
    const { trunk, invite } = await bench.atTrunk();
    await trunk.respond(invite, 180);
    await refusedWith(agent, status);
    await trunk.respond(await bench.trunk.expectRequest('CANCEL', { callId: trunk.callId }), 200);
    await trunk.respond(invite, 487);
    expect(await bench.record()).toMatchObject({ end_reason: 'trunk_no_answer' });
  });

  it('shares the limits of the number with ordered calls: it is refused at once, they wait', async () => {
    await configure({}, { outbound_policy: { limits: { concurrent_calls: 1 } } });
    const { agent, trunk } = await establish();
    const second = await agentCalls();
    const refusal = await refusedWith(second, 503);
    expect(refusal.message.headers.get('Retry-After')).toBe('1');
    expect(await bench.record()).toMatchObject({ end_reason: 'refused_limit' });
    const ordered = await bench.order();
    await until(
      async () => (await bench.redis.hexists(orderedCallKey(ordered), 'command')) === 1,
      2_000,
      'the order waits',
    );
    await bench.agent.expectNothing(
      ({ kind, ...message }) => kind === 'request' && 'method' in message && message.method === 'INVITE',
      300,
      'Its turn has not come',
    );
    await trunk.send('BYE');
    await trunk.response(200, 'BYE');
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    await bench.record();
    const { agent: asked, invite } = await bench.atAgent();
    await asked.respond(invite, 486);
    expect(await bench.record()).toMatchObject({ call_id: ordered, end_reason: 'agent_refused' });
  });

  it('is refused where its offer cannot be used, and where the limits are reached', async () => {
    await configure();
    const refusal = await refusedWith(await agentCalls({ body: agentDescription({ formats: '9' }) }), 488);
    expect(refusal.message.headers.get('Warning')).toContain('No common codec');
    expect(await bench.record()).toMatchObject({ end_reason: 'refused_media', direction: 'outbound' });
    await configure({}, { outbound_policy: { limits: { concurrent_calls: 0 } } });
    const full = await refusedWith(await agentCalls(), 503);
    expect(full.message.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(await bench.record()).toMatchObject({ end_reason: 'refused_limit', outcome: 'refused' });
  });

  it.each([
    ['From names an unassigned number', { from: '4930999999' }, 403],
    ['From names no number at all', { from: 'anonymous', isUnchallenged: true }, 403],
    ['no number is called', { to: 'bob', isUnchallenged: true }, 484],
    [
      'it would replace a call',
      { headers: { Replaces: 'a@b;to-tag=1;from-tag=2' }, isUnchallenged: true },
      481,
    ],
    [
      'it requires an extension that no trunk supports',
      { headers: { Require: 'answermode' }, isUnchallenged: true },
      420,
    ],
  ])('is refused when %s', async (_name, options, status) => {
    await configure();
    await refusedWith(await agentCalls(options), status);
    expect(await bench.record()).toMatchObject({ outcome: 'refused', ended_by: 'edge' });
  });

  it('is refused for a number without an outbound direction', async () => {
    await bench.configure({});
    await refusedWith(await agentCalls(), 403);
    expect(await bench.record()).toMatchObject({ end_reason: 'refused_unknown_number' });
  });

  it('is held and resumed by the agent, after the ACK only is it ended', async () => {
    await configure();
    const { agent, trunk } = await establish();
    await agent.send('INVITE', { body: agentDescription({ version: 2, attributes: ['a=sendonly'] }) });
    const hold = await bench.trunk.expectRequest('INVITE', { callId: trunk.callId });
    expect(hold.message.body).toContain('a=sendonly');
    await trunk.respond(hold, 200, {
      body: trunkDescription({ version: 2, attributes: ['a=recvonly'] }),
    });
    await agent.ack((await agent.response(200)).message);
    await trunk.send('BYE');
    await trunk.response(200, 'BYE');
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    await bench.record();
    const next = await agentCalls();
    const second = await bench.atTrunk();
    await second.trunk.respond(second.invite, 200, { body: trunkDescription() });
    const ok = await next.response(200);
    await second.trunk.send('BYE');
    await second.trunk.response(200, 'BYE');
    await bench.agent.expectNothing(
      (message) => message.kind === 'request' && message.method === 'BYE',
      200,
      'No BYE before the ACK',
    );
    await next.ack(ok.message);
    await next.respond(await bench.agent.expectRequest('BYE', { callId: next.callId }), 200);
    expect(await bench.record()).toMatchObject({ end_reason: 'callee_hung_up' });
  });
});

// drachtio-server has one port for both protocols here, which makes one listener of them.
describe.skipIf(isRealServer)('an impostor of the agent', () => {
  it('on another listener is refused, regardless of From', async () => {
    await configure();
    const stranger = await SipPeer.open({ protocol: 'udp', target: bench.engine.listeners.udp! });
    try {
      await refusedWith(await agentCalls({ peer: stranger, isUnchallenged: true }), 404);
      await bench.trunk.expectNothing(
        (message) => message.kind === 'request' && message.method === 'INVITE',
        200,
        'No INVITE at the trunk',
      );
      expect(await bench.record()).toMatchObject({
        direction: 'inbound',
        end_reason: 'refused_unknown_number',
      });
    } finally {
      await stranger.close();
    }
  });
});
