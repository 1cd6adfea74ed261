import { describe, expect, it } from 'vitest';
import { ModelMeter } from '../../../../src/control/agent-testing/conversation/model-meter.js';

const price = { prompt: 1, completion: 4, currency: 'EUR' };
const counted = { promptTokens: 1_000, completionTokens: 500 };

describe('the cost of a run', () => {
  it('is that of all models that took part, and nothing without requests', () => {
    const meter = new ModelMeter('EUR');
    expect(meter.cost).toBe(0);
    meter.add(counted, price);
    meter.add({ promptTokens: 1_000, completionTokens: 0 }, { prompt: 2, completion: 2, currency: 'EUR' });
    expect(meter.cost).toBeCloseTo(0.005, 9);
  });

  it.each<[string, (meter: ModelMeter) => void]>([
    [
      'whose model has no price',
      (meter) => meter.add({ promptTokens: 2_892, completionTokens: 253 }, undefined),
    ],
    [
      'without tokens, whose model has no price',
      (meter) => meter.add({ promptTokens: 0, completionTokens: 0 }, undefined),
    ],
    ['priced in another currency', (meter) => meter.add(counted, { ...price, currency: 'USD' })],
    [
      'whose endpoint does not say how many tokens it took',
      (meter) => meter.add({ promptTokens: undefined, completionTokens: undefined }, price),
    ],
    [
      'whose endpoint counts one side alone',
      (meter) => meter.add({ promptTokens: 9, completionTokens: undefined }, price),
    ],
    ['whose answer was lost', (meter) => meter.addUnknown()],
  ])('is null, and never a part of it, after a request %s', (_what, ask) => {
    const meter = new ModelMeter('EUR');
    meter.add(counted, price);
    ask(meter);
    meter.add(counted, price);
    expect(meter.cost).toBeNull();
    expect(meter.requests).toBe(3);
  });

  it('continues that of an attempt that was interrupted', () => {
    const resumed = (cost: number | null, requests: number, isComplete = true) => {
      const meter = new ModelMeter('EUR');
      meter.resume({ requests, promptTokens: 1_000, completionTokens: 500, cost, isComplete });
      meter.add(counted, price);
      return meter;
    };
    expect(resumed(0.003, 1)).toMatchObject({ requests: 2, promptTokens: 2_000, completionTokens: 1_000 });
    expect(resumed(0.003, 1).cost).toBeCloseTo(0.006, 9);
    expect(resumed(null, 0).cost).toBeCloseTo(0.003, 9);
    expect(resumed(null, 1).cost).toBeNull();
    expect(resumed(0.003, 1, false).cost).toBeNull();
  });
});
