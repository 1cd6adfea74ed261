import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Edge } from '../../../src/edge/edge.js';
import { until } from '../../../src/testkit/waiting.js';
import { withoutRepetitions } from '../../e2e/traces.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { PeerCall } from '../../support/peer-call.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { type CallBench, calledNumber } from './bench.js';
import { plainBench } from './plain-bench.js';

let bench: CallBench;
const furtherEdges: Edge[] = [];
beforeAll(async () => {
  bench = await plainBench.take();
  for (const id of ['second', 'third', 'fourth']) furtherEdges.push(await bench.newEdge(id));
  for (const { httpUrl } of furtherEdges)
    await until(async () => (await fetch(`${httpUrl}/readyz`)).ok, 10_000, 'the other edges');
});
afterAll(async () => {
  for (const edge of furtherEdges) await edge.drain(0);
});
afterEach(() => bench.expectNothingLeft());

// A drachtio-server sends its captures to one address only.
it.skipIf(isRealServer)('gives each of four edges on one engine the whole trace of its calls', async () => {
  const traces = new Map<string, readonly string[]>();
  for (let calls = 0; calls < 8; calls++) {
    const { trunk, agent } = await bench.establish();
    await trunk.send('BYE');
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    await trunk.response(200, 'BYE');
    const record = await bench.record();
    expect(record.trace_truncated).toBe(false);
    const trace = withoutRepetitions(record.trace).map(
      ({ leg, direction, summary }) => `${leg} ${direction} ${summary}`,
    );
    traces.set(record.edge_id, [...trace].sort());
  }
  expect([...traces.keys()].sort()).toEqual(['bench', 'fourth', 'second', 'third']);
  for (const trace of traces.values()) expect(trace).toEqual([...wholeCall].sort());
});

it('refuses a second call with the Call-ID and From tag of the first, at any edge', async () => {
  const trunk = await bench.call();
  const { agent, invite } = await bench.atAgent();
  await agent.respond(invite, 180);
  await trunk.response(180);
  for (let attempts = 0; attempts < 4; attempts++) {
    const again = PeerCall.to(bench.trunk, calledNumber);
    Object.assign(again, { callId: trunk.callId, localTag: trunk.localTag, cseq: trunk.cseq });
    await again.invite({ body: trunkDescription() });
    const refusal = await again.response(500);
    expect(Number(refusal.message.headers.get('Retry-After'))).toBeLessThanOrEqual(10);
    await again.ack(refusal.message);
    trunk.cseq = again.cseq;
  }
  await agent.respond(invite, 200, { body: agentDescription() });
  await trunk.response(200);
  // Without an ACK both legs end, with nothing beside them.
  await bench.bothAreLetGo({ trunk, agent }, 64 * bench.engine.t1 + 3_000);
  expect(await bench.record()).toMatchObject({ end_reason: 'ack_timeout' });
  await bench.agent.expectNothing(
    (message) => message.kind === 'request' && message.method === 'INVITE',
    100,
    'No other INVITE',
  );
});

it('accepts a refused caller that calls again with its Call-ID and From tag', async () => {
  const trunk = await bench.call();
  for (const status of [486, 503, 200]) {
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, status, status === 200 ? { body: agentDescription() } : {});
    const answer = await trunk.response((each) => each >= 200);
    await trunk.ack(answer.message);
    if (status !== 200) {
      expect(answer.message.status).toBe(status);
      trunk.remoteTag = undefined;
      await trunk.invite({ body: trunkDescription() });
      await bench.record();
      continue;
    }
    await trunk.send('BYE');
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    await trunk.response(200, 'BYE');
    expect(await bench.record()).toMatchObject({ end_reason: 'caller_hung_up' });
  }
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
