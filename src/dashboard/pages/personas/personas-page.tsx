import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { ApiFailure } from '../../api/client.js';
import { creationOf, type Persona, readPersonas } from '../../api/personas.js';
import { send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Empty, Loaded, Problem } from '../../parts/notice.js';
import { numberText } from '../../parts/number-text.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { State } from '../../parts/state.js';
import { When } from '../../parts/time.js';

/** Personas of the organization, newest first. */
export function PersonasPage(): JSX.Element {
  const personas = useResource('personas', readPersonas);
  return (
    <Page title="Personas">
      <Panel
        title="All personas"
        note="What the agent of a call knows and does. Changes go to a draft; calls get them once it is promoted."
      >
        <Loaded what="personas" from={personas}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No personas">Create one below.</Empty>
            ) : (
              <PersonaTable personas={list} />
            )
          }
        </Loaded>
      </Panel>
      <CreatePanel />
    </Page>
  );
}

function PersonaTable({ personas }: { personas: readonly Persona[] }): JSX.Element {
  return (
    <WideTable label="Personas, newest first">
      <TableHead columns={{ Name: '', Live: '', Draft: '', Numbers: '', Changed: '' }} />
      <tbody>
        {personas.map((persona) => (
          <tr key={persona.id}>
            <td>
              <a href={`/personas/${persona.id}`}>{persona.name}</a>
            </td>
            <td>
              <LiveState persona={persona} />
            </td>
            <td>{persona.current_draft_version === null ? 'None' : 'Not promoted'}</td>
            <td class="figure">{numbersText(persona.inbound_numbers)}</td>
            <td>
              <When at={persona.updated_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

const numbersText = ([first, ...rest]: readonly string[]): string => {
  if (first === undefined) return 'None';
  const shown = numberText(first);
  return rest.length === 0 ? shown : `${shown} and ${rest.length} more`;
};

export function LiveState({ persona }: { persona: Persona }): JSX.Element {
  const live = persona.current_production_version;
  return live === null ? (
    <State tone="idle">Never promoted</State>
  ) : (
    <State tone="good">Version {live.version_number}</State>
  );
}

const requestOf = (fields: FormData) => creationOf(String(fields.get('name') ?? ''));

function CreatePanel(): JSX.Element {
  const { route } = useLocation();
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const create = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setProblem(undefined);
    send(requestOf(new FormData(event.currentTarget))).then(({ id }) => route(`/personas/${id}`), setProblem);
  };
  return (
    <Panel title="Create a persona">
      <form class="filters" onSubmit={create}>
        <label class="grow">
          Name
          <input name="name" required maxLength={200} autocomplete="off" placeholder="Front desk" />
        </label>
        <button type="submit" class="primary">
          Create
        </button>
        <AsCurl requests={(fields) => [requestOf(fields)]} />
      </form>
      {problem !== undefined && (
        <Problem title="Not created">
          <p>{problem.message}</p>
        </Problem>
      )}
    </Panel>
  );
}
