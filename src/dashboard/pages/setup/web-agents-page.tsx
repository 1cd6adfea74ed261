import type { JSX } from 'preact';
import { useAction } from '../../api/action.js';
import { send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import { changeOf, creationOf, deletionOf, readWebAgents, type WebAgent } from '../../api/web-agents.js';
import { lackOf } from '../../forms/lack.js';
import { RequestForm } from '../../forms/request-form.js';
import { Copy } from '../../parts/copy.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { SetupPage } from './setup-page.js';
import '../../style/organization.css';

/** Lists of knowledge bases and tools that programs keep here under an id. */
export function WebAgentsPage(): JSX.Element {
  const agents = useResource('web agents', readWebAgents);
  return (
    <SetupPage title="Web agents">
      <div class="organization-columns">
        <Panel
          title="Web agents"
          note="Ids of knowledge bases and tools, kept for your programs. Demarc does not run web agents."
        >
          <Loaded what="web agents" from={agents}>
            {(list) => <AgentList agents={list} onChanged={agents.reload} />}
          </Loaded>
        </Panel>
        <Panel title="Add web agent">
          <ToolsForm tools={[]} button="Add web agent" request={creationOf} onSaved={agents.reload} />
        </Panel>
      </div>
    </SetupPage>
  );
}

export const toolsIn = (fields: FormData): string[] =>
  String(fields.get('tools') ?? '')
    .split(/[\s,]+/)
    .filter((id) => id !== '');

interface FormProps {
  readonly tools: readonly string[];
  readonly button: string;
  readonly request: (tools: string[]) => ReturnType<typeof creationOf>;
  readonly onSaved: () => void;
}

function ToolsForm({ tools, button, request, onSaved }: FormProps): JSX.Element {
  const requestOf = (fields: FormData) => request(toolsIn(fields));
  return (
    <RequestForm
      request={requestOf}
      scope="personas:write"
      button={button}
      onSent={(_agent, form) => {
        form.reset();
        onSaved();
      }}
    >
      <label>
        Ids of knowledge bases and tools <span class="note">one a line</span>
        <textarea name="tools" rows={4} defaultValue={tools.join('\n')} />
      </label>
    </RequestForm>
  );
}

interface ListProps {
  readonly agents: readonly WebAgent[];
  readonly onChanged: () => void;
}

export function AgentList({ agents, onChanged }: ListProps): JSX.Element {
  const { isBusy, problem, follow } = useAction();
  const lack = lackOf('personas:write');
  if (agents.length === 0)
    return <Empty title="No web agents">Programs add them through the API, too.</Empty>;
  return (
    <>
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem.refusal}
        </p>
      )}
      <ul class="servers">
        {agents.map(({ agent_id: id, tools, updated_at }) => (
          <li class="server" key={id}>
            <p class="identifier">
              <code class="breakable">{id}</code>
              <Copy text={id} what="the agent’s id" isBare />
            </p>
            <p class="note">
              {tools.length} ids, changed <When at={updated_at} />
            </p>
            <details>
              <summary>Change</summary>
              <ToolsForm
                tools={tools}
                button="Save"
                request={(changed) => changeOf(id, changed)}
                onSaved={onChanged}
              />
            </details>
            <button
              type="button"
              class="small"
              disabled={isBusy || lack !== undefined}
              title={lack}
              onClick={() => follow(send(deletionOf(id)), onChanged)}
            >
              Delete<span class="unseen"> {id}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
