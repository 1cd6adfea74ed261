import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Edge } from '../../../src/edge/edge.js';
import { until } from '../../../src/testkit/waiting.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { CallBench } from './bench.js';

let bench: CallBench;
const others: Edge[] = [];
beforeAll(async () => {
  bench = await CallBench.start();
  for (const id of ['second', 'third', 'fourth']) others.push(await bench.newEdge(id));
  for (const { httpUrl } of others)
    await until(async () => (await fetch(`${httpUrl}/readyz`)).ok, 10_000, 'the other edges');
});
afterAll(async () => {
  for (const edge of others) await edge.drain(0);
  await bench?.stop();
});
afterEach(() => bench.expectNothingLeft());

// A drachtio-server sends its captures to one address only.
it.skipIf(isRealServer)('each of four edges on one engine has the whole trace of its own calls', async () => {
  const traces = new Map<string, readonly string[]>();
  for (let calls = 0; calls < 8; calls++) {
    const { trunk, agent } = await bench.establish();
    await trunk.send('BYE');
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    await trunk.response(200, 'BYE');
    const record = await bench.record();
    expect(record.trace_truncated).toBe(false);
    const trace = record.trace.map(({ leg, direction, summary }) => `${leg} ${direction} ${summary}`);
    traces.set(record.edge_id, [...trace].sort());
  }
  expect([...traces.keys()].sort()).toEqual(['bench', 'fourth', 'second', 'third']);
  for (const trace of traces.values()) expect(trace).toEqual([...wholeCall].sort());
});

const wholeCall = [
  'trunk received INVITE',
  'trunk sent 100 Trying',
  'agent sent INVITE',
  'agent received 180 Ringing',
  'trunk sent 180 Ringing',
  'agent received 200 OK',
  'agent sent ACK',
  'trunk sent 200 OK',
  'trunk received ACK',
  'trunk received BYE',
  'trunk sent 200 OK',
  'agent sent BYE',
  'agent received 200 OK',
];
