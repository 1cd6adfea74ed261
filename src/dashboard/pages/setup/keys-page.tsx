import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { type CreatedKey, type Key, readKeys, revocationOf } from '../../api/keys.js';
import { send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import { session } from '../../api/session.js';
import { lackOf } from '../../forms/lack.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Copy } from '../../parts/copy.js';
import { Icon } from '../../parts/icons.js';
import { Empty, Loaded, Problem } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { State } from '../../parts/state.js';
import { Ago, When } from '../../parts/time.js';
import { CreateKey } from './create-key.js';
import { SetupPage } from './setup-page.js';

/** The organization's API keys: create with scopes, last use, revoke. */
export function KeysPage(): JSX.Element {
  const keys = useResource('keys', readKeys);
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedKey | undefined>();
  const scopes = session.value?.scopes ?? null;
  const own = keys.data?.find(isOfSession);
  const refusal = lackOf('keys:write');
  const onCreated = (key: CreatedKey): void => {
    setCreated(key);
    setCreating(false);
    keys.reload();
  };
  return (
    <SetupPage title="API keys">
      {created !== undefined && <NewKey created={created} />}
      {isCreating && (
        <CreateKey
          own={scopes}
          latest={own?.expires_at ?? null}
          onCreated={onCreated}
          onCancel={() => setCreating(false)}
        />
      )}
      <Panel
        title="Keys"
        note={refusal}
        aside={
          !isCreating && (
            <button
              type="button"
              class="small"
              disabled={refusal !== undefined}
              onClick={() => {
                setCreated(undefined);
                setCreating(true);
              }}
            >
              <Icon name="add" />
              Create key
            </button>
          )
        }
      >
        <Loaded what="the keys" from={keys}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No keys" />
            ) : (
              <KeyTable keys={list} canRevoke={refusal === undefined} onRevoked={keys.reload} />
            )
          }
        </Loaded>
      </Panel>
    </SetupPage>
  );
}

export function NewKey({ created }: { created: CreatedKey }): JSX.Element {
  return (
    <Panel
      title={`Key ${created.name} created`}
      note="Shown only now: Demarc stores a hash of it. Copy it to where it is used."
    >
      <p class="identifier once" role="status">
        <b class="mono breakable">{created.key}</b>
        <Copy text={created.key} what="the API key" />
      </p>
    </Panel>
  );
}

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly canRevoke: boolean;
  readonly onRevoked: () => void;
}

export function KeyTable({ keys, canRevoke, onRevoked }: KeyTableProps): JSX.Element {
  return (
    <WideTable label="API keys, newest first">
      <TableHead
        columns={{
          Name: '',
          State: '',
          Scopes: 'wide-only',
          'Last used': 'wide-only',
          Created: 'wide-only',
          Action: '',
        }}
      />
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <th scope="row" class="breakable">
              {key.name}
              <small class="under mono">{key.prefix}…</small>
              {isOfSession(key) && <small class="under">this session</small>}
            </th>
            <td>
              <KeyState apiKey={key} />
              <small class="under narrow-only">
                {key.last_used_at === null ? (
                  'Never used'
                ) : (
                  <>
                    Used <Ago at={key.last_used_at} />
                  </>
                )}
              </small>
            </td>
            <td class="wide-only">
              {key.operator && <span class="under">Operator</span>}
              {key.scopes === null ? 'All rights' : <span class="breakable">{key.scopes.join(', ')}</span>}
            </td>
            <td class="wide-only">{key.last_used_at === null ? 'Never' : <Ago at={key.last_used_at} />}</td>
            <td class="wide-only">
              <When at={key.created_at} />
            </td>
            <td>{canRevoke && isActive(key) && <Revoke apiKey={key} onRevoked={onRevoked} />}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

const isOfSession = ({ id }: Key): boolean => id === session.value?.key?.id;

const isExpired = ({ expires_at }: Key): boolean =>
  expires_at !== null && Date.parse(expires_at) <= Date.now();
const isActive = (key: Key): boolean => key.revoked_at === null && !isExpired(key);

function KeyState({ apiKey }: { apiKey: Key }): JSX.Element {
  if (apiKey.revoked_at !== null) {
    return (
      <>
        <State tone="idle">Revoked</State>
        <small class="under">
          <When at={apiKey.revoked_at} />
        </small>
      </>
    );
  }
  return (
    <>
      {isExpired(apiKey) ? <State tone="idle">Expired</State> : <State tone="good">Active</State>}
      {apiKey.expires_at !== null && (
        <small class="under">
          {isExpired(apiKey) ? 'since' : 'until'} <When at={apiKey.expires_at} />
        </small>
      )}
    </>
  );
}

/** A second click revokes; the key of this session also ends it. */
function Revoke({ apiKey, onRevoked }: { apiKey: Key; onRevoked: () => void }): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const isOwn = isOfSession(apiKey);
  const revoke = (): void => {
    send(revocationOf(apiKey.id)).then(onRevoked, setProblem);
  };
  if (!isAsking) {
    return (
      <button type="button" class="small" onClick={() => setAsking(true)}>
        Revoke<span class="unseen"> {apiKey.name}</span>
      </button>
    );
  }
  return (
    <div class="confirm">
      <p>
        Requests with <b>{apiKey.name}</b> are refused from now on.
        {isOwn && ' It is the key of this session, which ends.'}
      </p>
      {problem !== undefined && (
        <Problem title="Not revoked">
          <p>{problem.message}</p>
        </Problem>
      )}
      <div class="buttons">
        <button type="button" class="small danger" onClick={revoke}>
          Revoke for good
        </button>
        <button type="button" class="small" onClick={() => setAsking(false)}>
          Keep it
        </button>
      </div>
      <AsCurl requests={() => [revocationOf(apiKey.id)]} />
    </div>
  );
}
