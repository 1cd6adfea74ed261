import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { generateSecretKey } from '../../../src/contract/secret.js';
import { topVia } from '../../../src/sip/via.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { type EngineUnderTest, isRealServer, startEngine } from '../../support/engine-under-test.js';
import { PeerCall } from '../../support/peer-call.js';
import type { TestProcess } from '../../support/processes.js';
import { sideBySide } from '../../support/side-by-side.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { CallBench, calledNumber, type TwoLegs } from './bench.js';

sideBySide(2, () => {
  let bench: CallBench;
  let engine: EngineUnderTest;
  beforeAll(async () => {
    bench = await CallBench.start({ DEMARC_SECRET_KEY: generateSecretKey() });
    engine = bench.engine;
  });
  afterAll(async () => {
    await bench?.stop();
    await engine?.stop();
  });
  afterEach(() => bench.expectNothingLeft());

  /** `kill -9`, and another one on the same ports, as a supervisor starts it. */
  async function replaceEngine(): Promise<void> {
    process.kill(engine.pid!, 'SIGKILL');
    // What they send next goes to the next engine.
    for (const peer of [bench.trunk, bench.agent]) peer.closeConnections();
    engine = await startEngine({ t1: 100, successorOf: engine, options: ['--restore-seconds', '3'] });
  }

  const newPeer = (): Promise<SipPeer> => SipPeer.open({ protocol: 'tcp', target: bench.trunk.target });

  /** A call whose agent rang when the engine was killed. */
  async function cancelledByNextEngine() {
    const peer = await newPeer();
    const caller = PeerCall.to(peer, calledNumber);
    await caller.invite({ body: trunkDescription() });
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 180);
    await caller.response(180);
    await replaceEngine();
    const cancel = await bench.agent.expectRequest('CANCEL', { callId: agent.callId });
    await peer.close();
    return { agent, invite, cancel };
  }

  async function expectRecord(): Promise<void> {
    expect((await bench.record(10_000)).end_reason).toBe('engine_lost');
  }

  describe.skipIf(isRealServer)('an engine that is killed leaves no phone ringing', () => {
    it('sends CANCEL from the next engine to an agent that rings', async () => {
      const { agent, invite, cancel } = await cancelledByNextEngine();
      expect(topVia(cancel.message)?.branch).toBe(topVia(invite.message)?.branch);
      expect(cancel.message.headers.get('CSeq')).toBe(
        invite.message.headers.get('CSeq')?.replace('INVITE', 'CANCEL'),
      );
      await agent.respond(cancel, 200);
      await agent.respond({ ...invite, route: cancel.route }, 487);
      await bench.agent.expectRequest('ACK', { callId: agent.callId });
      await expectRecord();
    });

    it('sends ACK and BYE to an agent whose 200 crosses that CANCEL', async () => {
      const { agent, invite, cancel } = await cancelledByNextEngine();
      await agent.respond({ ...invite, route: cancel.route }, 200, { body: agentDescription() });
      await agent.respond(cancel, 200);
      await bench.agent.expectRequest('ACK', { callId: agent.callId });
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      await expectRecord();
    });

    it('sends BYE to both sides of a call that ended before the next engine was there', async () => {
      await bench.configure({ limits: { max_duration_seconds: 5 } });
      const { trunk, agent } = await bench.establish();
      const isWritten = async (): Promise<boolean> =>
        (await bench.redis.keys('demarc:held-calls:*')).length > 0;
      await until(isWritten, 2_000, 'the document of the call');
      process.kill(engine.pid!, 'SIGKILL');
      expect((await bench.record(10_000)).end_reason).toBe('max_duration');
      engine = await startEngine({ t1: 100, successorOf: engine });
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      await trunk.respond(await bench.trunk.expectRequest('BYE', { callId: trunk.callId }), 200);
      await bench.configure({});
    });

    it('sends CANCEL to the ringing callee of an ordered call, and ACK and BYE to the agent that waits for it', async () => {
      await bench.configure({
        outbound: [{ id: 'out', host: '127.0.0.1', port: bench.trunk.port, transport: 'tcp' }],
      });
      await bench.answerProbe();
      await bench.order();
      const { agent, invite: atAgent } = await bench.atAgent();
      await agent.respond(atAgent, 200, { body: agentDescription() });
      const atTrunk = await bench.trunk.expectRequest('INVITE');
      const trunk = PeerCall.from(bench.trunk, atTrunk.message);
      await trunk.respond(atTrunk, 183, { body: trunkDescription() });
      await bench.agent.inbox.none(() => false, 100, 'time for the 183');
      await replaceEngine();
      const cancel = await bench.trunk.expectRequest('CANCEL', { callId: trunk.callId });
      await trunk.respond(cancel, 200);
      await trunk.respond({ ...atTrunk, route: cancel.route }, 487);
      await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
      await bench.agent.expectRequest('ACK', { callId: agent.callId });
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      await expectRecord();
    });
  });

  /** The engine is killed, and Redis answers so late that edges have the next engine before they know who holds their calls. */
  async function replaceEngineWhileRedisWaits(): Promise<() => void> {
    const pausing = bench.redis.duplicate();
    await pausing.client('PAUSE', 4_000, 'ALL');
    await replaceEngine();
    return () => pausing.disconnect();
  }

  /** An answered call at the bench's edge, and one at the other: the engine deals them out in turn. */
  async function heldByBoth(peer: SipPeer): Promise<TwoLegs[]> {
    const held = [await answered(peer), await answered(peer)];
    expect(bench.edge.counts().calls).toBe(1);
    const isHeld = async (): Promise<boolean> =>
      (await bench.redis.keys('demarc:held-calls:*')).length === held.length;
    await until(isHeld, 2_000, 'the documents of the calls');
    return held;
  }

  /** That often the edge process has said so, and the bench's edge has an engine. */
  async function connected(edge: TestProcess, times: number): Promise<void> {
    await edge.line(new RegExp(`(SIP engine is connected.*){${times}}`, 's'), 10_000);
    await until(async () => (await fetch(`${bench.edge.httpUrl}/readyz`)).ok, 10_000, 'the edge is ready');
  }

  async function answered(peer: SipPeer): Promise<TwoLegs> {
    const trunk = PeerCall.to(peer, calledNumber);
    await trunk.invite({ body: trunkDescription() });
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription() });
    await trunk.ack((await trunk.response(200)).message);
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    // Its answer shows that the edge has the caller's ACK.
    await trunk.send('OPTIONS');
    await trunk.response(200, 'OPTIONS');
    return { trunk, agent, invite };
  }

  /** The agent hangs up, the caller at that peer gets its BYE, and the record says so. */
  async function hangUp(calls: readonly TwoLegs[], peer: SipPeer): Promise<void> {
    for (const { agent, trunk } of calls) {
      await agent.send('BYE');
      await trunk.respond(await peer.expectRequest('BYE', { callId: trunk.callId }), 200);
      await agent.response(200, 'BYE');
      expect((await bench.record(10_000)).end_reason).toBe('agent_hung_up');
    }
  }

  describe.skipIf(isRealServer)('an engine that is replaced ends no call', () => {
    it('keeps calls that an edge answered at the next engine before it continued its others there, also when that connection is lost', async () => {
      const survivor = await bench.edgeProcess('other');
      const former = await newPeer();
      const held = await heldByBoth(former);
      const resume = await replaceEngineWhileRedisWaits();
      await connected(survivor, 2);
      const peer = await newPeer();
      const calls = [await answered(peer), await answered(peer)];
      bench.dropEngineConnection();
      await connected(survivor, 3);
      calls.push(await answered(peer), await answered(peer));
      await survivor.line(/Restored the calls/, 20_000);
      const last = await answered(peer);
      await hangUp(held, former);
      await hangUp([...calls, last], peer);
      await survivor.stop();
      await Promise.all([former.close(), peer.close()]);
      resume();
    });

    it('just when an edge takes over the calls of one that was killed before: it continues them at the next engine', async () => {
      const killed = await bench.edgeProcess('killed');
      const former = await newPeer();
      const held = await heldByBoth(former);
      const isFree = new Promise<void>((resolve) => {
        bench.link.onData = (from, chunk) => {
          // The reply to `owned`: that edge has no connection.
          if (from !== 'far' || !/\|OK\|[^|]+\|0\|\|0$/.test(chunk.toString())) return;
          bench.link.onData = undefined;
          process.kill(engine.pid!, 'SIGKILL');
          resolve();
        };
      });
      killed.signal('SIGKILL');
      await isFree;
      engine = await startEngine({ t1: 100, successorOf: engine, options: ['--restore-seconds', '3'] });
      await until(
        async () => bench.edge.counts().calls === held.length,
        10_000,
        'the calls at the other edge',
      );
      await hangUp(held, former);
      await former.close();
    });

    it('of an edge that is replaced just after it: another edge has its calls, and takes the new ones', async () => {
      const replaced = await bench.edgeProcess('replaced');
      const former = await newPeer();
      const held = await heldByBoth(former);
      const resume = await replaceEngineWhileRedisWaits();
      await connected(replaced, 2);
      replaced.signal('SIGUSR2');
      const peer = await newPeer();
      const calls: TwoLegs[] = [];
      for (let each = 0; each < 4; each++) calls.push(await answered(peer));
      expect(await replaced.exit(30_000)).toBe(0);
      const count = held.length + calls.length;
      await until(async () => bench.edge.counts().calls === count, 10_000, 'the calls at the other edge');
      await hangUp(held, former);
      await hangUp(calls, peer);
      await Promise.all([former.close(), peer.close()]);
      resume();
    });
  });
});
