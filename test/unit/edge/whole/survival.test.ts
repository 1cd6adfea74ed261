import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callMoveChannel } from '../../../../src/contract/call-move.js';
import { type HeldCall, heldCallsKey, holdersKey } from '../../../../src/contract/held-call.js';
import { numberKey, orderedCallKey, orderSlotsKey } from '../../../../src/contract/keys.js';
import { openCallsKey } from '../../../../src/contract/open-calls.js';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { directionOf, readSession } from '../../../../src/sdp/sdp.js';
import { SipPeer } from '../../../../src/testkit/sip-peer.js';
import { until } from '../../../../src/testkit/waiting.js';
import { agentDescription, trunkDescription } from '../../../contract/media/descriptions.js';
import { holdCrosses, secureAnswer } from '../../../contract/transfer/answers.js';
import { moved, notified, refer, referTo } from '../../../contract/transfer/parties.js';
import { answerBye, type BenchEdge, calledNumber, type TwoLegs, UnitCallBench } from './call-bench.js';

const key = generateSecretKey();
const secrets = new SecretBox([key]);
let bench: UnitCallBench;
/** The number's own server. */
let target: SipPeer;
let first: BenchEdge;
let second: BenchEdge;
let edges = 0;
const nextEdge = (): Promise<BenchEdge> => bench.addEdge(`edge-${++edges}`);

beforeAll(async () => {
  bench = await UnitCallBench.start({ DEMARC_SECRET_KEY: key });
  target = await SipPeer.open({ protocol: 'tcp', target: bench.trunk.target });
  await nextEdge();
});
afterAll(async () => {
  await target?.close();
  await bench?.stop();
});
beforeEach(async () => {
  configure();
  while (bench.edges.length < 2) await nextEdge();
  [first, second] = bench.edges as [BenchEdge, BenchEdge];
});
afterEach(() => bench.expectNothingLeft());

const configure = (server: Record<string, unknown> = {}): void =>
  bench.configure({
    inbound: [{ id: 'trunk', allowed_sources: ['127.0.0.1'] }],
    outbound: [{ id: 'out', host: '127.0.0.1', port: target.port, transport: 'tcp', ...server }],
    transfer: { mode: 'bridge', allowed_targets: ['1001'] },
  });

const directionOfAudio = (description: string): string => {
  const session = readSession(description)!;
  return directionOf(session, session.media[0]!);
};

const idOf = ({ invite }: TwoLegs): string => invite.message.headers.get('X-Demarc-Call-ID')!;
const heldBy = ({ parts }: BenchEdge) => bench.redis.hashes.get(heldCallsKey(parts.holder));

/** Redis has the call's document, as it should be. */
async function written(
  edge: BenchEdge,
  legs: TwoLegs,
  isWhole: (held: HeldCall) => boolean = () => true,
): Promise<void> {
  const isWritten = (): boolean => {
    const sealed = heldBy(edge)?.get(idOf(legs));
    if (sealed === undefined) return false;
    const octets = secrets.openOctets(Buffer.from(sealed, 'latin1'));
    return isWhole(JSON.parse(octets.toString('utf8', 0, octets.indexOf('\n'))));
  };
  await until(isWritten, 10_000, 'the document');
}

const taken = (legs: TwoLegs, edge = second): Promise<void> =>
  until(
    () => edge.parts.table.find(idOf(legs))?.state.phase === 'confirmed',
    20_000,
    'the call at the other edge',
  );

/** An ordered call whose trunk has asked for credentials. */
async function orderedAtChallengingTrunk() {
  configure({ credential: { username: 'trunk-user', password: secrets.seal('secret') } });
  const call = bench.order();
  const { agent, invite: atAgent } = await bench.atAgent();
  await agent.respond(atAgent, 200, { body: agentDescription() });
  const challenge = 'Digest realm="r", nonce="n1", algorithm=SHA-256, qop="auth"';
  const refused = await bench.at(target);
  await refused.party.respond(refused.invite, 401, { headers: { 'WWW-Authenticate': challenge } });
  await target.expectRequest('ACK', { callId: refused.party.callId });
  const { party: trunk, invite } = await bench.at(target);
  await trunk.respond(invite, 200, { body: trunkDescription() });
  await target.expectRequest('ACK', { callId: trunk.callId });
  await bench.agent.expectRequest('ACK', { callId: agent.callId });
  const legs: TwoLegs = { trunk, agent, invite: atAgent };
  return { call, legs, challenge };
}

describe('an answered call of an edge that is killed', () => {
  test('continues at another edge: both peers are heard there, and its record has all of its messages', async () => {
    const legs = await bench.establishAt(first, { offer: trunkDescription({ formats: '0 101' }) });
    await written(first, legs);
    const { holder } = first.parts;
    const call = first.parts.table.find(idOf(legs))!;
    await bench.crash(first);
    await taken(legs);
    const restored = second.parts.table.find(idOf(legs))!;
    expect(restored.state).toMatchObject({
      direction: 'inbound',
      number: calledNumber,
      organization: 'acme',
      answeredAt: call.state.answeredAt,
      descriptions: call.state.descriptions,
    });
    expect(restored.media?.id).toBe(call.media?.id);
    expect(second.parts.takeovers).toMatchObject([{ from_edge_id: first.parts.edgeId, calls: 1 }]);
    expect(bench.redis.hashes.get(holdersKey)!.has(holder)).toBe(false);
    expect([...heldBy(second)!.keys()]).toEqual([idOf(legs)]);
    expect([...bench.redis.hashes.get(openCallsKey(second.parts.holder))!.keys()]).toEqual([idOf(legs)]);
    await legs.trunk.send('INVITE', { body: trunkDescription({ version: 2, attributes: ['a=sendonly'] }) });
    const held = await bench.agent.expectRequest('INVITE', { callId: legs.agent.callId });
    expect(held.message.body).toContain('a=sendonly');
    await legs.agent.respond(held, 200, { body: agentDescription({ version: 2 }) });
    await legs.trunk.ack((await legs.trunk.response(200)).message);
    await bench.agent.expectRequest('ACK', { callId: legs.agent.callId });
    await bench.hangUp(legs.agent, legs.trunk);
    const record = await bench.record();
    expect(record).toMatchObject({
      call_id: idOf(legs),
      edge_id: second.parts.edgeId,
      end_reason: 'agent_hung_up',
      outcome: 'completed',
      adoptions: [{ edge_id: first.parts.edgeId }],
    });
    const summaries = record.trace.map(({ leg, direction, summary }) => `${leg} ${direction} ${summary}`);
    for (const message of [
      ...['trunk received INVITE', 'agent sent INVITE', 'agent received 200 OK', 'trunk sent 200 OK'],
      ...['agent received BYE', 'trunk sent BYE'],
    ])
      expect(summaries).toContain(message);
  });

  test('gets offers of both sides again when an exchange of theirs had no outcome', async () => {
    const { trunk, agent, invite } = await bench.establishAt(first);
    await trunk.send('INVITE', { body: trunkDescription({ version: 2, attributes: ['a=sendonly'] }) });
    const open = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
    await written(first, { trunk, agent, invite }, ({ is_modifying }) => is_modifying);
    await bench.crash(first);
    // The agent agrees to be on hold, and the caller has taken its offer back.
    await trunk.cancel();
    await trunk.ack((await trunk.response(487)).message);
    await agent.respond(open, 200, { body: agentDescription({ attributes: ['a=recvonly'] }) });
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    const toAgent = await moved(agent, () => agentDescription({ version: 3 }));
    expect([toAgent, await moved(trunk, secureAnswer)].map(directionOfAudio)).toEqual([
      'sendrecv',
      'sendrecv',
    ]);
    await bench.hangUp(trunk, agent);
    expect(await bench.record()).toMatchObject({ end_reason: 'caller_hung_up' });
  });

  test('ends with the BYE that came while no edge had it', async () => {
    const legs = await bench.establishAt(first);
    await written(first, legs);
    await bench.crash(first);
    await bench.hangUp(legs.trunk, legs.agent);
    expect(await bench.record()).toMatchObject({
      end_reason: 'caller_hung_up',
      edge_id: second.parts.edgeId,
      adoptions: [{}],
    });
  });

  test('fails the transfer that was under way, and tells the transferor', async () => {
    const legs = await bench.establishAt(first);
    await refer(legs.agent, '<sip:1001@127.0.0.1>');
    expect(await notified(legs.agent)).toBe('SIP/2.0 100 Trying');
    const { party, invite } = await bench.at(target);
    await party.respond(invite, 180);
    expect(await notified(legs.agent)).toBe('SIP/2.0 180 Ringing');
    await written(first, legs, ({ open_transfer: open }) => open?.subscription != null);
    await bench.crash(first);
    const cancel = await target.expectRequest('CANCEL', { callId: party.callId });
    await party.respond(cancel, 200);
    await party.respond(invite, 487);
    const last = await bench.agent.expectRequest('NOTIFY', { callId: legs.agent.callId });
    expect(last.message.headers.get('Subscription-State')).toBe('terminated;reason=noresource');
    expect(last.message.body.trim()).toBe('SIP/2.0 503 Service Unavailable');
    await legs.agent.respond(last, 200);
    await bench.hangUp(legs.trunk, legs.agent);
    expect((await bench.record()).transfers).toMatchObject([
      { mode: 'bridge', status: 'failed', reason: 'internal_error', target: 'sip:1001@127.0.0.1' },
    ]);
  });

  test('ends where its document cannot be read, and its record is left to control', async () => {
    const legs = await bench.establishAt(first);
    await written(first, legs);
    const { holder } = first.parts;
    heldBy(first)!.set(idOf(legs), 'x');
    await bench.crash(first);
    await Promise.all([answerBye(legs.trunk), answerBye(legs.agent)]);
    await until(
      () => bench.redis.hashes.get(openCallsKey(holder))?.has(idOf(legs)) === true,
      10_000,
      'the note of the open call',
    );
    await until(() => heldBy(second) === undefined, 10_000, 'the end of the document');
    expect(bench.records).toEqual([]);
    bench.redis.hashes.delete(openCallsKey(holder));
  });

  test('answers challenges with the number’s credential, and can be stopped, where it was ordered', async () => {
    const { call, legs, challenge } = await orderedAtChallengingTrunk();
    const { trunk, agent } = legs;
    await written(first, legs);
    await bench.crash(first);
    await taken(legs);
    const slots = bench.redis.sortedSets.get(orderSlotsKey(calledNumber))!;
    await until(() => slots.has(call.state.id), 10_000, 'its slot');
    const phase = () => bench.redis.hashes.get(orderedCallKey(call.state.id))?.get('phase');
    await until(() => phase() === 'answered', 10_000, 'its phase');
    // The agent's offer goes to the trunk, which asks for credentials again.
    await agent.send('INVITE', { body: agentDescription({ version: 2, attributes: ['a=sendonly'] }) });
    const asked = await target.expectRequest('INVITE', { callId: trunk.callId });
    const again = challenge.replace('n1', 'n2');
    await trunk.respond(asked, 401, { headers: { 'WWW-Authenticate': again } });
    await target.expectRequest('ACK', { callId: trunk.callId });
    const authenticated = await target.expectRequest('INVITE', { callId: trunk.callId });
    expect(authenticated.message.headers.get('Authorization')).toMatch(/username="trunk-user".*nonce="n2"/);
    await trunk.respond(authenticated, 200, { body: secureAnswer(authenticated.message.body) });
    await target.expectRequest('ACK', { callId: trunk.callId });
    await agent.ack((await agent.response(200)).message);
    expect(await bench.ask(call.state.id, { action: 'stop' })).toMatchObject({ result: 'done' });
    await Promise.all([answerBye(trunk), answerBye(agent)]);
    expect(await bench.record()).toMatchObject({
      call_id: call.state.id,
      direction: 'outbound',
      ended_by: 'api',
    });
    await until(() => phase() === 'ended' && !slots.has(call.state.id), 10_000, 'its end');
  });

  test('continues where the next edge cannot read the number’s credential', async () => {
    const { call, legs } = await orderedAtChallengingTrunk();
    await written(first, legs);
    await bench.drain(second, 0, 'restart');
    await bench.crash(first);
    bench.loseKept();
    bench.redis.strings.set(numberKey(calledNumber), 'no document');
    const next = await nextEdge();
    await taken(legs, next);
    await bench.hangUp(legs.agent, legs.trunk);
    expect(await bench.record()).toMatchObject({ call_id: call.state.id, end_reason: 'agent_hung_up' });
  });
});

describe('the calls of an edge that stops', () => {
  test('continue at the other edge when it is replaced', async () => {
    const calls = [await bench.establishAt(first), await bench.establishAt(first)];
    const { holder } = first.parts;
    await bench.drain(first, 10, 'replacement');
    for (const legs of calls) await taken(legs);
    expect(second.parts.takeovers).toMatchObject([{ calls: 2 }]);
    expect(bench.redis.hashes.get(holdersKey)!.has(holder)).toBe(false);
    for (const { trunk, agent } of calls) {
      await bench.hangUp(trunk, agent);
      expect(await bench.record()).toMatchObject({
        end_reason: 'caller_hung_up',
        edge_id: second.parts.edgeId,
      });
    }
  });

  test('are left to the next edge when it is restarted', async () => {
    await bench.drain(second, 0, 'restart');
    const legs = await bench.establishAt(first);
    await written(first, legs);
    await bench.drain(first, 0, 'restart');
    expect(bench.records).toEqual([]);
    const next = await nextEdge();
    await taken(legs, next);
    await bench.hangUp(legs.agent, legs.trunk);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up', edge_id: next.parts.edgeId });
  });

  test('end when it stops for good and no other edge is there', async () => {
    await bench.drain(second, 0, 'end');
    const legs = await bench.establishAt(first);
    const ended = bench.drain(first, 0, 'end');
    await Promise.all([answerBye(legs.trunk), answerBye(legs.agent)]);
    await ended;
    expect(await bench.record()).toMatchObject({ end_reason: 'drained', ended_by: 'edge' });
  });
});

describe('an attended transfer of two calls at different edges', () => {
  const two = async (): Promise<[TwoLegs, TwoLegs]> => {
    const legs = [await bench.establish(), await bench.establish()];
    const own = legs.find((each) => first.has(each))!;
    const remote = legs.find((each) => second.has(each))!;
    return [own, remote];
  };

  test('joins the two callers at the edge that was asked', async () => {
    const [own, remote] = await two();
    await refer(own.agent, referTo(remote.agent));
    expect(await notified(own.agent)).toBe('SIP/2.0 100 Trying');
    await moved(remote.trunk, secureAnswer);
    await moved(own.trunk, secureAnswer);
    expect(await notified(own.agent)).toBe('SIP/2.0 200 OK');
    await Promise.all([answerBye(remote.agent), answerBye(own.agent)]);
    expect(await bench.record()).toMatchObject({
      call_id: idOf(remote),
      edge_id: first.parts.edgeId,
      end_reason: 'transferred',
      ended_by: 'agent',
      adoptions: [{ edge_id: second.parts.edgeId }],
      transfers: [{ mode: 'attended', status: 'completed' }],
    });
    expect(second.parts.table.size).toBe(0);
    // It is no takeover for operators.
    expect(first.parts.takeovers).toEqual([]);
    await holdCrosses(remote.trunk, own.trunk);
    await bench.hangUp(remote.trunk, own.trunk);
    expect(await bench.record()).toMatchObject({ call_id: idOf(own), end_reason: 'target_hung_up' });
  });

  test('is refused for a dialog of the other side, or an unknown one; each call stays at its edge', async () => {
    const [own, remote] = await two();
    await refer(own.agent, referTo(remote.trunk), 603);
    expect(second.has(remote)).toBe(true);
    const { remoteTag } = remote.agent;
    remote.agent.remoteTag = 'unknown';
    await refer(own.agent, referTo(remote.agent), 603);
    remote.agent.remoteTag = remoteTag;
    for (const { trunk, agent } of [own, remote]) {
      await bench.hangUp(trunk, agent);
      await bench.record();
    }
  });

  test('waits until the other call has no open offer', async () => {
    const [own, remote] = await two();
    await remote.trunk.send('INVITE', { body: trunkDescription({ version: 2 }) });
    const open = await bench.agent.expectRequest('INVITE', { callId: remote.agent.callId });
    await own.trunk.send('REFER', { headers: { 'Refer-To': referTo(remote.trunk) } });
    const isBusy = () =>
      bench.redis.published.some(
        ([channel, text]) => channel === callMoveChannel && JSON.parse(text).result === 'busy',
      );
    await until(isBusy, 10_000, 'the other edge to say that the call is busy');
    await remote.agent.respond(open, 200, { body: agentDescription({ version: 2 }) });
    await bench.agent.expectRequest('ACK', { callId: remote.agent.callId });
    await remote.trunk.ack((await remote.trunk.response(200)).message);
    await own.trunk.response(202, 'REFER');
    await notified(own.trunk);
    await moved(remote.agent, () => agentDescription({ version: 3 }));
    await moved(own.agent, () => agentDescription({ version: 2 }));
    expect(await notified(own.trunk)).toBe('SIP/2.0 200 OK');
    await Promise.all([answerBye(remote.trunk), own.trunk.hangUp()]);
    await bench.record();
    await bench.hangUp(own.agent, remote.agent);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up' });
  });

  test('takes over the other call when its edge is killed meanwhile', async () => {
    const [own, remote] = await two();
    await written(second, remote);
    await bench.crash(second);
    await refer(own.agent, referTo(remote.agent));
    await notified(own.agent);
    await moved(remote.trunk, secureAnswer);
    await moved(own.trunk, secureAnswer);
    expect(await notified(own.agent)).toBe('SIP/2.0 200 OK');
    await Promise.all([answerBye(remote.agent), answerBye(own.agent)]);
    expect(await bench.record()).toMatchObject({ call_id: idOf(remote), end_reason: 'transferred' });
    await bench.hangUp(remote.trunk, own.trunk);
    await bench.record();
  });
});
