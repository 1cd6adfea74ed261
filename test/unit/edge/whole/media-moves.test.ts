import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readSession } from '../../../../src/sdp/sdp.js';
import { until } from '../../../../src/testkit/waiting.js';
import { agentDescription, keyLine, trunkDescription } from '../../../contract/media/descriptions.js';
import { NgDouble } from '../../../support/ng-double.js';
import { answerBye, type TwoLegs, UnitCallBench } from './call-bench.js';

let bench: UnitCallBench;
let nodes: readonly NgDouble[];
beforeAll(async () => {
  nodes = await Promise.all([NgDouble.start(), NgDouble.start()]);
  bench = await UnitCallBench.start({
    DEMARC_RTPENGINE: nodes.map(({ port }) => `127.0.0.1:${port}`).join(','),
    DEMARC_RTPENGINE_LOST_SECONDS: '4',
  });
  await until(bothAreUp, 20_000, 'both nodes are in use');
});
afterAll(async () => {
  await bench?.stop();
  await Promise.all(nodes.map((node) => node.close()));
});
const closed = new Set<NgDouble>();
afterEach(async () => {
  for (const node of closed) await node.open();
  closed.clear();
  await bench.expectNothingLeft();
  await until(bothAreUp, 20_000, 'both nodes are in use');
});
const bothAreUp = (): boolean => bench.parts.pool.states().every(({ state }) => state === 'up');

const nameOf = ({ port }: NgDouble): string => `127.0.0.1:${port}`;

/** Closes the port of the node that has the newest session; the name of that one and of the other. */
async function killNode(): Promise<{ from: string; to: string }> {
  const offers = nodes.map(({ received }) => received.findLastIndex(({ command }) => command === 'offer'));
  const sessions = await Promise.all(nodes.map((node) => node.sessions()));
  const used = sessions[0]!.length > 0 && offers[0]! >= 0 ? 0 : 1;
  const [node, spare] = [nodes[used]!, nodes[1 - used]!];
  await node.close();
  closed.add(node);
  return { from: nameOf(node), to: nameOf(spare) };
}

const portOf = (sdp: string): number => readSession(sdp)!.media[0]!.port;
const versionOf = (sdp: string): number => Number(/^o=\S+ \S+ (\d+)/m.exec(sdp)![1]);

/** The next re-INVITE of a leg, answered; its offer. */
async function moved(legs: TwoLegs, side: 'trunk' | 'agent', status = 200): Promise<string> {
  const leg = legs[side];
  const reinvite = await bench[side].expectRequest('INVITE', { callId: leg.callId });
  const offer = reinvite.message.body;
  const body =
    side === 'agent'
      ? agentDescription()
      : trunkDescription({ crypto: [keyLine(offer, Buffer.alloc(30, 9).toString('base64'))] });
  await leg.respond(reinvite, status, status === 200 ? { body } : { headers: { 'Retry-After': '0' } });
  await bench[side].expectRequest('ACK', { callId: leg.callId });
  return offer;
}

/** A BYE before the answers have been read would end a call that is being moved. */
async function settled(legs: TwoLegs): Promise<void> {
  const call = bench.parts.table.find(legs.invite.message.headers.get('X-Demarc-Call-ID')!)!;
  await until(() => call.state.mediaMoves.length > 0, 10_000, 'the move');
}

describe('a call whose media node is lost', () => {
  test('moves to another one: each side gets the new address once', async () => {
    const legs = await bench.establish();
    const { from, to } = await killNode();
    const atAgent = await moved(legs, 'agent');
    const atTrunk = await moved(legs, 'trunk');
    expect(portOf(atAgent)).not.toBe(portOf(legs.invite.message.body));
    expect(versionOf(atAgent)).toBe(versionOf(legs.invite.message.body) + 1);
    expect(atTrunk).toMatch(/^a=crypto:1 AES_CM_128_HMAC_SHA1_80 /m);
    await settled(legs);
    await bench.hangUp(legs.trunk, legs.agent);
    expect(await bench.record()).toMatchObject({
      end_reason: 'caller_hung_up',
      media: { node: to },
      media_moves: [{ from, to }],
    });
  });

  test('repeats the offer to a side that is in another exchange, or cannot serve it yet', async () => {
    const legs = await bench.establish();
    await killNode();
    await moved(legs, 'agent');
    await moved(legs, 'trunk', 503);
    await moved(legs, 'trunk', 491);
    await moved(legs, 'trunk');
    await settled(legs);
    await bench.hangUp(legs.trunk, legs.agent);
    expect((await bench.record()).media_moves).toHaveLength(1);
  });

  test.each(['agent', 'trunk'] as const)('ends when the %s refuses its new address', async (side) => {
    const legs = await bench.establish();
    await killNode();
    if (side === 'trunk') await moved(legs, 'agent');
    await moved(legs, side, 488);
    await Promise.all([answerBye(legs.trunk), answerBye(legs.agent)]);
    const record = await bench.record();
    expect(record).toMatchObject({ end_reason: 'media_failed', ended_by: 'edge' });
    expect(record.detail).toContain(
      `The ${side === 'trunk' ? 'caller' : 'agent'} answered the re-INVITE with its new media address 488`,
    );
  });

  test('ends by the side that no longer knows it', async () => {
    const legs = await bench.establish();
    await killNode();
    await moved(legs, 'agent', 481);
    await Promise.all([answerBye(legs.trunk), answerBye(legs.agent)]);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up', ended_by: 'agent' });
  });

  test('ends when no node takes it in time', async () => {
    const legs = await bench.establish();
    for (const node of nodes) {
      await node.close();
      closed.add(node);
    }
    await Promise.all([answerBye(legs.trunk), answerBye(legs.agent)]);
    const record = await bench.record();
    expect(record).toMatchObject({ end_reason: 'media_failed', ended_by: 'edge' });
    expect(record.detail).toContain('it was not moved');
  });

  test('ends when a side hangs up meanwhile', async () => {
    const legs = await bench.establish();
    await killNode();
    const open = await bench.agent.expectRequest('INVITE', { callId: legs.agent.callId });
    await legs.trunk.send('BYE');
    await legs.trunk.response(200, 'BYE');
    await legs.agent.respond(open, 200, { body: agentDescription() });
    await answerBye(legs.agent);
    expect(await bench.record()).toMatchObject({ end_reason: 'caller_hung_up' });
  });
});
