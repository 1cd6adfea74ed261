import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  type AgentCredential,
  type CreatedCredential,
  credentialOf,
  readAgentCredentials,
  revocationOf,
} from '../../api/agent-credentials.js';
import type { ApiFailure } from '../../api/client.js';
import { send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import { lackOf } from '../../forms/lack.js';
import { RequestForm } from '../../forms/request-form.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Copy } from '../../parts/copy.js';
import { Empty, Loaded, Problem } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { SetupPage } from './setup-page.js';
import '../../style/organization.css';

/** Who may place calls from the organization's numbers by INVITE. */
export function AgentsPage(): JSX.Element {
  const credentials = useResource('agent credentials', readAgentCredentials);
  return (
    <SetupPage title="Agent credentials">
      <div class="organization-columns">
        <Panel
          title="Credentials"
          note="Agents that place calls by INVITE answer the digest challenge with them. They may use every number of the organization as caller."
        >
          <Loaded what="agent credentials" from={credentials}>
            {(list) => <CredentialTable credentials={list} onChanged={credentials.reload} />}
          </Loaded>
        </Panel>
        <CreatePanel onCreated={credentials.reload} />
      </div>
    </SetupPage>
  );
}

interface TableProps {
  readonly credentials: readonly AgentCredential[];
  readonly onChanged: () => void;
}

export function CredentialTable({ credentials, onChanged }: TableProps): JSX.Element {
  if (credentials.length === 0) {
    return <Empty title="No credentials">No agent can place calls by INVITE.</Empty>;
  }
  return (
    <WideTable label="Agent credentials, oldest first">
      <TableHead columns={{ Name: '', 'User name': '', Created: 'wide-only', Action: '' }} />
      <tbody>
        {credentials.map((credential) => (
          <tr key={credential.credential_id}>
            <th scope="row" class="breakable">
              {credential.name}
            </th>
            <td class="mono breakable">{credential.username}</td>
            <td class="wide-only">
              <When at={credential.created_at} />
            </td>
            <td>
              <Revoke credential={credential} onRevoked={onChanged} />
            </td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

/** A second click revokes. */
function Revoke({
  credential,
  onRevoked,
}: {
  credential: AgentCredential;
  onRevoked: () => void;
}): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const lack = lackOf('trunks:write');
  if (!isAsking) {
    return (
      <button
        type="button"
        class="small"
        disabled={lack !== undefined}
        title={lack}
        onClick={() => setAsking(true)}
      >
        Revoke<span class="unseen"> {credential.name}</span>
      </button>
    );
  }
  const request = () => revocationOf(credential.credential_id);
  return (
    <div class="confirm">
      <p>
        Edges refuse new calls of <b>{credential.name}</b> within a second. Active calls continue.
      </p>
      {problem !== undefined && (
        <Problem title="Not revoked">
          <p>{problem.message}</p>
        </Problem>
      )}
      <div class="buttons">
        <button
          type="button"
          class="small danger"
          onClick={() => void send(request()).then(onRevoked, setProblem)}
        >
          Revoke for good
        </button>
        <button type="button" class="small" onClick={() => setAsking(false)}>
          Keep them
        </button>
      </div>
      <AsCurl requests={() => [request()]} />
    </div>
  );
}

function CreatePanel({ onCreated }: { onCreated: () => void }): JSX.Element {
  const [created, setCreated] = useState<CreatedCredential | undefined>();
  const request = (fields: FormData) => credentialOf(String(fields.get('name') ?? '').trim());
  return (
    <Panel title="Create credentials" note="The password is shown once; Demarc stores it encrypted.">
      <RequestForm
        request={request}
        scope="trunks:write"
        button="Create credentials"
        problemOf={({ message }) => message}
        onSend={() => setCreated(undefined)}
        onSent={(made, form) => {
          setCreated(made);
          form.reset();
          onCreated();
        }}
      >
        <label>
          Name
          <input name="name" required maxLength={100} autocomplete="off" placeholder="Outbound runtime" />
        </label>
      </RequestForm>
      {created !== undefined && <NewCredential created={created} />}
    </Panel>
  );
}

export function NewCredential({ created }: { created: CreatedCredential }): JSX.Element {
  return (
    <div role="status">
      <p>
        <b>Shown only now.</b> Copy both to the agent.
      </p>
      <p class="identifier once">
        User name <b class="mono breakable">{created.username}</b>
        <Copy text={created.username} what="the user name" />
      </p>
      <p class="identifier once">
        Password <b class="mono breakable">{created.password}</b>
        <Copy text={created.password} what="the password" />
      </p>
    </div>
  );
}
