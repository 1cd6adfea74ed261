import { groupBy } from '../../../base/group-by.js';
import type { EndedStatus } from '../schemas/run.js';
import { wilsonInterval } from '../statistics/wilson-interval.js';

/** How a scenario ended in one iteration. */
export interface ScenarioOutcome {
  readonly scenario_id: string;
  readonly run_id: string;
  readonly status: EndedStatus;
  /** Which required assertions did not pass: equal signatures are equal outcomes. */
  readonly signature: string;
  readonly error: string | null;
}

/**
 * How each scenario ended, from its runs in one iteration. It passed when the lower end of the interval of its pass rate reaches the
 * required one; its outcome then is that of its first run that did not pass, with the assertions of all of them.
 */
export function outcomesOfScenarios(
  runs: readonly ScenarioOutcome[],
  requiredPassRate: number,
): ScenarioOutcome[] {
  return [...groupBy(runs, ({ scenario_id: id }) => id).values()].map((own) => {
    const failed = own.filter(({ status }) => status === 'FAILED');
    const broken = own.find(({ status }) => status !== 'PASSED' && status !== 'FAILED');
    const passed = own.filter(({ status }) => status === 'PASSED');
    const interval = wilsonInterval(passed.length, passed.length + failed.length);
    const isEnough = interval !== undefined && interval.lower >= requiredPassRate;
    if (broken === undefined && isEnough) return passed[0]!;
    const signature = [...new Set(failed.map((run) => run.signature))].sort().join('; ');
    const [worst = broken] = failed;
    if (worst !== undefined) return { ...worst, ...(failed.length === 0 ? {} : { signature }) };
    // Too few runs to show the rate.
    return { ...own[0]!, status: 'FAILED' };
  });
}

export type Decision =
  | { readonly kind: 'COMPLETED_ALL_PASSED' | 'COMPLETED_PARTIAL' | 'STUCK' }
  | { readonly kind: 'ERROR'; readonly message: string }
  | { readonly kind: 'fix'; readonly failed: readonly ScenarioOutcome[] };

export interface Evaluation {
  readonly passedIds: readonly string[];
  readonly failedIds: readonly string[];
  readonly newlyUnfixableIds: readonly string[];
  readonly decision: Decision;
}

/** A scenario is given up when so many fixes in a row left its outcome as it was. */
const uselessFixes = 2;

/**
 * What follows from the outcomes of an iteration.
 * @param iterations outcomes by iteration, this one last
 */
export function evaluate(
  iterations: readonly (readonly ScenarioOutcome[])[],
  { unfixableIds, maximum }: { readonly unfixableIds: readonly string[]; readonly maximum: number },
): Evaluation {
  const latest = iterations.at(-1) ?? [];
  const passed = latest.filter(({ status }) => status === 'PASSED');
  const failed = latest.filter(({ status }) => status !== 'PASSED');
  const newlyUnfixable = failed.filter(
    (outcome) =>
      !unfixableIds.includes(outcome.scenario_id) &&
      outcome.status === 'FAILED' &&
      isUnchanged(iterations, outcome),
  );
  const givenUp = new Set([...unfixableIds, ...newlyUnfixable.map(({ scenario_id: id }) => id)]);
  return {
    passedIds: passed.map(({ scenario_id: id }) => id),
    failedIds: failed.map(({ scenario_id: id }) => id),
    newlyUnfixableIds: newlyUnfixable.map(({ scenario_id: id }) => id),
    decision: decide(failed, givenUp, iterations.length >= maximum),
  };
}

function decide(failed: readonly ScenarioOutcome[], givenUp: ReadonlySet<string>, isLast: boolean): Decision {
  if (failed.length === 0) return { kind: 'COMPLETED_ALL_PASSED' };
  // No fix helps a run that could not be completed or judged.
  if (failed.every(({ status }) => status !== 'FAILED'))
    return {
      kind: 'ERROR',
      message: failed.find(({ error }) => error !== null)?.error ?? 'The runs were cancelled.',
    };
  const fixable = failed.filter(({ scenario_id: id, status }) => status === 'FAILED' && !givenUp.has(id));
  if (fixable.length === 0) return { kind: 'STUCK' };
  if (isLast) return { kind: 'COMPLETED_PARTIAL' };
  return { kind: 'fix', failed: fixable };
}

function isUnchanged(
  iterations: readonly (readonly ScenarioOutcome[])[],
  { scenario_id: id, signature }: ScenarioOutcome,
): boolean {
  if (iterations.length <= uselessFixes) return false;
  return iterations
    .slice(-1 - uselessFixes)
    .every((outcomes) =>
      outcomes.some(
        (outcome) =>
          outcome.scenario_id === id && outcome.status === 'FAILED' && outcome.signature === signature,
      ),
    );
}
