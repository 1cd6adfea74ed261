import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { callControlChannel, callControlReplyKey } from '../../../../src/contract/call-control.js';
import { CallTable } from '../../../../src/edge/call/call-table.js';
import { CallControls } from '../../../../src/edge/call-control/call-controls.js';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import { until } from '../../../../src/testkit/waiting.js';
import { CallDoubles, invitation } from '../../../support/call-doubles.js';
import { MemoryRedis } from '../../../support/memory-redis.js';
import { stays } from '../../../support/stays.js';

/** An edge with one call. */
async function edge(redis = new MemoryRedis(), holder = 'edge-1') {
  const { deps, gate } = new CallDoubles();
  const table = new CallTable();
  const { request, response } = invitation();
  const call = new InboundCall(deps, request, response);
  table.add(call);
  call.admit({ number: '12025550100', organization: 'acme', release: () => {} });
  const log = pino({ level: 'silent' });
  const controls = new CallControls({ redis: redis.asRedis, holder, table, gate, log });
  controls.start();
  await turn();
  /** The results of all replies to one request. */
  async function ask(callId: string, organization = 'acme') {
    const requestId = randomUUID();
    const order = { request_id: requestId, call_id: callId, organization, action: 'stop' };
    redis.deliver(callControlChannel, JSON.stringify(order));
    await turn();
    return () =>
      (redis.lists.get(callControlReplyKey(requestId)) ?? []).map((json) => JSON.parse(json).result);
  }
  return { call, gate, ask, table };
}

it('acts on a call of this edge, and does not know others', async () => {
  const { call, ask } = await edge();
  expect((await ask('another'))()).toEqual(['unknown']);
  expect((await ask(call.state.id, 'another'))()).toEqual(['unknown']);
  expect(call.hasEnded).toBe(false);
  expect((await ask(call.state.id))()).toEqual(['done']);
  expect(call.state.ending).toMatchObject({ reason: 'stopped', by: 'api' });
});

it('lets requests about its calls wait while it hands them over, and replies to all others at once', async () => {
  const { call, gate, ask } = await edge();
  gate.close();
  const results = await ask(call.state.id);
  expect((await ask('another'))()).toEqual(['unknown']);
  expect((await ask(call.state.id, 'another'))()).toEqual(['unknown']);
  expect([results(), call.hasEnded]).toEqual([[], false]);
  gate.open();
  await turn();
  expect([results(), call.hasEnded]).toEqual([['done'], true]);
});

it('leaves a request that waits to the edge that continues the call, which acts once', async () => {
  const redis = new MemoryRedis();
  const leaving = await edge(redis);
  const successor = await edge(redis, 'edge-2');
  successor.call.end({ reason: 'caller_hung_up', by: 'caller' });
  leaving.gate.close();
  const results = await leaving.ask(leaving.call.state.id);
  expect(results()).toEqual(['unknown']);
  leaving.gate.leave(true);
  await turn();
  expect([results(), leaving.call.hasEnded]).toEqual([['unknown'], false]);
  const { id, organization } = leaving.call.state;
  const ended: string[] = [];
  const continued = {
    state: { id, organization, phase: 'answered', answeredAt: 1 },
    end: ({ reason }: { reason: string }) => ended.push(reason),
  };
  vi.spyOn(successor.table, 'find').mockImplementation((wanted) =>
    wanted === id ? (continued as never) : undefined,
  );
  // Its dialogs are on the way.
  await stays(() => expect(ended).toEqual([]), 200);
  continued.state.phase = 'confirmed';
  await until(() => results().length > 1, 10_000, 'the reply of the successor');
  expect([results(), ended]).toEqual([['unknown', 'done'], ['stopped']]);
  // The same, should the edge that has left it be late.
  for (const [channel, message] of [...redis.published]) redis.deliver(channel, message);
  await turn();
  expect(ended).toEqual(['stopped']);
});

it('refuses a request that waits when it leaves its calls to an edge that is not there yet', async () => {
  const { call, gate, ask } = await edge();
  gate.close();
  const before = await ask(call.state.id);
  gate.leave(false);
  const after = await ask(call.state.id);
  await turn();
  expect([before(), after(), call.hasEnded]).toEqual([['conflict'], ['conflict'], false]);
});
