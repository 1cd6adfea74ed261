import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readSession } from '../../../src/sdp/sdp.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { configureNumber, NumberWriter } from '../../support/number-writer.js';
import { PeerCall } from '../../support/peer-call.js';
import type { CallBench, TwoLegs } from '../call/bench.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { holdCrosses, secureAnswer } from './answers.js';
import { answerBye, dialogOf, moved, notified, refer, referTo } from './parties.js';
import { arrangements, edgeAt, edgeNumbers, sharedEdges } from './two-edges.js';

let bench: CallBench;
/** Another of the customer's phones. */
let phone: SipPeer;
beforeAll(async () => {
  bench = await sharedEdges.take();
  phone = await SipPeer.open({ protocol: 'tcp', target: bench.trunk.target });
  await bench.configure({ inbound: [{ id: 'trunk', allowed_sources: ['127.0.0.1'] }] });
});
afterAll(() => phone?.close());
afterEach(() => bench.expectNothingLeft());

describe.each(arrangements)('an attended transfer of calls at %s', (_name, first, second) => {
  const establishTwo = async (): Promise<[TwoLegs, TwoLegs]> => [
    await bench.establishAt(edgeAt(bench, first)),
    await bench.establishAt(edgeAt(bench, second)),
  ];

  it('by the agent joins the two callers, and ends the agent’s two legs', async () => {
    const [first, second] = await establishTwo();
    await refer(first.agent, referTo(second.agent));
    expect(await notified(first.agent)).toBe('SIP/2.0 100 Trying');
    const offered = await moved(second.trunk, secureAnswer);
    expect(readSession(offered)!.media[0]).toMatchObject({ protocol: 'RTP/SAVP' });
    await moved(first.trunk, secureAnswer);
    expect(await notified(first.agent)).toBe('SIP/2.0 200 OK');
    await Promise.all([answerBye(second.agent), answerBye(first.agent)]);
    expect(await bench.record()).toMatchObject({
      end_reason: 'transferred',
      ended_by: 'agent',
      sip_call_ids: { trunk: second.trunk.callId },
      transfers: [{ mode: 'attended', status: 'completed' }],
    });
    await holdCrosses(second.trunk, first.trunk);
    await second.trunk.send('BYE');
    await answerBye(first.trunk);
    await second.trunk.response(200, 'BYE');
    const record = await bench.record();
    expect(record).toMatchObject({
      end_reason: 'target_hung_up',
      transfers: [
        { mode: 'attended', requested_by: 'agent', status: 'completed', sip_call_id: second.trunk.callId },
      ],
    });
    expect(record.trace.some(({ message }) => message.includes(second.trunk.callId))).toBe(true);
  });

  it('leaves both calls unchanged when one leg refuses it', async () => {
    const [first, second] = await establishTwo();
    await refer(first.agent, referTo(second.agent));
    await notified(first.agent);
    await moved(second.trunk, secureAnswer);
    await moved(first.trunk, secureAnswer, 488);
    expect(await notified(first.agent)).toMatch(/^SIP\/2\.0 488/);
    // The one who had moved goes back to the agent's media.
    const back = await moved(second.trunk, secureAnswer);
    expect(readSession(back)!.media[0]).toMatchObject({ protocol: 'RTP/SAVP' });
    for (const { trunk, agent } of [first, second]) {
      await trunk.send('BYE');
      await answerBye(agent);
      await trunk.response(200, 'BYE');
      expect(await bench.record()).toMatchObject({
        end_reason: 'caller_hung_up',
        transfers: [{ mode: 'attended', status: 'failed', reason: 'media_failed' }],
      });
    }
  });

  it('by a trunk joins its two agents', async () => {
    const [first, second] = await establishTwo();
    await refer(first.trunk, referTo(second.trunk));
    await notified(first.trunk);
    await moved(second.agent, () => agentDescription({ version: 2 }));
    await moved(first.agent, () => agentDescription({ version: 2 }));
    expect(await notified(first.trunk)).toBe('SIP/2.0 200 OK');
    await Promise.all([answerBye(second.trunk), first.trunk.hangUp()]);
    await bench.record();
    await first.agent.send('BYE');
    await answerBye(second.agent);
    await first.agent.response(200, 'BYE');
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up' });
  });

  it('names no dialog of the other side, nor its own, nor an unknown one', async () => {
    const [first, second] = await establishTwo();
    await refer(first.agent, referTo(second.trunk), 603);
    await refer(first.agent, referTo(first.agent), 603);
    second.agent.remoteTag = 'unknown';
    await refer(first.agent, referTo(second.agent), 603);
    for (const { trunk, agent } of [first, second]) {
      await trunk.send('BYE');
      await answerBye(agent);
      await trunk.response(200, 'BYE');
      await bench.record();
    }
  });
});

it('joins the agents of two calls in a row for a trunk, ten times out of ten', async () => {
  for (let round = 0; round < 10; round++) {
    const [first, second] = [await bench.establish(), await bench.establish()];
    await refer(first.trunk, referTo(second.trunk));
    await notified(first.trunk);
    await moved(second.agent, () => agentDescription({ version: 2 }));
    await moved(first.agent, () => agentDescription({ version: 2 }));
    expect(await notified(first.trunk)).toBe('SIP/2.0 200 OK');
    await Promise.all([answerBye(second.trunk), first.trunk.hangUp()]);
    await first.agent.send('BYE');
    await answerBye(second.agent);
    await first.agent.response(200, 'BYE');
    for (let call = 0; call < 2; call++)
      expect((await bench.record()).transfers).toMatchObject([{ mode: 'attended', status: 'completed' }]);
  }
});

describe('the call of another organization', () => {
  const foreign = '4930777000';
  const outbound = { id: 'trunk', allowed_sources: ['127.0.0.1'] };
  const callOf = async (number: string): Promise<TwoLegs> => {
    const trunk = PeerCall.to(bench.trunk, number);
    await trunk.invite({ body: trunkDescription() });
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription() });
    await trunk.ack((await trunk.response(200)).message);
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    return { trunk, agent, invite };
  };
  const end = async ({ trunk, agent }: TwoLegs): Promise<void> => {
    await trunk.send('BYE');
    await answerBye(agent);
    await trunk.response(200, 'BYE');
    expect(await bench.record()).toMatchObject({ end_reason: 'caller_hung_up' });
  };

  it.each(['trunk', 'agent'] as const)('is not reached by a REFER with Replaces of the %s', async (side) => {
    await configureNumber(bench.redis, foreign, { organization: 'globex', inbound: [outbound] });
    const [own, foreignCall] = [await bench.establish(), await callOf(foreign)];
    await refer(own[side], referTo(foreignCall[side]), 603);
    await end(own);
    await end(foreignCall);
  });

  it('is not replaced by an INVITE from where its number belongs to another organization by now', async () => {
    await configureNumber(bench.redis, foreign, { organization: 'globex', inbound: [outbound] });
    const foreignCall = await callOf(foreign);
    await configureNumber(bench.redis, foreign, { organization: 'acme', inbound: [outbound] });
    const newcomer = PeerCall.to(phone, 'demarc');
    await newcomer.invite({ body: trunkDescription(), headers: { Replaces: dialogOf(foreignCall.trunk) } });
    await newcomer.ack((await newcomer.response(481)).message);
    expect(await bench.record()).toMatchObject({ outcome: 'refused', sip_status: 481, organization: 'acme' });
    await end(foreignCall);
    await new NumberWriter(bench.redis).delete(foreign);
  });
});

describe('an INVITE with Replaces', () => {
  it.each(edgeNumbers)(
    'replaces a caller at edge %i: the agent is moved, the caller is hung up',
    async (edge) => {
      const { trunk, agent } = await bench.establishAt(edgeAt(bench, edge));
      const newcomer = PeerCall.to(phone, 'demarc');
      await newcomer.invite({
        body: trunkDescription({ port: 40_100 }),
        headers: { Replaces: dialogOf(trunk), Require: 'replaces' },
      });
      await moved(agent, () => agentDescription({ version: 2 }));
      const ok = await newcomer.response(200);
      expect(ok.message.headers.get('Supported')).toContain('replaces');
      await newcomer.ack(ok.message);
      await answerBye(trunk);
      expect(await bench.record()).toMatchObject({
        end_reason: 'transferred',
        sip_call_ids: { trunk: trunk.callId },
        transfers: [{ mode: 'replaced', status: 'completed', sip_call_id: newcomer.callId }],
      });
      await newcomer.send('BYE');
      await answerBye(agent);
      await newcomer.response(200, 'BYE');
      expect(await bench.record()).toMatchObject({
        end_reason: 'caller_hung_up',
        outcome: 'completed',
        sip_call_ids: { trunk: newcomer.callId, agent: agent.callId },
      });
    },
  );

  it('is refused when the agent refuses its offer, and the call continues', async () => {
    const { trunk, agent } = await bench.establish();
    const newcomer = PeerCall.to(phone, 'demarc');
    await newcomer.invite({ body: trunkDescription(), headers: { Replaces: dialogOf(trunk) } });
    await moved(agent, () => '', 488);
    await newcomer.ack((await newcomer.response(480)).message);
    await bench.record();
    await trunk.send('BYE');
    await answerBye(agent);
    await trunk.response(200, 'BYE');
    expect(await bench.record()).toMatchObject({ end_reason: 'caller_hung_up' });
  });

  it.each([
    [';early-only', 486],
    ['x', 481],
  ])('%s is %i', async (suffix, status) => {
    const { trunk, agent } = await bench.establish();
    const newcomer = PeerCall.to(phone, 'demarc');
    await newcomer.invite({ body: trunkDescription(), headers: { Replaces: `${dialogOf(trunk)}${suffix}` } });
    await newcomer.ack((await newcomer.response(status)).message);
    expect(await bench.record()).toMatchObject({ sip_status: status });
    await trunk.send('BYE');
    await answerBye(agent);
    await trunk.response(200, 'BYE');
    await bench.record();
  });
});
