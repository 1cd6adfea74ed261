import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Edge } from '../../../src/edge/edge.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { PeerCall } from '../../support/peer-call.js';
import type { TestProcess } from '../../support/processes.js';
import type { CallBench, TwoLegs } from '../call/bench.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { secureAnswer } from './answers.js';
import { askCall, consult } from './orders.js';
import { answerBye, dialogOf, moved, notified, refer, referTo } from './parties.js';
import { sharedEdges } from './two-edges.js';

let bench: CallBench;
let victim: TestProcess | undefined;
let draining: Promise<void> | undefined;
beforeAll(async () => {
  bench = await sharedEdges.take();
});
afterEach(async () => {
  await victim?.stop();
  await draining;
  victim = undefined;
  draining = undefined;
  await bench.expectNothingLeft(8_000);
});

/** A call at neither edge of the bench. */
async function establishElsewhere(): Promise<TwoLegs> {
  const count = (): number => bench.edges.reduce((sum, edge) => sum + edge.counts().calls, 0);
  for (let attempt = 0; attempt < 6; attempt++) {
    const before = count();
    const call = await bench.establish();
    if (count() === before) return call;
    await end(call);
  }
  throw new Error('The engine gave the other edge no call.');
}

async function end({ trunk, agent }: Pick<TwoLegs, 'trunk' | 'agent'>): Promise<void> {
  await trunk.send('BYE');
  await answerBye(agent);
  await trunk.response(200, 'BYE');
  await bench.record();
}

/** Another edge has a call, and is then killed, or drains while a further call of it rings. */
async function lose(how: 'killed' | 'draining'): Promise<{ call: TwoLegs; finish(): Promise<void> }> {
  if (how === 'killed') {
    victim = await bench.edgeProcess('victim');
    const call = await establishElsewhere();
    const held = async () => (await bench.redis.keys('demarc:held-calls:victim *')).length === 1;
    await until(held, 3_000, 'the call in Redis');
    victim.signal('SIGKILL');
    return { call, finish: async () => {} };
  }
  const edge: Edge = await bench.newEdge('leaving');
  await until(async () => (await fetch(`${edge.httpUrl}/readyz`)).ok, 10_000, 'the leaving edge');
  const call = await establishElsewhere();
  const ringing: TwoLegs[] = [];
  while (edge.counts().calls < 2) {
    const trunk = await bench.call();
    ringing.push({ trunk, ...(await bench.atAgent()) });
    await ringing.at(-1)!.agent.respond(ringing.at(-1)!.invite, 180);
    await trunk.response(180);
  }
  draining = edge.drain(20);
  return {
    call,
    finish: async () => {
      for (const { trunk, agent, invite } of ringing) {
        await trunk.cancel();
        await trunk.ack((await trunk.response(487)).message);
        await bench.agent
          .expectRequest('CANCEL', { callId: agent.callId })
          .then((cancel) => agent.respond(cancel, 200));
        await agent.respond(invite, 487);
        await bench.record();
      }
    },
  };
}

describe.skipIf(isRealServer).each(['killed', 'draining'] as const)(
  'while the edge of the other call is %s',
  (how) => {
    it('joins the two calls of a REFER with Replaces', async () => {
      const own = await bench.establishAt(bench.edge);
      const { call: lost, finish } = await lose(how);
      await refer(own.agent, referTo(lost.agent));
      await notified(own.agent);
      await moved(lost.trunk, secureAnswer);
      await moved(own.trunk, secureAnswer);
      expect(await notified(own.agent)).toBe('SIP/2.0 200 OK');
      await Promise.all([answerBye(lost.agent), answerBye(own.agent)]);
      const record = await bench.record();
      expect(record).toMatchObject({ edge_id: 'bench', end_reason: 'transferred' });
      // Another edge may have taken it over first.
      expect(record.adoptions?.[0]?.edge_id).toBe(how === 'killed' ? 'victim' : 'leaving');
      await end({ trunk: lost.trunk, agent: own.trunk });
      await finish();
    });

    it('replaces the caller by an INVITE with Replaces', async () => {
      const { call: lost, finish } = await lose(how);
      await bench.configure({ inbound: [{ id: 'trunk', allowed_sources: ['127.0.0.1'] }] });
      const newcomer = PeerCall.to(bench.trunk, 'demarc');
      await newcomer.invite({
        body: trunkDescription({ port: 40_100 }),
        headers: { Replaces: dialogOf(lost.trunk) },
      });
      await moved(lost.agent, () => agentDescription({ version: 2 }));
      await newcomer.ack((await newcomer.response(200)).message);
      await answerBye(lost.trunk);
      expect(await bench.record()).toMatchObject({ transfers: [{ mode: 'replaced', status: 'completed' }] });
      await end({ trunk: newcomer, agent: lost.agent });
      await finish();
    });
  },
);

it.skipIf(isRealServer)(
  'returns the caller of a warm transfer to the agent when its edge is killed',
  async () => {
    const target = await SipPeer.open({ protocol: 'tcp', target: bench.trunk.target });
    try {
      await bench.configure({
        outbound: [{ id: 'out', host: '127.0.0.1', port: target.port, transport: 'tcp' }],
      });
      victim = await bench.edgeProcess('victim');
      const call = await establishElsewhere();
      const callId = call.invite.message.headers.get('X-Demarc-Call-ID')!;
      await consult(bench, callId);
      const invite = await target.expectRequest('INVITE');
      const party = PeerCall.from(target, invite.message);
      await party.respond(invite, 200, { body: secureAnswer(invite.message.body) });
      await target.expectRequest('ACK', { callId: party.callId });
      await moved(call.agent, () => agentDescription({ version: 2 }));
      victim.signal('SIGKILL');
      await answerBye(party);
      await moved(call.agent, () => agentDescription({ version: 3 }));
      await moved(call.trunk, secureAnswer);
      const isBack = async () =>
        (await askCall(bench, callId, { action: 'resume' })).detail === 'The call is not on hold';
      await until(isBack, 5_000, 'the caller is not on hold');
      await call.trunk.send('BYE');
      await answerBye(call.agent);
      await call.trunk.response(200, 'BYE');
      expect(await bench.record()).toMatchObject({
        end_reason: 'caller_hung_up',
        adoptions: [{ edge_id: 'victim' }],
        transfers: [{ mode: 'attended', status: 'failed', reason: 'internal_error' }],
      });
    } finally {
      await target.close();
    }
  },
);
