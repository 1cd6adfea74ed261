import type { JSX, TargetedSubmitEvent } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { ApiFailure } from '../../../api/client.js';
import { type ApiRequest, send } from '../../../api/request.js';
import { type Resource, useResource } from '../../../api/resource.js';
import {
  readNumbersOfTrunk,
  readSharedTrunk,
  readSharedTrunks,
  type SharedTrunk,
} from '../../../api/shared-trunks.js';
import { EditForm } from '../../../forms/edit-form.js';
import { useForm } from '../../../forms/use-form.js';
import { Page } from '../../../frame/page.js';
import { AsCurl } from '../../../parts/as-curl.js';
import { Back } from '../../../parts/back.js';
import { DeletePanel } from '../../../parts/delete-panel.js';
import { count } from '../../../parts/format.js';
import { Icon } from '../../../parts/icons.js';
import { Empty, Loaded, Problem } from '../../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../../parts/panel.js';
import { PhoneNumber } from '../../../parts/phone-number.js';
import { When } from '../../../parts/time.js';
import { trunkAddress } from '../../../parts/trunk-address.js';
import { PasswordForPbx } from '../edit/edit-page.js';
import { changesOf, creationOf, draftOf, newTrunk, type TrunkDraft } from './trunk-draft.js';
import { TrunkFields } from './trunk-fields.js';

const addressOf = (trunkId: string): string => `/trunks/shared/${trunkId}`;

/** SIP connections that several numbers share. */
export function SharedTrunksPage(): JSX.Element {
  const trunks = useResource('shared trunks', readSharedTrunks);
  return (
    <Page
      title="Shared trunks"
      above={<Back href="/trunks" text="Trunks" />}
      beside={
        <a class="button primary" href="/trunks/shared/new">
          <Icon name="add" />
          Add shared trunk
        </a>
      }
    >
      <Panel title="Trunks" note="Servers, credentials, codecs and limits that several numbers share.">
        <Loaded what="shared trunks" from={trunks}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No shared trunks">
                Numbers of the same PBX or carrier can share one: a change applies to all of them at once.
              </Empty>
            ) : (
              <TrunkTable trunks={list} />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

function TrunkTable({ trunks }: { trunks: readonly SharedTrunk[] }): JSX.Element {
  return (
    <WideTable label="Shared trunks, newest first">
      <TableHead columns={{ Name: '', Servers: '', Numbers: 'number', Changed: 'wide-only' }} />
      <tbody>
        {trunks.map(({ trunk_id, name, directions, number_count, updated_at }) => (
          <tr key={trunk_id}>
            <th scope="row">
              <a href={addressOf(trunk_id)}>{name === '' ? trunk_id : name}</a>
            </th>
            <td class="mono breakable">
              {draftServers(directions).join(', ') || <span class="muted">inbound only</span>}
            </td>
            <td class="number figure">{number_count}</td>
            <td class="wide-only">
              <When at={updated_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

const draftServers = (directions: SharedTrunk['directions']): readonly string[] =>
  directions.filter(({ type }) => type === 'outbound').map(({ sip_endpoint }) => String(sip_endpoint));

export function NewSharedTrunkPage(): JSX.Element {
  const { route } = useLocation();
  const form = useForm<TrunkDraft>({ before: newTrunk, requests: (_, draft) => [creationOf(draft)] });
  const [created, setCreated] = useState<{ id: string; password: string } | undefined>();
  const take = ([answer]: readonly unknown[]): void => {
    const { trunk_id: id, register_password_for_pbx: password } = answer as {
      trunk_id: string;
      register_password_for_pbx: string | null;
    };
    if (password === null) route(addressOf(id));
    else setCreated({ id, password });
  };
  if (created !== undefined) {
    return (
      <Page title="Shared trunk added" above={<Back href="/trunks/shared" text="Shared trunks" />}>
        <PasswordForPbx password={created.password} />
        <a class="button primary" href={addressOf(created.id)}>
          Continue
        </a>
      </Page>
    );
  }
  return (
    <Page title="Add shared trunk" above={<Back href="/trunks/shared" text="Shared trunks" />}>
      <EditForm scope="trunks:write" label="Shared trunk" form={form} reload={form.discard} onSaved={take}>
        <TrunkFields before={{ ...newTrunk, directions: [] }} draft={form.draft} />
      </EditForm>
    </Page>
  );
}

export function SharedTrunkPage(): JSX.Element {
  const { params } = useRoute();
  const id = params.id ?? '';
  const trunk = useResource(id, (signal) => readSharedTrunk(id, signal));
  return (
    <Page
      title={trunk.data?.name || 'Shared trunk'}
      above={<Back href="/trunks/shared" text="Shared trunks" />}
    >
      <Loaded what="the trunk" from={trunk}>
        {(data) => <TrunkForm trunk={data} reload={trunk.reload} key={id} />}
      </Loaded>
    </Page>
  );
}

function TrunkForm({ trunk, reload }: { trunk: SharedTrunk; reload: () => void }): JSX.Element {
  const { trunk_id: id, number_count } = trunk;
  const { route } = useLocation();
  const [password, setPassword] = useState<string | undefined>();
  const numbers = useResource(`${id} ${number_count}`, (signal) => readNumbersOfTrunk(id, signal));
  const before = useMemo(() => draftOf(trunk), [trunk]);
  const form = useForm<TrunkDraft>({ before, requests: (from, to) => changesOf(id, from, to) });
  const take = ([answer]: readonly unknown[]): void => {
    const { register_password_for_pbx: shown } = answer as { register_password_for_pbx: string | null };
    if (shown !== null) setPassword(shown);
  };
  return (
    <>
      {password !== undefined && <PasswordForPbx password={password} />}
      <Numbers trunkId={id} numbers={numbers} total={number_count} onChanged={reload} />
      <EditForm scope="trunks:write" label="Shared trunk" form={form} reload={reload} onSaved={take}>
        <TrunkFields before={before} draft={form.draft} />
      </EditForm>
      <DeletePanel
        what="trunk"
        note={
          number_count > 0
            ? `${count(number_count, 'number')} of this trunk must be moved or detached first.`
            : 'No number uses this trunk.'
        }
        remove={async () => {
          await send((client) => client.deleteTrunk({ trunk_id: id }));
          route('/trunks/shared');
        }}
      />
    </>
  );
}

interface NumbersProps {
  readonly trunkId: string;
  readonly numbers: Resource<readonly string[]>;
  readonly total: number;
  readonly onChanged: () => void;
}

function Numbers({ trunkId, numbers, total, onChanged }: NumbersProps): JSX.Element {
  const [typed, setTyped] = useState('');
  const [problems, setProblems] = useState<readonly string[]>([]);
  const entered = typed.split(/[\s,;]+/).filter((text) => text !== '');
  const request: ApiRequest<{ failed: readonly { phone_number: string; message: string }[] }> = (client) =>
    client.attachNumbersToTrunk({ trunk_id: trunkId }, { phone_numbers: entered });
  const attach = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    send(request).then(
      ({ failed }) => {
        setProblems(failed.map(({ phone_number, message }) => `${phone_number}: ${message}`));
        setTyped(failed.map(({ phone_number }) => phone_number).join(' '));
        onChanged();
      },
      (failure: ApiFailure) => setProblems([failure.message]),
    );
  };
  return (
    <Panel title="Numbers" aside={<span class="figure">{total}</span>}>
      <Loaded what="numbers" from={numbers}>
        {(list) =>
          list.length === 0 ? (
            <p class="note">No number uses this trunk.</p>
          ) : (
            <ul class="targets">
              {list.map((number) => (
                <li key={number}>
                  <a href={trunkAddress(number)}>
                    <PhoneNumber text={number} />
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <form class="filters" onSubmit={attach} aria-label="Attach numbers">
        <label class="grow">
          Numbers to attach
          <input
            name="phone_numbers"
            value={typed}
            placeholder="+14155550100 +14155550101"
            autocomplete="off"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={entered.length === 0}>
          Attach
        </button>
        <AsCurl requests={() => (entered.length === 0 ? [] : [request])} />
      </form>
      {problems.length > 0 && (
        <Problem title="Not attached">
          {problems.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Problem>
      )}
    </Panel>
  );
}
