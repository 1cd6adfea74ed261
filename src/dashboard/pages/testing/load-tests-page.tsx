import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { query } from '../../api/client.js';
import {
  type ListedLoadTest,
  type LoadTestBody,
  loadTestStartOf,
  readLoadTests,
} from '../../api/load-tests.js';
import { useResource } from '../../api/resource.js';
import { readScenarios } from '../../api/testing.js';
import { RequestForm } from '../../forms/request-form.js';
import { count } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import '../../style/organization.css';
import { breakText, LoadTestState } from './load-test-state.js';
import { TestingPage } from './testing-page.js';

const everyMilliseconds = 15_000;
const path = '/testing/load';

/** How many callers at once an agent takes. */
export function LoadTestsPage(): JSX.Element {
  const { query: search, route } = useLocation() as {
    query: { readonly after?: string };
    route: (url: string) => void;
  };
  const { after } = search;
  const tests = useResource(`load tests ${after ?? ''}`, (signal) => readLoadTests(after, signal), {
    everyMilliseconds,
  });
  return (
    <TestingPage title="Testing">
      <div class="organization-columns">
        <Panel
          title="Load tests"
          note="More and more simulated callers at once, each judged by the assertions of its scenario, until the agent breaks. By voice, half of the concurrent calls stays free for real calls."
        >
          <Loaded what="load tests" from={tests}>
            {({ rows, next }) => (
              <>
                {rows.length === 0 ? (
                  <Empty title="No load tests">Start one with scenarios.</Empty>
                ) : (
                  <LoadTestTable tests={rows} />
                )}
                <nav class="pages" aria-label="Pages of load tests">
                  {after !== undefined && <a href={path}>First</a>}
                  {next !== null && <a href={`${path}${query({ after: next })}`}>Next</a>}
                </nav>
              </>
            )}
          </Loaded>
        </Panel>
        <Panel title="Start load test">
          <LoadTestForm onStarted={(id) => route(`${path}/${id}`)} />
        </Panel>
      </div>
    </TestingPage>
  );
}

function LoadTestTable({ tests }: { tests: readonly ListedLoadTest[] }): JSX.Element {
  return (
    <WideTable label="Load tests, newest first">
      <TableHead columns={{ Result: '', 'Callers at once': '', Steps: 'number', Started: '' }} />
      <tbody>
        {tests.map((test) => (
          <tr key={test.id}>
            <td>
              <a class="plain-link" href={`${path}/${test.id}`}>
                <LoadTestState test={test} />
              </a>
              {test.break_reason !== null && (
                <span class="muted"> by its {breakText(test.break_reason)}</span>
              )}
            </td>
            <td class="figure">{test.concurrency.join(', ')}</td>
            <td class="number figure">
              {test.completed_steps} of {test.concurrency.length}
            </td>
            <td>
              <When at={test.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

type Channel = NonNullable<LoadTestBody['channel']>;

function LoadTestForm({ onStarted }: { onStarted: (id: string) => void }): JSX.Element {
  const scenarios = useResource('scenarios to load', (signal) => readScenarios({}, signal));
  const [steps, setSteps] = useState('1, 5, 10, 20');
  const read = (fields: FormData): LoadTestBody => {
    const text = (name: string): string => String(fields.get(name) ?? '').trim();
    const number = (name: string): number | undefined => (text(name) === '' ? undefined : Number(text(name)));
    const callers = number('callers');
    const latency = number('latency');
    const tokens = number('tokens');
    const cost = number('cost');
    const channel = text('channel');
    return {
      scenario_ids: fields.getAll('scenario').map(String),
      concurrency: stepsOf(text('steps')),
      required_success_rate: Number(text('required')) / 100,
      ...(channel === '' ? {} : { channel: channel as Channel }),
      ...(callers === undefined ? {} : { callers_per_step: callers }),
      ...(latency === undefined ? {} : { maximum_latency_ms: latency }),
      ...(tokens === undefined ? {} : { token_budget: tokens }),
      ...(cost === undefined ? {} : { cost_budget: cost }),
    };
  };
  const request = (fields: FormData) => loadTestStartOf(read(fields));
  return (
    <RequestForm
      label="Load test"
      request={request}
      scope="agent-testing:write"
      button="Start load test"
      onSent={({ load_test_id: id }) => onStarted(id)}
    >
      <fieldset class="stacked">
        <legend>Scenarios</legend>
        <p class="note">The callers take turns with those that you select.</p>
        <div class="scenario-choices">
          {(scenarios.data?.scenarios ?? []).map(({ id, name }) => (
            <label class="check" key={id}>
              <input type="checkbox" name="scenario" value={id} />
              {name}
            </label>
          ))}
        </div>
      </fieldset>
      <label>
        Callers at once in each step
        <input
          name="steps"
          required
          pattern="\s*\d+(\s*[, ]\s*\d+)*\s*"
          title="Numbers with commas, each higher than the one before"
          autocomplete="off"
          value={steps}
          onInput={({ currentTarget }) => setSteps(currentTarget.value)}
        />
      </label>
      <p class="note">{count(stepsOf(steps).length, 'step')}, until the agent breaks.</p>
      <div class="field-row">
        <label>
          Callers of a step in all
          <input class="short" name="callers" type="number" min={1} max={500} placeholder="20+" />
        </label>
        <label>
          Channel
          <select name="channel">
            <option value="">Of the scenario</option>
            <option value="text">Text</option>
            <option value="voice">Voice</option>
          </select>
        </label>
      </div>
      <div class="field-row">
        <label>
          Must pass, in per cent
          <input class="short" name="required" type="number" min={5} max={100} required defaultValue="90" />
        </label>
        <label>
          Latency at most, in ms
          <input class="short" name="latency" type="number" min={1} max={600_000} placeholder="Any" />
        </label>
        <label>
          Tokens at most
          <input class="short" name="tokens" type="number" min={1} placeholder="Any" />
        </label>
        <label>
          Cost at most
          <input class="short" name="cost" type="number" min={0} step="any" placeholder="Any" />
        </label>
      </div>
    </RequestForm>
  );
}

/** `1, 5 10` as numbers. */
const stepsOf = (text: string): number[] =>
  text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(Number);
