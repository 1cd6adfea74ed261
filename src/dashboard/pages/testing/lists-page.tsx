import type { ComponentChildren, JSX } from 'preact';
import { useLocation } from 'preact-iso';
import { query } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { type Listed, readBatches, readSimulationSets } from '../../api/runs.js';
import { readTornadoSessions } from '../../api/tornado.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { OutcomeBar } from './batch-page.js';
import { RunState } from './run-state.js';
import { useTargets } from './targets.js';
import { TestingPage } from './testing-page.js';
import { TornadoState } from './tornado-state.js';

interface ListProps<Row> {
  readonly path: string;
  readonly name: string;
  readonly note: string;
  readonly empty: ComponentChildren;
  readonly columns: Readonly<Record<string, string>>;
  readonly read: (after: string | undefined, signal: AbortSignal) => Promise<Listed<Row>>;
  readonly row: (row: Row) => JSX.Element;
}

/** A list of what was run, newest first, a page at a time. */
function ListPage<Row>({ path, name, note, empty, columns, read, row }: ListProps<Row>): JSX.Element {
  const { query: search } = useLocation() as { query: { readonly after?: string } };
  const { after } = search;
  const page = useResource(`${path} ${after ?? ''}`, (signal) => read(after, signal));
  return (
    <TestingPage title="Testing">
      <Panel title={name} note={note}>
        <Loaded what={name.toLowerCase()} from={page}>
          {({ rows, next }) => (
            <>
              {rows.length === 0 ? (
                <Empty title={`No ${name.toLowerCase()}`}>{empty}</Empty>
              ) : (
                <WideTable label={`${name}, newest first`}>
                  <TableHead columns={columns} />
                  <tbody>{rows.map(row)}</tbody>
                </WideTable>
              )}
              <nav class="pages" aria-label={`Pages of ${name.toLowerCase()}`}>
                {after !== undefined && <a href={path}>First</a>}
                {next !== null && <a href={`${path}${query({ after: next })}`}>Next</a>}
              </nav>
            </>
          )}
        </Loaded>
      </Panel>
    </TestingPage>
  );
}

/** `Asks for the price and 3 more`. */
function Scenarios({ scenarios }: { scenarios: readonly { readonly name: string }[] }): JSX.Element {
  const [first, ...rest] = scenarios;
  return (
    <>
      {first?.name ?? '–'}
      {rest.length > 0 && <span class="muted"> and {rest.length} more</span>}
    </>
  );
}

function Share({ passed, failed, total }: { passed: number; failed: number; total: number }): JSX.Element {
  return (
    <div class="outcome-share">
      <span class="figure">
        {passed} of {total} passed
      </span>
      <OutcomeBar passed={passed} failed={failed} total={total} />
    </div>
  );
}

const origins: Readonly<Record<string, string>> = {
  api: 'API',
  dashboard: 'Dashboard',
  ci: 'CI',
  gate: 'Promotion',
  simulation: 'Simulation',
  tornado: 'Tornado',
};

/** Batches: scenarios that ran together. */
export function BatchesPage(): JSX.Element {
  return (
    <ListPage
      path="/testing/batches"
      name="Batches"
      note="Scenarios that ran together: started here, over the API, by a pipeline, a promotion or tornado."
      empty={
        <>
          Select <a href="/testing">scenarios</a> and run them.
        </>
      }
      columns={{ Result: '', Scenarios: '', Passed: '', 'Started by': 'wide-only', Started: '' }}
      read={readBatches}
      row={(batch) => (
        <tr key={batch.id}>
          <td>
            <a class="plain-link" href={`/testing/batches/${batch.id}`}>
              <RunState status={batch.status} />
            </a>
          </td>
          <td class="breakable">
            <Scenarios scenarios={batch.scenarios} />
          </td>
          <td>
            <Share
              passed={batch.passed_scenarios}
              failed={batch.failed_scenarios}
              total={batch.total_scenarios}
            />
          </td>
          <td class="wide-only">{origins[batch.trigger_source]}</td>
          <td>
            <When at={batch.created_at} />
          </td>
        </tr>
      )}
    />
  );
}

/** Simulation sets: scenarios that ran many times. */
export function SimulationsPage(): JSX.Element {
  return (
    <ListPage
      path="/testing/simulations"
      name="Simulations"
      note="Scenarios that ran many times, to see how often they pass."
      empty={
        <>
          Select <a href="/testing">scenarios</a> and simulate them.
        </>
      }
      columns={{ Result: '', Scenarios: '', Passed: '', 'Runs each': 'wide-only number', Started: '' }}
      read={readSimulationSets}
      row={(set) => (
        <tr key={set.id}>
          <td>
            <a class="plain-link" href={`/testing/simulations/${set.id}`}>
              <RunState status={set.status} />
            </a>
          </td>
          <td class="breakable">
            <Scenarios scenarios={set.scenarios} />
          </td>
          <td>
            <Share
              passed={set.passed_runs}
              failed={set.completed_runs - set.passed_runs}
              total={set.total_runs}
            />
          </td>
          <td class="wide-only number figure">{set.simulations_per_scenario}</td>
          <td>
            <When at={set.created_at} />
          </td>
        </tr>
      )}
    />
  );
}

/** Sessions of tornado mode. */
export function TornadoSessionsPage(): JSX.Element {
  const targets = useTargets();
  return (
    <ListPage
      path="/testing/tornado"
      name="Tornado sessions"
      note="Fixes of a pathway until its scenarios pass, in a fork that you review."
      empty={
        <>
          Start one on the page of a <a href="/pathways">pathway</a>.
        </>
      }
      columns={{ Result: '', Pathway: '', Passed: '', Iterations: 'wide-only number', Started: '' }}
      read={readTornadoSessions}
      row={(session) => (
        <tr key={session.session_id}>
          <td>
            <a class="plain-link" href={`/testing/tornado/${session.session_id}`}>
              <TornadoState status={session.status} />
            </a>
          </td>
          <td class="breakable">
            <a href={`/pathways/${session.pathway_id}`}>
              {targets.find(({ id }) => id === session.pathway_id)?.name ?? 'Pathway'}
            </a>
          </td>
          <td>
            <Share
              passed={session.passed_scenarios}
              failed={session.failed_scenarios}
              total={session.total_scenarios}
            />
          </td>
          <td class="wide-only number figure">
            {session.current_iteration} of {session.max_iterations}
          </td>
          <td>
            <When at={session.created_at} />
          </td>
        </tr>
      )}
    />
  );
}
