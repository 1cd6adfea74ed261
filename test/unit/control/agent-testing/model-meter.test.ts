import { expect, it } from 'vitest';
import { ModelMeter } from '../../../../src/control/agent-testing/conversation/model-meter.js';

const prices = { prompt: 1, completion: 4 };

it('adds the cost of all models that took part', () => {
  const meter = new ModelMeter();
  expect(meter.costInDollars).toBeNull();
  meter.add({ promptTokens: 1_000, completionTokens: 500 }, prices);
  meter.add({ promptTokens: 1_000, completionTokens: 0 }, { prompt: 2, completion: 2 });
  expect(meter.costInDollars).toBeCloseTo(0.005, 9);
});

it('reports no cost instead of one that leaves out a model without a price', () => {
  const meter = new ModelMeter();
  meter.add({ promptTokens: 1_000, completionTokens: 500 }, prices);
  meter.add({ promptTokens: 2_892, completionTokens: 253 });
  expect(meter.costInDollars).toBeNull();
  expect([meter.promptTokens, meter.completionTokens]).toEqual([3_892, 753]);
});

it('reports no cost for a model that does not say how many tokens it took', () => {
  const meter = new ModelMeter();
  meter.add({ promptTokens: 1_000, completionTokens: 500 }, prices);
  meter.add({ promptTokens: undefined, completionTokens: undefined }, prices);
  expect(meter.costInDollars).toBeNull();
});
