import type { RunStatus } from '../schemas/run.js';
import type { WholeSimulationSet } from '../simulation/simulation-storage.js';
import { simulatedRun } from '../simulation/simulation-view.js';
import { statisticsOf } from '../simulation/statistics.js';

/** What the runs of a schedule show. */
export interface Verdict {
  /** Null: every scenario passed often enough. */
  readonly problem: string | null;
  /** 0–1, of the scenario that passed least often; null: no run was judged. */
  readonly lowestPassRate: number | null;
}

const namedScenarios = 5;
const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;

/**
 * Judges each scenario by its own runs, because a mean would hide one that always fails. Undefined: runs were cancelled, which
 * says nothing about the agent.
 */
export function verdictOn({ set, runs }: WholeSimulationSet, requiredPassRate: number): Verdict | undefined {
  if (runs.some(({ status }) => status === ('CANCELLED' satisfies RunStatus))) return undefined;
  const scenarios = set.scenario_ids.map((id) => {
    const own = runs.filter(({ scenario_id: scenario }) => scenario === id);
    return { name: own[0]?.scenario_name ?? id, statistics: statisticsOf(own.flatMap(simulatedRun)) };
  });
  const problems = scenarios.flatMap(({ name, statistics }) => {
    const { passed, failed, pass_rate: rate, common_failure_modes: modes } = statistics;
    const why = modes[0] === undefined ? '' : `: ${modes[0]}`;
    if (rate === null) return `${name}: no run could be judged${why}`;
    if (rate >= requiredPassRate) return [];
    return `${name}: ${passed} of ${passed + failed} runs passed (${percent(rate)}), ${percent(requiredPassRate)} required${why}`;
  });
  const rates = scenarios.flatMap(({ statistics }) => statistics.pass_rate ?? []);
  const rest = problems.length - namedScenarios;
  return {
    problem:
      problems.length === 0
        ? null
        : `${problems.slice(0, namedScenarios).join('. ')}.${rest > 0 ? ` And ${rest} more.` : ''}`,
    lowestPassRate: rates.length === 0 ? null : Math.min(...rates),
  };
}
