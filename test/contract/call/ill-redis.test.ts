import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { heldCallsKey, holderLeaseKey, holdersKey } from '../../../src/contract/held-call.js';
import { orderedCallKey } from '../../../src/contract/keys.js';
import { momentSchema, momentStream } from '../../../src/contract/moments.js';
import { openCallsKey } from '../../../src/contract/open-calls.js';
import { generateSecretKey } from '../../../src/contract/secret.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { isRealServer } from '../../support/engine-under-test.js';
import type { PeerCall } from '../../support/peer-call.js';
import type { TestProcess } from '../../support/processes.js';
import { stays } from '../../support/stays.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { CallBench, type TwoLegs } from './bench.js';

/** An edge that is stalled for longer loses its calls to the other one. */
const leaseSeconds = 4;
/** By then a lease has run out, and has been seen to be missing for half its time. */
const outageMilliseconds = 1_000 * leaseSeconds * 1.5 + 700;
const callsEach = 10;

let bench: CallBench;
let second: TestProcess | undefined;
beforeAll(async () => {
  bench = await CallBench.start({
    DEMARC_SECRET_KEY: generateSecretKey(),
    DEMARC_CALL_LEASE_SECONDS: String(leaseSeconds),
  });
}, 180_000);
afterAll(() => bench?.stop());
afterEach(async ({ task }) => {
  // After a failure it still runs, and would take calls of the next test.
  await second?.stop();
  second = undefined;
  if (task.result?.state === 'fail') await bench.clear(8_000);
  else await bench.expectNothingLeft(8_000);
});

async function establish(count: number): Promise<TwoLegs[]> {
  const calls: TwoLegs[] = [];
  for (let each = 0; each < count; each++) calls.push(await bench.establish());
  return calls;
}

async function countIn(keyOf: (holder: string) => string): Promise<number> {
  const keys = await bench.redis.keys(keyOf('*'));
  return (await Promise.all(keys.map((key) => bench.redis.hlen(key)))).reduce(
    (sum, length) => sum + length,
    0,
  );
}

const held = (count: number) =>
  until(async () => (await countIn(heldCallsKey)) === count, 5_000, 'the calls in Redis');

async function hangUp({ trunk, agent }: Pick<TwoLegs, 'trunk' | 'agent'>): Promise<void> {
  await trunk.send('BYE');
  await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
  await trunk.response(200, 'BYE');
}

/** One record of each call, as its parties saw it. */
async function expectRecords(calls: readonly Pick<TwoLegs, 'trunk'>[]): Promise<string[]> {
  const callIds: string[] = [];
  const sipCallIds: string[] = [];
  for (const _call of calls) {
    const record = await bench.record();
    // The trunk is the callee of ordered calls.
    const reason = record.direction === 'inbound' ? 'caller_hung_up' : 'callee_hung_up';
    expect(record).toMatchObject({ outcome: 'completed', end_reason: reason });
    callIds.push(record.call_id);
    sipCallIds.push(record.sip_call_ids.trunk);
  }
  expect(sipCallIds.toSorted()).toEqual(calls.map(({ trunk }) => trunk.callId).toSorted());
  await expect(bench.record(300)).rejects.toThrow('No call record');
  return callIds;
}

/** Stages that control learns of for its webhooks. */
async function stagesOf(callIds: readonly string[]): Promise<Record<string, string[]>> {
  const stages: Record<string, string[]> = Object.fromEntries(callIds.map((id) => [id, []]));
  for (const [, fields] of await bench.redis.xrange(momentStream, '-', '+')) {
    const moment = momentSchema.parse(JSON.parse(fields[1]!));
    if (moment.kind === 'call') stages[moment.call.call_id]?.push(moment.stage);
  }
  return stages;
}

const refusals = [
  {
    what: 'of a replica, as in a failover',
    begin: () => bench.redis.call('REPLICAOF', '127.0.0.1', '1'),
    end: () => bench.redis.call('REPLICAOF', 'NO', 'ONE'),
  },
  {
    what: 'of a full memory',
    begin: async () => {
      await bench.redis.config('SET', 'maxmemory-policy', 'noeviction');
      await bench.redis.config('SET', 'maxmemory', '1');
    },
    end: () => bench.redis.config('SET', 'maxmemory', '0'),
  },
] as const;

describe.skipIf(isRealServer)('a Redis that refuses writes and answers reads', () => {
  it.each(refusals)(
    'costs no call, record or event at its return, older or answered meanwhile: $what',
    async ({ begin, end }) => {
      second = await bench.edgeProcess('second');
      const before = await establish(callsEach);
      await held(callsEach);
      const holders = (await bench.redis.hkeys(holdersKey)).toSorted();
      expect(holders).toHaveLength(2);
      await begin();
      const during: TwoLegs[] = [];
      try {
        await pause(outageMilliseconds);
        during.push(...(await establish(callsEach)));
      } finally {
        await end();
      }
      await held(2 * callsEach);
      // Another edge would take calls within a lookup or two.
      await stays(
        async () => expect((await bench.redis.hkeys(holdersKey)).toSorted()).toEqual(holders),
        1_500,
      );
      const calls = [...before, ...during];
      for (const call of calls) await hangUp(call);
      const callIds = await expectRecords(calls);
      const all = ['initiated', 'ringing', 'answered'];
      expect(await stagesOf(callIds)).toEqual(Object.fromEntries(callIds.map((id) => [id, all])));
      second.signal('SIGTERM');
      expect(await second.exit(10_000)).toBe(0);
    },
  );
});

describe.skipIf(isRealServer)('an edge whose lease ran out', () => {
  it('keeps its calls while it answers the engine, although only the other edges can write to Redis', async () => {
    second = await bench.edgeProcess('second');
    const calls = await establish(4);
    await held(4);
    const own = bench.edge.counts().calls;
    const { redis } = bench;
    const holder = (await redis.hkeys(holdersKey)).find((name) => name.startsWith('second '))!;
    // It renews its lease four times in its time; each one is undone.
    const end = performance.now() + outageMilliseconds;
    while (performance.now() < end) {
      await redis.del(holderLeaseKey(holder));
      await pause(5);
    }
    expect(bench.edge.counts().calls).toBe(own);
    expect(await redis.hexists(holdersKey, holder)).toBe(1);
    for (const call of calls) await hangUp(call);
    await expectRecords(calls);
    second.signal('SIGTERM');
    expect(await second.exit(10_000)).toBe(0);
  });
});

/** A call that was ordered, with its id. */
async function orderCall(): Promise<{ id: string; trunk: PeerCall; agent: PeerCall }> {
  const id = await bench.order();
  const { agent, invite: atAgent } = await bench.atAgent();
  await agent.respond(atAgent, 200, { body: agentDescription() });
  const { trunk, invite } = await bench.atTrunk();
  await trunk.respond(invite, 200, { body: trunkDescription() });
  await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
  await bench.agent.expectRequest('ACK', { callId: agent.callId });
  return { id, trunk, agent };
}

describe.skipIf(isRealServer)('a Redis that loses its data behind open connections', () => {
  it('gets the data again from the edges: after kill -9 of one edge the other has all calls, including ordered ones', async () => {
    const { port } = bench.trunk;
    const outbound = [{ id: 'out', host: '127.0.0.1', port, transport: 'tcp' }];
    await bench.configure({ inbound: [{ id: 'any' }], outbound });
    second = await bench.edgeProcess('second');
    const inbound = await establish(callsEach);
    const ordered = [await orderCall(), await orderCall()];
    await held(callsEach + ordered.length);
    await bench.redis.flushall();
    // Calls that begin meanwhile make the hashes again.
    inbound.push(...(await establish(2)));
    const calls = [...inbound, ...ordered];
    await held(calls.length);
    await until(
      async () => {
        const claims = ordered.map(({ id }) => bench.redis.hgetall(orderedCallKey(id)));
        return (await Promise.all(claims)).every(
          ({ claimed_by, phase, progress }) =>
            claimed_by !== undefined && phase === 'answered' && progress !== undefined,
        );
      },
      5_000,
      'the orders in Redis',
    );
    await until(async () => (await countIn(openCallsKey)) === calls.length, 5_000, 'the notes of open calls');
    second.signal('SIGKILL');
    await until(async () => bench.edge.counts().calls === calls.length, 5_000, 'the calls at the other edge');
    for (const call of calls) await hangUp(call);
    await expectRecords(calls);
    for (const { id } of ordered) expect(await bench.redis.hget(orderedCallKey(id), 'phase')).toBe('ended');
  });
});
