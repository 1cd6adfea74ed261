import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type ApiFailure, query } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { type OrderedBudget, simulate, startBatch } from '../../api/runs.js';
import { categories, estimateTokens, type ListedScenario } from '../../api/testing.js';
import { count, money, whole } from '../../parts/format.js';
import { Problem } from '../../parts/notice.js';
import { WideTable } from '../../parts/panel.js';
import { Ago } from '../../parts/time.js';
import { combinationsOf, emptyMatrix, readMatrix } from './matrix-draft.js';
import { MatrixField } from './matrix-field.js';
import { RunState, scoreText } from './run-state.js';
import { type Target, targetOf } from './targets.js';

/** Scenarios with their last result; those that are chosen can be run together. */
export function ScenarioTable({
  scenarios,
  targets,
}: {
  scenarios: readonly ListedScenario[];
  targets: readonly Target[];
}): JSX.Element {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void => {
    const changed = new Set(chosen);
    if (!changed.delete(id)) changed.add(id);
    setChosen(changed);
  };
  const isAll = chosen.size === scenarios.length;
  return (
    <>
      <WideTable label="Scenarios with their last result">
        <thead>
          <tr>
            <th scope="col">
              <input
                type="checkbox"
                aria-label="Select all"
                checked={isAll}
                onChange={() => setChosen(new Set(isAll ? [] : scenarios.map(({ id }) => id)))}
              />
            </th>
            <th scope="col">Name</th>
            <th scope="col">Last result</th>
            <th scope="col" class="wide-only">
              Agent
            </th>
            <th scope="col" class="wide-only">
              Category
            </th>
          </tr>
        </thead>
        <tbody>
          {scenarios.map((scenario) => (
            <Row
              key={scenario.id}
              scenario={scenario}
              targets={targets}
              isChosen={chosen.has(scenario.id)}
              onToggle={() => toggle(scenario.id)}
            />
          ))}
        </tbody>
      </WideTable>
      <RunChosen ids={[...chosen]} />
    </>
  );
}

function Row({
  scenario,
  targets,
  isChosen,
  onToggle,
}: {
  scenario: ListedScenario;
  targets: readonly Target[];
  isChosen: boolean;
  onToggle: () => void;
}): JSX.Element {
  const last = scenario.most_recent_run;
  const target = targetOf(scenario, targets);
  return (
    <tr>
      <td class="check-cell">
        <input
          type="checkbox"
          aria-label={`Select ${scenario.name}`}
          checked={isChosen}
          onChange={onToggle}
        />
      </td>
      <td class="breakable">
        <a href={`/testing/scenarios/${scenario.id}`}>{scenario.name}</a>{' '}
        {scenario.is_required_for_promotion && <span class="chip">Required</span>}{' '}
        {scenario.channel === 'voice' && <span class="chip">By voice</span>}{' '}
        {!scenario.enabled && <span class="chip warn">Disabled</span>}
      </td>
      <td>
        {last === null ? (
          <span class="muted">Never run</span>
        ) : (
          <a class="plain-link" href={`/testing/runs/${last.id}`}>
            <RunState status={last.status} /> <span class="figure">{scoreText(last.score)}</span>{' '}
            {last.completed_at !== null && (
              <small>
                <Ago at={last.completed_at} />
              </small>
            )}
          </a>
        )}
      </td>
      <td class="wide-only breakable">
        {target === undefined ? 'Own agent' : <a href={target.href}>{target.name}</a>}
      </td>
      <td class="wide-only">{categories[scenario.category]}</td>
    </tr>
  );
}

/** Runs the chosen scenarios once, or each of them many times. */
function RunChosen({ ids }: { ids: readonly string[] }): JSX.Element {
  const { route } = useLocation();
  const [times, setTimes] = useState(10);
  const [varied, setVaried] = useState(emptyMatrix);
  const [budget, setBudget] = useState<OrderedBudget>({});
  const [problem, setProblem] = useState<string | undefined>();
  const start = (started: Promise<string>): void => {
    setProblem(undefined);
    started.then(route, ({ message }: ApiFailure) => setProblem(message));
  };
  const startSimulation = (): void => {
    const read = readMatrix(varied);
    if (read.problem !== undefined) {
      setProblem(read.problem);
      return;
    }
    const started = simulate(ids, times, read.matrix, budget);
    start(started.then(({ simulation_set_id: id }) => `/testing/simulations/${id}`));
  };
  return (
    <>
      <div class="run-line">
        <span class="muted" role="status">
          {ids.length === 0 ? 'Select scenarios to run them.' : `${count(ids.length, 'scenario')} selected.`}
        </span>
        <div class="buttons">
          <button
            type="button"
            class="primary"
            disabled={ids.length === 0}
            onClick={() =>
              start(startBatch(ids, budget).then(({ batch_id: id }) => `/testing/batches/${id}`))
            }
          >
            Run
          </button>
          <label class="with-unit">
            <span class="unseen">Runs of each scenario</span>
            <input
              type="number"
              class="short"
              min={1}
              max={100}
              value={times}
              onInput={({ currentTarget: { valueAsNumber } }) =>
                setTimes(Number.isNaN(valueAsNumber) ? 1 : valueAsNumber)
              }
            />
            ×
          </label>
          <button type="button" disabled={ids.length === 0} onClick={startSimulation}>
            Simulate
          </button>
          <button
            type="button"
            disabled={ids.length === 0}
            onClick={() => route(`/testing/schedules${query({ scenarios: ids.join(',') })}`)}
          >
            Repeat…
          </button>
        </div>
      </div>
      {ids.length > 0 && (
        <div class="run-line">
          <Estimate ids={ids} times={times * combinationsOf(varied)} />
          <label class="with-unit">
            Token budget
            <input
              type="number"
              class="short"
              min={1}
              placeholder="None"
              onInput={({ currentTarget: { valueAsNumber } }) =>
                setBudget({ ...budget, tokens: limitOf(valueAsNumber) })
              }
            />
          </label>
          <label class="with-unit">
            Budget in money
            <input
              type="number"
              class="short"
              min={0}
              step="any"
              placeholder="None"
              onInput={({ currentTarget: { valueAsNumber } }) =>
                setBudget({ ...budget, cost: limitOf(valueAsNumber) })
              }
            />
          </label>
        </div>
      )}
      {ids.length > 0 && <MatrixField draft={varied} onChange={setVaried} />}
      {problem !== undefined && (
        <Problem title="Not started">
          <p>{problem}</p>
        </Problem>
      )}
    </>
  );
}

const limitOf = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);

/** What the simulation would take, before it is started. */
function Estimate({ ids, times }: { ids: readonly string[]; times: number }): JSX.Element {
  const estimate = useResource(`estimate ${times} ${ids.join(' ')}`, (signal) =>
    estimateTokens(ids, times, signal),
  );
  const { data } = estimate;
  if (data === undefined) return <span class="muted" />;
  const runs = count(data.total_runs, 'simulated run');
  if (data.tokens === null)
    return <span class="muted">What {runs} would take is unknown: a scenario has not been run yet.</span>;
  const cost = data.cost === null ? '' : `, ${money(data.cost)}`;
  return (
    <span class="muted">
      {runs} would take about {whole(data.tokens)} tokens{cost}, as earlier runs did.
    </span>
  );
}
