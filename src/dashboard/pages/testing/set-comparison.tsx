import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../../api/resource.js';
import { compareSimulationSets, readSimulationSets } from '../../api/runs.js';
import { dateTime } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel, WideTable } from '../../parts/panel.js';
import { scoreText } from './run-state.js';

const verdicts = {
  better: 'Better',
  worse: 'Worse',
  not_shown: 'Difference not shown',
  no_runs: 'No runs to compare',
} as const;

/** Whether the set passes more often than another one. */
export function SetComparison({ id }: { readonly id: string }): JSX.Element {
  const [compared, setCompared] = useState('');
  const sets = useResource('sets to compare', (signal) => readSimulationSets(undefined, signal));
  const comparable = (sets.data?.rows ?? []).filter((set) => set.id !== id);
  return (
    <Panel
      title="Compare"
      note="With a set of the same scenarios, run with another version or model. A difference is shown if chance gives it in fewer than 5 % of cases."
    >
      {comparable.length === 0 ? (
        <Empty title="No other simulation to compare with" />
      ) : (
        <label>
          Other simulation
          <select value={compared} onChange={({ currentTarget }) => setCompared(currentTarget.value)}>
            <option value="">Choose one</option>
            {comparable.map((set) => (
              <option key={set.id} value={set.id}>
                {dateTime(set.created_at)}: {set.scenarios.map(({ name }) => name).join(', ')}
              </option>
            ))}
          </select>
        </label>
      )}
      {compared !== '' && <Result id={id} compared={compared} />}
    </Panel>
  );
}

function Result({ id, compared }: { readonly id: string; readonly compared: string }): JSX.Element {
  const comparison = useResource(`comparison ${id} ${compared}`, (signal) =>
    compareSimulationSets(id, compared, signal),
  );
  return (
    <Loaded what="comparison" from={comparison}>
      {({ scenarios }) =>
        scenarios.length === 0 ? (
          <Empty title="The simulations have no scenario in common" />
        ) : (
          <WideTable label="Comparison by scenario">
            <thead>
              <tr>
                <th scope="col">Scenario</th>
                <th scope="col" class="number">
                  This one
                </th>
                <th scope="col" class="number">
                  Other
                </th>
                <th scope="col">Verdict</th>
              </tr>
            </thead>
            <tbody>
              {scenarios.map((scenario) => (
                <tr key={scenario.scenario_id}>
                  <td class="breakable">{scenario.scenario_name}</td>
                  <td class="number figure">{scoreText(scenario.set.pass_rate)}</td>
                  <td class="number figure">{scoreText(scenario.other.pass_rate)}</td>
                  <td>
                    {verdicts[scenario.verdict]}
                    {scenario.p_value !== null && <small> p = {scenario.p_value.toPrecision(2)}</small>}
                  </td>
                </tr>
              ))}
            </tbody>
          </WideTable>
        )
      }
    </Loaded>
  );
}
