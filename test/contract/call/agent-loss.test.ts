import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sideBySide } from '../../support/side-by-side.js';
import { CallBench } from './bench.js';

sideBySide(2, () => {
  let bench: CallBench;
  beforeAll(async () => {
    // The caller is silent too: its time must be longer than what it takes to ask the agent.
    bench = await CallBench.start({ DEMARC_MEDIA_TIMEOUT_SECONDS: '10', DEMARC_AGENT_SILENCE_SECONDS: '1' });
  });
  afterAll(() => bench?.stop());
  afterEach(() => bench.expectNothingLeft(8_000));

  describe('an agent that sends no media', () => {
    it('keeps its call while it answers OPTIONS: it may only listen', async () => {
      const legs = await bench.establish();
      const options = await bench.agent.expectRequest('OPTIONS', { callId: legs.agent.callId });
      // Any answer is a sign of life.
      await legs.agent.respond(options, 405);
      // The test's peer sends no media either, and that ends the call.
      const reasons = await bench.bothAreLetGo(legs, 15_000);
      expect(reasons.trunk).toContain('Media timeout');
      expect(await bench.record()).toMatchObject({ end_reason: 'media_timeout' });
    });

    it.each([
      ['answers nothing', undefined, /did not answer|not answered|OPTIONS did not reach/],
      ['does not know the call any more', 481, /OPTIONS with 481/],
    ])('is lost when it %s, and the caller is released', async (_name, status, detail) => {
      const legs = await bench.establish();
      const options = await bench.agent.expectRequest('OPTIONS', { callId: legs.agent.callId });
      if (status !== undefined) await legs.agent.respond(options, status);
      const reasons = await bench.bothAreLetGo(legs, 9_000);
      expect(reasons.trunk).toContain('Agent lost');
      const record = await bench.record();
      expect(record).toMatchObject({ end_reason: 'agent_lost', ended_by: 'edge', outcome: 'completed' });
      expect(record.detail).toMatch(detail);
    });
  });
});
