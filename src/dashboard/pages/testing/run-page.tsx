import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Back } from '../../parts/back.js';
import '../../style/pathways.css';
import '../../style/testing.css';
import type { ApiFailure } from '../../api/client.js';
import { scenarioOfRun } from '../../api/monitors.js';
import { readVersion } from '../../api/pathways.js';
import { useResource } from '../../api/resource.js';
import { cancelRun, type Run, readRun, startRun } from '../../api/runs.js';
import { Page } from '../../frame/page.js';
import { milliseconds, money, whole } from '../../parts/format.js';
import { Loaded } from '../../parts/notice.js';
import { Facts, Panel } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { drawnDocument } from '../pathways/drawn-document.js';
import { PathwayGraph } from '../pathways/pathway-graph.js';
import { AnalysisPanel } from './analysis-panel.js';
import { AssertionResults } from './assertion-results.js';
import { ConversationPanel } from './conversation-panel.js';
import { ReviewPanel } from './review-panel.js';
import { hasEnded, RunState, scoreText } from './run-state.js';
import { StandInNotice } from './stand-in-notice.js';
import { TonePanel } from './tone-panel.js';
import { VoicePanel } from './voice-panel.js';

const refreshMilliseconds = 1_000;

/** One run: the conversation beside the pathway's graph, the result of each assertion, and what was measured. Live while it runs. */
export function RunPage(): JSX.Element {
  const { id = '' } = useRoute().params;
  return <OneRun id={id} key={id} />;
}

function OneRun({ id }: { id: string }): JSX.Element {
  const [isLive, setLive] = useState(true);
  const run = useResource(
    `run ${id}`,
    (signal) =>
      readRun(id, signal).then((data) => {
        setLive(!hasEnded(data.status));
        return data;
      }),
    isLive ? { everyMilliseconds: refreshMilliseconds } : {},
  );
  return (
    <Page
      title={run.data?.scenario.name ?? 'Run'}
      above={<Back href="/testing/runs" text="Runs" />}
      beside={run.data && <Actions run={run.data} onChanged={run.reload} />}
    >
      <Loaded what="run" from={run}>
        {(data) => <Parts run={data} />}
      </Loaded>
    </Page>
  );
}

function Actions({ run, onChanged }: { run: Run; onChanged: () => void }): JSX.Element {
  const { route } = useLocation();
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const act = (done: Promise<unknown>): void => {
    setProblem(undefined);
    done.catch(setProblem);
  };
  return (
    <div class="buttons">
      {problem !== undefined && (
        <span role="alert" class="field-problem">
          {problem.message}
        </span>
      )}
      <a class="button" href={`/testing/scenarios/${run.scenario_id}`}>
        Scenario
      </a>
      {run.call_id !== null && (
        <>
          <a class="button" href={`/calls/${encodeURIComponent(run.call_id)}`}>
            Call
          </a>
          <button
            type="button"
            onClick={() => act(scenarioOfRun(run.id).then(({ id }) => route(`/testing/scenarios/${id}`)))}
          >
            Make scenario
          </button>
        </>
      )}
      {run.call_id !== null ? null : hasEnded(run.status) ? (
        <button
          type="button"
          onClick={() =>
            act(
              startRun(run.scenario_id, {
                version: run.version_number ?? undefined,
                channel: run.channel,
              }).then(({ run_id: id }) => route(`/testing/runs/${id}`)),
            )
          }
        >
          Run again
        </button>
      ) : (
        <button type="button" onClick={() => act(cancelRun(run.id).then(onChanged))}>
          Cancel
        </button>
      )}
    </div>
  );
}

function Parts({ run }: { run: Run }): JSX.Element {
  const [node, setNode] = useState<string | undefined>();
  const isFailed = run.status === 'FAILED' || run.status === 'ERROR';
  return (
    <>
      {run.models.is_stand_in && <StandInNotice />}
      <Verdict run={run} />
      {run.voice !== null && <VoicePanel run={run} voice={run.voice} />}
      <div class="run-columns">
        <div>
          <ConversationPanel run={run} selected={node} onSelect={setNode} />
          {isFailed && <AnalysisPanel run={run} />}
        </div>
        <div>
          {run.pathway_id !== null && run.version_number !== null && (
            <GraphPanel
              run={run}
              pathwayId={run.pathway_id}
              version={run.version_number}
              node={node}
              setNode={setNode}
            />
          )}
          <AssertionResults results={run.assertion_results} isEnded={hasEnded(run.status)} />
          {run.assertion_results.length > 0 && <ReviewPanel run={run} />}
        </div>
      </div>
      {run.service_tone_score !== null && <TonePanel tone={run.service_tone_score} />}
      <Details run={run} />
    </>
  );
}

/** The result in one line, with its figures. */
export function Verdict({ run }: { run: Run }): JSX.Element {
  const tone = run.status === 'PASSED' ? '' : run.status === 'FAILED' ? 'bad' : 'warn';
  const isLive = !hasEnded(run.status);
  return (
    <section class={`verdict ${isLive ? 'busy' : tone}`} aria-label="Result">
      <p class="verdict-line" role="status">
        <RunState status={run.status} />
      </p>
      <p class="verdict-reason">{run.error_message ?? run.reasoning ?? ''}</p>
      <dl class="verdict-figures">
        <Figure name="Score" value={scoreText(run.overall_score)} />
        {run.tone_score !== null && <Figure name="Tone" value={scoreText(run.tone_score)} />}
        <Figure name="Turns" value={String(run.turn_count)} />
        <Figure name="Duration" value={milliseconds(run.duration_ms)} />
        <Figure name="Tokens" value={whole(run.usage.prompt_tokens + run.usage.completion_tokens)} />
        {run.usage.cost !== null && <Figure name="Cost" value={money(run.usage.cost)} />}
      </dl>
    </section>
  );
}

function Figure({ name, value }: { name: string; value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figure">{value}</dd>
    </div>
  );
}

function GraphPanel({
  run,
  pathwayId,
  version,
  node,
  setNode,
}: {
  run: Run;
  pathwayId: string;
  version: number;
  node: string | undefined;
  setNode: (id: string) => void;
}): JSX.Element {
  const shown = useResource(`version ${pathwayId} ${version}`, (signal) =>
    readVersion(pathwayId, version, signal),
  );
  return (
    <Panel
      title="Way through the pathway"
      aside={<a href={`/pathways/${pathwayId}/versions/${version}`}>Version {version}</a>}
    >
      <Loaded what="pathway" from={shown}>
        {({ document }) => (
          <PathwayGraph
            document={drawnDocument(document)}
            label="Graph with the visited nodes"
            visited={run.nodes_visited}
            current={hasEnded(run.status) ? undefined : (run.current_node_id ?? undefined)}
            selected={node}
            onSelect={setNode}
          />
        )}
      </Loaded>
    </Panel>
  );
}

export function Details({ run }: { run: Run }): JSX.Element {
  const { agent, tester, judge } = run.models;
  const variables = Object.entries(run.variables_extracted);
  return (
    <div class="run-columns">
      {run.pathway_id !== null && (
        <Panel title="Variables" note={variables.length === 0 ? 'The pathway extracted none.' : undefined}>
          {variables.length > 0 && (
            <Facts
              rows={variables.map(
                ([name, value]) =>
                  [
                    name,
                    <code class="breakable" key={name}>
                      {typeof value === 'string' ? value : JSON.stringify(value)}
                    </code>,
                  ] as const,
              )}
            />
          )}
        </Panel>
      )}
      <Panel title="Details">
        <Facts
          rows={[
            ['Agent', agent ?? '–'],
            ['Caller', tester ?? '–'],
            ['Judge', judge ?? 'No model judged'],
            ['Started', run.started_at === null ? 'Not yet' : <When at={run.started_at} key="at" />],
            ['Started by', origins[run.origin]],
            ...(run.batch_id === null
              ? []
              : [
                  [
                    'Batch',
                    <a href={`/testing/batches/${run.batch_id}`} key="batch">
                      {run.batch_id}
                    </a>,
                  ] as const,
                ]),
            ...(run.simulation_set_id === null
              ? []
              : [
                  [
                    'Simulation',
                    <a href={`/testing/simulations/${run.simulation_set_id}`} key="set">
                      {run.simulation_set_id}
                    </a>,
                  ] as const,
                ]),
            ['Requests to models', whole(run.usage.requests)],
            [
              'Id',
              <code class="breakable" key="id">
                {run.id}
              </code>,
            ],
          ]}
        />
      </Panel>
    </div>
  );
}

const origins: Readonly<Record<Run['origin'], string>> = {
  api: 'API',
  dashboard: 'Dashboard',
  ci: 'CI pipeline',
  gate: 'Promotion',
  simulation: 'Simulation',
  tornado: 'Tornado',
};
