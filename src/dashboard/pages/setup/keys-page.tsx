import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { type CreatedKey, type Key, type KeyStore, ownKeys, type Scope } from '../../api/keys.js';
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
  return (
    <SetupPage title="API keys">
      <KeyPanels keys={ownKeys} name="own" own={session.value?.scopes ?? null} />
    </SetupPage>
  );
}

interface KeyPanelsProps {
  readonly keys: KeyStore;
  /** Tells the keys of one organization from those of another. */
  readonly name: string;
  /** Scopes that a new key can have at most; null: all. */
  readonly own: readonly Scope[] | null;
  readonly onChanged?: () => void;
}

/** The keys of an organization, the form that creates one, and the new key. */
export function KeyPanels({ keys: store, name, own: scopes, onChanged }: KeyPanelsProps): JSX.Element {
  const keys = useResource(`keys ${name}`, store.read);
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedKey | undefined>();
  const own = keys.data?.find(isOfSession);
  const refusal = lackOf(store.scope);
  const reload = (): void => {
    keys.reload();
    onChanged?.();
  };
  const onCreated = (key: CreatedKey): void => {
    setCreated(key);
    setCreating(false);
    reload();
  };
  return (
    <>
      {created !== undefined && <NewKey created={created} />}
      {isCreating && (
        <CreateKey
          store={store}
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
              <KeyTable keys={list} store={store} canRevoke={refusal === undefined} onRevoked={reload} />
            )
          }
        </Loaded>
      </Panel>
    </>
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
  readonly store?: KeyStore;
  readonly keys: readonly Key[];
  readonly canRevoke: boolean;
  readonly onRevoked: () => void;
}

export function KeyTable({ store = ownKeys, keys, canRevoke, onRevoked }: KeyTableProps): JSX.Element {
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
            <td>
              {canRevoke && isActive(key) && <Revoke store={store} apiKey={key} onRevoked={onRevoked} />}
            </td>
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
function Revoke({
  store,
  apiKey,
  onRevoked,
}: {
  store: KeyStore;
  apiKey: Key;
  onRevoked: () => void;
}): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const isOwn = isOfSession(apiKey);
  const revoke = (): void => {
    send(store.revocationOf(apiKey.id)).then(onRevoked, setProblem);
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
      <AsCurl requests={() => [store.revocationOf(apiKey.id)]} />
    </div>
  );
}
