import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { heldCallsKey } from '../../../src/contract/held-call.js';
import { generateSecretKey } from '../../../src/contract/secret.js';
import { readSession } from '../../../src/sdp/sdp.js';
import type { SipRequest } from '../../../src/sip/message.js';
import { type Arrival, type Route, SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { type EngineUnderTest, isRealServer, startEngine } from '../../support/engine-under-test.js';
import { PeerCall } from '../../support/peer-call.js';
import type { TestProcess } from '../../support/processes.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { CallBench, calledNumber, type TwoLegs } from './bench.js';

/** Of the lease, and of the two waits for a side that gives no answer. */
const seconds = '4';
/** The lease, half of it again, and Timer B of the engine (6.4 s) twice. */
const takeoverMilliseconds = 30_000;

let bench: CallBench;
let elsewhere: EngineUnderTest;
let victim: TestProcess;
let trunk: SipPeer;
beforeAll(async () => {
  bench = await CallBench.start({
    DEMARC_SECRET_KEY: generateSecretKey(),
    DEMARC_CALL_LEASE_SECONDS: seconds,
    DEMARC_RTPENGINE_LOST_SECONDS: seconds,
    DEMARC_RECONNECT_SECONDS: seconds,
  });
  elsewhere = await startEngine({ t1: 100 });
  victim = await bench.edgeProcess('victim', {
    DRACHTIO_PORT: String(elsewhere.admin.port),
    DRACHTIO_SECRET: elsewhere.secret,
  });
  trunk = await SipPeer.open({ protocol: 'tcp', target: elsewhere.listeners.tcp! });
}, 180_000);
afterAll(async () => {
  await Promise.all([victim?.stop(), elsewhere?.stop(), trunk?.close()]);
  await bench?.stop();
});
afterEach(() => bench.expectNothingLeft(8_000));

async function establish(): Promise<TwoLegs> {
  const call = PeerCall.to(trunk, calledNumber);
  await call.invite({ body: trunkDescription() });
  const { agent, invite } = await bench.atAgent();
  await agent.respond(invite, 200, { body: agentDescription() });
  await call.ack((await call.response(200)).message);
  await bench.agent.expectRequest('ACK', { callId: agent.callId });
  return { trunk: call, agent, invite };
}

const portOf = ({ message }: Arrival<SipRequest>): number => readSession(message.body)!.media[0]!.port;

it.skipIf(isRealServer)(
  'gives the sides of calls from another engine our Contact, and keeps those that refuse it or do not answer',
  async () => {
    const calls = [await establish(), await establish(), await establish(), await establish()];
    const [taken, refused, unanswered, gone] = calls as [TwoLegs, TwoLegs, TwoLegs, TwoLegs];
    await until(
      async () => {
        const keys = await bench.redis.keys(heldCallsKey('*'));
        return keys.length === 1 && (await bench.redis.hlen(keys[0]!)) === calls.length;
      },
      5_000,
      'the calls in Redis',
    );
    victim.signal('SIGKILL');
    process.kill(elsewhere.pid!, 'SIGKILL');
    const { host, port } = bench.engine.listeners.tcp!;
    for (const { agent, invite } of calls) {
      const again = await bench.agent.expectRequest('INVITE', {
        callId: agent.callId,
        milliseconds: takeoverMilliseconds,
      });
      expect(again.message.headers.get('Contact')).toContain(`@${host}:${port};transport=tcp`);
      expect(portOf(again)).toBe(portOf(invite));
      await agent.respond(again, 200, { body: agentDescription() });
    }
    const asked = (call: TwoLegs) => trunk.expectRequest('INVITE', { callId: call.trunk.callId });
    const atTaken = await asked(taken);
    expect(atTaken.message.headers.get('Contact')).toContain(`@${host}:${port};transport=tcp`);
    await taken.trunk.respond(atTaken, 200, { body: trunkDescription() });
    const atRefused = await asked(refused);
    await refused.trunk.respond(atRefused, 488);
    const atUnanswered = await asked(unanswered);
    await gone.trunk.respond(await asked(gone), 481);
    await gone.agent.respond(await bench.agent.expectRequest('BYE', { callId: gone.agent.callId }), 200);
    expect(await bench.record()).toMatchObject({ edge_id: 'bench', adoptions: [{ edge_id: 'victim' }] });
    await holds(refused, atRefused.route);
    await holds(unanswered, atUnanswered.route);
    expect(bench.edge.counts().calls).toBe(3);
    await hangsUp(taken, atTaken.route);
    await hangsUp(refused, atRefused.route);
    await hangsUp(unanswered, atUnanswered.route);
  },
  120_000,
);

/** The trunk's hold reaches the agent, once no other exchange is open. */
async function holds({ trunk: call, agent }: TwoLegs, route: Route): Promise<void> {
  const taken = bench.agent.expectRequest('INVITE', {
    callId: agent.callId,
    milliseconds: takeoverMilliseconds,
  });
  const answered = taken.then((hold) =>
    agent.respond(hold, 200, { body: agentDescription({ attributes: ['a=recvonly'] }) }),
  );
  const isTaken = async (): Promise<boolean> => {
    await call.send('INVITE', { body: trunkDescription({ attributes: ['a=sendonly'] }), route });
    const { message } = await call.response((each) => each >= 200, 'INVITE', 10_000);
    await call.ack(message, { route });
    return message.status === 200;
  };
  await until(isTaken, takeoverMilliseconds, 'the hold');
  await answered;
}

async function hangsUp({ trunk: call, agent }: TwoLegs, route: Route): Promise<void> {
  await call.send('BYE', { route });
  await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
  await call.response(200, 'BYE');
  expect(await bench.record()).toMatchObject({ end_reason: 'caller_hung_up' });
}
