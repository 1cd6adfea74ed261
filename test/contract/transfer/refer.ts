import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type TransferOrder, transferTargetHeader } from '../../../src/contract/transfer.js';
import { readSession } from '../../../src/sdp/sdp.js';
import type { SipRequest } from '../../../src/sip/message.js';
import { type Arrival, SipPeer } from '../../../src/testkit/sip-peer.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { configureNumber, NumberWriter } from '../../support/number-writer.js';
import { PeerCall } from '../../support/peer-call.js';
import { type CallBench, calledNumber, type TwoLegs } from '../call/bench.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { holdCrosses, secureAnswer } from './answers.js';
import { askCall, complete, consult, orderTransfer } from './orders.js';
import { sharedEdges } from './two-edges.js';

let bench: CallBench;
/** The number's own server, where new parties are called. */
let target: SipPeer;
let isOver = false;
beforeAll(async () => {
  bench = await sharedEdges.take();
  target = await SipPeer.open({ protocol: 'tcp', target: bench.trunk.target });
  void answerProbes();
});
afterAll(async () => {
  isOver = true;
  await target?.close();
});
afterEach(() => bench.expectNothingLeft());

async function answerProbes(): Promise<void> {
  while (!isOver) {
    const probe = await target.expectRequest('OPTIONS', { milliseconds: 500 }).catch(() => undefined);
    if (probe !== undefined) await PeerCall.from(target, probe.message).respond(probe, 200);
  }
}

const configure = (more: Record<string, unknown> = {}) =>
  bench.configure({
    outbound: [{ id: 'out', host: '127.0.0.1', port: target.port, transport: 'tcp' }],
    transfer: { mode: 'bridge', allowed_targets: ['+1415', '1001'] },
    ...more,
  });

/** The REFER of one party, answered. */
async function refer(
  by: PeerCall,
  to: string,
  { status = 202, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
) {
  await by.send('REFER', { headers: { 'Refer-To': to, ...headers } });
  return by.response(status, 'REFER');
}

/** The next NOTIFY at the transferor: its state and its status line. */
async function notified(by: PeerCall): Promise<{ state: string; body: string; event: string }> {
  const notify = await by.peer.expectRequest('NOTIFY', { callId: by.callId });
  await by.respond(notify, 200);
  return {
    state: notify.message.headers.get('Subscription-State') ?? '',
    event: notify.message.headers.get('Event') ?? '',
    body: notify.message.body.trim(),
  };
}

async function newParty(): Promise<{ party: PeerCall; invite: Arrival<SipRequest> }> {
  const invite = await target.expectRequest('INVITE');
  return { party: PeerCall.from(target, invite.message), invite };
}

/** The re-INVITE by which the one who stays is moved to the new party. */
async function moved(stays: PeerCall, answer: (offer: string) => string): Promise<string> {
  const invite = await stays.peer.expectRequest('INVITE', { callId: stays.callId });
  await stays.respond(invite, 200, { body: answer(invite.message.body) });
  await stays.peer.expectRequest('ACK', { callId: stays.callId });
  return invite.message.body;
}

/** The trunk's reports on a REFER that was passed on to it. */
async function notify(trunk: PeerCall, state: string, line: string): Promise<void> {
  await trunk.send('NOTIFY', {
    headers: { Event: 'refer', 'Subscription-State': state, 'Content-Type': 'message/sipfrag' },
    body: `${line}\r\n`,
  });
  await trunk.response(200, 'NOTIFY');
}

const answerBye = async (of: PeerCall): Promise<void> => {
  await of.respond(await of.peer.expectRequest('BYE', { callId: of.callId }), 200);
};

const end = async ({ trunk, agent }: TwoLegs): Promise<void> => {
  await trunk.send('BYE');
  await answerBye(agent);
  await trunk.response(200, 'BYE');
};

describe('a REFER of the trunk', () => {
  it('calls the target through the number’s trunk and joins it with the agent', async () => {
    await configure();
    const { trunk, agent } = await bench.establish();
    const accepted = await refer(trunk, '<sip:+14155550100@pbx.example>', {
      status: 403,
    });
    expect(accepted.message.headers.get('Reason')).toContain('neither a server of the number');
    await refer(trunk, '<sip:+14155550100@127.0.0.1>', {
      headers: { 'Referred-By': '<sip:anna@pbx.example>' },
    });
    expect(await notified(trunk)).toEqual({
      state: 'active;expires=180',
      event: 'refer',
      body: 'SIP/2.0 100 Trying',
    });
    const { party, invite } = await newParty();
    expect(invite.message.uri).toBe(`sip:+14155550100@127.0.0.1:${target.port};transport=tcp`);
    // What the caller says of itself is not said to the trunk.
    expect(invite.message.headers.get('Referred-By')).toBeUndefined();
    expect(readSession(invite.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/SAVP' });
    await refer(trunk, '<sip:+14155550101@127.0.0.1>', { status: 491 });
    await party.respond(invite, 180);
    expect((await notified(trunk)).body).toBe('SIP/2.0 180 Ringing');
    await party.respond(invite, 200, { body: secureAnswer(invite.message.body) });
    await target.expectRequest('ACK', { callId: party.callId });
    const offered = await moved(agent, () => agentDescription({ version: 2 }));
    expect(readSession(offered)!.media[0]).toMatchObject({ protocol: 'RTP/AVP' });
    expect(await notified(trunk)).toMatchObject({
      state: 'terminated;reason=noresource',
      body: 'SIP/2.0 200 OK',
    });
    await trunk.hangUp();
    // The transferor's BYE was its own leg's; the new party's is the call's.
    await party.send('BYE');
    await answerBye(agent);
    await party.response(200, 'BYE');
    const record = await bench.record();
    expect(record).toMatchObject({
      outcome: 'completed',
      end_reason: 'target_hung_up',
      ended_by: 'target',
      transfers: [
        { mode: 'bridge', requested_by: 'trunk', status: 'failed', reason: 'forbidden', sip_status: null },
        {
          mode: 'bridge',
          requested_by: 'trunk',
          target: 'sip:+14155550100@127.0.0.1',
          status: 'completed',
          reason: 'completed',
          sip_status: 200,
          sip_call_id: party.callId,
        },
      ],
    });
    expect(record.trace.filter(({ message }) => message.includes(party.callId)).length).toBeGreaterThan(4);
  });

  it('leaves the call unchanged when it fails, and reports its status', async () => {
    await configure();
    const legs = await bench.establish();
    await refer(legs.trunk, '<sip:1001@127.0.0.1>');
    await notified(legs.trunk);
    const { party, invite } = await newParty();
    await party.respond(invite, 486);
    await target.expectRequest('ACK', { callId: party.callId });
    expect(await notified(legs.trunk)).toMatchObject({
      state: 'terminated;reason=noresource',
      body: 'SIP/2.0 486 Busy Here',
    });
    // A second one in the same dialog names its subscription.
    await refer(legs.trunk, '<tel:+14155550100>');
    expect((await notified(legs.trunk)).event).toMatch(/^refer;id=\d+$/);
    const second = await newParty();
    await second.party.respond(second.invite, 480);
    await target.expectRequest('ACK', { callId: second.party.callId });
    await notified(legs.trunk);
    await end(legs);
    expect(await bench.record()).toMatchObject({
      end_reason: 'caller_hung_up',
      transfers: [
        { status: 'failed', reason: 'rejected', sip_status: 486 },
        { status: 'failed', sip_status: 480, target: 'tel:+14155550100' },
      ],
    });
  });

  it('is kept when the agent does not move to the new party', async () => {
    await configure();
    const legs = await bench.establish();
    await refer(legs.trunk, '<sip:1001@127.0.0.1>', { headers: { 'Refer-Sub': 'false' } });
    const { party, invite } = await newParty();
    await party.respond(invite, 200, { body: secureAnswer(invite.message.body) });
    await target.expectRequest('ACK', { callId: party.callId });
    const reinvite = await bench.agent.expectRequest('INVITE', { callId: legs.agent.callId });
    await legs.agent.respond(reinvite, 488);
    await bench.agent.expectRequest('ACK', { callId: legs.agent.callId });
    await answerBye(party);
    await end(legs);
    expect((await bench.record()).transfers).toMatchObject([{ status: 'failed', reason: 'media_failed' }]);
    await bench.trunk.expectNothing(
      (message) => message.kind === 'request' && message.method === 'NOTIFY',
      100,
      'NOTIFY',
    );
  });

  it('continues when the transferor hangs up first, and ends the call if it then fails', async () => {
    await configure();
    for (const answered of [true, false]) {
      const { trunk, agent } = await bench.establish();
      await refer(trunk, '<sip:1001@127.0.0.1>');
      await notified(trunk);
      const { party, invite } = await newParty();
      await trunk.hangUp();
      if (answered) {
        await party.respond(invite, 200, { body: secureAnswer(invite.message.body) });
        await target.expectRequest('ACK', { callId: party.callId });
        await moved(agent, () => agentDescription({ version: 2 }));
        await agent.send('BYE');
        await answerBye(party);
        await agent.response(200, 'BYE');
      } else {
        await party.respond(invite, 404);
        await target.expectRequest('ACK', { callId: party.callId });
        await answerBye(agent);
      }
      expect(await bench.record()).toMatchObject(
        answered
          ? { end_reason: 'agent_hung_up', transfers: [{ status: 'completed' }] }
          : { end_reason: 'caller_hung_up', transfers: [{ status: 'failed', sip_status: 404 }] },
      );
    }
  });

  it('is cancelled when the one who would stay hangs up', async () => {
    await configure();
    const { trunk, agent } = await bench.establish();
    await refer(trunk, '<sip:1001@127.0.0.1>');
    await notified(trunk);
    const { party, invite } = await newParty();
    await party.respond(invite, 180);
    await notified(trunk);
    await agent.send('BYE');
    await agent.response(200, 'BYE');
    expect((await notified(trunk)).body).toMatch(/^SIP\/2\.0 487/);
    const cancel = await target.expectRequest('CANCEL', { callId: party.callId });
    await party.respond(cancel, 200);
    await party.respond(invite, 487);
    await target.expectRequest('ACK', { callId: party.callId });
    await answerBye(trunk);
    expect((await bench.record()).transfers).toMatchObject([{ status: 'failed', reason: 'call_ended' }]);
  });

  it('is declined after many that came to nothing: the record has an end', async () => {
    await configure({ transfer: { mode: 'bridge', allowed_targets: [] } });
    const legs = await bench.establish();
    for (let count = 0; count < 30; count++) {
      await refer(legs.trunk, '<sip:+14155550100@127.0.0.1>', { status: 403 });
    }
    await refer(legs.trunk, '<sip:+14155550100@127.0.0.1>', { status: 603 });
    await end(legs);
    expect((await bench.record()).transfers).toHaveLength(30);
  });

  it('must be well-formed and within the number’s targets', async () => {
    await configure({ transfer: { mode: 'bridge', allowed_targets: ['+49'] } });
    const legs = await bench.establish();
    await refer(legs.trunk, '<http://127.0.0.1/>', { status: 400 });
    await refer(legs.trunk, '<sip:a@127.0.0.1;method=BYE>', { status: 400 });
    await refer(legs.trunk, '<sip:+14155550100@127.0.0.1>', { status: 403 });
    await refer(legs.trunk, '<sip:1@127.0.0.1?Replaces=a%3Bto-tag%3Db%3Bfrom-tag%3Dc>', { status: 603 });
    await refer(legs.trunk, '<sip:+49301@127.0.0.1>', {
      status: 420,
      headers: { Require: 'multiple-refer' },
    });
    await end(legs);
    expect((await bench.record()).transfers?.map(({ reason }) => reason)).toEqual(['forbidden', 'forbidden']);
  });

  it('keeps a subscription that can be refreshed and ended', async () => {
    await configure();
    const legs = await bench.establish();
    await refer(legs.trunk, '<sip:1001@127.0.0.1>');
    await notified(legs.trunk);
    const { party, invite } = await newParty();
    await legs.trunk.send('SUBSCRIBE', { headers: { Event: 'refer', Expires: '60' } });
    if (isRealServer) await legs.trunk.response(403, 'SUBSCRIBE');
    else {
      expect((await legs.trunk.response(200, 'SUBSCRIBE')).message.headers.get('Expires')).toBe('60');
      expect(await notified(legs.trunk)).toMatchObject({
        state: 'active;expires=60',
        body: 'SIP/2.0 100 Trying',
      });
    }
    await legs.trunk.send('SUBSCRIBE', { headers: { Event: 'presence' } });
    await legs.trunk.response(489, 'SUBSCRIBE');
    await party.respond(invite, 603);
    await target.expectRequest('ACK', { callId: party.callId });
    expect((await notified(legs.trunk)).body).toBe('SIP/2.0 603 Decline');
    await end(legs);
    await bench.record();
  });
});

describe('a REFER of the trunk where the number lists no targets', () => {
  it('reaches extensions and numbers of the organization, and none of the public network', async () => {
    await configure({ transfer: undefined });
    const outbound = [{ id: 'out', host: '127.0.0.1', port: target.port, transport: 'tcp' }];
    await configureNumber(bench.redis, '14155550177', { outbound });
    await configureNumber(bench.redis, '14155550188', { organization: 'globex', outbound });
    // A Contact of the caller's choice is no proof that it may be called there.
    const trunk = PeerCall.to(bench.trunk, calledNumber);
    await trunk.invite({ body: trunkDescription(), headers: { Contact: '<sip:alice@premium.example>' } });
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription() });
    await trunk.ack((await trunk.response(200)).message, { uri: trunk.target });
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    for (const refused of [
      'tel:+19005551234',
      'tel:+14155550100',
      'tel:+14155550188',
      'sip:14155550100@127.0.0.1',
      'sip:911@127.0.0.1',
      'sip:*72@127.0.0.1',
      'sip:1001@premium.example',
      'sip:1001@sip.127.0.0.1',
    ]) {
      const answer = await refer(trunk, `<${refused}>`, { status: 403 });
      expect(answer.message.headers.get('Reason'), refused).toMatch(/allowed_targets|neither a server/);
    }
    for (const allowed of ['sip:1001@127.0.0.1', 'tel:+14155550177']) {
      await refer(trunk, `<${allowed}>`, { headers: { 'Refer-Sub': 'false' } });
      const { party, invite: to } = await newParty();
      await party.respond(to, 486);
      await target.expectRequest('ACK', { callId: party.callId });
      await pause(50);
    }
    await agent.send('BYE');
    await agent.response(200, 'BYE');
    await answerBye(trunk);
    await bench.record();
    await Promise.all(
      ['14155550177', '14155550188'].map((number) => new NumberWriter(bench.redis).delete(number)),
    );
  });
});

describe('a transferor that unsubscribes', () => {
  it('gets a final NOTIFY with the current state; the call continues', async () => {
    await configure();
    const legs = await bench.establish();
    await refer(legs.trunk, '<sip:1001@127.0.0.1>');
    await notified(legs.trunk);
    const { party, invite } = await newParty();
    await legs.trunk.send('SUBSCRIBE', { headers: { Event: 'refer', Expires: '0' } });
    await legs.trunk.response(202, 'SUBSCRIBE');
    if (!isRealServer) expect((await notified(legs.trunk)).state).toMatch(/^terminated/);
    await party.respond(invite, 486);
    await target.expectRequest('ACK', { callId: party.callId });
    await bench.trunk.expectNothing(
      (message) => message.kind === 'request' && message.method === 'NOTIFY',
      200,
      'NOTIFY',
    );
    await end(legs);
    expect((await bench.record()).transfers).toMatchObject([{ status: 'failed', sip_status: 486 }]);
  });
});

describe('a REFER of the agent', () => {
  it('is bridged: a new call through the trunk, the caller moved, the agent’s leg ended', async () => {
    await configure();
    const { trunk, agent } = await bench.establish();
    await refer(agent, '<sip:+14155550100@127.0.0.1>');
    await notified(agent);
    const { party, invite } = await newParty();
    await party.respond(invite, 200, { body: secureAnswer(invite.message.body) });
    await target.expectRequest('ACK', { callId: party.callId });
    const offered = await moved(trunk, (offer) => secureAnswer(offer));
    expect(readSession(offered)!.media[0]).toMatchObject({ protocol: 'RTP/SAVP' });
    expect((await notified(agent)).body).toBe('SIP/2.0 200 OK');
    // An agent that does not hang up is hung up on.
    await answerBye(agent);
    await holdCrosses(party, trunk);
    await trunk.send('BYE');
    await answerBye(party);
    await trunk.response(200, 'BYE');
    expect(await bench.record()).toMatchObject({
      end_reason: 'caller_hung_up',
      media: { srtp_suite: 'AES_CM_128_HMAC_SHA1_80' },
      transfers: [{ mode: 'bridge', requested_by: 'agent', status: 'completed', sip_call_id: party.callId }],
    });
  });

  it.each(['and we hang up on both', 'and the trunk hangs up before us'])(
    'is passed to the trunk in mode refer, and what the trunk tells comes back, %s',
    async (who) => {
      await configure({ transfer: { mode: 'refer' } });
      const { trunk, agent } = await bench.establish();
      await refer(agent, '<sip:+14155550100@127.0.0.1>');
      await notified(agent);
      const passed = await bench.trunk.expectRequest('REFER', { callId: trunk.callId });
      expect(passed.message.headers.get('Refer-To')).toBe(`<sip:+14155550100@127.0.0.1:${target.port}>`);
      expect(passed.message.headers.get('Referred-By')).toBe(`<sip:+${calledNumber}@127.0.0.1>`);
      await trunk.respond(passed, 202);
      await notify(trunk, 'active;expires=60', 'SIP/2.0 100 Trying');
      await notify(trunk, 'active;expires=60', 'SIP/2.0 180 Ringing');
      expect((await notified(agent)).body).toBe('SIP/2.0 180 Ringing');
      await notify(trunk, 'terminated;reason=noresource', 'SIP/2.0 200 OK');
      if (who === 'and the trunk hangs up before us') {
        await trunk.send('BYE');
        await trunk.response(200, 'BYE');
        expect(await notified(agent)).toMatchObject({ body: 'SIP/2.0 200 OK' });
        await answerBye(agent);
      } else {
        expect(await notified(agent)).toMatchObject({ body: 'SIP/2.0 200 OK' });
        await Promise.all([answerBye(agent), answerBye(trunk)]);
      }
      expect(await bench.record()).toMatchObject({
        end_reason: 'transferred',
        ended_by: 'agent',
        transfers: [{ mode: 'refer', requested_by: 'agent', status: 'completed', sip_status: 200 }],
      });
    },
  );

  it('is bridged where that is allowed when the trunk accepts it and reports a failure, but not where the target declined', async () => {
    await configure({ transfer: { mode: 'refer', fallback: true } });
    const { trunk, agent } = await bench.establish();
    const outcome = async (fragment: string): Promise<void> => {
      await refer(agent, '<tel:+14155550100>');
      await notified(agent);
      await trunk.respond(await bench.trunk.expectRequest('REFER', { callId: trunk.callId }), 202);
      await notify(trunk, 'terminated;reason=noresource', fragment);
    };
    await outcome('SIP/2.0 486 Busy Here');
    expect((await notified(agent)).body).toBe('SIP/2.0 486 Busy Here');
    await outcome('SIP/2.0 400 Bad Request');
    const { party, invite } = await newParty();
    await party.respond(invite, 486);
    await target.expectRequest('ACK', { callId: party.callId });
    expect((await notified(agent)).body).toBe('SIP/2.0 486 Busy Here');
    await end({ trunk, agent } as TwoLegs);
    expect((await bench.record()).transfers).toMatchObject([
      { mode: 'refer', status: 'failed', reason: 'rejected', sip_status: 486 },
      { mode: 'bridge', status: 'failed', reason: 'rejected', sip_status: 486 },
    ]);
  });

  it('is reported when the trunk refuses it, or bridged where that is allowed', async () => {
    for (const fallback of [false, true]) {
      await configure({ transfer: { mode: 'refer', fallback } });
      const { trunk, agent } = await bench.establish();
      await refer(agent, '<tel:+14155550100>');
      await notified(agent);
      const passed = await bench.trunk.expectRequest('REFER', { callId: trunk.callId });
      await trunk.respond(passed, 603);
      if (fallback) {
        const { party, invite } = await newParty();
        await party.respond(invite, 200, { body: secureAnswer(invite.message.body) });
        await target.expectRequest('ACK', { callId: party.callId });
        await moved(trunk, (offer) => secureAnswer(offer));
        expect((await notified(agent)).body).toBe('SIP/2.0 200 OK');
        await agent.hangUp();
        await trunk.send('BYE');
        await answerBye(party);
        await trunk.response(200, 'BYE');
      } else {
        expect((await notified(agent)).body).toBe('SIP/2.0 603 Decline');
        await end({ trunk, agent } as TwoLegs);
      }
      expect((await bench.record()).transfers).toMatchObject([
        fallback
          ? { mode: 'bridge', status: 'completed' }
          : { mode: 'refer', status: 'failed', reason: 'rejected', sip_status: 603 },
      ]);
    }
  });
});

describe('a transfer ordered by the API', () => {
  const order = (callId: string, fields: Partial<TransferOrder> = {}) =>
    orderTransfer(bench, callId, fields, 1_000);

  it('is bridged like a REFER of the agent, which is hung up on', async () => {
    await configure();
    const { trunk, agent, invite: atAgent } = await bench.establish();
    const callId = atAgent.message.headers.get('X-Demarc-Call-ID')!;
    expect(await order(callId, { target: 'nonsense' })).toMatchObject({ result: 'invalid' });
    expect(await order(callId, { target: 'sip:1001@evil.example' })).toMatchObject({ result: 'forbidden' });
    await expect(order(callId, { organization: 'other' })).rejects.toThrow('the edge answers');
    expect(await order(callId)).toMatchObject({ result: 'begun' });
    expect(await order(callId)).toMatchObject({ result: 'conflict' });
    const { party, invite } = await newParty();
    await party.respond(invite, 200, { body: secureAnswer(invite.message.body) });
    await target.expectRequest('ACK', { callId: party.callId });
    await moved(trunk, (offer) => secureAnswer(offer));
    await answerBye(agent);
    await trunk.send('BYE');
    await answerBye(party);
    await trunk.response(200, 'BYE');
    expect((await bench.record()).transfers).toMatchObject([
      { requested_by: 'api', status: 'failed', reason: 'forbidden' },
      { requested_by: 'api', status: 'completed', target: '+14155550100' },
    ]);
  });
});

describe('a warm transfer', () => {
  const begin = async () => {
    await configure();
    const legs = await bench.establish();
    const callId = legs.invite.message.headers.get('X-Demarc-Call-ID')!;
    await consult(bench, callId);
    return { ...legs, callId, ...(await newParty()) };
  };

  /** Of the descriptions that the agent got. */
  const namedTargets = ({ peer, callId }: PeerCall) =>
    peer
      .all(({ kind, headers }) => kind === 'request' && headers.get('Call-ID') === callId)
      .filter(({ message }) => message.kind === 'request' && message.method === 'INVITE')
      .map(({ message }) => message.headers.get(transferTargetHeader));

  /** The target has answered, and the agent talks to it. */
  const consulting = async () => {
    const call = await begin();
    const { party, invite, agent } = call;
    await party.respond(invite, 180);
    await party.respond(invite, 200, { body: secureAnswer(invite.message.body) });
    await target.expectRequest('ACK', { callId: party.callId });
    const offered = await moved(agent, () => agentDescription({ version: 2 }));
    expect(readSession(offered)!.media[0]).toMatchObject({ protocol: 'RTP/AVP' });
    expect(namedTargets(agent)).toEqual([undefined, '+14155550100']);
    return { ...call, offered };
  };

  /** The agent has the description of the call again. */
  const returned = async (agent: PeerCall, consulted: string): Promise<void> => {
    const offered = await moved(agent, () => agentDescription({ version: 3 }));
    const [before, after] = [consulted, offered].map((text) => readSession(text)!.media[0]!.port);
    expect(after).not.toBe(before);
    expect(namedTargets(agent).at(-1)).toBeUndefined();
  };

  it('connects the target with the agent, then with the caller', async () => {
    const { trunk, agent, party, invite, callId } = await begin();
    expect(await askCall(bench, callId, { action: 'complete_transfer' })).toMatchObject({
      result: 'conflict',
      detail: 'The target has not answered yet',
    });
    expect(await askCall(bench, callId, { action: 'resume' })).toMatchObject({ result: 'conflict' });
    await party.respond(invite, 200, { body: secureAnswer(invite.message.body) });
    await target.expectRequest('ACK', { callId: party.callId });
    await moved(agent, () => agentDescription({ version: 2 }));
    // Nothing of the caller reaches the agent meanwhile; a refresh changes nothing.
    await trunk.send('INVITE', { body: trunkDescription({ version: 2, attributes: ['a=sendonly'] }) });
    await trunk.ack((await trunk.response(491)).message);
    const refresh = async (): Promise<number> => {
      await trunk.send('INVITE', { body: trunkDescription() });
      const { message } = await trunk.response((status) => status >= 200);
      await trunk.ack(message);
      return message.status;
    };
    await until(async () => (await refresh()) === 200, 5_000, 'the exchange with the agent is over');
    const completed = complete(bench, callId);
    await moved(party, (offer) => secureAnswer(offer));
    await moved(trunk, (offer) => secureAnswer(offer));
    expect(await completed).toMatchObject({ result: 'done' });
    await answerBye(agent);
    await holdCrosses(trunk, party);
    await party.send('BYE');
    await answerBye(trunk);
    await party.response(200, 'BYE');
    expect(await bench.record()).toMatchObject({
      end_reason: 'target_hung_up',
      transfers: [
        {
          mode: 'attended',
          requested_by: 'api',
          status: 'completed',
          sip_call_id: party.callId,
          sip_status: 200,
        },
      ],
    });
  });

  it('leaves the caller with the agent when the target declines, and says why', async () => {
    const { trunk, agent, party, invite, callId } = await begin();
    await party.respond(invite, 486);
    await target.expectRequest('ACK', { callId: party.callId });
    const tried = () => askCall(bench, callId, { action: 'complete_transfer' });
    await until(async () => (await tried()).detail?.includes('486') === true, 5_000, 'the reason');
    expect(await tried()).toMatchObject({
      result: 'conflict',
      detail: expect.stringMatching(
        /^The warm transfer has failed \(rejected 486 .*the caller is back at the agent$/,
      ),
    });
    expect(await askCall(bench, callId, { action: 'resume' })).toMatchObject({
      result: 'conflict',
      detail: 'The call is not on hold',
    });
    await end({ trunk, agent, invite });
    expect(await bench.record()).toMatchObject({
      end_reason: 'caller_hung_up',
      transfers: [{ mode: 'attended', status: 'failed', reason: 'rejected', sip_status: 486 }],
    });
  });

  it.each(['the API', 'the target'])('returns the agent to the caller when %s ends it', async (by) => {
    const { trunk, agent, party, invite, callId, offered } = await consulting();
    if (by === 'the API') {
      const cancelled = askCall(bench, callId, { action: 'cancel_transfer' });
      await answerBye(party);
      await returned(agent, offered);
      expect(await cancelled).toMatchObject({ result: 'done' });
    } else {
      await party.hangUp();
      await returned(agent, offered);
    }
    const isBack = async () =>
      (await askCall(bench, callId, { action: 'resume' })).detail === 'The call is not on hold';
    await until(isBack, 5_000, 'the caller is not on hold');
    await end({ trunk, agent, invite });
    expect((await bench.record()).transfers).toMatchObject([
      { mode: 'attended', status: 'failed', reason: by === 'the API' ? 'cancelled' : 'rejected' },
    ]);
  });

  it('is cancelled while the target rings', async () => {
    const { trunk, agent, party, invite, callId } = await begin();
    await party.respond(invite, 180);
    const cancelled = askCall(bench, callId, { action: 'cancel_transfer' });
    const cancel = await target.expectRequest('CANCEL', { callId: party.callId });
    await party.respond(cancel, 200);
    await party.respond(invite, 487);
    await target.expectRequest('ACK', { callId: party.callId });
    expect(await cancelled).toMatchObject({ result: 'done' });
    await end({ trunk, agent, invite });
    expect((await bench.record()).transfers).toMatchObject([{ status: 'failed', reason: 'cancelled' }]);
  });

  it('is completed by an agent that hangs up', async () => {
    const { trunk, agent, party, callId } = await consulting();
    await agent.hangUp();
    await moved(party, (offer) => secureAnswer(offer));
    await moved(trunk, (offer) => secureAnswer(offer));
    const isOver = async () =>
      (await askCall(bench, callId, { action: 'resume' })).detail === 'The call is not on hold';
    await until(isOver, 5_000, 'the transfer is over');
    await trunk.send('BYE');
    await answerBye(party);
    await trunk.response(200, 'BYE');
    expect(await bench.record()).toMatchObject({
      end_reason: 'caller_hung_up',
      transfers: [{ mode: 'attended', status: 'completed' }],
    });
  });

  it('returns the agent to the caller when the caller refuses it by its answer to the target’s description', async () => {
    const { trunk, agent, party, invite, callId, offered } = await consulting();
    const completed = complete(bench, callId);
    await moved(party, (offer) => secureAnswer(offer));
    const reinvite = await trunk.peer.expectRequest('INVITE', { callId: trunk.callId });
    await trunk.respond(reinvite, 488);
    await trunk.peer.expectRequest('ACK', { callId: trunk.callId });
    await answerBye(party);
    await returned(agent, offered);
    expect(await completed).toMatchObject({ result: 'failed', detail: expect.stringContaining('488') });
    await end({ trunk, agent, invite });
    expect((await bench.record()).transfers).toMatchObject([{ status: 'failed', reason: 'media_failed' }]);
  });

  it('ends with the caller: the agent and the target are hung up', async () => {
    const { trunk, agent, party } = await consulting();
    await trunk.send('BYE');
    await Promise.all([answerBye(agent), answerBye(party)]);
    await trunk.response(200, 'BYE');
    expect(await bench.record()).toMatchObject({
      end_reason: 'caller_hung_up',
      transfers: [{ status: 'failed', reason: 'call_ended' }],
    });
  });
});

describe('what a REFER says beside its target', () => {
  /** The new party's INVITE, which it declines. */
  const declined = async (stays: PeerCall): Promise<SipRequest> => {
    const { party, invite } = await newParty();
    await party.respond(invite, 486);
    await target.expectRequest('ACK', { callId: party.callId });
    // The first NOTIFY, and the outcome.
    expect((await notified(stays)).body).toContain('100 Trying');
    expect((await notified(stays)).body).toContain('486');
    return invite.message;
  };

  it('goes to the new party: X- headers and User-to-User of the agent, those of a caller by a mapping', async () => {
    const headers = [{ type: 'custom', key: 'X-Case', value: 'X-Case', passthrough: false }];
    await configure({
      outbound: [{ id: 'out', host: '127.0.0.1', port: target.port, transport: 'tcp', headers }],
    });
    const legs = await bench.establish();
    const uri = '<sip:1001@127.0.0.1?X-Case=99&X-Demarc-Org=evil&Route=%3Csip:evil.example%3E>';
    const said = { 'X-Reason': 'escalate', 'User-to-User': '56a3;encoding=hex' };
    await refer(legs.agent, uri, { headers: said });
    const ofAgent = (await declined(legs.agent)).headers;
    expect(ofAgent.get('X-Case')).toBe('99');
    expect(ofAgent.get('X-Reason')).toBe('escalate');
    expect(ofAgent.get('User-to-User')).toBe('56a3;encoding=hex');
    for (const name of ['X-Demarc-Org', 'Route']) expect(ofAgent.has(name)).toBe(false);
    await refer(legs.trunk, uri, { headers: said });
    const ofCaller = (await declined(legs.trunk)).headers;
    expect(ofCaller.get('X-Case')).toBe('99');
    for (const name of ['X-Demarc-Org', 'Route', 'X-Reason', 'User-to-User'])
      expect(ofCaller.has(name)).toBe(false);
    await end(legs);
    await bench.record();
  });

  it.each(['trunk', 'agent'] as const)(
    'passes a Replaces for a dialog of another system to the target, as the %s asks',
    async (side) => {
      await configure();
      const legs = await bench.establish();
      const replaces = 'call-7@pbx.example;to-tag=a1;from-tag=b2';
      const uri = (host: string) => `<sip:1001@${host}?Replaces=${encodeURIComponent(replaces)}>`;
      // Not one of the number's servers.
      await refer(legs[side], uri('198.51.100.7'), { status: 403 });
      await configure({ transfer: { mode: 'bridge', allowed_targets: ['localhost'] } });
      await refer(
        legs[side],
        `<sip:1001@localhost:${target.port};transport=tcp?Replaces=${encodeURIComponent(replaces)}>`,
      );
      const { headers } = await declined(legs[side]);
      expect(headers.get('Replaces')).toBe(replaces);
      expect(headers.get('Require')).toBe('replaces');
      await end(legs);
      await bench.record();
    },
  );

  it('passes a Replaces for a dialog of another system on to the trunk in mode refer', async () => {
    await configure({ transfer: { mode: 'refer', allowed_targets: ['localhost'] } });
    const { trunk, agent } = await bench.establish();
    const replaces = encodeURIComponent('call-7@pbx.example;to-tag=a1;from-tag=b2');
    await refer(agent, `<sip:1001@localhost:${target.port}?Replaces=${replaces}>`);
    await notified(agent);
    const passed = await bench.trunk.expectRequest('REFER', { callId: trunk.callId });
    const referTo = passed.message.headers.get('Refer-To')!;
    expect(referTo).toMatch(new RegExp(`^<sip:1001@localhost:${target.port}\\?.*Replaces=`));
    expect(decodeURIComponent(referTo)).toContain('call-7@pbx.example;to-tag=a1;from-tag=b2');
    await trunk.respond(passed, 202);
    await notify(trunk, 'terminated;reason=noresource', 'SIP/2.0 200 OK');
    expect(await notified(agent)).toMatchObject({ body: 'SIP/2.0 200 OK' });
    await Promise.all([answerBye(agent), answerBye(trunk)]);
    expect(await bench.record()).toMatchObject({
      transfers: [{ mode: 'refer', status: 'completed', sip_status: 200 }],
    });
  });
});

describe('a target that redirects', () => {
  const redirect = async (user: string, port = target.port): Promise<PeerCall> => {
    const { party, invite } = await newParty();
    const Contact = `<sip:${user}@127.0.0.1:${port};transport=tcp>`;
    await party.respond(invite, 302, { headers: { Contact } });
    await target.expectRequest('ACK', { callId: party.callId });
    return party;
  };

  it('is followed to where the trunk may transfer, and the call is joined there', async () => {
    await configure();
    const { trunk, agent } = await bench.establish();
    await refer(agent, '<sip:+14155550100@127.0.0.1>');
    await notified(agent);
    await redirect('1001');
    const { party, invite } = await newParty();
    expect(invite.message.uri).toBe(`sip:1001@127.0.0.1:${target.port};transport=tcp`);
    await party.respond(invite, 200, { body: secureAnswer(invite.message.body) });
    await target.expectRequest('ACK', { callId: party.callId });
    await moved(trunk, (offer) => secureAnswer(offer));
    expect((await notified(agent)).body).toBe('SIP/2.0 200 OK');
    await agent.hangUp();
    await trunk.send('BYE');
    await answerBye(party);
    await trunk.response(200, 'BYE');
    expect(await bench.record()).toMatchObject({
      transfers: [{ mode: 'bridge', status: 'completed', sip_status: 200 }],
    });
  });

  it.each([
    ['+12125550123', 'allowed_targets'],
    ['911', 'emergency number'],
    ['+14155550100', 'was called before'],
  ])('is not followed to %s, and the transfer fails', async (user, why) => {
    await configure();
    const legs = await bench.establish();
    await refer(legs.agent, '<sip:+14155550100@127.0.0.1>');
    await notified(legs.agent);
    await redirect(user);
    expect((await notified(legs.agent)).body).toBe('SIP/2.0 302 Moved Temporarily');
    await end(legs);
    const { transfers } = await bench.record();
    expect(transfers).toMatchObject([{ status: 'failed', reason: 'rejected', sip_status: 302 }]);
    expect(transfers?.[0]?.detail).toContain(why);
  });
});
