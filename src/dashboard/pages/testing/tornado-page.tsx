import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Back } from '../../parts/back.js';
import '../../style/pathways.css';
import '../../style/testing.css';
import { ApiFailure } from '../../api/client.js';
import { readPathway } from '../../api/pathways.js';
import { type Resource, useResource } from '../../api/resource.js';
import { readActiveTornado, startTornado } from '../../api/tornado.js';
import { Page } from '../../frame/page.js';
import { Loaded, Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';

/** Starts tornado mode for a pathway, or leads to its session. */
export function TornadoStartPage(): JSX.Element {
  const { id = '' } = useRoute().params;
  const pathway = useResource(`pathway ${id}`, (signal) => readPathway(id, signal));
  const active = useResource(`tornado of ${id}`, (signal) =>
    readActiveTornado(id, signal).catch((failure: unknown) => {
      // No session is active.
      if (failure instanceof ApiFailure && failure.status === 404) return null;
      throw failure;
    }),
  );
  return (
    <Page
      title={pathway.data === undefined ? 'Tornado' : `Tornado for ${pathway.data.name}`}
      above={<Back href={`/pathways/${id}`} text={pathway.data?.name ?? 'Pathway'} />}
    >
      <ActiveSession active={active} />
      <StartPanel pathwayId={id} />
    </Page>
  );
}

function ActiveSession({
  active,
}: {
  active: Resource<Awaited<ReturnType<typeof readActiveTornado>> | null>;
}): JSX.Element | null {
  return (
    <Loaded what="sessions" from={active}>
      {(session) =>
        session === null ? null : (
          <div class="problem mild">
            <p>
              <strong>A session is active:</strong> iteration {session.current_iteration} of{' '}
              {session.max_iterations}. <a href={`/testing/tornado/${session.session_id}`}>Watch it</a>
            </p>
          </div>
        )
      }
    </Loaded>
  );
}

function StartPanel({ pathwayId }: { pathwayId: string }): JSX.Element {
  const { route } = useLocation();
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const start = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setProblem(undefined);
    const form = new FormData(event.currentTarget);
    startTornado({
      pathwayId,
      iterations: Number(form.get('iterations')),
      minutes: Number(form.get('minutes')),
    }).then(({ session_id: id }) => route(`/testing/tornado/${id}`), setProblem);
  };
  return (
    <Panel
      title="Start"
      note="Runs all enabled scenarios of the pathway, analyzes the failures, changes a fork, and runs them again, until all pass or a limit is reached. The live version and the draft do not change; you read every change and decide."
    >
      <form class="filters" onSubmit={start}>
        <label>
          Most iterations
          <input class="short" type="number" name="iterations" min={1} max={20} defaultValue="5" required />
        </label>
        <label>
          Most minutes
          <input class="short" type="number" name="minutes" min={1} max={120} defaultValue="15" required />
        </label>
        <button type="submit" class="primary">
          Start tornado
        </button>
      </form>
      {problem !== undefined && (
        <Problem title="Not started">
          <p>{problem.message}</p>
        </Problem>
      )}
    </Panel>
  );
}
