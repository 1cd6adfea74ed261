import { groupBy } from '../../../base/group-by.js';
import { decideGate, evidenceText, type GateTerms, type RunCounts } from '../statistics/evidence.js';

/** Scenarios end long before; without workers a promotion must not wait forever. */
export const longestMinutes = 60;

/** A run of a version by one of its promotions. */
export interface GateRun extends GateTerms {
  readonly id: string;
  readonly scenarioId: string;
  readonly name: string;
  readonly status: string;
  readonly error: string | null;
  readonly isStandIn: boolean;
  /** Of the promotion to decide; false: of an earlier one of the same version. */
  readonly isCurrent: boolean;
  /** Required assertions that did not pass. */
  readonly failures: readonly string[];
}

export const hasEnded = (status: string): boolean => status !== 'PENDING' && status !== 'RUNNING';

/** What follows from the runs of a promotion. */
export interface Verdict {
  /** Why the version must not become live: one reason for each scenario that keeps it from it. */
  readonly reasons: readonly string[];
  /** Ids of scenarios, one for each run that is still needed; empty: it is decided. */
  readonly missing: readonly string[];
}

/** Decides once the present runs have ended. A reason ends the promotion: further runs of other scenarios would be wasted. */
export function verdictOn(runs: readonly GateRun[]): Verdict {
  const scenarios = groupBy(runs, ({ scenarioId }) => scenarioId);
  if (!runs.some(({ isCurrent }) => isCurrent))
    return { reasons: ['None of the required scenarios was run.'], missing: [] };
  const verdicts = [...scenarios].map(([id, own]) => verdictOnScenario(id, own));
  const reasons = verdicts.flatMap((verdict) => verdict.reasons);
  return { reasons, missing: reasons.length > 0 ? [] : verdicts.flatMap(({ missing }) => missing) };
}

function verdictOnScenario(id: string, runs: readonly GateRun[]): Verdict {
  const [{ name, requiredPassRate } = noRun] = runs;
  const scenario = `Scenario “${name}”`;
  const refuse = (problem: string): Verdict => ({ reasons: [`${scenario} ${problem}`], missing: [] });
  const current = runs.filter(({ isCurrent }) => isCurrent);
  const broken = current.find(({ status }) => status !== 'PASSED' && status !== 'FAILED');
  if (broken?.status === 'ERROR') return refuse(`could not be run: ${broken.error}`);
  if (broken?.status === 'CANCELLED') return refuse('was cancelled.');
  if (broken !== undefined) return refuse(`did not end within ${longestMinutes} minutes.`);
  const counts = countsOf(runs);
  const decision = decideGate(counts, runs[0]!, current.length);
  if (decision.kind === 'closed')
    return refuse(`failed: ${evidenceText(counts, requiredPassRate)}${causes(runs)}.`);
  if (current.some(({ isStandIn }) => isStandIn))
    return refuse(
      'used the stand-in that answers by rules, which shows nothing of your agent (DEMARC_LLM_URL).',
    );
  return { reasons: [], missing: decision.kind === 'open' ? [] : Array<string>(decision.runs).fill(id) };
}

const noRun = { name: '', requiredPassRate: 1 };

export const countsOf = (runs: readonly Pick<GateRun, 'status'>[]): RunCounts => ({
  passed: runs.filter(({ status }) => status === 'PASSED').length,
  failed: runs.filter(({ status }) => status === 'FAILED').length,
});

function causes(runs: readonly GateRun[]): string {
  const names = [...new Set(runs.flatMap(({ failures }) => failures))];
  return names.length === 0 ? '' : `: ${names.join(', ')}`;
}

/** Why a version must not be tested again: earlier promotions of it have shown that it fails too often. */
export function settledRefusals(runs: readonly GateRun[]): string[] {
  return [...groupBy(runs, ({ scenarioId }) => scenarioId).values()].flatMap((own) => {
    const counts = countsOf(own);
    const decision = decideGate(counts, own[0]!, 0);
    if (decision.kind !== 'closed' || !decision.isFinal) return [];
    const evidence = evidenceText(counts, own[0]!.requiredPassRate);
    return [`Scenario “${own[0]!.name}” has failed with this version: ${evidence}. Change the version.`];
  });
}
