import type { JSX } from 'preact';
import { useLocation } from 'preact-iso';
import { query } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { type RunFilter, readRuns } from '../../api/runs.js';
import { whole } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { BudgetPanel } from './budget-panel.js';
import type { RunStatus } from './run-state.js';
import { RunTable } from './run-table.js';
import { TestingPage } from './testing-page.js';

interface Search {
  readonly scenario_id?: string;
  readonly pathway_id?: string;
  readonly persona_id?: string;
  readonly monitor_id?: string;
  readonly load_test_id?: string;
  readonly status?: string;
  readonly offset?: string;
}

const pageSize = 50;
const statuses: readonly (readonly [status: RunStatus, word: string])[] = [
  ['RUNNING', 'Running'],
  ['PENDING', 'Waiting'],
  ['PASSED', 'Passed'],
  ['FAILED', 'Failed'],
  ['ERROR', 'Error'],
  ['CANCELLED', 'Cancelled'],
];

const addressOf = (search: Search): string => `/testing/runs${query({ ...search })}`;

/** All runs, newest first. */
export function RunsPage(): JSX.Element {
  const { query: search, route } = useLocation() as { query: Search; route: (url: string) => void };
  const offset = Number(search.offset ?? 0);
  const page = useResource(JSON.stringify(search), (signal) =>
    readRuns({ ...search, offset, limit: pageSize } as RunFilter, signal),
  );
  const { offset: _, ...filter } = search;
  return (
    <TestingPage title="Testing">
      <Panel
        title="Runs"
        aside={page.data && <span class="figure">{whole(page.data.total_count)}</span>}
        note={
          search.scenario_id !== undefined
            ? 'Runs of one scenario.'
            : search.monitor_id !== undefined
              ? 'Real calls that one monitor judged.'
              : search.load_test_id !== undefined
                ? 'Callers of one load test.'
                : undefined
        }
      >
        <div class="filters">
          <label>
            Result
            <select
              value={search.status ?? ''}
              onChange={({ currentTarget: { value } }) => {
                const { status: _status, ...rest } = filter;
                route(addressOf(value === '' ? rest : { ...rest, status: value }));
              }}
            >
              <option value="">All</option>
              {statuses.map(([status, word]) => (
                <option value={status} key={status}>
                  {word}
                </option>
              ))}
            </select>
          </label>
          {Object.keys(filter).some((name) => name !== 'status') && <a href="/testing/runs">Show all runs</a>}
        </div>
        <Loaded what="runs" from={page}>
          {({ runs, total_count: total }) => (
            <>
              {runs.length === 0 ? (
                <Empty title="No runs">
                  Run a <a href="/testing">scenario</a> to see its result here.
                </Empty>
              ) : (
                <RunTable runs={runs} label="Runs, newest first" />
              )}
              <nav class="pages" aria-label="Pages of runs">
                {offset > 0 && (
                  <a href={addressOf({ ...filter, offset: String(Math.max(0, offset - pageSize)) })}>Newer</a>
                )}
                {offset + runs.length < total && (
                  <a href={addressOf({ ...filter, offset: String(offset + pageSize) })}>Older</a>
                )}
              </nav>
            </>
          )}
        </Loaded>
      </Panel>
      <BudgetPanel />
    </TestingPage>
  );
}
