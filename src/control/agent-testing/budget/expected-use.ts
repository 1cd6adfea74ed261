/** A run that is to be started. */
export interface ExpectedRun {
  readonly name: string;
  /** Mean of the latest runs of its scenario; null: none was measured. */
  readonly tokens: number | null;
  /** Null: no separate limit. */
  readonly limit: number | null;
}

/** What the runs that are started together may still take. */
export interface Remaining {
  readonly what: string;
  readonly tokens: number;
}

/**
 * Why runs must not be started: they would be stopped by their budget, judged by what earlier runs took. Null: they may.
 * @param remaining undefined: no limit for all of them together
 */
export function problemOfExpected(
  runs: readonly ExpectedRun[],
  remaining: Remaining | undefined,
): string | null {
  const costly = runs.find(({ tokens, limit }) => tokens !== null && limit !== null && tokens > limit);
  if (costly !== undefined)
    return `a run of scenario ${costly.name} takes about ${whole(costly.tokens!)} tokens, as its latest runs did, and ${whole(costly.limit!)} are allowed. Raise token_budget of the run, or tokens_per_run of PUT /v1/agent-testing/budget`;
  const expected = expectedTokens(runs);
  if (remaining === undefined || expected.tokens <= remaining.tokens) return null;
  return `${whole(expected.measured)} of ${whole(runs.length)} runs take about ${whole(expected.tokens)} tokens, as the latest runs of their scenarios did, and ${whole(remaining.tokens)} are left for the ${remaining.what}`;
}

/** Tokens of the runs whose scenarios were measured, and how many runs these are. */
export function expectedTokens(runs: readonly Pick<ExpectedRun, 'tokens'>[]): {
  readonly tokens: number;
  readonly measured: number;
} {
  const measured = runs.flatMap(({ tokens }) => (tokens === null ? [] : [tokens]));
  return { tokens: Math.round(measured.reduce((sum, tokens) => sum + tokens, 0)), measured: measured.length };
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
