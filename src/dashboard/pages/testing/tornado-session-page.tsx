import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Back } from '../../parts/back.js';
import '../../style/pathways.css';
import '../../style/testing.css';
import type { ApiFailure } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { readScenarios } from '../../api/testing.js';
import {
  cancelTornado,
  readTornado,
  type TornadoIteration,
  type TornadoProgress,
  undoFix,
} from '../../api/tornado.js';
import { Page } from '../../frame/page.js';
import { duration, spoken } from '../../parts/format.js';
import { Empty, Loaded, Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { BeforeAndAfter } from '../pathways/changes.js';
import { OutcomeBar } from './batch-page.js';
import { TornadoState } from './tornado-state.js';

const refreshMilliseconds = 2_000;

/** A session of tornado mode: each iteration with its results and its changes. Live while it runs. */
export function TornadoSessionPage(): JSX.Element {
  const { id = '' } = useRoute().params;
  const [isLive, setLive] = useState(true);
  const session = useResource(
    `tornado ${id}`,
    (signal) =>
      readTornado(id, signal).then((data) => {
        setLive(data.status === 'RUNNING');
        return data;
      }),
    isLive ? { everyMilliseconds: refreshMilliseconds } : {},
  );
  const pathwayId = session.data?.pathway_id;
  return (
    <Page
      title="Tornado"
      above={pathwayId !== undefined && <Back href={`/pathways/${pathwayId}`} text="Pathway" />}
      beside={session.data && <SessionState session={session.data} onChanged={session.reload} />}
    >
      <Loaded what="session" from={session}>
        {(data) => <Parts session={data} onChanged={session.reload} />}
      </Loaded>
    </Page>
  );
}

function SessionState({
  session,
  onChanged,
}: {
  session: TornadoProgress;
  onChanged: () => void;
}): JSX.Element {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  return (
    <div class="buttons save-line">
      {problem !== undefined && (
        <span role="alert" class="field-problem">
          {problem.message}
        </span>
      )}
      <TornadoState status={session.status} />
      {session.status === 'RUNNING' && (
        <button type="button" onClick={() => cancelTornado(session.session_id).then(onChanged, setProblem)}>
          Cancel
        </button>
      )}
    </div>
  );
}

function Parts({ session, onChanged }: { session: TornadoProgress; onChanged: () => void }): JSX.Element {
  const { pathway_id: pathwayId, forked_version: fork } = session;
  const scenarios = useResource(`scenarios of ${pathwayId}`, (signal) =>
    readScenarios({ pathway_id: pathwayId }, signal),
  );
  const names = new Map((scenarios.data?.scenarios ?? []).map(({ id, name }) => [id, name]));
  return (
    <>
      {session.error_message !== null && (
        <Problem title="The session ended with an error">
          <p>{session.error_message}</p>
        </Problem>
      )}
      <Panel
        title={`Iteration ${session.current_iteration} of ${session.max_iterations}`}
        aside={
          <span class="figure">
            {duration(session.elapsed_ms / 1_000)} of {duration(session.timeout_ms / 1_000)}
          </span>
        }
      >
        <p role="status">
          {session.passed_scenarios} of {session.total_scenarios} scenarios pass.
        </p>
        <OutcomeBar
          passed={session.passed_scenarios}
          failed={session.failed_scenarios}
          total={session.total_scenarios}
        />
        {session.unfixable_ids.length > 0 && (
          <>
            <h3>Given up: the same cause after several fixes</h3>
            <ScenarioLinks ids={session.unfixable_ids} names={names} />
          </>
        )}
        {fork !== null && (
          <p>
            The changes are in <a href={`/pathways/${pathwayId}/versions/${fork}`}>version {fork}, a fork</a>:
            compare it with the version that it copies, then promote it.
          </p>
        )}
      </Panel>
      {session.iterations.length === 0 && (
        <Panel title="Iterations">
          <Empty title="The first iteration runs" />
        </Panel>
      )}
      {[...session.iterations].reverse().map((iteration) => (
        <IterationPanel
          key={iteration.iteration}
          iteration={iteration}
          names={names}
          session={session}
          onChanged={onChanged}
        />
      ))}
    </>
  );
}

function ScenarioLinks({
  ids,
  names,
}: {
  ids: readonly string[];
  names: ReadonlyMap<string, string>;
}): JSX.Element {
  return (
    <ul class="fault-list">
      {ids.map((id) => (
        <li key={id}>
          <a href={`/testing/scenarios/${id}`}>{names.get(id) ?? id}</a>
        </li>
      ))}
    </ul>
  );
}

const fixWords = { prompt_edit: 'Prompt', config_change: 'Setting', flow_change: 'Flow' } as const;

export function IterationPanel({
  iteration,
  names,
  session,
  onChanged,
}: {
  iteration: TornadoIteration;
  names: ReadonlyMap<string, string>;
  session: TornadoProgress;
  onChanged: () => void;
}): JSX.Element {
  const { passed_ids: passed, failed_ids: failed, fix_plan: plan } = iteration;
  const order = plan?.priority_order ?? [];
  const fixes = [...(plan?.fixes ?? [])].sort(
    (left, right) => order.indexOf(left.id) - order.indexOf(right.id),
  );
  return (
    <Panel
      title={`Iteration ${iteration.iteration}`}
      aside={
        <>
          <a href={`/testing/batches/${iteration.batch_id}`}>Runs</a>
          <When at={iteration.started_at} />
        </>
      }
    >
      {iteration.completed_at === null ? (
        <p class="loading">Running version {iteration.version_number} …</p>
      ) : (
        <p>
          Version {iteration.version_number}: {passed.length} passed, {failed.length} failed.
        </p>
      )}
      {failed.length > 0 && <ScenarioLinks ids={failed} names={names} />}
      {fixes.length > 0 && (
        <>
          <h3>Changes</h3>
          <ol class="suggestions">
            {fixes.map((fix) => (
              <li class="result" key={fix.id}>
                <p class="result-head">
                  <span class="chip">{fixWords[fix.type]}</span>
                  <strong>{fix.target_node ?? 'Pathway'}</strong>
                  <code class="muted">{spoken(fix.path)}</code>
                  {!fix.is_applied && <span class="chip warn">Not applied</span>}
                </p>
                <p class="prose">{fix.description}</p>
                <BeforeAndAfter before={fix.before} after={fix.after} />
                {fix.problem !== null && <p class="field-problem">{fix.problem}</p>}
                {fix.is_applied && session.status !== 'RUNNING' && (
                  <Undo sessionId={session.session_id} fixId={fix.id} onUndone={onChanged} />
                )}
              </li>
            ))}
          </ol>
        </>
      )}
    </Panel>
  );
}

/** Puts the earlier value back into the fork. */
function Undo({
  sessionId,
  fixId,
  onUndone,
}: {
  sessionId: string;
  fixId: string;
  onUndone: () => void;
}): JSX.Element {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  return (
    <div class="buttons save-line">
      <button
        type="button"
        class="small"
        onClick={() => {
          setProblem(undefined);
          undoFix(sessionId, fixId).then(onUndone, setProblem);
        }}
      >
        Undo
      </button>
      {problem !== undefined && (
        <span role="alert" class="field-problem">
          {problem.message}
        </span>
      )}
    </div>
  );
}
