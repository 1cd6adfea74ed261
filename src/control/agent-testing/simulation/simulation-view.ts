import type { z } from 'zod';
import { usedBudget } from '../runs/used-budget.js';
import type { RunStatus } from '../schemas/run.js';
import type { simulationSetSchema } from '../schemas/simulation.js';
import { matrixStatistics } from './matrix-statistics.js';
import type { SimulationRunRow, WholeSimulationSet } from './simulation-storage.js';
import { overallStatistics, type SimulatedRun, statisticsOf } from './statistics.js';

type View = z.output<typeof simulationSetSchema>;

/** With the statistics of the runs that have ended; cancelled runs have no result. */
export function simulationSetView({ set, runs, usage }: WholeSimulationSet): View {
  const perScenario = set.scenario_ids.map((id) => {
    const own = runs.filter(({ scenario_id: scenario }) => scenario === id);
    const { common_failure_modes: modes, ...statistics } = statisticsOf(own.flatMap(simulatedRun));
    return {
      scenario_id: id,
      scenario_name: own[0]?.scenario_name ?? id,
      ...statistics,
      common_failure_modes: [...modes],
    };
  });
  return {
    id: set.id,
    status: set.status ?? unendedStatus(runs.map(({ status }) => status)),
    simulations_per_scenario: set.simulations_per_scenario,
    total_scenarios: set.scenario_ids.length,
    total_runs: runs.length,
    completed_runs: runs.filter(({ status }) => status !== 'PENDING' && status !== 'RUNNING').length,
    schedule_id: set.schedule_id,
    ...usedBudget(set),
    usage,
    matrix:
      set.matrix === null
        ? null
        : matrixStatistics(
            set.matrix,
            runs.map((run) => ({ ...run, ended: simulatedRun(run) })),
          ),
    statistics: {
      per_scenario: Object.fromEntries(perScenario.map((scenario) => [scenario.scenario_id, scenario])),
      overall: overallStatistics(perScenario),
    },
    created_at: set.created_at.toISOString(),
    completed_at: set.completed_at?.toISOString() ?? null,
  };
}

const unendedStatus = (statuses: readonly RunStatus[]): 'PENDING' | 'RUNNING' =>
  statuses.every((status) => status === 'PENDING') ? 'PENDING' : 'RUNNING';

/** Those that ended with a result. */
export function simulatedRun({ id, status, score, failures }: SimulationRunRow): SimulatedRun[] {
  if (status === 'PENDING' || status === 'RUNNING' || status === 'CANCELLED') return [];
  return [{ id, status, score, failures }];
}
