import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { callRecordSchema } from '../../../src/contract/call-record.js';
import { heldCallsKey } from '../../../src/contract/held-call.js';
import { callStream } from '../../../src/contract/keys.js';
import { type LiveCall, liveCallSchema } from '../../../src/contract/live.js';
import { openCallOwnersKey, openCallsKey } from '../../../src/contract/open-calls.js';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import type { Stage, TwoLegs } from './stage.js';
import { usualStage } from './usual-stage.js';

const calls = 20;

let stage: Stage;
let trunk: SipPeer;
let redis: Redis;
beforeAll(async () => {
  stage = await usualStage.take();
  trunk = await stage.peer('tcp');
  redis = stage.redis.client();
  // Records of the groups before.
  await redis.del(callStream);
});
afterAll(() => redis?.disconnect());
afterEach(async () => {
  const hashes = await Promise.all([openCallsKey('*'), heldCallsKey('*')].map((key) => redis.keys(key)));
  // The next edge would continue the calls that were held, beside those of the next test.
  await redis.del(callStream, openCallOwnersKey, ...hashes.flat());
  await stage.startEdge();
});

async function kill(): Promise<void> {
  stage.edge.signal('SIGKILL');
  await stage.edge.exit(5_000);
}

/** Calls that dead edges have left, for control to record; by the Call-ID of the trunk's leg. */
async function open(): Promise<Map<string, LiveCall>> {
  const found = new Map<string, LiveCall>();
  for (const owner of await redis.smembers(openCallOwnersKey)) {
    for (const json of await redis.hvals(openCallsKey(owner))) {
      const call = liveCallSchema.parse(JSON.parse(json));
      found.set(call.trunk.sip_call_id, call);
    }
  }
  return found;
}

/** Call-IDs of the calls whose record is in the stream. */
async function recorded(): Promise<string[]> {
  const entries = await redis.xrange(callStream, '-', '+');
  return entries.map(([, fields]) => callRecordSchema.parse(JSON.parse(fields[1]!)).sip_call_ids.trunk);
}

/** Each call is recorded, or noted to be recorded, and not both. */
async function expectEachOnce(callIds: readonly string[]): Promise<void> {
  const all = [...(await recorded()), ...(await open()).keys()];
  expect(all.toSorted()).toEqual([...callIds].toSorted());
}

async function establishAll(): Promise<TwoLegs[]> {
  const legs: TwoLegs[] = [];
  for (let call = 0; call < calls; call++) legs.push(await stage.establish(trunk));
  return legs;
}

describe('an edge that is killed leaves a trace in Redis of every call that it admitted', () => {
  it('while calls are set up', async () => {
    const begun = await Promise.all(Array.from({ length: calls }, () => stage.call(trunk)));
    // The last call has only just reached the agent when its edge dies.
    for (let call = 0; call < calls; call++) await stage.agent.expectRequest('INVITE');
    // Calls of 50 ms share a write.
    await until(async () => (await open()).size === calls, 5_000, 'the last call is noted');
    await kill();
    await expectEachOnce(begun.map(({ callId }) => callId));
    expect([...(await open()).values()][0]).toMatchObject({ state: 'setup', direction: 'inbound' });
  });

  it('while calls are up, with the moment of the answer', async () => {
    const legs = await establishAll();
    // The live state is published twice a second.
    await until(
      async () => [...(await open()).values()].every(({ state }) => state === 'answered'),
      5_000,
      'the answers are noted',
    );
    await kill();
    await expectEachOnce(legs.map((each) => each.trunk.callId));
    for (const call of (await open()).values()) expect(call.answered_at).not.toBeNull();
  });

  it('while calls are torn down', async () => {
    const legs = await establishAll();
    for (const { trunk: caller } of legs) await caller.send('BYE');
    // Some have their record, some wait for the agent's answer to BYE.
    for (const { agent } of legs.slice(0, calls / 2)) {
      await agent.respond(await stage.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    }
    await until(async () => (await recorded()).length > 0, 5_000, 'the first record');
    await kill();
    await expectEachOnce(legs.map((each) => each.trunk.callId));
    expect((await open()).size).toBeGreaterThanOrEqual(calls / 2);
  });

  it('and nothing of a call that has its record', async () => {
    const record = await stage.callAndHangUp(trunk);
    expect(record.end_reason).toBe('caller_hung_up');
    expect(await open()).toEqual(new Map());
  });
});
