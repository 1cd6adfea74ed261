import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readSession } from '../../../src/sdp/sdp.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { agentDescription, keyLine, trunkDescription } from '../media/descriptions.js';
import { RtpengineProcess } from '../media/rtpengine-process.js';
import { CallBench, type TwoLegs } from './bench.js';

/** The parties are in this process, which may be stalled for longer than a shorter one; an offer is given up after 6.4 s (64·T1). */
const lostSeconds = 4;

let bench: CallBench;
let nodes: readonly RtpengineProcess[];
beforeAll(async () => {
  nodes = await Promise.all([RtpengineProcess.start(), RtpengineProcess.start()]);
  bench = await CallBench.start({
    DEMARC_RTPENGINE: nodes.map(({ port }) => `127.0.0.1:${port}`).join(','),
    DEMARC_RTPENGINE_LOST_SECONDS: String(lostSeconds),
  });
}, 180_000);
afterAll(async () => {
  await bench?.stop();
  await Promise.all(nodes.map((node) => node.stop()));
});
afterEach(async () => {
  for (const node of nodes) if (!node.isRunning) await node.restart();
  await bench.expectNothingLeft(8_000);
  for (const node of nodes) expect(await node.sessions()).toEqual([]);
  const up = async (): Promise<boolean> => {
    const text = await (await fetch(`${bench.edge.httpUrl}/metrics`)).text();
    return [...text.matchAll(/^demarc_rtpengine_up\{\S+ 1$/gm)].length === 2;
  };
  await until(up, 5_000, 'both nodes are in use');
});

const nameOf = ({ port }: RtpengineProcess): string => `127.0.0.1:${port}`;

/** Kills the node that has the session; the name of that one and of the other. */
async function killNode(): Promise<{ from: string; to: string }> {
  const used = (await nodes[0]!.sessions()).length > 0 ? 0 : 1;
  await nodes[used]!.kill();
  return { from: nameOf(nodes[used]!), to: nameOf(nodes[1 - used]!) };
}

const attributesOf = (sdp: string): Record<string, string> => ({
  version: /^o=\S+ \S+ (\d+)/m.exec(sdp)![1]!,
  session: /^o=\S+ (\d+)/m.exec(sdp)![1]!,
  media: /^m=audio \d+ (.*?)\r?$/m.exec(sdp)![1]!,
  events: /^a=rtpmap:(\d+) telephone-event/m.exec(sdp)![1]!,
  direction: /^a=(sendrecv|sendonly|recvonly|inactive)\r?$/m.exec(sdp)![1]!,
});
const portOf = (sdp: string): number => readSession(sdp)!.media[0]!.port;

const metrics = async (): Promise<string> => (await fetch(`${bench.edge.httpUrl}/metrics`)).text();

const isUp = async (node: string): Promise<boolean> =>
  (await metrics()).includes(`demarc_rtpengine_up{node="${node}"} 1`);

async function count(result: string): Promise<number> {
  const text = await metrics();
  return Number(
    new RegExp(`^demarc_media_moves_total\\{result="${result}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0,
  );
}

/** Calls that have been moved so far, in all tests. */
let movedCalls = 0;

/** The edge has the answers of both sides: a BYE before that would end a call that is being moved. */
async function isMoved(): Promise<void> {
  movedCalls++;
  await until(async () => (await count('moved')) === movedCalls, 5_000, 'the call is moved');
}

async function hangUp({ trunk, agent }: TwoLegs): Promise<void> {
  await trunk.send('BYE');
  await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
  await trunk.response(200, 'BYE');
}

/** The next re-INVITE of a leg, answered; its offer. */
async function moved(
  legs: TwoLegs,
  side: 'trunk' | 'agent',
  answer: (offer: string) => string = side === 'agent'
    ? () => agentDescription()
    : (offer) => trunkDescription({ crypto: [keyLine(offer, Buffer.alloc(30, 9).toString('base64'))] }),
): Promise<string> {
  const leg = legs[side];
  const reinvite = await bench[side].expectRequest('INVITE', { callId: leg.callId });
  const offer = reinvite.message.body;
  await leg.respond(reinvite, 200, { body: answer(offer) });
  await bench[side].expectRequest('ACK', { callId: leg.callId });
  return offer;
}

describe('a call whose rtpengine dies', () => {
  it('moves to another one: each side gets the new address once, with its own codecs, profile and version', async () => {
    const trunk = await bench.call({ body: trunkDescription({ formats: '0 8 101' }) });
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription() });
    const ok = await trunk.response(200);
    await trunk.ack(ok.message);
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    const legs = { trunk, agent, invite };
    const before = { agent: invite.message.body, trunk: ok.message.body };
    const watch = Stopwatch.start();
    const { from, to } = await killNode();
    const after = { agent: await moved(legs, 'agent'), trunk: await moved(legs, 'trunk') };
    await isMoved();
    for (const side of ['trunk', 'agent'] as const) {
      const [earlier, later] = [attributesOf(before[side]), attributesOf(after[side])];
      expect(portOf(after[side])).not.toBe(portOf(before[side]));
      expect(later).toEqual({ ...earlier, version: String(Number(earlier.version) + 1) });
    }
    expect(after.trunk).toMatch(/^a=crypto:1 AES_CM_128_HMAC_SHA1_80 /m);
    await hangUp(legs);
    const record = await bench.record();
    expect(record).toMatchObject({
      end_reason: 'caller_hung_up',
      media: { node: to },
      media_moves: [{ from, to }],
    });
    expect(record.media_moves![0]!.milliseconds).toBeLessThan(watch.bound(3_000));
    expect(record.trace.filter(({ message }) => message.includes('text="Media node lost"'))).toHaveLength(2);
  });

  it('stays on hold, and is resumed at the other one', async () => {
    const legs = await bench.establish();
    const hold = async (direction: string): Promise<void> => {
      await legs.trunk.send('INVITE', { body: trunkDescription({ attributes: [`a=${direction}`] }) });
      const mirrored = direction === 'sendonly' ? 'recvonly' : 'sendrecv';
      await moved(legs, 'agent', () => agentDescription({ attributes: [`a=${mirrored}`] }));
      await legs.trunk.ack((await legs.trunk.response(200)).message);
    };
    await hold('sendonly');
    await killNode();
    const atAgent = await moved(legs, 'agent', () => agentDescription({ attributes: ['a=recvonly'] }));
    const atTrunk = await moved(legs, 'trunk', (offer) =>
      trunkDescription({ crypto: [keyLine(offer)], attributes: ['a=sendonly'] }),
    );
    await isMoved();
    expect(attributesOf(atAgent).direction).toBe('sendonly');
    expect(attributesOf(atTrunk).direction).toBe('recvonly');
    await hold('sendrecv');
    await hangUp(legs);
    expect((await bench.record()).media_moves).toHaveLength(1);
  });

  it('ends when a side refuses its new address, and the record says which', async () => {
    for (const side of ['agent', 'trunk'] as const) {
      const legs = await bench.establish();
      await killNode();
      if (side === 'trunk') await moved(legs, 'agent');
      const reinvite = await bench[side].expectRequest('INVITE', { callId: legs[side].callId });
      await legs[side].respond(reinvite, 488);
      await bench.bothAreLetGo(legs, 3_000);
      const record = await bench.record();
      expect(record).toMatchObject({ end_reason: 'media_failed', ended_by: 'edge' });
      expect(record.detail).toContain(
        `The ${side === 'trunk' ? 'caller' : 'agent'} answered the re-INVITE with its new media address 488`,
      );
      expect(await count(`${side}_refused`)).toBe(1);
      for (const node of nodes) if (!node.isRunning) await node.restart();
    }
  });

  it('retries the offer when a side is in another exchange (491) or cannot serve it yet (503)', async () => {
    const legs = await bench.establish();
    await killNode();
    await moved(legs, 'agent');
    for (const status of [503, 491]) {
      const reinvite = await bench.trunk.expectRequest('INVITE', { callId: legs.trunk.callId });
      await legs.trunk.respond(reinvite, status, { headers: { 'Retry-After': '0' } });
    }
    await moved(legs, 'trunk');
    await isMoved();
    await hangUp(legs);
    expect((await bench.record()).media_moves).toHaveLength(1);
  });

  it('waits for a caller that is reachable only over its own lost connection, and continues when the caller reconnects', async () => {
    const headers = { Contact: '<sip:alice@127.0.0.1:9;transport=tcp>' };
    const legs = await bench.establish({ headers });
    bench.trunk.closeConnections();
    await killNode();
    await moved(legs, 'agent');
    // A call whose party could be reached would have ended by then.
    await pause(lostSeconds * 1_000 + 500);
    await legs.trunk.send('INVITE', { body: trunkDescription(), headers });
    await legs.trunk.ack((await legs.trunk.response(491)).message);
    await moved(legs, 'trunk');
    await isMoved();
    await hangUp(legs);
    const record = await bench.record();
    expect(record).toMatchObject({ end_reason: 'caller_hung_up' });
    expect(record.media_moves).toHaveLength(1);
  });

  it('is answered at another one when the rtpengine dies while the agent rings', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 180);
    await trunk.response(180);
    const { from, to } = await killNode();
    await until(async () => !(await isUp(from)), 10_000, 'the edge notices that the rtpengine died');
    await until(async () => (await bench.health()) === 200, 5_000, 'the other is up');
    await agent.respond(invite, 200, { body: agentDescription() });
    await trunk.ack((await trunk.response(200)).message);
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    const legs = { trunk, agent, invite };
    const offer = await moved(legs, 'agent');
    expect(portOf(offer)).not.toBe(portOf(invite.message.body));
    await moved(legs, 'trunk');
    await isMoved();
    await hangUp(legs);
    const record = await bench.record();
    expect(record).toMatchObject({ end_reason: 'caller_hung_up', media: { node: to } });
    expect(record.media_moves).toMatchObject([{ from, to }]);
  });
});
