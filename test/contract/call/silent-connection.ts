import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Edge } from '../../../src/edge/edge.js';
import { until } from '../../../src/testkit/waiting.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { PeerCall } from '../../support/peer-call.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { agentDescription } from '../media/descriptions.js';
import type { CallBench } from './bench.js';
import { BreakableLink } from './breakable-link.js';
import { plainBench } from './plain-bench.js';

let bench: CallBench;
let link: BreakableLink;
let otherEdge: Edge;
let isOpen = true;
let agents: Promise<unknown>;
beforeAll(async () => {
  bench = await plainBench.take();
  link = await BreakableLink.to(bench.engine.admin);
  otherEdge = await bench.newEdge('other', { DRACHTIO_PORT: String(link.port) });
  await until(async () => (await fetch(`${otherEdge.httpUrl}/readyz`)).ok, 10_000, 'the other edge');
  agents = Promise.all((['INVITE', 'BYE', 'CANCEL'] as const).map(answerAsAgent));
});
afterAll(async () => {
  isOpen = false;
  await agents;
  await otherEdge?.drain(0);
  await link?.close();
});
afterEach(() => bench.expectNothingLeft());

/** Answers what the edges send, also the INVITE that leaves a dead connection late, with its CANCEL or BYE behind it. */
async function answerAsAgent(method: 'INVITE' | 'BYE' | 'CANCEL'): Promise<void> {
  const body = method === 'INVITE' ? { body: agentDescription() } : {};
  while (isOpen) {
    const request = await bench.agent.expectRequest(method, { milliseconds: 1_000 }).catch(() => undefined);
    if (request !== undefined) await PeerCall.from(bench.agent, request.message).respond(request, 200, body);
  }
}

async function establish(count: number): Promise<PeerCall[]> {
  const calls: PeerCall[] = [];
  for (let each = 0; each < count; each++) calls.push(await bench.call());
  for (const call of calls) await call.ack((await call.response(200)).message);
  return calls;
}

/** Who held them, by their records. */
async function hangUp(calls: readonly PeerCall[]): Promise<string[]> {
  const edges: string[] = [];
  for (const call of calls) {
    await call.send('BYE');
    await call.response(200, 'BYE');
    const record = await bench.record();
    expect(record.end_reason).toBe('caller_hung_up');
    edges.push(record.edge_id);
  }
  return edges.sort();
}

const readiness = async (): Promise<number> => (await fetch(`${bench.edge.httpUrl}/readyz`)).status;

// A drachtio-server does not know whether its applications work.
describe.skipIf(isRealServer)('an edge whose connection to the engine is dead, although TCP keeps it', () => {
  it.each([
    ['from the engine', ['far']],
    ['to the engine', ['near']],
  ] as const)(
    'loses its new calls to another edge within 3 s, and gets calls again afterwards: %s',
    async (_, directions) => {
      bench.link.silence(directions);
      const watch = Stopwatch.start();
      const calls = await establish(4);
      expect(watch.milliseconds).toBeLessThan(watch.bound(3_500));
      await until(async () => (await readiness()) === 503, 3_000, 'the edge reports a silent engine');
      bench.link.resume();
      await until(async () => (await readiness()) === 200, 3_000, 'the edge is ready again');
      expect(await hangUp(calls)).toEqual(Array(4).fill('other'));
      expect(await hangUp(await establish(2))).toEqual(['bench', 'other']);
      // The calls that it got too late leave no second record.
      await expect(bench.record(300)).rejects.toThrow('No call record');
    },
  );
});
