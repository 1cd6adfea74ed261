import { afterAll, beforeAll, expect, it } from 'vitest';
import { heldCallsKey, holdersKey } from '../../../src/contract/held-call.js';
import { limitSlotsKey } from '../../../src/contract/keys.js';
import { generateSecretKey } from '../../../src/contract/secret.js';
import { until } from '../../../src/testkit/waiting.js';
import { isRealServer } from '../../support/engine-under-test.js';
import type { PeerCall } from '../../support/peer-call.js';
import type { TestProcess } from '../../support/processes.js';
import { agentDescription } from '../media/descriptions.js';
import { CallBench, calledNumber } from './bench.js';

const limit = 20;

let bench: CallBench;
let killed: TestProcess;
const agents = new Map<string, PeerCall>();
beforeAll(async () => {
  bench = await CallBench.start({
    DEMARC_SECRET_KEY: generateSecretKey(),
    // An edge that is stalled for longer loses its calls to the others.
    DEMARC_CALL_LEASE_SECONDS: '6',
    // Only the limit refuses calls, also on a busy machine.
    DEMARC_SETUP_DELAY_MS: '0',
    DEMARC_ORGANIZATION_CALLS_PER_SECOND: '1000',
  });
  killed = await bench.edgeProcess('second');
  await bench.addEdge('third');
  await bench.addEdge('fourth');
}, 180_000);
afterAll(async () => {
  for (const edge of bench?.edges ?? []) edge.endAll('drained', 'Test is over');
  await killed?.stop();
  await bench?.stop();
});

/** Callers at once, of whom the agent answers as many as are to get through; the callers whose calls are up. */
async function callAtOnce(count: number, through: number): Promise<PeerCall[]> {
  const trunks = await Promise.all(Array.from({ length: count }, () => bench.call()));
  for (let answered = 0; answered < through; answered++) {
    const { agent, invite } = await bench.atAgent();
    agents.set(agent.callId, agent);
    await agent.respond(invite, 200, { body: agentDescription() });
  }
  const up: PeerCall[] = [];
  for (const trunk of trunks) {
    const { message } = await trunk.response((status) => status >= 200);
    await trunk.ack(message);
    if (message.status === 200) up.push(trunk);
    else expect([message.status, Number(message.headers.get('Retry-After')) > 0]).toEqual([503, true]);
  }
  expect(up).toHaveLength(through);
  return up;
}

async function heldCalls(): Promise<number> {
  const keys = await bench.redis.keys(heldCallsKey('*'));
  const lengths = await Promise.all(keys.map((key) => bench.redis.hlen(key)));
  return lengths.reduce((sum, length) => sum + length, 0);
}

async function hangUp(trunk: PeerCall): Promise<void> {
  await trunk.send('BYE');
  const bye = await bench.agent.expectRequest('BYE');
  await agents.get(bye.message.headers.get('Call-ID') ?? '')!.respond(bye, 200);
  await trunk.response(200, 'BYE');
}

it.skipIf(isRealServer)(
  'holds a limit of 20 calls of a number over four edges, also after one was killed and its calls were adopted',
  async () => {
    await bench.configure({ limits: { concurrent_calls: limit } });
    const up = await callAtOnce(40, limit);
    await callAtOnce(10, 0);

    await until(async () => (await heldCalls()) === limit, 5_000, 'the documents of the calls');
    killed.signal('SIGKILL');
    const isAdopted = async (): Promise<boolean> =>
      !(await bench.redis.hkeys(holdersKey)).some((holder) => holder.startsWith('second '));
    await until(isAdopted, 10_000, 'adoption of the calls by another edge');
    await callAtOnce(20, 0);

    for (const trunk of up.splice(0, 3)) await hangUp(trunk);
    up.push(...(await callAtOnce(9, 3)));
    for (const trunk of up.splice(0)) await hangUp(trunk);
    const slots = (): Promise<string[]> => bench.redis.hvals(limitSlotsKey(`number ${calledNumber}`));
    await until(
      async () => (await slots()).every((own) => own.endsWith('~')),
      5_000,
      'the return of the slots',
    );
    for (const trunk of await callAtOnce(25, limit)) await hangUp(trunk);
  },
);
