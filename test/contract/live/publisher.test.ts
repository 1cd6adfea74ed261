import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type EdgeHeartbeat,
  edgeHeartbeatSchema,
  heartbeatKey,
  type LiveEvent,
  liveBatchSchema,
  liveCallSchema,
  liveCallsKey,
  liveChannel,
  liveEdgesKey,
  rememberedMilliseconds,
} from '../../../src/contract/live.js';
import { type CallMoment, momentSchema, momentStream } from '../../../src/contract/moments.js';
import { until } from '../../../src/testkit/waiting.js';
import { PeerCall } from '../../support/peer-call.js';
import { CallBench, calledNumber } from '../call/bench.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';

let bench: CallBench;
let subscriber: Redis;
const events: LiveEvent[] = [];
const losses: boolean[] = [];

beforeAll(async () => {
  bench = await CallBench.start();
  subscriber = bench.redis.duplicate();
  await subscriber.subscribe(liveChannel);
  subscriber.on('message', (_channel, json) => {
    const batch = liveBatchSchema.parse(JSON.parse(json));
    expect(batch.edge_id).toBe('bench');
    events.push(...batch.events);
    losses.push(batch.lost);
  });
});
afterAll(async () => {
  subscriber?.disconnect();
  await bench?.stop();
});
afterEach(() => bench.expectNothingLeft());

const owner = async (): Promise<string> => (await bench.redis.zrange(liveEdgesKey, '0', '-1'))[0]!;

async function heartbeat(): Promise<EdgeHeartbeat> {
  return edgeHeartbeatSchema.parse(JSON.parse((await bench.redis.get(heartbeatKey(await owner())))!));
}

const callsInRedis = async () =>
  Object.values(await bench.redis.hgetall(liveCallsKey(await owner()))).map((json) =>
    liveCallSchema.parse(JSON.parse(json)),
  );

const event = (sipCallId: string, change: LiveEvent['change']): Promise<LiveEvent> => {
  const find = () =>
    events.find((event) => event.change === change && event.call.trunk.sip_call_id === sipCallId);
  return until(() => find() !== undefined, 4_000, `${change} of ${sipCallId}`).then(() => find()!);
};

/** What webhooks are made of. */
async function momentsOf(sipCallId: string): Promise<CallMoment[]> {
  const entries = await bench.redis.xrange(momentStream, '-', '+');
  return entries
    .map(([, [, json]]) => momentSchema.parse(JSON.parse(json!)))
    .filter((moment): moment is CallMoment => moment.kind === 'call')
    .filter(({ call }) => call.sip_call_id === sipCallId);
}

async function hangUp(trunk: PeerCall, agent: PeerCall): Promise<void> {
  await trunk.send('BYE');
  await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
  await trunk.response(200, 'BYE');
}

describe('live state published by an edge', () => {
  it('is a heartbeat with the state of its components, which outlives it for a while', async () => {
    await until(
      async () => {
        if ((await bench.redis.zcard(liveEdgesKey)) !== 1) return false;
        // The first one may be older than the connection to the engine.
        const { engine, rtpengine } = await heartbeat();
        return engine.up && rtpengine[0]!.state === 'up';
      },
      10_000,
      'a heartbeat',
    );
    expect(await heartbeat()).toMatchObject({
      edge_id: 'bench',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      draining: false,
      engine: { up: true, kind: bench.engine.kind },
      rtpengine: [{ name: `127.0.0.1:${bench.rtpengine.port}`, state: 'up', owed_deletions: 0 }],
      redis: { ready: true },
      counts: { calls: 0, ringing: 0, answered: 0 },
    });
    expect((await heartbeat()).rtpengine[0]!.round_trip_milliseconds).toBeGreaterThan(0);
    expect((await heartbeat()).memory_bytes).toBeGreaterThan(10_000_000);
    const left = await bench.redis.pttl(heartbeatKey(await owner()));
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(rememberedMilliseconds);
  });

  it('follows a call from its beginning to its end', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    const began = await event(trunk.callId, 'began');
    expect(began).toMatchObject({
      end: null,
      call: { organization: 'acme', number: calledNumber, direction: 'inbound', state: 'setup' },
    });
    expect(began.call.trunk.address).toMatch(/^127\.0\.0\.1:\d+$/);
    await agent.respond(invite, 180);
    expect((await event(trunk.callId, 'ringing')).call.ringing_at).not.toBeNull();
    await agent.respond(invite, 200, { body: agentDescription() });
    await trunk.ack((await trunk.response(200)).message);
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    expect((await event(trunk.callId, 'answered')).call).toMatchObject({
      state: 'answered',
      media: { codec: 'PCMU', srtp_suite: 'AES_CM_128_HMAC_SHA1_80' },
    });
    expect(await callsInRedis()).toEqual([(await event(trunk.callId, 'answered')).call]);
    await until(async () => (await heartbeat()).counts.answered === 1, 4_000, 'the heartbeat counts it');
    expect((await heartbeat()).organizations).toMatchObject({ acme: { ringing: 0, answered: 1 } });
    await hangUp(trunk, agent);
    expect((await event(trunk.callId, 'ended')).end).toMatchObject({
      end_reason: 'caller_hung_up',
      ended_by: 'caller',
      outcome: 'completed',
      sip_status: 200,
    });
    expect(await callsInRedis()).toEqual([]);
    expect(losses.slice(1)).not.toContain(true);
    const moments = await momentsOf(trunk.callId);
    expect(moments.map(({ stage }) => stage)).toEqual(['initiated', 'ringing', 'answered']);
    expect(moments[2]!.call).toMatchObject({
      organization: 'acme',
      number: calledNumber,
      direction: 'inbound',
      answered_at: expect.any(String),
    });
  });

  it('also reports calls that ended between two snapshots, with the reason', async () => {
    const trunk = PeerCall.to(bench.trunk, '999999');
    await trunk.invite({ body: trunkDescription() });
    await trunk.ack((await trunk.response(404)).message);
    const { call, end } = await event(trunk.callId, 'ended');
    expect(call).toMatchObject({ organization: null, number: null, state: 'setup', media: null });
    expect(end).toMatchObject({ end_reason: 'refused_unknown_number', outcome: 'refused', sip_status: 404 });
    expect(events.filter((event) => event.call.trunk.sip_call_id === trunk.callId)).toHaveLength(1);
    expect(await momentsOf(trunk.callId)).toEqual([]);
    expect(await callsInRedis()).toEqual([]);
  });

  it('cuts what strangers write', async () => {
    const trunk = PeerCall.to(bench.trunk, '999998');
    const from = `"${'<script>alert(1)</script>'.repeat(40)}" <sip:mallory@evil.example>;tag=x`;
    await trunk.invite({ body: trunkDescription(), headers: { From: from } });
    await trunk.ack((await trunk.response(404)).message);
    const { call } = await event(trunk.callId, 'ended');
    expect(call.from.length).toBeLessThanOrEqual(256);
    expect(call.from).toMatch(/^"<script>alert.*<sip:mallory@evil\.example>/);
  });

  it('is fully restored after Redis lost everything', async () => {
    const { trunk, agent } = await bench.establish();
    await event(trunk.callId, 'began');
    await until(
      async () => (await callsInRedis())[0]?.state === 'answered',
      5_000,
      'the answer is published',
    );
    losses.length = 0;
    await bench.redis.flushall();
    await until(async () => (await bench.redis.zcard(liveEdgesKey)) === 1, 5_000, 'the edge is found again');
    await until(async () => (await callsInRedis()).length === 1, 5_000, 'the call is published again');
    expect((await callsInRedis())[0]!.trunk.sip_call_id).toBe(trunk.callId);
    await until(() => losses.includes(true), 5_000, 'listeners get the request to read everything again');
    await bench.configure({});
    await hangUp(trunk, agent);
    await until(async () => (await callsInRedis()).length === 0, 5_000, 'the end is published');
  });

  it('is removed by an edge that stops in order', async () => {
    const before = await owner();
    await bench.edge.drain(0);
    expect(await bench.redis.zrange(liveEdgesKey, '0', '-1')).toEqual([]);
    expect(await bench.redis.exists(heartbeatKey(before), liveCallsKey(before))).toBe(0);
    await bench.startEdge();
  });
});
