import type { z } from 'zod';
import type { setComparisonSchema } from '../schemas/set-comparison.js';
import { fisherExact, holm } from '../statistics/fisher-exact.js';
import type { SimulationRunRow, WholeSimulationSet } from './simulation-storage.js';
import { simulatedRun } from './simulation-view.js';
import { passRateOf } from './statistics.js';

type View = z.output<typeof setComparisonSchema>;
type Verdict = View['verdict'];

/** A difference that chance gives in fewer cases is shown. */
const significance = 0.05;

/** Whether a set passes more often than another one, scenario by scenario. */
export function compareSets(set: WholeSimulationSet, compared: WholeSimulationSet): View {
  const common = set.set.scenario_ids.filter((id) => compared.set.scenario_ids.includes(id));
  const pairs = common.map((id) => {
    const [left, right] = [runsOf(set, id), runsOf(compared, id)];
    return {
      id,
      name: (left[0] ?? right[0])?.scenario_name ?? id,
      left: passRateOf(left.flatMap(simulatedRun)),
      right: passRateOf(right.flatMap(simulatedRun)),
    };
  });
  const comparable = pairs.filter(({ left, right }) => left.pass_rate !== null && right.pass_rate !== null);
  const corrected = holm(comparable.map(({ left, right }) => fisherExact(left, right)));
  const scenarios = pairs.map((pair) => {
    const at = comparable.indexOf(pair);
    const pValue = at < 0 ? null : corrected[at]!;
    return {
      scenario_id: pair.id,
      scenario_name: pair.name,
      set: pair.left,
      other: pair.right,
      p_value: pValue,
      verdict: verdictOn(pair.left.pass_rate, pair.right.pass_rate, pValue),
    };
  });
  return {
    set: described(set),
    other: described(compared),
    scenarios,
    only_set: set.set.scenario_ids.filter((id) => !common.includes(id)),
    only_other: compared.set.scenario_ids.filter((id) => !common.includes(id)),
    verdict: overall(scenarios.map(({ verdict }) => verdict)),
  };
}

const runsOf = ({ runs }: WholeSimulationSet, id: string): SimulationRunRow[] =>
  runs.filter(({ scenario_id: scenario }) => scenario === id);

function verdictOn(left: number | null, right: number | null, pValue: number | null): Verdict {
  if (left === null || right === null || pValue === null) return 'no_runs';
  if (pValue >= significance || left === right) return 'not_shown';
  return left > right ? 'better' : 'worse';
}

function overall(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('worse')) return 'worse';
  if (verdicts.includes('better')) return 'better';
  return verdicts.includes('not_shown') ? 'not_shown' : 'no_runs';
}

const described = ({ set, runs }: WholeSimulationSet): View['set'] => ({
  id: set.id,
  versions: [...new Set(runs.flatMap(({ version_number: version }) => version ?? []))].sort((a, b) => a - b),
  agent_models: [...new Set(runs.flatMap(({ agent_model: model }) => model ?? []))].sort(),
  is_stand_in: runs.some(({ is_stand_in: isStandIn }) => isStandIn),
});
