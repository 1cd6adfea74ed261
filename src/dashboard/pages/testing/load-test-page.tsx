import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { useAction } from '../../api/action.js';
import { cancelLoadTest, type LoadTest, type LoadTestStep, readLoadTest } from '../../api/load-tests.js';
import { useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { Back } from '../../parts/back.js';
import { count, milliseconds, whole } from '../../parts/format.js';
import { Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { Untrusted } from '../../parts/untrusted.js';
import '../../style/pathways.css';
import '../../style/testing.css';
import { breakText, LoadTestState } from './load-test-state.js';
import { scoreText } from './run-state.js';
import { RateWithInterval } from './simulation-page.js';
import { StandInNotice } from './stand-in-notice.js';
import { StepChart } from './step-chart.js';
import { UsageFigures } from './usage-figures.js';

const refreshMilliseconds = 2_000;

/** More and more callers at once: where does the agent break? Live while it runs. */
export function LoadTestPage(): JSX.Element {
  const { id = '' } = useRoute().params;
  const [isLive, setLive] = useState(true);
  const { isBusy, problem, follow } = useAction();
  const test = useResource(
    `load test ${id}`,
    (signal) =>
      readLoadTest(id, signal).then((data) => {
        setLive(data.status === 'RUNNING');
        return data;
      }),
    isLive ? { everyMilliseconds: refreshMilliseconds } : {},
  );
  return (
    <Page
      title="Load test"
      above={<Back href="/testing/load" text="Load tests" />}
      beside={
        test.data && (
          <div class="buttons save-line">
            {problem !== undefined && (
              <span role="alert" class="field-problem">
                {problem.message}
              </span>
            )}
            <LoadTestState test={test.data} />
            {test.data.status === 'RUNNING' && (
              <button type="button" disabled={isBusy} onClick={() => follow(cancelLoadTest(id), test.reload)}>
                Cancel
              </button>
            )}
          </div>
        )
      }
    >
      <Loaded what="load test" from={test}>
        {(data) => <Parts test={data} />}
      </Loaded>
    </Page>
  );
}

function Parts({ test }: { test: LoadTest }): JSX.Element {
  const { steps } = test;
  const begun = steps.filter(({ callers }) => callers > 0);
  const reasons = begun.flatMap((step) =>
    step.reasons.map((reason) => ({ ...reason, at: step.concurrency })),
  );
  return (
    <>
      {steps.some(({ is_stand_in: isStandIn }) => isStandIn) && <StandInNotice />}
      <Panel
        title={resultOf(test)}
        aside={`${test.completed_steps} of ${count(steps.length, 'step')}`}
        note={test.error_message ?? undefined}
      >
        <dl class="verdict-figures">
          <div>
            <dt>Callers</dt>
            <dd class="figure">{whole(steps.reduce((sum, { callers }) => sum + callers, 0))}</dd>
          </div>
          <div>
            <dt>Required</dt>
            <dd class="figure">{scoreText(test.required_success_rate)}</dd>
          </div>
          {test.maximum_latency_ms !== null && (
            <div>
              <dt>Latency at most</dt>
              <dd class="figure">{milliseconds(test.maximum_latency_ms)}</dd>
            </div>
          )}
          <UsageFigures {...test} />
        </dl>
        <p>
          <a href={`/testing/runs?load_test_id=${test.id}`}>Conversations of the callers</a>
        </p>
      </Panel>
      {begun.length > 0 && <Charts test={test} />}
      <Panel title="Steps">
        <StepTable steps={steps} />
      </Panel>
      {reasons.length > 0 && (
        <Panel title="Why callers did not pass">
          <WideTable label="Reasons by step">
            <TableHead columns={{ 'Callers at once': 'number', Reason: '', Callers: 'number' }} />
            <tbody>
              {reasons.map(({ at, reason, kind, sip_status: status, callers }) => (
                <tr key={`${at} ${kind} ${status} ${reason}`}>
                  <td class="number figure">{at}</td>
                  <td class="breakable">
                    <Untrusted text={reason} />{' '}
                    {status !== null && <span class="chip">{`SIP ${status}`}</span>}{' '}
                    {kind === 'test' && <span class="muted">not the agent</span>}
                    {kind === 'limit' && <span class="muted">limit of Demarc, not the agent</span>}
                  </td>
                  <td class="number figure">{callers}</td>
                </tr>
              ))}
            </tbody>
          </WideTable>
        </Panel>
      )}
    </>
  );
}

function resultOf({ status, breaks_at: at, break_reason: reason, holds_at: held }: LoadTest): string {
  const before = held === null ? '' : `, holds ${count(held, 'caller')}`;
  if (at !== null)
    return `The agent breaks at ${count(at, 'caller')} at once by its ${breakText(reason)}${before}`;
  if (status === 'RUNNING') return 'Not broken so far';
  return held === null ? 'Nothing was shown' : `Not reached${before} at once`;
}

function Charts({ test }: { test: LoadTest }): JSX.Element {
  return (
    <div class="pathway-columns">
      <Panel title="Success rate">
        <StepChart
          label="Success rate by callers at once"
          note="Callers at once. The line is the 95 % interval (Wilson), dashed is what is required."
          points={test.steps.map(
            ({ concurrency, success_rate: value, success_rate_interval: interval, breaks }) => ({
              name: String(concurrency),
              value,
              low: interval?.lower ?? null,
              high: interval?.upper ?? null,
              isBad: breaks === 'success_rate',
            }),
          )}
          format={scoreText}
          limit={test.required_success_rate}
          most={1}
        />
      </Panel>
      <Panel title="Latency">
        <StepChart
          label="Latency by callers at once"
          note="Callers at once. The dot is the 95th percentile; the line reaches from the median to the 99th."
          points={test.steps.map(({ concurrency, latency_ms: latency, breaks }) => ({
            name: String(concurrency),
            value: latency.p95,
            low: latency.p50,
            high: latency.p99,
            isBad: breaks === 'latency',
          }))}
          format={milliseconds}
          limit={test.maximum_latency_ms}
        />
      </Panel>
    </div>
  );
}

const words: Readonly<Record<LoadTestStep['status'], string>> = {
  PENDING: 'Waiting',
  RUNNING: 'Running',
  COMPLETED: 'Held',
  STOPPED: 'Stopped',
  SKIPPED: 'Not run',
};

/** A step whose callers Demarc's own limits refused shows less of the agent than it was to. */
const resultText = ({ breaks, status, limit_refusals: limited }: LoadTestStep): string => {
  if (breaks !== null) return `Breaks: ${breakText(breaks)}`;
  return status === 'COMPLETED' && limited > 0 ? 'Limited' : words[status];
};

function StepTable({ steps }: { steps: readonly LoadTestStep[] }): JSX.Element {
  return (
    <WideTable label="Figures of each step">
      <TableHead
        columns={{
          'Callers at once': 'number',
          Result: '',
          'Success rate': '',
          Callers: 'number',
          'Passed, failed, errors, limited': 'number',
          'Latency p50': 'number',
          p95: 'number',
          p99: 'number',
          'Answer p95': 'number wide-only',
        }}
      />
      <tbody>
        {steps.map((step) => (
          <tr key={step.concurrency}>
            <th scope="row" class="number figure">
              {step.concurrency}
            </th>
            <td>
              {resultText(step)}
              {step.attempts > 1 && <span class="muted"> begun {step.attempts} times</span>}
            </td>
            <td>
              {step.success_rate === null ? (
                '–'
              ) : (
                <RateWithInterval
                  statistics={{
                    pass_rate: step.success_rate,
                    pass_rate_interval: step.success_rate_interval,
                  }}
                />
              )}
            </td>
            <td class="number figure">
              {step.callers} of {step.planned_callers}
            </td>
            <td class="number figure">
              {step.passed}, {step.failed}, {step.agent_errors + step.test_errors}, {step.limit_refusals}
            </td>
            <td class="number figure">{milliseconds(step.latency_ms.p50)}</td>
            <td class="number figure">{milliseconds(step.latency_ms.p95)}</td>
            <td class="number figure">{milliseconds(step.latency_ms.p99)}</td>
            <td class="number figure wide-only">{milliseconds(step.answer_ms.p95)}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}
