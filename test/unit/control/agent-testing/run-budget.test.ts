import { describe, expect, it } from 'vitest';
import { estimateOf } from '../../../../src/control/agent-testing/budget/estimate.js';
import {
  type ExpectedRun,
  problemOfExpected,
  type Remaining,
} from '../../../../src/control/agent-testing/budget/expected-tokens.js';
import { MeteredModel } from '../../../../src/control/agent-testing/conversation/metered-model.js';
import { ModelMeter } from '../../../../src/control/agent-testing/conversation/model-meter.js';
import {
  RunBudget,
  type SharedBudget,
} from '../../../../src/control/agent-testing/conversation/run-budget.js';
import type { Chat } from '../../../../src/control/models/chat-model.js';

/** A model that takes 60 tokens a request, or does not say how many. */
const model = (usage = { promptTokens: 50, completionTokens: 10 } as object): Chat & { asked: number } => ({
  name: 'm',
  prices: undefined,
  asked: 0,
  async complete() {
    this.asked++;
    return { content: 'x'.repeat(40), usage: usage as never };
  },
  async completeAs() {
    throw new Error('not asked');
  },
});
const say = (asked: Chat, budget: RunBudget) => () =>
  new MeteredModel(asked, 'o', new ModelMeter(), budget).say(
    { messages: [{ role: 'user', content: 'y'.repeat(200) }] },
    AbortSignal.timeout(60_000),
  );
const shared = (what: SharedBudget['what'], limit: number) => {
  let used = 0;
  return {
    what,
    limit,
    used: async () => used,
    spend: async (tokens: number) => {
      used += tokens;
    },
  };
};

describe('the budget of a run', () => {
  it.each([
    ['counted by the endpoint', undefined],
    ['counted by length where the endpoint does not count', {}],
  ])('stops it before the request that follows its limit, %s', async (_how, usage) => {
    const asked = model(usage);
    const speak = say(asked, new RunBudget(100, undefined));
    await speak();
    await speak();
    await expect(speak()).rejects.toMatchObject({
      code: 'TOKEN_BUDGET_USED',
      message:
        'Token budget used up: 120 of 100 tokens of this run are used. Raise token_budget of the run, or tokens_per_run of PUT /v1/agent-testing/budget',
    });
    expect(asked.asked).toBe(2);
  });

  it.each([
    ['simulation set', 'token_budget of the simulation set, or tokens_per_set of PUT'],
    ['promotion', 'Raise tokens_per_gate of PUT'],
  ] as const)('stops all runs of a %s when they have taken its tokens together', async (what, advice) => {
    const together = shared(what, 100);
    const [first, second] = [1, 2].map(() => say(model(), new RunBudget(1_000, together)));
    await first!();
    await second!();
    for (const speak of [first!, second!])
      await expect(speak()).rejects.toThrow(`120 of 100 tokens of this ${what} are used. `);
    await expect(first!()).rejects.toThrow(advice);
  });

  it('without limits stops nothing', async () => {
    const asked = model();
    const speak = say(asked, new RunBudget(null, undefined));
    for (let request = 0; request < 50; request++) await speak();
    expect(asked.asked).toBe(50);
  });
});

describe('runs that are to be started', () => {
  const run = (tokens: number | null, limit: number | null = null): ExpectedRun => ({
    name: 'Price',
    tokens,
    limit,
  });
  const left = (tokens: number): Remaining => ({ what: 'batch', tokens });

  it.each<[string, ExpectedRun[], Remaining | undefined, string | null]>([
    ['have no limit', [run(5_000)], undefined, null],
    ['fit', [run(500, 500), run(500, 500)], left(1_000), null],
    ['were never measured', [run(null, 1), run(null, 1)], left(1), null],
    [
      'have earlier runs above their limit',
      [run(501, 500)],
      undefined,
      'a run of scenario Price takes about 501 tokens',
    ],
    [
      'exceed what is left together',
      [run(600), run(null), run(600)],
      left(1_100),
      '2 of 3 runs take about 1,200 tokens, as the latest runs of their scenarios did, and 1,100 are left for the batch',
    ],
  ])('that %s', (_what, runs, remaining, problem) => {
    if (problem === null) expect(problemOfExpected(runs, remaining)).toBeNull();
    else expect(problemOfExpected(runs, remaining)).toContain(problem);
  });
});

describe('an estimate', () => {
  const measured = new Map([
    ['a', { tokens: 100.4, cost: 0.01, runs: 20 }],
    ['b', { tokens: 50, cost: null, runs: 1 }],
  ]);

  it('adds up what earlier runs took', () => {
    expect(estimateOf(['a', 'b'], measured, 10)).toEqual({
      total_runs: 20,
      tokens: 1_504,
      cost_usd: null,
      scenarios: [
        { scenario_id: 'a', tokens_per_run: 100, measured_runs: 20 },
        { scenario_id: 'b', tokens_per_run: 50, measured_runs: 1 },
      ],
    });
    expect(estimateOf(['a'], measured, 2).cost_usd).toBeCloseTo(0.02, 9);
  });

  it('is null for a scenario without runs', () => {
    expect(estimateOf(['a', 'c'], measured, 10)).toMatchObject({ tokens: null, cost_usd: null });
  });
});
