import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adoptedByKey, heldCallsKey, holdersKey, leftCallsKey } from '../../../src/contract/held-call.js';
import { orderSlotsKey } from '../../../src/contract/keys.js';
import { openCallsKey } from '../../../src/contract/open-calls.js';
import { generateSecretKey } from '../../../src/contract/secret.js';
import type { SipRequest } from '../../../src/sip/message.js';
import { type Arrival, SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { inviteAsAgent, operatorAgentSettings } from '../../support/agent-credentials.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { PeerCall } from '../../support/peer-call.js';
import type { TestProcess } from '../../support/processes.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { CallBench, calledNumber, type TwoLegs } from './bench.js';
import { BreakableLink } from './breakable-link.js';

/** An edge that is stalled for longer loses its calls to another one. */
const leaseSeconds = 4;

const secretKey = generateSecretKey();
let bench: CallBench;
let victim: TestProcess;
/** Between the edges and Redis. */
let redisLink: BreakableLink;
beforeAll(async () => {
  bench = await CallBench.start(async (_engine, { port }) => {
    redisLink = await BreakableLink.to({ host: '127.0.0.1', port });
    return {
      DEMARC_SECRET_KEY: secretKey,
      ...operatorAgentSettings,
      DEMARC_CALL_LEASE_SECONDS: String(leaseSeconds),
      DEMARC_REDIS_URL: `redis://127.0.0.1:${redisLink.port}`,
    };
  });
}, 180_000);
afterAll(async () => {
  await victim?.stop();
  await bench?.stop();
  await redisLink?.close();
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return bench.expectNothingLeft(8_000);
  redisLink.onData = undefined;
  await victim?.stop();
  await bench.clear(8_000);
  await bench.configure({});
});

/** Calls of both edges, some of each: those that began last are the other's. */
async function establish(count: number): Promise<TwoLegs[]> {
  const calls: TwoLegs[] = [];
  // Two of them have no From tag, one at each edge.
  for (let each = 0; each < count; each++) calls.push(await bench.establish({ isUntagged: each >= 2 }));
  await heldInRedis(count);
  return calls;
}

const heldInRedis = (count: number): Promise<void> => inRedis(heldCallsKey('*'), count);

async function inRedis(pattern: string, count: number): Promise<void> {
  await until(async () => (await countOf(pattern)) === count, 3_000, 'the calls in Redis');
}

/** @param pattern of the keys of all edges */
async function countOf(pattern: string): Promise<number> {
  const keys = await bench.redis.keys(pattern);
  return (await Promise.all(keys.map((key) => bench.redis.hlen(key)))).reduce(
    (sum, length) => sum + length,
    0,
  );
}

const adopted = (count: number, milliseconds = 5_000) =>
  until(async () => bench.edge.counts().calls === count, milliseconds, 'the calls at the other edge');

/** The trunk hangs up; the agent gets its BYE. */
async function hangUp({ trunk, agent }: Pick<TwoLegs, 'trunk' | 'agent'>): Promise<void> {
  await trunk.send('BYE');
  await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
  await trunk.response(200, 'BYE');
}

/** The trunk offers to hold the call; the agent's INVITE with that offer, which waits for its answer. */
async function offerHold({ trunk, agent }: TwoLegs): Promise<Arrival<SipRequest>> {
  await trunk.send('INVITE', { body: trunkDescription({ attributes: ['a=sendonly'] }) });
  return bench.agent.expectRequest('INVITE', { callId: agent.callId });
}

/** The trunk takes its offer back, and the agent agrees to it: one is not on hold, the other is. */
async function disagree({ trunk, agent }: TwoLegs, open: Arrival<SipRequest>): Promise<void> {
  await trunk.cancel();
  await trunk.ack((await trunk.response(487)).message);
  await agent.respond(open, 200, { body: agentDescription({ attributes: ['a=recvonly'] }) });
  await bench.agent.expectRequest('ACK', { callId: agent.callId });
}

async function takeNewOffers({ trunk, agent }: TwoLegs): Promise<void> {
  const toAgent = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
  expect(toAgent.message.body).toContain('a=sendrecv');
  await agent.respond(toAgent, 200, { body: agentDescription() });
  const toTrunk = await bench.trunk.expectRequest('INVITE', { callId: trunk.callId });
  expect(toTrunk.message.body).toContain('a=sendrecv');
  await trunk.respond(toTrunk, 200, { body: trunkDescription() });
  await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
}

/** But what the engine wrote to a connection whose process was dead already. */
const messages = [
  ...['trunk received INVITE', 'agent sent INVITE', 'agent received 200 OK', 'trunk sent 200 OK'],
  ...['agent sent BYE', 'agent received 200 OK'],
];

/** One record of each call, with the messages from before and after; the edges that held them before. */
async function records(count: number): Promise<readonly (readonly string[])[]> {
  const ids = new Set<string>();
  const before: string[][] = [];
  for (let each = 0; each < count; each++) {
    const record = await bench.record();
    ids.add(record.call_id);
    expect(record.edge_id).toBe('bench');
    expect(record.end_reason).toBe('caller_hung_up');
    const summaries = record.trace.map(({ leg, direction, summary }) => `${leg} ${direction} ${summary}`);
    for (const message of messages) expect(summaries).toContain(message);
    before.push((record.adoptions ?? []).map(({ edge_id }) => edge_id));
  }
  expect(ids.size).toBe(count);
  await expect(bench.record(300)).rejects.toThrow('No call record');
  return before;
}

describe.skipIf(isRealServer)('an edge that is gone loses no answered call', () => {
  it('kill -9: another edge has its calls at once, with their media; each gets one record', async () => {
    victim = await bench.edgeProcess('victim');
    const calls = await establish(4);
    expect(bench.edge.counts().calls).toBe(2);
    const sessions = await bench.rtpengine.sessions();
    victim.signal('SIGKILL');
    await adopted(4);
    expect(await bench.rtpengine.sessions()).toEqual(sessions);
    for (const call of calls) await hangUp(call);
    expect((await records(4)).flat()).toEqual(['victim', 'victim']);
  });

  it('continues calls whose documents were on the way when the connection to Redis broke', async () => {
    // A Redis that does not know the script refuses its name, and gives nothing.
    await bench.redis.script('LOAD', await readFile('src/edge/survival/adopt-calls.lua', 'utf8'));
    victim = await bench.edgeProcess('victim');
    const calls = await establish(4);
    const sessions = await bench.rtpengine.sessions();
    let asked = 0;
    redisLink.onData = (from, chunk) => {
      if (from !== 'near' || !chunk.includes(leftCallsKey(''))) return;
      // Redis has got the command, and cannot answer.
      if (++asked === 1) redisLink.break();
    };
    victim.signal('SIGKILL');
    await adopted(4, 10_000);
    redisLink.onData = undefined;
    // Otherwise Redis would have been asked for them again.
    expect(asked).toBe(1);
    expect(await bench.rtpengine.sessions()).toEqual(sessions);
    for (const call of calls) await hangUp(call);
    expect((await records(4)).flat()).toEqual(['victim', 'victim']);
  });

  it('continues calls when it loses its connection to the engine while it takes them over', async () => {
    victim = await bench.edgeProcess('victim');
    const [ended, ...active] = await establish(4);
    const sessions = await bench.rtpengine.sessions();
    const broken = new Promise<void>((resolve) => {
      bench.link.onData = (from, chunk) => {
        if (from !== 'near' || !chunk.includes('adopt|')) return;
        bench.link.onData = undefined;
        // The engine has got the command, and cannot answer.
        bench.dropEngineConnection();
        resolve();
      };
    });
    victim.signal('SIGKILL');
    await broken;
    await ended!.trunk.send('BYE');
    await ended!.trunk.response(200, 'BYE');
    const bye = await bench.agent.expectRequest('BYE', { callId: ended!.agent.callId });
    await ended!.agent.respond(bye, 200);
    await adopted(3, 10_000);
    expect(sessions).toEqual(expect.arrayContaining(await bench.rtpengine.sessions()));
    for (const call of active) await hangUp(call);
    expect((await records(4)).flat()).toEqual(['victim', 'victim']);
  });

  it('does, once it takes a call over, what peers requested while no edge had it', async () => {
    victim = await bench.edgeProcess('victim');
    const calls = await establish(4);
    victim.signal('SIGKILL');
    // Hold by the trunk of one call, and the end of all others.
    const [held, ...ended] = calls as [TwoLegs, ...TwoLegs[]];
    const hold = trunkDescription().replace(/a=sendrecv\r\n|$/, 'a=sendonly\r\n');
    await held.trunk.send('INVITE', { body: hold });
    for (const { trunk } of ended) await trunk.send('BYE');
    for (const { trunk } of ended) await trunk.response(200, 'BYE');
    const reinvite = await bench.agent.expectRequest('INVITE', { callId: held.agent.callId });
    await held.agent.respond(reinvite, 200, { body: agentDescription() });
    await held.trunk.ack((await held.trunk.response(200)).message);
    await bench.agent.expectRequest('ACK', { callId: held.agent.callId });
    for (const { agent } of ended)
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    await hangUp(held);
    expect((await records(4)).flat()).toEqual(['victim', 'victim']);
  });

  it('an edge that stalls loses its calls to another one, of which it learns from the engine where Redis has lost the mark', async () => {
    victim = await bench.edgeProcess('victim');
    const calls = await establish(4);
    victim.signal('SIGSTOP');
    await adopted(4, leaseSeconds * 1_000 + 5_000);
    const sessions = await bench.rtpengine.sessions();
    const marks = await bench.redis.keys(adoptedByKey('victim*'));
    expect(marks).not.toEqual([]);
    await bench.redis.del(...marks);
    victim.signal('SIGCONT');
    expect(await victim.exit(10_000)).toBe(1);
    expect(await bench.rtpengine.sessions()).toEqual(sessions);
    for (const call of calls) await hangUp(call);
    expect((await records(4)).flat()).toEqual(['victim', 'victim']);
  });

  it('SIGTERM: answered calls go to the other edge, which takes the new ones; none is refused, none is cut', async () => {
    victim = await bench.edgeProcess('victim');
    const calls = await establish(4);
    const sessions = await bench.rtpengine.sessions();
    victim.signal('SIGTERM');
    for (let each = 0; each < 3; each++) calls.push(await bench.establish());
    expect(await victim.exit(10_000)).toBe(0);
    calls.push(await bench.establish());
    await adopted(8);
    expect(await bench.rtpengine.sessions()).toEqual(expect.arrayContaining(sessions));
    for (const call of calls) await hangUp(call);
    const before = (await records(8)).flat();
    expect(before.length).toBeGreaterThanOrEqual(2);
    expect(new Set(before)).toEqual(new Set(['victim']));
  });

  it('SIGTERM of both edges at once: neither leaves its calls to the other; each waits for its own', async () => {
    victim = await bench.edgeProcess('victim');
    const calls = await establish(4);
    const drained = bench.edge.drain(30);
    victim.signal('SIGTERM');
    await until(
      async () => (await bench.redis.hvals(holdersKey)).every((json) => json.includes('"is_leaving":true')),
      5_000,
      'both are stopping',
    );
    for (const call of calls) await hangUp(call);
    await drained;
    expect(await victim.exit(10_000)).toBe(0);
    const ids = new Set<string>();
    for (const _call of calls) {
      const record = await bench.record();
      expect(record.end_reason).toBe('caller_hung_up');
      ids.add(record.call_id);
    }
    expect(ids.size).toBe(4);
    await bench.startEdge();
  });

  it('keeps the calls in the engine after SIGTERM of all edges, and the restarted edge continues them', async () => {
    victim = await bench.edgeProcess('victim', { DEMARC_DRAIN_SECONDS: '1' });
    const calls = await establish(4);
    const sessions = await bench.rtpengine.sessions();
    const drained = bench.edge.drain(1, 'restart');
    victim.signal('SIGTERM');
    expect(await victim.exit(10_000)).toBe(0);
    await drained;
    const [ended, ...active] = calls as [TwoLegs, ...TwoLegs[]];
    await ended.trunk.send('BYE');
    await ended.trunk.response(200, 'BYE');
    await bench.startEdge();
    await ended.agent.respond(await bench.agent.expectRequest('BYE', { callId: ended.agent.callId }), 200);
    await adopted(3);
    expect(sessions).toEqual(expect.arrayContaining(await bench.rtpengine.sessions()));
    for (const call of active) await hangUp(call);
    expect((await records(4)).flat().toSorted()).toEqual(['bench', 'bench', 'victim', 'victim']);
  });

  it('sends BYE and writes a record for a call that does not finish before the edge ends', async () => {
    const [call] = (await establish(1)) as [TwoLegs];
    const drained = bench.edge.drain(0);
    expect((await bench.bothAreLetGo(call, 5_000)).trunk).toContain('Server is going down');
    await drained;
    expect(await bench.record()).toMatchObject({ end_reason: 'drained', ended_by: 'edge' });
    await bench.startEdge();
  });

  it('an edge that loses its connection to the engine has its calls again when it is back', async () => {
    const calls = await establish(2);
    bench.dropEngineConnection();
    const [first, second] = calls as [TwoLegs, TwoLegs];
    await first.trunk.send('BYE');
    await first.trunk.response(200, 'BYE');
    await first.agent.respond(await bench.agent.expectRequest('BYE', { callId: first.agent.callId }), 200);
    await hangUp(second);
    expect(await records(2)).toEqual([[], []]);
    await until(async () => (await bench.health()) === 200, 5_000, 'the edge is ready again');
  });

  it('gives both sides new offers when it loses its connection to the engine while an offer is open', async () => {
    const [call] = (await establish(1)) as [TwoLegs];
    const open = await offerHold(call);
    await bench.withoutEngineConnection(() => disagree(call, open));
    await takeNewOffers(call);
    await hangUp(call);
    expect(await records(1)).toEqual([[]]);
  });

  it('replaces a lost media session afterwards when it loses its connection to the engine meanwhile', async () => {
    const [call] = (await establish(1)) as [TwoLegs];
    const { agent } = call;
    await bench.rtpengine.kill();
    await bench.rtpengine.restart();
    const first = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
    bench.dropEngineConnection();
    await agent.respond(first, 200, { body: agentDescription() });
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await takeNewOffers(call);
    expect(await bench.rtpengine.sessions()).toHaveLength(1);
    await hangUp(call);
    expect(await records(1)).toEqual([[]]);
  });

  it('killed while a lost media session was replaced: the next edge replaces it, and no session is left', async () => {
    await bench.edge.drain(0);
    victim = await bench.edgeProcess('bench');
    const [{ trunk, agent }] = (await establish(1)) as [TwoLegs];
    await bench.rtpengine.kill();
    await bench.rtpengine.restart();
    const first = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
    const [orphan] = await bench.rtpengine.sessions();
    expect(orphan).toBeDefined();
    victim.signal('SIGKILL');
    await victim.exit(5_000);
    await agent.respond(first, 200, { body: agentDescription() });
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await bench.startEdge();
    const toAgent = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
    await agent.respond(toAgent, 200, { body: agentDescription() });
    const toTrunk = await bench.trunk.expectRequest('INVITE', { callId: trunk.callId });
    await trunk.respond(toTrunk, 200, { body: trunkDescription() });
    await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    const sessions = await bench.rtpengine.sessions();
    expect(sessions).toHaveLength(1);
    expect(sessions).not.toContain(orphan);
    await hangUp({ trunk, agent });
    expect(await records(1)).toEqual([['bench']]);
  });

  it('the restarted edge of the same name continues the calls of the one before; a transferor gets the NOTIFY that it waits for', async () => {
    const target = await SipPeer.open({ protocol: 'tcp', target: bench.engine.listeners.tcp! });
    await bench.configure({
      outbound: [{ id: 'out', host: '127.0.0.1', port: target.port, transport: 'tcp' }],
      transfer: { mode: 'bridge', allowed_targets: ['1001'] },
    });
    await bench.edge.drain(0);
    victim = await bench.edgeProcess('bench');
    const [untouched, { trunk, agent }] = (await establish(2)) as [TwoLegs, TwoLegs];
    const notified = async (): Promise<{ state: string; body: string }> => {
      const { message, ...arrival } = await bench.agent.expectRequest('NOTIFY', { callId: agent.callId });
      await agent.respond({ message, ...arrival }, 200);
      return { state: message.headers.get('Subscription-State')!, body: message.body };
    };
    await agent.send('REFER', { headers: { 'Refer-To': '<sip:1001@127.0.0.1>' } });
    await agent.response(202, 'REFER');
    expect((await notified()).state).toContain('active');
    const invite = await target.expectRequest('INVITE');
    const party = PeerCall.from(target, invite.message);
    await party.respond(invite, 180);
    victim.signal('SIGKILL');
    await party.respond(await target.expectRequest('CANCEL'), 200);
    await party.respond(invite, 487);
    await bench.startEdge();
    const last = await notified();
    expect(last.state).toContain('terminated');
    expect(last.body).toContain('SIP/2.0 503');
    await hangUp({ trunk, agent });
    expect(await bench.record()).toMatchObject({
      end_reason: 'caller_hung_up',
      transfers: [{ status: 'failed', detail: 'The edge that carried it out was lost.' }],
    });
    await hangUp(untouched);
    expect(await records(1)).toEqual([['bench']]);
    await bench.configure({});
    await target.close();
  });

  it('a slot of a call that the agent placed moves with the call', async () => {
    const { port } = bench.trunk;
    const outbound = [{ id: 'out', host: '127.0.0.1', port, transport: 'tcp' }];
    await bench.configure({ outbound, limits: { concurrent_calls: 5 } });
    await bench.edge.drain(0);
    const { host, port: agentPort } = bench.engine.listeners.tcp!;
    victim = await bench.edgeProcess('bench', { DEMARC_AGENT_LISTEN: `${host}:${agentPort}` });
    const agent = PeerCall.to(bench.agent, '14155550100');
    agent.localUri = `sip:+${calledNumber}@agent.example`;
    await inviteAsAgent(agent, { body: agentDescription() });
    const { trunk, invite } = await bench.atTrunk();
    await trunk.respond(invite, 200, { body: trunkDescription() });
    await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    await agent.ack((await agent.response(200)).message);
    await heldInRedis(1);
    const slots = orderSlotsKey(calledNumber);
    const [slot] = await bench.redis.zrange(slots, '0', '-1');
    const before = Number(await bench.redis.zscore(slots, slot!));
    victim.signal('SIGKILL');
    await bench.startEdge();
    await adopted(1);
    await until(
      async () => Number(await bench.redis.zscore(slots, slot!)) > before,
      5_000,
      'the successor renews the lease of the slot',
    );
    await hangUp({ trunk, agent });
    await until(async () => (await bench.redis.zcard(slots)) === 0, 5_000, 'the slot is free');
    expect((await bench.record()).end_reason).toBe('callee_hung_up');
    await bench.configure({});
  });

  it('a call that rings begins again at another edge; one with early media gets 503', async () => {
    victim = await bench.edgeProcess('victim');
    // Of calls that edges lost in other tests, whose records control would write.
    const before = await countOf(openCallsKey('*'));
    const calls: TwoLegs[] = [];
    // Two of each kind, one at each edge.
    for (const [status, body] of [
      [180],
      [180],
      [183, agentDescription()],
      [183, agentDescription()],
    ] as const) {
      const trunk = await bench.call();
      const { agent, invite } = await bench.atAgent();
      await agent.respond(invite, status, body === undefined ? {} : { body });
      await trunk.response(status);
      calls.push({ trunk, agent, invite });
    }
    // What Redis does not know of the killed edge is left to rtpengine's own time limit.
    await inRedis(openCallsKey('*'), before + calls.length);
    victim.signal('SIGKILL');
    const lost: TwoLegs[] = [];
    for (let each = 0; each < 2; each++) {
      const cancel = await bench.agent.expectRequest('CANCEL');
      const call = calls.find(({ agent }) => agent.callId === cancel.message.headers.get('Call-ID'))!;
      await call.agent.respond(cancel, 200);
      await call.agent.respond(call.invite, 487);
      lost.push(call);
    }
    const rang = lost.find((call) => calls.indexOf(call) < 2)!;
    const heard = lost.find((call) => call !== rang)!;
    await heard.trunk.ack((await heard.trunk.response(503)).message);
    const again = { ...rang, ...(await bench.atAgent()) };
    for (const { trunk, agent, invite } of [again, ...calls.filter((call) => !lost.includes(call))]) {
      await agent.respond(invite, 200, { body: agentDescription() });
      await trunk.ack((await trunk.response(200)).message);
      await bench.agent.expectRequest('ACK', { callId: agent.callId });
      await hangUp({ trunk, agent });
    }
    // The trace of the call that began at the other edge has no message from before.
    for (let each = 0; each < 3; each++)
      expect(await bench.record()).toMatchObject({ edge_id: 'bench', end_reason: 'caller_hung_up' });
  });

  it('a call of an agent that rings is not begun again: the agent gets 503, and the callee rings once', async () => {
    const outbound = [{ id: 'out', host: '127.0.0.1', port: bench.trunk.port, transport: 'tcp' }];
    await bench.configure({ outbound });
    await bench.edge.drain(0);
    const { host, port } = bench.engine.listeners.tcp!;
    const environment = { DEMARC_AGENT_LISTEN: `${host}:${port}` };
    victim = await bench.edgeProcess('victim', environment);
    const before = await countOf(openCallsKey('*'));
    const agent = PeerCall.to(bench.agent, '14155550100');
    agent.localUri = `sip:+${calledNumber}@agent.example`;
    await inviteAsAgent(agent, { body: agentDescription() });
    const { trunk, invite } = await bench.atTrunk();
    await trunk.respond(invite, 180);
    await agent.response(180);
    const invitesAtTrunk = (): number =>
      bench.trunk.all((message) => message.kind === 'request' && message.method === 'INVITE').length;
    const rung = invitesAtTrunk();
    await inRedis(openCallsKey('*'), before + 1);
    const adopter = await bench.newEdge('other', environment);
    await until(async () => (await fetch(`${adopter.httpUrl}/readyz`)).ok, 10_000, 'the other edge is ready');
    victim.signal('SIGKILL');
    await trunk.respond(await bench.trunk.expectRequest('CANCEL', { callId: trunk.callId }), 200);
    await trunk.respond(invite, 487);
    await agent.ack((await agent.response(503)).message);
    await until(
      async () => (await bench.rtpengine.sessions()).length === 0,
      10_000,
      'no media session is left',
    );
    expect(invitesAtTrunk()).toBe(rung);
    await adopter.drain(0);
    await bench.startEdge();
    await bench.configure({});
  });

  it('fails a transfer under way when it loses its connection to the engine, and notifies the transferor at once', async () => {
    const target = await SipPeer.open({ protocol: 'tcp', target: bench.engine.listeners.tcp! });
    await bench.configure({
      outbound: [{ id: 'out', host: '127.0.0.1', port: target.port, transport: 'tcp' }],
      transfer: { mode: 'bridge', allowed_targets: ['1001'] },
    });
    const [{ trunk, agent }] = (await establish(1)) as [TwoLegs];
    const notified = async (): Promise<string> => {
      const notify = await bench.agent.expectRequest('NOTIFY', { callId: agent.callId });
      await agent.respond(notify, 200);
      return `${notify.message.headers.get('Subscription-State')} ${notify.message.body}`;
    };
    await agent.send('REFER', { headers: { 'Refer-To': '<sip:1001@127.0.0.1>' } });
    await agent.response(202, 'REFER');
    expect(await notified()).toContain('active');
    const invite = await target.expectRequest('INVITE');
    const party = PeerCall.from(target, invite.message);
    await party.respond(invite, 180);
    expect(await notified()).toContain('180');
    bench.dropEngineConnection();
    await party.respond(await target.expectRequest('CANCEL'), 200);
    await party.respond(invite, 487);
    // A NOTIFY whose response was lost is sent again before it.
    let last = await notified();
    while (last.startsWith('active')) last = await notified();
    expect(last).toMatch(/^terminated.*503/s);
    await hangUp({ trunk, agent });
    expect(await bench.record()).toMatchObject({
      end_reason: 'caller_hung_up',
      transfers: [{ status: 'failed', detail: 'The connection to the SIP engine was lost.' }],
    });
    await bench.configure({});
    await target.close();
  });
});
