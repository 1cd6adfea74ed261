import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type ApiFailure, query } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { simulate, startBatch } from '../api/runs.js';
import { type Category, categories, type ListedScenario, readScenarios } from '../api/testing.js';
import { count } from '../parts/format.js';
import { Empty, Loaded, Problem } from '../parts/notice.js';
import { Panel, WideTable } from '../parts/panel.js';
import { Ago } from '../parts/time.js';
import { RunState, scoreText } from './run-state.js';
import { type Target, targetOf, useTargets } from './targets.js';
import { TestingPage } from './testing-page.js';

interface Search {
  readonly pathway_id?: string;
  readonly persona_id?: string;
  readonly category?: string;
  readonly enabled?: string;
  readonly after?: string;
}

const addressOf = (search: Search): string => `/testing${query({ ...search, after: search.after })}`;

/** Scenarios with their last result, to run together or many times. */
export function ScenariosPage(): JSX.Element {
  const { query: search, route } = useLocation() as { query: Search; route: (url: string) => void };
  const targets = useTargets();
  const page = useResource(JSON.stringify(search), (signal) =>
    readScenarios(
      {
        ...search,
        category: search.category as Category | undefined,
        enabled: search.enabled === undefined ? undefined : search.enabled === 'true',
      },
      signal,
    ),
  );
  const { after: _, ...first } = search;
  const { pathway_id, persona_id } = search;
  const chosenTarget = { ...(pathway_id && { pathway_id }), ...(persona_id && { persona_id }) };
  return (
    <TestingPage
      title="Testing"
      beside={
        <a class="button" href={`/testing/new${query(chosenTarget)}`}>
          New scenario
        </a>
      }
    >
      <Panel
        title="Scenarios"
        note="A simulated caller talks to your agent, by text or in a real call, and assertions check the conversation."
      >
        <Filters search={search} targets={targets} onSearch={(changed) => route(addressOf(changed))} />
        <Loaded what="scenarios" from={page}>
          {({ scenarios, next }) =>
            scenarios.length === 0 ? (
              <NoScenarios isFiltered={Object.keys(search).length > 0} />
            ) : (
              <>
                <Table scenarios={scenarios} targets={targets} key={JSON.stringify(search)} />
                <nav class="pages" aria-label="Pages of scenarios">
                  {search.after !== undefined && <a href={addressOf(first)}>First</a>}
                  {next !== null && <a href={addressOf({ ...search, after: next })}>Next</a>}
                </nav>
              </>
            )
          }
        </Loaded>
      </Panel>
    </TestingPage>
  );
}

function NoScenarios({ isFiltered }: { isFiltered: boolean }): JSX.Element {
  return isFiltered ? (
    <Empty title="No scenario matches">
      Remove a filter, or <a href="/testing">show all scenarios</a>.
    </Empty>
  ) : (
    <Empty title="No scenarios">
      Begin with a <a href="/testing/templates">template</a>, or generate one from a <a href="/calls">call</a>
      .
    </Empty>
  );
}

function Filters({
  search,
  targets,
  onSearch,
}: {
  search: Search;
  targets: readonly Target[];
  onSearch: (search: Search) => void;
}): JSX.Element {
  const { after: _, ...current } = search;
  const chosen = search.pathway_id ?? search.persona_id ?? '';
  return (
    <div class="filters">
      <label>
        Agent
        <select
          value={chosen}
          onChange={({ currentTarget: { value } }) => {
            const { pathway_id: _pathway, persona_id: _persona, ...others } = current;
            const target = targets.find(({ id }) => id === value);
            if (target === undefined) onSearch(others);
            else onSearch({ ...others, [`${target.kind}_id`]: target.id });
          }}
        >
          <option value="">All</option>
          {(['pathway', 'persona'] as const).map((kind) => (
            <optgroup label={kind === 'pathway' ? 'Pathways' : 'Personas'} key={kind}>
              {targets
                .filter((target) => target.kind === kind)
                .map(({ id, name }) => (
                  <option value={id} key={id}>
                    {name}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
      <label>
        Category
        <select
          value={search.category ?? ''}
          onChange={({ currentTarget: { value } }) => {
            const { category: _category, ...others } = current;
            onSearch(value === '' ? others : { ...others, category: value });
          }}
        >
          <option value="">All</option>
          {Object.entries(categories).map(([value, text]) => (
            <option value={value} key={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <label>
        State
        <select
          value={search.enabled ?? ''}
          onChange={({ currentTarget: { value } }) => {
            const { enabled: _enabled, ...others } = current;
            onSearch(value === '' ? others : { ...others, enabled: value });
          }}
        >
          <option value="">All</option>
          <option value="true">Enabled</option>
          <option value="false">Disabled</option>
        </select>
      </label>
    </div>
  );
}

function Table({
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
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const start = (started: Promise<string>): void => {
    setProblem(undefined);
    started.then(route, setProblem);
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
            onClick={() => start(startBatch(ids).then(({ batch_id: id }) => `/testing/batches/${id}`))}
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
          <button
            type="button"
            disabled={ids.length === 0}
            onClick={() =>
              start(simulate(ids, times).then(({ simulation_set_id: id }) => `/testing/simulations/${id}`))
            }
          >
            Simulate
          </button>
        </div>
      </div>
      {problem !== undefined && (
        <Problem title="Not started">
          <p>{problem.message}</p>
        </Problem>
      )}
    </>
  );
}
