import { DemarcError } from '../../../errors.js';
import type { Limits, Used } from '../conversation/run-budget.js';
import { amountText, type Money, tokensText } from '../schemas/money.js';

/** Mean of the latest runs of a scenario; null: not known. */
export interface Expected {
  readonly tokens: number | null;
  readonly cost: Money | null;
}

/** A run that is to be started. */
export interface ExpectedRun extends Expected {
  readonly name: string;
  /** Of this run alone. */
  readonly limits: Limits;
}

/** What the runs that are started together may take, and what those before them took. */
export interface SharedLimits {
  readonly what: string;
  readonly limits: Limits;
  readonly used: Used;
}

/**
 * Why runs must not be started: they would be stopped by their budget, judged by what earlier runs took. Null: they may.
 * @param shared undefined: no limit for all of them together
 */
export const problemOfExpected = (
  runs: readonly ExpectedRun[],
  shared: SharedLimits | undefined,
): DemarcError | null =>
  problemOf(runs, shared, {
    code: 'TOKEN_BUDGET_TOO_LOW',
    field: 'token',
    setting: 'tokens',
    of: ({ tokens }) => tokens,
    used: ({ tokens }) => tokens,
    text: (tokens) => `${tokensText(tokens)} tokens`,
  }) ??
  problemOf(runs, shared, {
    code: 'COST_BUDGET_TOO_LOW',
    field: 'cost',
    setting: 'cost',
    of: ({ cost }) => cost?.amount ?? null,
    used: ({ cost }) => cost,
    text: (amount, { cost }) => amountText({ amount, currency: cost!.currency }),
  });

interface Measure {
  readonly code: 'TOKEN_BUDGET_TOO_LOW' | 'COST_BUDGET_TOO_LOW';
  readonly field: 'token' | 'cost';
  readonly setting: 'tokens' | 'cost';
  readonly of: (values: Expected) => number | null;
  readonly used: (used: Used) => number;
  readonly text: (value: number, limits: Limits) => string;
}

function problemOf(
  runs: readonly ExpectedRun[],
  shared: SharedLimits | undefined,
  { code, field, setting, of, used, text }: Measure,
): DemarcError | null {
  const costly = runs.find((run) => {
    const expected = of(run);
    const limit = of(run.limits);
    return expected !== null && limit !== null && expected > limit;
  });
  if (costly !== undefined)
    return new DemarcError(
      code,
      `a run of scenario ${costly.name} takes about ${text(of(costly)!, costly.limits)}, as its latest runs did, and ${text(of(costly.limits)!, costly.limits)} are allowed. Raise ${field}_budget of the run, or ${setting}_per_run of PUT /v1/agent-testing/budget`,
    );
  const limit = shared === undefined ? null : of(shared.limits);
  if (shared === undefined || limit === null) return null;
  const measured = runs.flatMap((run) => of(run) ?? []);
  const expected = measured.reduce((sum, value) => sum + value, 0);
  const left = Math.max(0, limit - used(shared.used));
  if (rounded(expected) <= left) return null;
  return new DemarcError(
    code,
    `${tokensText(measured.length)} of ${tokensText(runs.length)} runs take about ${text(expected, shared.limits)}, as the latest runs of their scenarios did, and ${text(left, shared.limits)} are left for the ${shared.what}`,
  );
}

/** Without the errors of sums of decimal fractions. */
const rounded = (value: number): number => Number(value.toPrecision(12));
