import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../src/testkit/waiting.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { sideBySide } from '../../support/side-by-side.js';
import { stays } from '../../support/stays.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { CallBench, type TwoLegs } from './bench.js';

sideBySide(3, () => {
  let bench: CallBench;
  beforeAll(async () => {
    bench = await CallBench.start({ DEMARC_MEDIA_TIMEOUT_SECONDS: '5', DEMARC_RTPENGINE_LOST_SECONDS: '2' });
  });
  afterAll(() => bench?.stop());
  afterEach(() => bench.expectNothingLeft(8_000));

  const hangUp = async ({ trunk, agent }: TwoLegs): Promise<void> => {
    await trunk.send('BYE');
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    await trunk.response(200, 'BYE');
  };

  describe('a call ends', () => {
    it('at the longest duration of its number', async () => {
      await bench.configure({ limits: { max_duration_seconds: 1 } });
      const legs = await bench.establish();
      const reasons = await bench.bothAreLetGo(legs, 4_000);
      expect(reasons.trunk).toContain('Maximum duration');
      expect(reasons.agent).toContain('Maximum duration');
      expect(await bench.record()).toMatchObject({
        end_reason: 'max_duration',
        ended_by: 'edge',
        outcome: 'completed',
      });
      await bench.configure({});
    });

    it('when the INVITE expires before it is answered', async () => {
      const trunk = await bench.call({ headers: { Expires: '1' } });
      const { agent, invite } = await bench.atAgent();
      await agent.respond(invite, 180);
      await agent.respond(await bench.agent.expectRequest('CANCEL', { callId: agent.callId }), 200);
      await agent.respond(invite, 487);
      await trunk.ack((await trunk.response(487)).message);
      expect(await bench.record()).toMatchObject({ end_reason: 'agent_no_answer', sip_status: 487 });
      const answered = await bench.establish({ headers: { Expires: '4' } });
      await stays(() => expect(bench.edge.counts().calls).toBe(1), 4_200);
      await hangUp(answered);
      expect(await bench.record()).toMatchObject({ outcome: 'completed' });
    });

    it('when the caller never acknowledges', { timeout: 120_000 }, async () => {
      const trunk = await bench.call();
      const { agent, invite } = await bench.atAgent();
      await agent.respond(invite, 200, { body: agentDescription() });
      await trunk.response(200);
      const bound = 64 * bench.engine.t1 + 3_000;
      await bench.bothAreLetGo({ trunk, agent }, bound);
      expect(await bench.record()).toMatchObject({ end_reason: 'ack_timeout', ended_by: 'edge' });
    });

    it('when no media arrives from the caller, which may have no From tag', {
      timeout: 120_000,
    }, async () => {
      const calls = [await bench.establish(), await bench.establish({ isUntagged: true })];
      const began = Date.now();
      await Promise.all(calls.map((legs) => bench.bothAreLetGo(legs, 9_000)));
      expect(Date.now() - began).toBeGreaterThan(4_500);
      for (const _ of calls)
        expect(await bench.record()).toMatchObject({ end_reason: 'media_timeout', ended_by: 'edge' });
    });

    it('not for silence while it is on hold', { timeout: 120_000 }, async () => {
      const legs = await bench.establish();
      await legs.trunk.send('INVITE', { body: trunkDescription({ version: 2, attributes: ['a=sendonly'] }) });
      const invite = await bench.agent.expectRequest('INVITE', { callId: legs.agent.callId });
      await legs.agent.respond(invite, 200, {
        body: agentDescription({ version: 2, attributes: ['a=recvonly'] }),
      });
      await legs.trunk.ack((await legs.trunk.response(200)).message);
      await bench.agent.expectNothing(
        (m) => m.kind === 'request' && m.method === 'BYE',
        7_000,
        'No BYE on hold',
      );
      await hangUp(legs);
      expect(await bench.record()).toMatchObject({ end_reason: 'caller_hung_up' });
    });

    it('when the engine is lost', { timeout: 120_000 }, async () => {
      const legs = await bench.establish();
      bench.dropEngineConnection();
      const record = await bench.record();
      expect(record).toMatchObject({
        end_reason: 'engine_lost',
        ended_by: 'edge',
        sip_call_ids: { trunk: legs.trunk.callId },
      });
      await until(async () => (await bench.health()) === 200, 5_000, 'engine is back');
      if (!isRealServer) await bench.bothAreLetGo(legs, 5_000);
      const next = await bench.establish();
      await hangUp(next);
      await bench.record();
    });
  });

  describe('an rtpengine that fails', () => {
    // What one of them leaves in a bad state must not fail the next ones.
    afterEach(async () => {
      bench.rtpengine.thaw();
      await until(async () => (await bench.health()) === 200, 10_000, 'rtpengine is in use');
    });

    it('silent at the offer: 503 within the bound and nothing at the agent', async () => {
      await bench.rtpengine.freeze();
      const stopwatch = Stopwatch.start();
      const trunk = await bench.call();
      const final = await trunk.response((status) => status >= 200);
      expect(final.message.status).toBe(503);
      expect(stopwatch.milliseconds).toBeLessThan(stopwatch.bound(10_000));
      expect(final.message.headers.get('Retry-After')).toBeDefined();
      await trunk.ack(final.message);
      expect(await bench.record()).toMatchObject({
        end_reason: 'media_failed',
        sip_status: 503,
        outcome: 'failed',
      });
      await until(async () => (await bench.health()) === 503, 5_000, 'the silence was no loss');
      const secondWatch = Stopwatch.start();
      const again = await bench.call();
      await again.ack((await again.response(503)).message);
      // No server was asked, which would have taken three seconds.
      expect(secondWatch.milliseconds).toBeLessThan(secondWatch.bound(2_800));
      await bench.record();
      bench.rtpengine.thaw();
      await until(async () => (await bench.health()) === 200, 5_000, 'rtpengine is back');
    });

    it('dies in the call: hanging up is not delayed, and its session is deleted when it is back', {
      timeout: 120_000,
    }, async () => {
      const legs = await bench.establish();
      await bench.rtpengine.freeze();
      const stopwatch = Stopwatch.start();
      await hangUp(legs);
      // The deletion is waited for three seconds.
      expect(stopwatch.milliseconds).toBeLessThan(stopwatch.bound(2_800));
      expect(await bench.record()).toMatchObject({
        end_reason: 'caller_hung_up',
        media: { trunk: null, agent: null },
      });
      await until(() => bench.edge.counts().owedDeletions === 1, 5_000, 'the deletion is owed');
      bench.rtpengine.thaw();
      await until(() => bench.edge.counts().owedDeletions === 0, 6_000, 'the deletion was made good');
    });

    it('hangs during the call: the call ends although nothing reports the lost media', async () => {
      const legs = await bench.establish();
      await bench.rtpengine.freeze();
      const reasons = await bench.bothAreLetGo(legs, 12_000);
      expect(reasons.trunk).toContain('Media lost');
      const record = await bench.record();
      expect(record).toMatchObject({ end_reason: 'media_failed', ended_by: 'edge' });
      expect(record.detail).toContain('is down; it was not moved');
    });
  });
});
