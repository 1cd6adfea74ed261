import type { JSX, TargetedSubmitEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import { type CreatedKey, type KeyStore, ownKeys, type Scope } from '../../api/keys.js';
import { includesScope } from '../../api/members.js';
import { type ApiRequest, send } from '../../api/request.js';
import { FieldProblem } from '../../forms/fields.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Choice } from '../../parts/choice.js';
import { Problem, RequestNote } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { type Access, areaText, listenScope, scopeGroups, scopeOf, toggled } from './scopes.js';

interface CreateKeyProps {
  readonly store?: KeyStore;
  /** Scopes of this session, which no key that it creates exceeds; null: all. */
  readonly own: readonly Scope[] | null;
  /** When the key of this session expires, and with it the latest expiry; null: it does not. */
  readonly latest: string | null;
  readonly onCreated: (key: CreatedKey) => void;
  readonly onCancel: () => void;
}

/** Name, scopes, expiry. What the session's own key lacks is disabled, with the reason. */
export function CreateKey({
  store = ownKeys,
  own,
  latest,
  onCreated,
  onCancel,
}: CreateKeyProps): JSX.Element {
  const [name, setName] = useState('');
  const [isLimited, setLimited] = useState(own !== null);
  const [chosen, setChosen] = useState<readonly Scope[]>([]);
  const [day, setDay] = useState('');
  const { isBusy, problem, setProblem, follow } = useAction();
  const id = useId();

  const request = (): ApiRequest<CreatedKey> =>
    store.keyOf({
      name,
      ...(isLimited ? { scopes: [...chosen] } : {}),
      // The whole day counts, wherever it is spent.
      ...(day === '' ? {} : { expires_at: `${day}T23:59:59Z` }),
    });
  const create = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    follow(send(request()), onCreated);
  };
  const shown = ['name', 'scopes', 'expires_at'];
  const faults = (problem?.faults ?? []).filter(({ path }) => path === undefined || !shown.includes(path));
  return (
    <Panel title="Create key">
      <form class="edit-form" aria-label="Create key" noValidate onSubmit={create}>
        <div class="fields-grid">
          <div class="field">
            <label for={`${id}-name`}>Name</label>
            <input
              id={`${id}-name`}
              name="name"
              value={name}
              maxLength={64}
              autocomplete="off"
              placeholder="billing"
              aria-invalid={problem?.at('name') === undefined ? undefined : 'true'}
              onInput={(event) => {
                setName(event.currentTarget.value);
                setProblem(undefined);
              }}
            />
            <small class="note">What the key is for</small>
            <FieldProblem text={problem?.at('name')} />
          </div>
          <div class="field">
            <label for={`${id}-expiry`}>Expires after (UTC)</label>
            <input
              id={`${id}-expiry`}
              name="expires_at"
              type="date"
              value={day}
              min={new Date().toISOString().slice(0, 10)}
              max={latest?.slice(0, 10)}
              onInput={(event) => setDay(event.currentTarget.value)}
            />
            <small class="note">
              {latest === null ? 'Empty: it does not expire' : 'Empty: with the key of this session'}
            </small>
            <FieldProblem text={problem?.at('expires_at')} />
          </div>
        </div>
        <fieldset class="form-section">
          <legend>Scopes</legend>
          <Choice
            label="Rights"
            value={isLimited ? 'some' : 'all'}
            options={[
              ['all', own === null ? 'All rights of the organization' : 'The scopes of this session'],
              ['some', 'Only chosen scopes'],
            ]}
            onChange={(value) => setLimited(value === 'some')}
          />
          {isLimited && <Scopes own={own} chosen={chosen} onChange={setChosen} />}
          <FieldProblem text={problem?.at('scopes')} />
        </fieldset>
        {problem !== undefined && (problem.faults.length === 0 || faults.length > 0) && (
          <Problem title="Key not created">
            {problem.faults.length === 0 && <p>{problem.message}</p>}
            {faults.map(({ message }) => (
              <p key={message}>{message}</p>
            ))}
            <RequestNote failure={problem} />
          </Problem>
        )}
        <div class="buttons">
          <button type="submit" class="primary" disabled={isBusy}>
            Create key
          </button>
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        </div>
        <AsCurl requests={() => [request()]} />
      </form>
    </Panel>
  );
}

interface ScopesProps {
  readonly own: readonly Scope[] | null;
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
}

function Scopes({ own, chosen, onChange }: ScopesProps): JSX.Element {
  return (
    <div class="scope-groups">
      {scopeGroups.map(([group, areas]) => (
        <fieldset key={group} class="scope-group">
          <legend>{group}</legend>
          {areas.map((area) => (
            <div class="scope-row" key={area}>
              <span>{areaText(area)}</span>
              {(['read', 'write'] as const satisfies readonly Access[]).map((access) => {
                const scope = scopeOf(area, access);
                const isOwn = includesScope(own, scope);
                return (
                  <label class="check" key={access} title={isOwn ? scope : `This session lacks ${scope}`}>
                    <input
                      type="checkbox"
                      name={scope}
                      disabled={!isOwn}
                      checked={includesScope(chosen, scope)}
                      onChange={({ currentTarget: { checked } }) =>
                        onChange(toggled(chosen, area, access, checked))
                      }
                    />
                    <span class="unseen">{areaText(area)}: </span>
                    {access}
                  </label>
                );
              })}
              {area === 'calls' && (
                <label
                  class="check"
                  title={includesScope(own, listenScope) ? listenScope : `This session lacks ${listenScope}`}
                >
                  <input
                    type="checkbox"
                    name={listenScope}
                    disabled={!includesScope(own, listenScope)}
                    checked={includesScope(chosen, listenScope)}
                    onChange={({ currentTarget: { checked } }) =>
                      onChange([
                        ...chosen.filter((scope) => scope !== listenScope),
                        ...(checked ? [listenScope] : []),
                      ])
                    }
                  />
                  <span class="unseen">{areaText(area)}: </span>
                  listen to active calls
                </label>
              )}
              {!includesScope(own, scopeOf(area, 'write')) && (
                <small class="note">
                  This session lacks{' '}
                  {includesScope(own, scopeOf(area, 'read')) ? `${area}:write` : `${area}:read`}.
                </small>
              )}
            </div>
          ))}
        </fieldset>
      ))}
    </div>
  );
}
