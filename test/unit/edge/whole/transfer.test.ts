import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transferTargetHeader } from '../../../../src/contract/transfer.js';
import { readSession } from '../../../../src/sdp/sdp.js';
import { SipPeer } from '../../../../src/testkit/sip-peer.js';
import { until } from '../../../../src/testkit/waiting.js';
import { agentDescription, trunkDescription } from '../../../contract/media/descriptions.js';
import { secureAnswer } from '../../../contract/transfer/answers.js';
import { dialogOf, moved, notified, refer, referTo } from '../../../contract/transfer/parties.js';
import { PeerCall } from '../../../support/peer-call.js';
import { answerBye, calledNumber, type TwoLegs, UnitCallBench } from './call-bench.js';

let bench: UnitCallBench;
/** The number's own server, where new parties are called. */
let target: SipPeer;
beforeAll(async () => {
  bench = await UnitCallBench.start();
  target = await SipPeer.open({ protocol: 'tcp', target: bench.trunk.target });
});
afterAll(async () => {
  await target?.close();
  await bench?.stop();
});
const configure = (more: Record<string, unknown> = {}): void =>
  bench.configure({
    outbound: [{ id: 'out', host: '127.0.0.1', port: target.port, transport: 'tcp' }],
    transfer: { mode: 'bridge', allowed_targets: ['+1415', '1001'] },
    ...more,
  });
beforeEach(() => configure());
afterEach(() => bench.expectNothingLeft());

const newParty = () => bench.at(target);
const accepted = async ({ party, invite }: Awaited<ReturnType<typeof newParty>>): Promise<void> => {
  await party.respond(invite, 200, { body: secureAnswer(invite.message.body) });
  await target.expectRequest('ACK', { callId: party.callId });
};
const declined = async ({ party, invite }: Awaited<ReturnType<typeof newParty>>, status = 486) => {
  await party.respond(invite, status);
  await target.expectRequest('ACK', { callId: party.callId });
};
const asAgent = (version: number) => () => agentDescription({ version });

/** The trunk's reports on a REFER that was passed on to it. */
async function report(trunk: PeerCall, state: string, line: string): Promise<void> {
  await trunk.send('NOTIFY', {
    headers: { Event: 'refer', 'Subscription-State': state, 'Content-Type': 'message/sipfrag' },
    body: `${line}\r\n`,
  });
  await trunk.response(200, 'NOTIFY');
}

const end = async ({ trunk, agent }: Pick<TwoLegs, 'trunk' | 'agent'>): Promise<void> =>
  bench.hangUp(trunk, agent);

describe('a REFER of the trunk', () => {
  test('calls the target at the number’s server, and joins it with the agent', async () => {
    const { trunk, agent } = await bench.establish();
    await refer(trunk, '<sip:+14155550100@pbx.example>', 403);
    await refer(trunk, '<sip:+14155550100@127.0.0.1>');
    expect(await notified(trunk)).toBe('SIP/2.0 100 Trying');
    const called = await newParty();
    expect(called.invite.message.uri).toBe(`sip:+14155550100@127.0.0.1:${target.port};transport=tcp`);
    expect(readSession(called.invite.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/SAVP' });
    await refer(trunk, '<sip:+14155550101@127.0.0.1>', 491);
    await called.party.respond(called.invite, 180);
    expect(await notified(trunk)).toBe('SIP/2.0 180 Ringing');
    await accepted(called);
    const offered = await moved(agent, asAgent(2));
    expect(readSession(offered)!.media[0]).toMatchObject({ protocol: 'RTP/AVP' });
    expect(await notified(trunk)).toBe('SIP/2.0 200 OK');
    await trunk.hangUp();
    await bench.hangUp(called.party, agent);
    expect(await bench.record()).toMatchObject({
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
          sip_status: 200,
          sip_call_id: called.party.callId,
        },
      ],
    });
  });

  test('leaves the call when it fails, and reports its status', async () => {
    const legs = await bench.establish();
    await refer(legs.trunk, '<sip:1001@127.0.0.1>');
    await notified(legs.trunk);
    await declined(await newParty());
    expect(await notified(legs.trunk)).toBe('SIP/2.0 486 Busy Here');
    await refer(legs.trunk, '<tel:+14155550100>');
    await notified(legs.trunk);
    await declined(await newParty(), 480);
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

  test('is undone when the agent does not move to the new party', async () => {
    const legs = await bench.establish();
    await refer(legs.trunk, '<sip:1001@127.0.0.1>');
    await notified(legs.trunk);
    const called = await newParty();
    await accepted(called);
    await moved(legs.agent, () => '', 488);
    await answerBye(called.party);
    expect(await notified(legs.trunk)).toMatch(/^SIP\/2\.0 [45]/);
    await end(legs);
    expect((await bench.record()).transfers).toMatchObject([{ status: 'failed', reason: 'media_failed' }]);
  });

  test.each([true, false])(
    'continues when the transferor hangs up first; the target answers: %s',
    async (answers) => {
      const { trunk, agent } = await bench.establish();
      await refer(trunk, '<sip:1001@127.0.0.1>');
      await notified(trunk);
      const called = await newParty();
      await trunk.hangUp();
      if (answers) {
        await accepted(called);
        await moved(agent, asAgent(2));
        await bench.hangUp(agent, called.party);
      } else {
        await declined(called, 404);
        await answerBye(agent);
      }
      expect(await bench.record()).toMatchObject(
        answers
          ? { end_reason: 'agent_hung_up', transfers: [{ status: 'completed' }] }
          : { end_reason: 'caller_hung_up', transfers: [{ status: 'failed', sip_status: 404 }] },
      );
    },
  );

  test('is cancelled when the one who would stay hangs up', async () => {
    const { trunk, agent } = await bench.establish();
    await refer(trunk, '<sip:1001@127.0.0.1>');
    await notified(trunk);
    const { party, invite } = await newParty();
    await party.respond(invite, 180);
    await notified(trunk);
    await agent.send('BYE');
    await agent.response(200, 'BYE');
    expect(await notified(trunk)).toMatch(/^SIP\/2\.0 487/);
    await party.respond(await target.expectRequest('CANCEL', { callId: party.callId }), 200);
    await party.respond(invite, 487);
    await answerBye(trunk);
    expect((await bench.record()).transfers).toMatchObject([{ status: 'failed', reason: 'call_ended' }]);
  });

  test('must be well-formed and within the number’s targets', async () => {
    configure({ transfer: { mode: 'bridge', allowed_targets: ['+49'] } });
    const legs = await bench.establish();
    await refer(legs.trunk, '<http://127.0.0.1/>', 400);
    await refer(legs.trunk, '<sip:a@127.0.0.1;method=BYE>', 400);
    await refer(legs.trunk, '<sip:+14155550100@127.0.0.1>', 403);
    await refer(legs.trunk, '<sip:1@127.0.0.1?Replaces=a%3Bto-tag%3Db%3Bfrom-tag%3Dc>', 603);
    await end(legs);
    expect((await bench.record()).transfers?.map(({ reason }) => reason)).toEqual(['forbidden', 'forbidden']);
  });

  test('has a subscription that can be refreshed and ended', async () => {
    const legs = await bench.establish();
    await refer(legs.trunk, '<sip:1001@127.0.0.1>');
    await notified(legs.trunk);
    const called = await newParty();
    await legs.trunk.send('SUBSCRIBE', { headers: { Event: 'refer', Expires: '60' } });
    expect((await legs.trunk.response(200, 'SUBSCRIBE')).message.headers.get('Expires')).toBe('60');
    expect(await notified(legs.trunk)).toBe('SIP/2.0 100 Trying');
    await legs.trunk.send('SUBSCRIBE', { headers: { Event: 'presence' } });
    await legs.trunk.response(489, 'SUBSCRIBE');
    await legs.trunk.send('SUBSCRIBE', { headers: { Event: 'refer', Expires: '0' } });
    await legs.trunk.response((status) => status < 300, 'SUBSCRIBE');
    await notified(legs.trunk);
    await declined(called, 603);
    await end(legs);
    await bench.record();
  });
});

describe('a REFER of the agent', () => {
  test('is bridged: the caller is moved, the agent is hung up on', async () => {
    const { trunk, agent } = await bench.establish();
    await refer(agent, '<sip:+14155550100@127.0.0.1>');
    await notified(agent);
    const called = await newParty();
    await accepted(called);
    const offered = await moved(trunk, secureAnswer);
    expect(readSession(offered)!.media[0]).toMatchObject({ protocol: 'RTP/SAVP' });
    expect(await notified(agent)).toBe('SIP/2.0 200 OK');
    await answerBye(agent);
    await bench.hangUp(trunk, called.party);
    expect(await bench.record()).toMatchObject({
      end_reason: 'caller_hung_up',
      transfers: [
        { mode: 'bridge', requested_by: 'agent', status: 'completed', sip_call_id: called.party.callId },
      ],
    });
  });

  test('follows a redirection to where the number may transfer, and to no other', async () => {
    const { trunk, agent } = await bench.establish();
    const redirect = async (user: string): Promise<void> => {
      const { party, invite } = await newParty();
      const Contact = `<sip:${user}@127.0.0.1:${target.port};transport=tcp>`;
      await party.respond(invite, 302, { headers: { Contact } });
      await target.expectRequest('ACK', { callId: party.callId });
    };
    await refer(agent, '<sip:+14155550100@127.0.0.1>');
    await notified(agent);
    await redirect('+12125550123');
    expect(await notified(agent)).toBe('SIP/2.0 302 Moved Temporarily');
    await refer(agent, '<sip:+14155550100@127.0.0.1>');
    await notified(agent);
    await redirect('1001');
    const called = await newParty();
    expect(called.invite.message.uri).toBe(`sip:1001@127.0.0.1:${target.port};transport=tcp`);
    await accepted(called);
    await moved(trunk, secureAnswer);
    expect(await notified(agent)).toBe('SIP/2.0 200 OK');
    await agent.hangUp();
    await bench.hangUp(trunk, called.party);
    expect((await bench.record()).transfers).toMatchObject([
      { status: 'failed', reason: 'rejected', sip_status: 302 },
      { status: 'completed', sip_status: 200 },
    ]);
  });

  test('is passed to the trunk in mode refer, and what the trunk reports comes back', async () => {
    configure({ transfer: { mode: 'refer' } });
    const { trunk, agent } = await bench.establish();
    await refer(agent, '<sip:+14155550100@127.0.0.1>');
    await notified(agent);
    const passed = await bench.trunk.expectRequest('REFER', { callId: trunk.callId });
    expect(passed.message.headers.get('Refer-To')).toBe(`<sip:+14155550100@127.0.0.1:${target.port}>`);
    expect(passed.message.headers.get('Referred-By')).toBe(`<sip:+${calledNumber}@127.0.0.1>`);
    await trunk.respond(passed, 202);
    await report(trunk, 'active;expires=60', 'SIP/2.0 180 Ringing');
    expect(await notified(agent)).toBe('SIP/2.0 180 Ringing');
    await report(trunk, 'terminated;reason=noresource', 'SIP/2.0 200 OK');
    expect(await notified(agent)).toBe('SIP/2.0 200 OK');
    await Promise.all([answerBye(agent), answerBye(trunk)]);
    expect(await bench.record()).toMatchObject({
      end_reason: 'transferred',
      ended_by: 'agent',
      transfers: [{ mode: 'refer', requested_by: 'agent', status: 'completed', sip_status: 200 }],
    });
  });

  test.each([true, false])(
    'is bridged, when the trunk refuses it, where that is allowed: %s',
    async (fallback) => {
      configure({ transfer: { mode: 'refer', fallback } });
      const { trunk, agent } = await bench.establish();
      await refer(agent, '<tel:+14155550100>');
      await notified(agent);
      await trunk.respond(await bench.trunk.expectRequest('REFER', { callId: trunk.callId }), 603);
      if (fallback) {
        const called = await newParty();
        await accepted(called);
        await moved(trunk, secureAnswer);
        expect(await notified(agent)).toBe('SIP/2.0 200 OK');
        await agent.hangUp();
        await bench.hangUp(trunk, called.party);
      } else {
        expect(await notified(agent)).toBe('SIP/2.0 603 Decline');
        await end({ trunk, agent });
      }
      expect((await bench.record()).transfers).toMatchObject([
        fallback
          ? { mode: 'bridge', status: 'completed' }
          : { mode: 'refer', status: 'failed', reason: 'rejected', sip_status: 603 },
      ]);
    },
  );

  test('is bridged when the trunk accepts it and reports a failure, but not where the target declined', async () => {
    configure({ transfer: { mode: 'refer', fallback: true } });
    const { trunk, agent } = await bench.establish();
    const outcome = async (fragment: string): Promise<void> => {
      await refer(agent, '<tel:+14155550100>');
      await notified(agent);
      await trunk.respond(await bench.trunk.expectRequest('REFER', { callId: trunk.callId }), 202);
      await report(trunk, 'terminated;reason=noresource', fragment);
    };
    await outcome('SIP/2.0 486 Busy Here');
    expect(await notified(agent)).toBe('SIP/2.0 486 Busy Here');
    await outcome('SIP/2.0 400 Bad Request');
    await declined(await newParty());
    expect(await notified(agent)).toBe('SIP/2.0 486 Busy Here');
    await end({ trunk, agent });
    expect((await bench.record()).transfers).toMatchObject([
      { mode: 'refer', status: 'failed', reason: 'rejected', sip_status: 486 },
      { mode: 'bridge', status: 'failed', reason: 'rejected', sip_status: 486 },
    ]);
  });

  test('says to the new party what it says beside the target; a dialog of another system goes on to it', async () => {
    const legs = await bench.establish();
    await refer(legs.agent, '<sip:1001@127.0.0.1?X-Case=99&X-Demarc-Org=evil>');
    await notified(legs.agent);
    const first = await newParty();
    expect(first.invite.message.headers.get('X-Case')).toBe('99');
    expect(first.invite.message.headers.has('X-Demarc-Org')).toBe(false);
    await declined(first);
    await notified(legs.agent);
    const replaces = 'call-7@pbx.example;to-tag=a1;from-tag=b2';
    configure({ transfer: { mode: 'bridge', allowed_targets: ['localhost'] } });
    const at = `localhost:${target.port};transport=tcp`;
    await refer(legs.agent, `<sip:1001@${at}?Replaces=${encodeURIComponent(replaces)}>`);
    await notified(legs.agent);
    const second = await newParty();
    expect(second.invite.message.headers.get('Replaces')).toBe(replaces);
    expect(second.invite.message.headers.get('Require')).toBe('replaces');
    await declined(second);
    await notified(legs.agent);
    await end(legs);
    await bench.record();
  });
});

describe('a transfer ordered by the API', () => {
  test('is bridged like a REFER of the agent, which is hung up on', async () => {
    const { trunk, agent, invite } = await bench.establish();
    const callId = invite.message.headers.get('X-Demarc-Call-ID')!;
    expect(await bench.orderTransfer(callId, { target: 'nonsense' })).toMatchObject({ result: 'invalid' });
    const elsewhere = { target: 'sip:1001@evil.example' };
    expect(await bench.orderTransfer(callId, elsewhere)).toMatchObject({ result: 'forbidden' });
    expect(await bench.orderTransfer(callId)).toMatchObject({ result: 'begun' });
    expect(await bench.orderTransfer(callId)).toMatchObject({ result: 'conflict' });
    const called = await newParty();
    await accepted(called);
    await moved(trunk, secureAnswer);
    await answerBye(agent);
    await bench.hangUp(trunk, called.party);
    expect((await bench.record()).transfers).toMatchObject([
      { requested_by: 'api', status: 'failed', reason: 'forbidden' },
      { requested_by: 'api', status: 'completed', target: '+14155550100' },
    ]);
  });
});

describe('a warm transfer', () => {
  const begin = async () => {
    const legs = await bench.establish();
    const callId = legs.invite.message.headers.get('X-Demarc-Call-ID')!;
    // The edge may not have read the ACK yet.
    await until(
      async () => (await bench.orderTransfer(callId, { consults: true })).result === 'begun',
      10_000,
      'the transfer begins',
    );
    return { legs, callId, called: await newParty() };
  };
  const consulting = async () => {
    const call = await begin();
    await accepted(call.called);
    const offered = await moved(call.legs.agent, asAgent(2));
    const names = bench.agent
      .all(({ kind, headers }) => kind === 'request' && headers.get('Call-ID') === call.legs.agent.callId)
      .filter(({ message }) => message.kind === 'request' && message.method === 'INVITE')
      .map(({ message }) => message.headers.get(transferTargetHeader));
    expect(names).toEqual([undefined, '+14155550100']);
    return { ...call, offered };
  };
  /** The agent has the description of the call again. */
  const returned = async (agent: PeerCall, consulted: string): Promise<void> => {
    const offered = await moved(agent, asAgent(3));
    const [before, after] = [consulted, offered].map((text) => readSession(text)!.media[0]!.port);
    expect(after).not.toBe(before);
  };
  const complete = async (callId: string) => {
    let reply: Awaited<ReturnType<typeof bench.ask>> | undefined;
    await until(
      async () => {
        reply = await bench.ask(callId, { action: 'complete_transfer' });
        return reply.detail !== 'The target has not answered yet';
      },
      10_000,
      'the agent is connected',
    );
    return reply!;
  };

  test('connects the target with the agent, then with the caller', async () => {
    const { legs, callId, called } = await begin();
    expect(await bench.ask(callId, { action: 'complete_transfer' })).toMatchObject({
      result: 'conflict',
      detail: 'The target has not answered yet',
    });
    expect(await bench.ask(callId, { action: 'resume' })).toMatchObject({ result: 'conflict' });
    await accepted(called);
    await moved(legs.agent, asAgent(2));
    const completed = complete(callId);
    await moved(called.party, secureAnswer);
    await moved(legs.trunk, secureAnswer);
    expect(await completed).toMatchObject({ result: 'done' });
    await answerBye(legs.agent);
    await bench.hangUp(called.party, legs.trunk);
    expect(await bench.record()).toMatchObject({
      end_reason: 'target_hung_up',
      transfers: [{ mode: 'attended', requested_by: 'api', status: 'completed', sip_status: 200 }],
    });
  });

  test('leaves the caller with the agent when the target declines, and says why', async () => {
    const { legs, callId, called } = await begin();
    await declined(called);
    const tried = () => bench.ask(callId, { action: 'complete_transfer' });
    await until(async () => (await tried()).detail?.includes('486') === true, 10_000, 'the reason');
    expect(await tried()).toMatchObject({
      result: 'conflict',
      detail: expect.stringMatching(/^The warm transfer has failed .*the caller is back at the agent$/),
    });
    await end(legs);
    expect((await bench.record()).transfers).toMatchObject([
      { mode: 'attended', status: 'failed', reason: 'rejected', sip_status: 486 },
    ]);
  });

  test.each(['the API', 'the target'])('returns the agent to the caller when %s ends it', async (by) => {
    const { legs, callId, called, offered } = await consulting();
    if (by === 'the API') {
      const cancelled = bench.ask(callId, { action: 'cancel_transfer' });
      await answerBye(called.party);
      await returned(legs.agent, offered);
      expect(await cancelled).toMatchObject({ result: 'done' });
    } else {
      await called.party.hangUp();
      await returned(legs.agent, offered);
    }
    const isBack = async () =>
      (await bench.ask(callId, { action: 'resume' })).detail === 'The call is not on hold';
    await until(isBack, 10_000, 'the caller is not on hold');
    await end(legs);
    expect((await bench.record()).transfers).toMatchObject([
      { mode: 'attended', status: 'failed', reason: by === 'the API' ? 'cancelled' : 'rejected' },
    ]);
  });

  test('is cancelled while the target rings', async () => {
    const { legs, callId, called } = await begin();
    await called.party.respond(called.invite, 180);
    const cancelled = bench.ask(callId, { action: 'cancel_transfer' });
    const cancel = await target.expectRequest('CANCEL', { callId: called.party.callId });
    await called.party.respond(cancel, 200);
    await called.party.respond(called.invite, 487);
    expect(await cancelled).toMatchObject({ result: 'done' });
    await end(legs);
    expect((await bench.record()).transfers).toMatchObject([{ status: 'failed', reason: 'cancelled' }]);
  });

  test('is completed by an agent that hangs up', async () => {
    const { legs, called } = await consulting();
    await legs.agent.hangUp();
    await moved(called.party, secureAnswer);
    await moved(legs.trunk, secureAnswer);
    await bench.hangUp(legs.trunk, called.party);
    expect((await bench.record()).transfers).toMatchObject([{ mode: 'attended', status: 'completed' }]);
  });

  test('returns the agent to the caller when the caller refuses to move into it', async () => {
    const { legs, callId, called, offered } = await consulting();
    const completed = complete(callId);
    await moved(called.party, secureAnswer);
    await moved(legs.trunk, () => '', 488);
    await answerBye(called.party);
    await returned(legs.agent, offered);
    expect(await completed).toMatchObject({ result: 'failed', detail: expect.stringContaining('488') });
    await end(legs);
    expect((await bench.record()).transfers).toMatchObject([{ status: 'failed', reason: 'media_failed' }]);
  });

  test('ends with the caller: the agent and the target are hung up', async () => {
    const { legs, called } = await consulting();
    await legs.trunk.send('BYE');
    await Promise.all([answerBye(legs.agent), answerBye(called.party)]);
    await legs.trunk.response(200, 'BYE');
    expect((await bench.record()).transfers).toMatchObject([{ status: 'failed', reason: 'call_ended' }]);
  });
});

describe('an attended transfer', () => {
  const two = async (): Promise<[TwoLegs, TwoLegs]> => [await bench.establish(), await bench.establish()];

  test('by the agent joins the two callers, and ends the agent’s two legs', async () => {
    const [first, second] = await two();
    await refer(first.agent, referTo(second.agent));
    expect(await notified(first.agent)).toBe('SIP/2.0 100 Trying');
    await moved(second.trunk, secureAnswer);
    await moved(first.trunk, secureAnswer);
    expect(await notified(first.agent)).toBe('SIP/2.0 200 OK');
    await Promise.all([answerBye(second.agent), answerBye(first.agent)]);
    expect(await bench.record()).toMatchObject({
      end_reason: 'transferred',
      ended_by: 'agent',
      sip_call_ids: { trunk: second.trunk.callId },
      transfers: [{ mode: 'attended', status: 'completed' }],
    });
    await bench.hangUp(second.trunk, first.trunk);
    expect(await bench.record()).toMatchObject({ end_reason: 'target_hung_up' });
  });

  test('by a trunk joins its two agents', async () => {
    const [first, second] = await two();
    await refer(first.trunk, referTo(second.trunk));
    await notified(first.trunk);
    await moved(second.agent, asAgent(2));
    await moved(first.agent, asAgent(2));
    expect(await notified(first.trunk)).toBe('SIP/2.0 200 OK');
    await Promise.all([answerBye(second.trunk), first.trunk.hangUp()]);
    await bench.record();
    await bench.hangUp(first.agent, second.agent);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up' });
  });

  test('leaves both calls when one leg refuses it', async () => {
    const [first, second] = await two();
    await refer(first.agent, referTo(second.agent));
    await notified(first.agent);
    await moved(second.trunk, secureAnswer);
    await moved(first.trunk, secureAnswer, 488);
    expect(await notified(first.agent)).toMatch(/^SIP\/2\.0 488/);
    await moved(second.trunk, secureAnswer);
    for (const legs of [first, second]) {
      await end(legs);
      expect(await bench.record()).toMatchObject({
        end_reason: 'caller_hung_up',
        transfers: [{ mode: 'attended', status: 'failed', reason: 'media_failed' }],
      });
    }
  });

  test('names no dialog of the other side, nor its own, nor an unknown one', async () => {
    const [first, second] = await two();
    await refer(first.agent, referTo(second.trunk), 603);
    await refer(first.agent, referTo(first.agent), 603);
    for (const legs of [first, second]) {
      await end(legs);
      await bench.record();
    }
  });
});

describe('an INVITE with Replaces', () => {
  beforeEach(() => configure({ inbound: [{ id: 'trunk', allowed_sources: ['127.0.0.1'] }] }));
  const newcomerFor = async (legs: TwoLegs, suffix = ''): Promise<PeerCall> => {
    const newcomer = PeerCall.to(target, 'demarc');
    const headers = { Replaces: `${dialogOf(legs.trunk)}${suffix}`, Require: 'replaces' };
    await newcomer.invite({ body: trunkDescription({ port: 40_100 }), headers });
    return newcomer;
  };

  test('replaces a caller: the agent is moved, the caller is hung up', async () => {
    const legs = await bench.establish();
    const newcomer = await newcomerFor(legs);
    await moved(legs.agent, asAgent(2));
    await newcomer.ack((await newcomer.response(200)).message);
    await answerBye(legs.trunk);
    expect(await bench.record()).toMatchObject({
      end_reason: 'transferred',
      transfers: [{ mode: 'replaced', status: 'completed', sip_call_id: newcomer.callId }],
    });
    await bench.hangUp(newcomer, legs.agent);
    expect(await bench.record()).toMatchObject({
      end_reason: 'caller_hung_up',
      sip_call_ids: { trunk: newcomer.callId, agent: legs.agent.callId },
    });
  });

  test('is refused when the agent refuses its offer, and the call stays', async () => {
    const legs = await bench.establish();
    const newcomer = await newcomerFor(legs);
    await moved(legs.agent, () => '', 488);
    await newcomer.ack((await newcomer.response(480)).message);
    await bench.record();
    await end(legs);
    expect(await bench.record()).toMatchObject({ end_reason: 'caller_hung_up' });
  });

  test.each([
    [';early-only', 486],
    ['x', 481],
  ])('%s is %i', async (suffix, status) => {
    const legs = await bench.establish();
    const newcomer = await newcomerFor(legs, suffix);
    await newcomer.ack((await newcomer.response(status)).message);
    expect(await bench.record()).toMatchObject({ sip_status: status });
    await end(legs);
    await bench.record();
  });
});
