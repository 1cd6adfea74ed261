import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Back } from '../../parts/back.js';
import '../../style/pathways.css';
import '../../style/testing.css';
import { useResource } from '../../api/resource.js';
import {
  cancelSimulationSet,
  readRuns,
  readSimulationSet,
  type ScenarioStatistics,
  type SimulationSet,
} from '../../api/runs.js';
import { Page } from '../../frame/page.js';
import { capitalized, count } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Facts, Panel, WideTable } from '../../parts/panel.js';
import { OutcomeBar } from './batch-page.js';
import { HistogramChart } from './histogram-chart.js';
import { hasEnded, scoreText } from './run-state.js';
import { SetComparison } from './set-comparison.js';
import { StandInNotice } from './stand-in-notice.js';
import { StateAndCancel } from './state-and-cancel.js';
import { UsageFigures } from './usage-figures.js';

const refreshMilliseconds = 2_000;

/** Scenarios that run many times: how sure is a result? Live while they run. */
export function SimulationPage(): JSX.Element {
  const { id = '' } = useRoute().params;
  const [isLive, setLive] = useState(true);
  const set = useResource(
    `simulation ${id}`,
    (signal) =>
      readSimulationSet(id, signal).then((data) => {
        setLive(!hasEnded(data.status));
        return data;
      }),
    isLive ? { everyMilliseconds: refreshMilliseconds } : {},
  );
  return (
    <Page
      title="Simulation"
      above={<Back href="/testing/simulations" text="Simulations" />}
      beside={
        set.data && (
          <StateAndCancel
            status={set.data.status}
            cancel={() => cancelSimulationSet(id)}
            onChanged={set.reload}
          />
        )
      }
    >
      <Loaded what="simulation" from={set}>
        {(data) => <Parts set={data} />}
      </Loaded>
    </Page>
  );
}

function Parts({ set }: { set: SimulationSet }): JSX.Element {
  const scenarios = Object.values(set.statistics.per_scenario);
  const { overall } = set.statistics;
  const passed = scenarios.reduce((sum, scenario) => sum + scenario.passed, 0);
  const [chosen, setChosen] = useState<string | undefined>();
  const shown = scenarios.find(({ scenario_id: id }) => id === chosen) ?? scenarios[0];
  return (
    <>
      <Panel
        title={`${set.completed_runs} of ${set.total_runs} runs ended`}
        aside={`${count(set.total_scenarios, 'scenario')} × ${count(set.simulations_per_scenario, 'run')}`}
      >
        <OutcomeBar passed={passed} failed={set.completed_runs - passed} total={set.total_runs} />
        <dl class="verdict-figures">
          <div>
            <dt>Pass rate</dt>
            <dd class="figure">{scoreText(overall.avg_pass_rate)}</dd>
          </div>
          <div>
            <dt>Reliable scenarios</dt>
            <dd class="figure">{overall.reliable_count}</dd>
          </div>
          <div>
            <dt>Flaky scenarios</dt>
            <dd class="figure">{overall.flaky_count}</dd>
          </div>
          <UsageFigures {...set} />
        </dl>
      </Panel>
      <Panel
        title="Scenarios"
        note="The line is the 95 % interval of the pass rate (Wilson): the fewer runs, the wider it is."
      >
        {scenarios.length === 0 ? (
          <Empty title="No run has ended yet" />
        ) : (
          <ScenarioTable scenarios={scenarios} chosen={shown?.scenario_id} onChoose={setChosen} />
        )}
      </Panel>
      {set.matrix !== null && <Variations matrix={set.matrix} />}
      {hasEnded(set.status) && <SetComparison id={set.id} />}
      {shown !== undefined && <Distribution setId={set.id} statistics={shown} ended={set.completed_runs} />}
    </>
  );
}

export function ScenarioTable({
  scenarios,
  chosen,
  onChoose,
}: {
  scenarios: readonly ScenarioStatistics[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}): JSX.Element {
  return (
    <WideTable label="Results by scenario">
      <thead>
        <tr>
          <th scope="col">Scenario</th>
          <th scope="col">Pass rate</th>
          <th scope="col" class="number wide-only">
            Runs
          </th>
          <th scope="col" class="number wide-only">
            Mean score
          </th>
          <th scope="col">Confidence</th>
        </tr>
      </thead>
      <tbody>
        {scenarios.map((scenario) => (
          <tr key={scenario.scenario_id}>
            <td class="breakable">
              <button
                type="button"
                class="link"
                aria-pressed={scenario.scenario_id === chosen}
                onClick={() => onChoose(scenario.scenario_id)}
              >
                {scenario.scenario_name}
              </button>{' '}
              {scenario.is_flaky && <span class="chip warn">Flaky</span>}
            </td>
            <td>
              <RateWithInterval statistics={scenario} />
            </td>
            <td class="number figure wide-only">{scenario.total_runs}</td>
            <td class="number figure wide-only">{scoreText(scenario.scores.mean)}</td>
            <td>{capitalized(scenario.confidence)}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

/** Which value of the varied fields fails. */
function Variations({ matrix }: { matrix: NonNullable<SimulationSet['matrix']> }): JSX.Element {
  return (
    <Panel title="Varied fields" note="Each value over all combinations, lowest pass rate first.">
      <WideTable label="Results by value">
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col">Pass rate</th>
            <th scope="col" class="number wide-only">
              Runs
            </th>
          </tr>
        </thead>
        <tbody>
          {matrix.by_value.map((result) => {
            const name = Object.entries(result.values)
              .map(
                ([field, value]) => `${field} = ${typeof value === 'string' ? value : JSON.stringify(value)}`,
              )
              .join(', ');
            return (
              <tr key={name}>
                <td class="breakable">{name}</td>
                <td>
                  <RateWithInterval statistics={result} />
                </td>
                <td class="number figure wide-only">{result.passed + result.failed + result.errors}</td>
              </tr>
            );
          })}
        </tbody>
      </WideTable>
    </Panel>
  );
}

/** The pass rate as a point on its interval. */
export function RateWithInterval({
  statistics,
}: {
  statistics: Pick<ScenarioStatistics, 'pass_rate' | 'pass_rate_interval'>;
}): JSX.Element {
  const { pass_rate: rate, pass_rate_interval: interval } = statistics;
  return (
    <span class="score-bar">
      <svg viewBox="0 0 120 14" width="120" height="14" aria-hidden="true" focusable="false">
        <rect class="score-ground" y="6" width="120" height="2" />
        {interval !== null && (
          <line class="interval" x1={interval.lower * 120} x2={interval.upper * 120} y1="7" y2="7" />
        )}
        {rate !== null && (
          <circle class="score-part" cx={Math.min(115, Math.max(5, rate * 120))} cy="7" r="5" />
        )}
      </svg>
      <span class="figure">
        {scoreText(rate)}
        {interval !== null && (
          <small>
            {' '}
            {scoreText(interval.lower)} to {scoreText(interval.upper)}
          </small>
        )}
      </span>
    </span>
  );
}

function Distribution({
  setId,
  statistics,
  ended,
}: {
  setId: string;
  statistics: ScenarioStatistics;
  ended: number;
}): JSX.Element {
  const { scenario_id: scenarioId, scores, common_failure_modes: modes, worst_run_id: worst } = statistics;
  const runs = useResource(`runs of ${setId} ${scenarioId} ${ended}`, (signal) =>
    readRuns({ simulation_set_id: setId, scenario_id: scenarioId, limit: 100 }, signal),
  );
  const values = (runs.data?.runs ?? []).flatMap(({ overall_score: score, status }) =>
    score === null ? [] : [{ score, isPassed: status === 'PASSED' }],
  );
  const isStandIn = runs.data?.runs.some(({ models }) => models.is_stand_in) === true;
  return (
    <>
      {isStandIn && <StandInNotice />}
      <div class="pathway-columns">
        <Panel title={`Scores of “${statistics.scenario_name}”`}>
          {values.length === 0 ? (
            <Empty title="No scores yet" />
          ) : (
            <HistogramChart values={values} mean={scores.mean} median={scores.median} />
          )}
        </Panel>
        <Panel title="Statistics">
          <Facts
            rows={[
              ['Mean', scoreText(scores.mean)],
              ['Median', scoreText(scores.median)],
              [
                'Standard deviation',
                scores.stddev === null ? '–' : `${(scores.stddev * 100).toFixed(1)} points`,
              ],
              ['Lowest', scoreText(scores.min)],
              ['Highest', scoreText(scores.max)],
              ['Passed', `${statistics.passed} of ${statistics.total_runs}`],
              ...(statistics.errors > 0 ? [['Errors', String(statistics.errors)] as const] : []),
              ...(worst === null
                ? []
                : [
                    [
                      'Worst run',
                      <a href={`/testing/runs/${worst}`} key="worst">
                        Open
                      </a>,
                    ] as const,
                  ]),
            ]}
          />
          {modes.length > 0 && (
            <>
              <h3>Common failures</h3>
              <ol class="fault-list">
                {modes.map((mode) => (
                  <li key={mode}>{mode}</li>
                ))}
              </ol>
            </>
          )}
        </Panel>
      </div>
    </>
  );
}
