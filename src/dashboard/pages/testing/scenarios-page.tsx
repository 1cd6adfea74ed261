import type { JSX } from 'preact';
import { useLocation } from 'preact-iso';
import { query } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { type Category, categories, readScenarios } from '../../api/testing.js';
import { Icon } from '../../parts/icons.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { ScenarioTable } from './scenario-table.js';
import { type Target, useTargets } from './targets.js';
import { TestingPage } from './testing-page.js';

interface Search {
  readonly pathway_id?: string;
  readonly persona_id?: string;
  readonly category?: string;
  readonly enabled?: string;
  readonly after?: string;
}

const addressOf = (search: Search): string => `/testing${query({ ...search })}`;

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
        <div class="buttons">
          <a class="button" href={`/testing/generate${query({ persona_id })}`}>
            Generate
          </a>
          <a class="button primary" href={`/testing/new${query(chosenTarget)}`}>
            <Icon name="add" />
            New scenario
          </a>
        </div>
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
                <ScenarioTable scenarios={scenarios} targets={targets} key={JSON.stringify(search)} />
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
      Begin with a <a href="/testing/templates">template</a>, or <a href="/testing/generate">generate them</a>{' '}
      from a persona or from calls.
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
            const { pathway_id: _pathway, persona_id: _persona, ...rest } = current;
            const target = targets.find(({ id }) => id === value);
            if (target === undefined) onSearch(rest);
            else onSearch({ ...rest, [`${target.kind}_id`]: target.id });
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
            const { category: _category, ...rest } = current;
            onSearch(value === '' ? rest : { ...rest, category: value });
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
            const { enabled: _enabled, ...rest } = current;
            onSearch(value === '' ? rest : { ...rest, enabled: value });
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
