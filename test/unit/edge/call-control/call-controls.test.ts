import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { callControlChannel, callControlReplyKey } from '../../../../src/contract/call-control.js';
import { CallTable } from '../../../../src/edge/call/call-table.js';
import { CallControls } from '../../../../src/edge/call-control/call-controls.js';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import { CallDoubles, invitation } from '../../../support/call-doubles.js';
import { MemoryRedis } from '../../../support/memory-redis.js';

/** An edge with one call. */
async function edge() {
  const redis = new MemoryRedis();
  const { deps, gate } = new CallDoubles();
  const table = new CallTable();
  const { request, response } = invitation();
  const call = new InboundCall(deps, request, response);
  table.add(call);
  call.admit({ number: '12025550100', organization: 'acme', release: () => {} });
  const log = pino({ level: 'silent' });
  const controls = new CallControls({ redis: redis.asRedis, holder: 'edge-1', table, gate, log });
  controls.start();
  await turn();
  /** The results of its replies to one request. */
  async function ask(callId: string, organization = 'acme') {
    const requestId = randomUUID();
    const order = { request_id: requestId, call_id: callId, organization, action: 'stop' };
    redis.deliver(callControlChannel, JSON.stringify(order));
    await turn();
    return () =>
      (redis.lists.get(callControlReplyKey(requestId)) ?? []).map((json) => JSON.parse(json).result);
  }
  return { call, gate, ask };
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
