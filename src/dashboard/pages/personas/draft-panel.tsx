import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { changeOf, type KnowledgeBase, type Persona, type PersonaVersion } from '../../api/personas.js';
import { send } from '../../api/request.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Empty, Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { NamedState } from '../../parts/state.js';

interface DraftProps {
  readonly persona: Persona;
  readonly bases: readonly KnowledgeBase[];
  readonly onChanged: () => void;
}

/** The form of the draft: knowledge and prompts. Saving changes no call. */
export function DraftPanel({ persona, bases, onChanged }: DraftProps): JSX.Element {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const version = persona.current_draft_version ?? persona.current_production_version;
  const chosen = new Set(version?.kb_ids ?? []);
  // Knowledge outside the list, older or deleted, stays chosen unless it is unchecked.
  const others = [...chosen].filter((id) => !bases.some((base) => base.id === id));
  const request = (fields: FormData) => {
    const text = (name: string): string | null => String(fields.get(name) ?? '').trim() || null;
    return changeOf(persona.id, {
      kb_ids: fields.getAll('knowledge').map(String),
      orchestration_prompt: text('orchestration'),
      personality_prompt: text('personality'),
      // Unchanged, a WebSocket server keeps its settings.
      ...(text('agent') === endpointOf(version?.agent ?? null) ? {} : { agent: text('agent') }),
    });
  };
  const save = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setProblem(undefined);
    send(request(new FormData(event.currentTarget))).then(onChanged, setProblem);
  };
  return (
    <Panel title="Edit the draft">
      <form class="port-form" onSubmit={save}>
        <fieldset class="choices">
          <legend>Knowledge bases that the agent may search</legend>
          {bases.length === 0 && others.length === 0 && (
            <Empty title="No knowledge bases">Add a text to the organization’s knowledge first.</Empty>
          )}
          {bases.map(({ id, name, status }) => (
            <KnowledgeChoice key={id} id={id} isChosen={chosen.has(id)}>
              {name} {status !== 'COMPLETED' && <NamedState name={status.toLowerCase()} />}
            </KnowledgeChoice>
          ))}
          {others.map((id) => (
            <KnowledgeChoice key={id} id={id} isChosen>
              <code>{id}</code>
            </KnowledgeChoice>
          ))}
        </fieldset>
        <label>
          What the agent does
          <textarea name="orchestration" rows={4} defaultValue={version?.orchestration_prompt ?? ''} />
        </label>
        <label>
          How the agent speaks
          <textarea name="personality" rows={2} defaultValue={version?.personality_prompt ?? ''} />
        </label>
        <label>
          Agent
          <input name="agent" class="mono" defaultValue={endpointOf(version?.agent ?? null) ?? ''} />
          <small class="note">
            SIP URI or wss:// URL that takes the persona’s calls. Empty: the agent of the number. Headers and
            parameters of a WebSocket server are set through the API.
          </small>
        </label>
        {problem !== undefined && (
          <Problem title="Not saved">
            <p>{problem.message}</p>
          </Problem>
        )}
        <button type="submit" class="primary">
          Save draft
        </button>
        <AsCurl requests={(fields) => [request(fields)]} />
      </form>
    </Panel>
  );
}

const endpointOf = (agent: PersonaVersion['agent']): string | null =>
  typeof agent === 'object' && agent !== null ? agent.url : agent;

function KnowledgeChoice({
  id,
  isChosen,
  children,
}: {
  id: string;
  isChosen: boolean;
  children: JSX.Element | (string | JSX.Element | false)[];
}): JSX.Element {
  return (
    <label class="choice-line">
      <input type="checkbox" name="knowledge" value={id} defaultChecked={isChosen} />
      <span>{children}</span>
    </label>
  );
}
