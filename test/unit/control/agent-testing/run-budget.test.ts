import { describe, expect, it } from 'vitest';
import type { ModelPrices } from '../../../../src/config/model-settings.js';
import { estimateOf } from '../../../../src/control/agent-testing/budget/estimate.js';
import {
  type ExpectedRun,
  problemOfExpected,
  type SharedLimits,
} from '../../../../src/control/agent-testing/budget/expected-use.js';
import { MeteredModel } from '../../../../src/control/agent-testing/conversation/metered-model.js';
import { ModelMeter } from '../../../../src/control/agent-testing/conversation/model-meter.js';
import {
  type Limits,
  RunBudget,
  type SharedBudget,
} from '../../../../src/control/agent-testing/conversation/run-budget.js';
import { amountText } from '../../../../src/control/agent-testing/schemas/money.js';
import type { Chat } from '../../../../src/control/models/chat-model.js';
import { ModelNonsense, ModelUnavailable } from '../../../../src/control/models/model-failure.js';
import type { Spent } from '../../../../src/control/models/token-count.js';

const euros = (amount: number) => ({ amount, currency: 'EUR' });
const none: Limits = { tokens: null, cost: null };
const atMost = (tokens: number): Limits => ({ tokens, cost: null });
const costing = (amount: number): Limits => ({ tokens: null, cost: euros(amount) });
/** A request of 50 and 10 tokens costs 0.10 euro. */
const price: ModelPrices = { prompt: 1_000, completion: 5_000, currency: 'EUR' };

/** A model that takes 60 tokens a request, or does not say how many. */
const model = (
  usage = { promptTokens: 50, completionTokens: 10 } as object,
  known?: ModelPrices,
): Chat & { asked: number } => ({
  name: 'm',
  priceOf: async ({ model: name = 'm' }) => (name === 'm' ? known : undefined),
  asked: 0,
  async complete() {
    this.asked++;
    return { content: 'x'.repeat(40), usage: usage as never };
  },
  async completeAs() {
    throw new Error('not asked');
  },
});
const say =
  (asked: Chat, budget: RunBudget, meter = new ModelMeter('EUR'), named?: string) =>
  () =>
    new MeteredModel(asked, 'o', meter, budget).say(
      { messages: [{ role: 'user', content: 'y'.repeat(200) }], model: named },
      AbortSignal.timeout(60_000),
    );
const shared = (what: SharedBudget['what'], limits: Limits) => {
  const used = { tokens: 0, cost: 0 };
  return {
    what,
    limits,
    used: async () => used,
    spend: async ({ tokens, cost }: Spent) => {
      used.tokens += tokens;
      used.cost += cost ?? 0;
    },
  };
};

describe('the budget of a run', () => {
  it.each([
    ['counted by the endpoint', undefined],
    ['counted by length where the endpoint does not count', {}],
  ])('stops it before the request that follows its limit, %s', async (_how, usage) => {
    const asked = model(usage);
    const speak = say(asked, new RunBudget(atMost(100), undefined));
    await speak();
    await speak();
    await expect(speak()).rejects.toMatchObject({
      code: 'TOKEN_BUDGET_USED',
      message:
        'Token budget used up: 120 of 100 tokens of this run are used. Raise token_budget of the run, or tokens_per_run of PUT /v1/agent-testing/budget',
    });
    expect(asked.asked).toBe(2);
    const costly = model(usage, price);
    const spend = say(costly, new RunBudget(costing(0.15), undefined));
    await spend();
    await spend();
    await expect(spend()).rejects.toMatchObject({
      code: 'COST_BUDGET_USED',
      message:
        'Budget in money used up: EUR 0.20 of EUR 0.15 of this run are used. Raise cost_budget of the run, or cost_per_run of PUT /v1/agent-testing/budget',
    });
    expect(costly.asked).toBe(2);
  });

  it.each([
    ['simulation set', 'token_budget of the simulation set, or tokens_per_set of PUT', 'cost_per_set of PUT'],
    ['promotion', 'Raise tokens_per_gate of PUT', 'Raise cost_per_gate of PUT'],
  ] as const)(
    'stops all runs of a %s when they have used its own together',
    async (what, advice, costAdvice) => {
      const together = shared(what, atMost(100));
      const [first, second] = [1, 2].map(() => say(model(), new RunBudget(atMost(1_000), together)));
      await first!();
      await second!();
      for (const speak of [first!, second!])
        await expect(speak()).rejects.toThrow(`120 of 100 tokens of this ${what} are used. `);
      await expect(first!()).rejects.toThrow(advice);
      const inMoney = shared(what, costing(0.2));
      const [third, fourth] = [1, 2].map(() => say(model(undefined, price), new RunBudget(none, inMoney)));
      await third!();
      await fourth!();
      await expect(third!()).rejects.toThrow(`EUR 0.20 of EUR 0.20 of this ${what} are used. `);
      await expect(fourth!()).rejects.toThrow(costAdvice);
    },
  );

  it.each<[string, ModelPrices | undefined, string | undefined]>([
    ['without a price', undefined, undefined],
    ['with a price in another currency', { ...price, currency: 'USD' }, undefined],
    ['under another name than the one with a price', price, 'large'],
  ])('in money asks no model %s', async (_what, known, named) => {
    for (const budget of [
      new RunBudget(costing(100), undefined),
      new RunBudget(none, shared('batch', costing(100))),
    ]) {
      const asked = model(undefined, known);
      await expect(say(asked, budget, undefined, named)()).rejects.toMatchObject({
        code: 'MODEL_PRICE_UNKNOWN',
        message: `Price of a model unknown: model ${named ?? 'm'} has no price in EUR, and a budget in EUR applies`,
      });
      expect(asked.asked).toBe(0);
      const meter = new ModelMeter('EUR');
      await expect(say(asked, budget, meter, named)()).rejects.toThrow();
      // Nothing was asked, so that nothing is unknown.
      expect(meter.cost).toBe(0);
    }
  });

  it('without limits stops nothing', async () => {
    const asked = model();
    const speak = say(asked, new RunBudget(none, undefined));
    for (let request = 0; request < 50; request++) await speak();
    expect(asked.asked).toBe(50);
  });
});

describe('the cost of a request', () => {
  const failing = (error: Error): Chat => ({
    ...model(undefined, price),
    complete: () => Promise.reject(error),
  });

  it.each<[string, Error, number | null]>([
    [
      'an unusable answer that was counted',
      new ModelNonsense('x', { remedy: '', usage: { promptTokens: 50, completionTokens: 10 } }),
      0.1,
    ],
    ['an unusable answer that was not counted', new ModelNonsense('x', { remedy: '' }), null],
    ['no answer', new ModelUnavailable('x', { remedy: '' }), null],
  ])('of %s', async (_what, error, expected) => {
    const meter = new ModelMeter('EUR');
    await expect(say(failing(error), new RunBudget(none, undefined), meter)()).rejects.toBe(error);
    if (expected === null) expect(meter.cost).toBeNull();
    else expect(meter.cost).toBeCloseTo(expected, 9);
    expect(meter.requests).toBe(1);
  });

  it('of a model without a price makes the cost of the whole run unknown', async () => {
    const meter = new ModelMeter('EUR');
    await say(model(undefined, price), new RunBudget(none, undefined), meter)();
    expect(meter.cost).toBeCloseTo(0.1, 9);
    await say(model(undefined, price), new RunBudget(none, undefined), meter, 'large')();
    expect(meter.cost).toBeNull();
  });
});

describe('runs that are to be started', () => {
  const run = (tokens: number | null, limit: number | null = null): ExpectedRun => ({
    name: 'Price',
    tokens,
    cost: null,
    limits: { tokens: limit, cost: null },
  });
  const paid = (amount: number | null, limit: number | null = null): ExpectedRun => ({
    name: 'Price',
    tokens: 1,
    cost: amount === null ? null : euros(amount),
    limits: { tokens: null, cost: limit === null ? null : euros(limit) },
  });
  const left = (tokens: number): SharedLimits => ({
    what: 'batch',
    limits: atMost(tokens),
    used: { tokens: 0, cost: 0 },
  });
  const rest = (amount: number, cost = 0): SharedLimits => ({
    what: 'batch',
    limits: costing(amount),
    used: { tokens: 0, cost },
  });

  it.each<[string, ExpectedRun[], SharedLimits | undefined, string | null]>([
    ['have no limit', [run(5_000)], undefined, null],
    ['fit', [run(500, 500), run(500, 500)], left(1_000), null],
    ['were never measured', [run(null, 1), run(null, 1)], left(1), null],
    [
      'have earlier runs above their limit',
      [run(501, 500)],
      undefined,
      'Token budget too low: a run of scenario Price takes about 501 tokens',
    ],
    [
      'exceed what is left together',
      [run(600), run(null), run(600)],
      left(1_100),
      '2 of 3 runs take about 1,200 tokens, as the latest runs of their scenarios did, and 1,100 tokens are left for the batch',
    ],
    ['cost what is allowed', [paid(0.1, 0.1), paid(0.1), paid(0.1)], rest(0.3), null],
    ['have costs that are not known', [paid(null, 0.001), paid(null)], rest(0.001), null],
    [
      'cost more than they may each',
      [paid(0.02, 0.01)],
      undefined,
      'Budget in money too low: a run of scenario Price takes about EUR 0.02, as its latest runs did, and EUR 0.01 are allowed. Raise cost_budget of the run, or cost_per_run',
    ],
    [
      'cost more than is left together',
      [paid(0.2), paid(0.2)],
      rest(0.5, 0.2),
      '2 of 2 runs take about EUR 0.40, as the latest runs of their scenarios did, and EUR 0.30 are left for the batch',
    ],
  ])('are started or refused when they %s', (_what, runs, together, problem) => {
    if (problem === null) expect(problemOfExpected(runs, together)).toBeNull();
    else expect(problemOfExpected(runs, together)?.message).toContain(problem);
  });
});

describe('an estimate', () => {
  const measured = new Map([
    ['a', { tokens: 100.4, cost: euros(0.01), runs: 20 }],
    ['b', { tokens: 50, cost: null, runs: 1 }],
    ['d', { tokens: 50, cost: { amount: 0.01, currency: 'USD' }, runs: 1 }],
  ]);

  it('adds up what earlier runs took', () => {
    expect(estimateOf(['a', 'b'], measured, 10)).toEqual({
      total_runs: 20,
      tokens: 1_504,
      cost: null,
      cost_usd: null,
      scenarios: [
        { scenario_id: 'a', tokens_per_run: 100, cost_per_run: euros(0.01), measured_runs: 20 },
        { scenario_id: 'b', tokens_per_run: 50, cost_per_run: null, measured_runs: 1 },
      ],
    });
    expect(estimateOf(['a'], measured, 2)).toMatchObject({ cost: euros(0.02), cost_usd: null });
    expect(estimateOf(['d'], measured, 2)).toMatchObject({ cost_usd: 0.02 });
  });

  it('adds up no costs in several currencies', () => {
    expect(estimateOf(['a', 'd'], measured, 10)).toMatchObject({ tokens: 1_504, cost: null });
  });

  it('is null for a scenario without runs', () => {
    expect(estimateOf(['a', 'c'], measured, 10)).toMatchObject({ tokens: null, cost: null, cost_usd: null });
  });
});

it.each([
  [0, 'EUR 0.00'],
  [1_234.5, 'EUR 1,234.50'],
  [0.2, 'EUR 0.20'],
  [0.012345, 'EUR 0.0123'],
  [0.000000123, 'EUR 0.000000123'],
])('an amount of %d is written %s', (amount, text) => {
  expect(amountText(euros(amount))).toBe(text);
});
