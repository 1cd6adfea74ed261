import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { ApiFailure } from '../../api/client.js';
import { createPathway, type Pathway, readPathways } from '../../api/pathways.js';
import { useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { Empty, Loaded, Problem } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { State } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { firstDocument } from './first-document.js';
import { LivePathway } from './version-state.js';

/** Pathways of the organization, newest first. */
export function PathwaysPage(): JSX.Element {
  const pathways = useResource('pathways', readPathways);
  return (
    <Page title="Pathways">
      <Panel
        title="All pathways"
        note="What an agent says and asks, step by step. Changes go to a draft; scenarios that are required must pass before it becomes live."
      >
        <Loaded what="pathways" from={pathways}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No pathways">Create one below. It begins with a greeting and a goodbye.</Empty>
            ) : (
              <PathwayTable pathways={list} />
            )
          }
        </Loaded>
      </Panel>
      <CreatePanel />
    </Page>
  );
}

function PathwayTable({ pathways }: { pathways: readonly Pathway[] }): JSX.Element {
  return (
    <WideTable label="Pathways, newest first">
      <TableHead columns={{ Name: '', Live: '', Draft: '', Changed: 'wide-only' }} />
      <tbody>
        {pathways.map((pathway) => (
          <tr key={pathway.id}>
            <th scope="row" class="breakable">
              <a href={`/pathways/${pathway.id}`}>{pathway.name}</a>
            </th>
            <td>
              <LivePathway pathway={pathway} />
            </td>
            <td>
              {pathway.current_draft_version === null ? (
                <span class="muted">None</span>
              ) : (
                <State tone="busy">Version {pathway.current_draft_version.version_number}</State>
              )}
            </td>
            <td class="wide-only">
              <When at={pathway.updated_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

function CreatePanel(): JSX.Element {
  const { route } = useLocation();
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const create = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setProblem(undefined);
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    createPathway(name, firstDocument).then(({ id }) => route(`/pathways/${id}/edit`), setProblem);
  };
  return (
    <Panel title="Create a pathway">
      <form class="filters" onSubmit={create}>
        <label class="finding">
          Name
          <input name="name" required maxLength={200} autocomplete="off" placeholder="Appointments" />
        </label>
        <button type="submit" class="primary">
          Create
        </button>
      </form>
      {problem !== undefined && (
        <Problem title="Not created">
          <p>{problem.message}</p>
        </Problem>
      )}
    </Panel>
  );
}
