import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import {
  creationOf,
  type Organization,
  type OrganizationPage,
  readOrganizations,
} from '../../api/organizations.js';
import { useResource } from '../../api/resource.js';
import { isOperator } from '../../api/session.js';
import { RequestForm } from '../../forms/request-form.js';
import { Page } from '../../frame/page.js';
import { count, whole } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { State } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import '../../style/organization.css';

/** All organizations of the service: find one, create one. */
export function OrganizationsPage(): JSX.Element {
  return <Page title="Organizations">{isOperator.value ? <Organizations /> : <ForOperators />}</Page>;
}

export function ForOperators(): JSX.Element {
  return (
    <Empty title="For operators of the service">
      Organizations are managed by members and keys that see the fleet.
    </Empty>
  );
}

function Organizations(): JSX.Element {
  const [q, setQ] = useState('');
  const [after, setAfter] = useState<string | undefined>();
  const part = q.trim();
  const page = useResource(`organizations ${part} ${after ?? ''}`, (signal) =>
    readOrganizations(
      { ...(part === '' ? {} : { q: part }), ...(after === undefined ? {} : { after }) },
      signal,
    ),
  );
  return (
    <div class="organization-columns">
      <Panel
        title="All organizations"
        aside={
          <label>
            <span class="unseen">Name or id</span>
            <input
              type="search"
              value={q}
              maxLength={64}
              placeholder="Name or id"
              onInput={(event) => {
                setAfter(undefined);
                setQ(event.currentTarget.value);
              }}
            />
          </label>
        }
      >
        <Loaded what="organizations" from={page}>
          {(data) => <OrganizationTable page={data} isFirst={after === undefined} onPage={setAfter} />}
        </Loaded>
      </Panel>
      <CreatePanel />
    </div>
  );
}

interface TableProps {
  readonly page: OrganizationPage;
  readonly isFirst: boolean;
  readonly onPage: (after: string | undefined) => void;
}

export function OrganizationTable({ page, isFirst, onPage }: TableProps): JSX.Element {
  const { organizations, next } = page;
  if (organizations.length === 0) return <Empty title="No organization found" />;
  return (
    <>
      <WideTable label="Organizations, by name">
        <TableHead
          columns={{
            Name: '',
            SIP: '',
            'Concurrent calls': 'number',
            Numbers: 'number',
            Members: 'number',
            Keys: 'number',
            Created: 'wide-only',
          }}
        />
        <tbody>
          {organizations.map((organization) => (
            <OrganizationRow key={organization.organization_id} organization={organization} />
          ))}
        </tbody>
      </WideTable>
      {(!isFirst || next !== null) && (
        <div class="buttons">
          {!isFirst && (
            <button type="button" class="small" onClick={() => onPage(undefined)}>
              First page
            </button>
          )}
          {next !== null && (
            <button type="button" class="small" onClick={() => onPage(next)}>
              Next page
            </button>
          )}
        </div>
      )}
    </>
  );
}

function OrganizationRow({ organization }: { organization: Organization }): JSX.Element {
  const { limits, owners, members } = organization;
  return (
    <tr>
      <th scope="row" class="breakable">
        <a href={`/organizations/${organization.organization_id}`}>{organization.name}</a>
      </th>
      <td>
        {organization.sip_enabled ? <State tone="good">Enabled</State> : <State tone="idle">Off</State>}
      </td>
      <td class="number figure">
        {limits.concurrent_calls === null ? 'default' : whole(limits.concurrent_calls)}
      </td>
      <td class="number figure">{whole(organization.numbers)}</td>
      <td class="number figure">
        {whole(members)}
        {owners === 0 && members > 0 && <small class="under">no owner</small>}
      </td>
      <td class="number figure">{whole(organization.keys)}</td>
      <td class="wide-only">
        <When at={organization.created_at} />
      </td>
    </tr>
  );
}

function CreatePanel(): JSX.Element {
  const { route } = useLocation();
  const request = (fields: FormData) => {
    const calls = Number(fields.get('concurrent_calls'));
    return creationOf({
      name: String(fields.get('name') ?? '').trim(),
      sip_enabled: fields.get('sip_enabled') !== null,
      ...(calls > 0 ? { limits: { concurrent_calls: calls } } : {}),
    });
  };
  return (
    <Panel title="Create organization" note="Then invite its first owner, or create a key for it.">
      <RequestForm
        request={request}
        scope="organizations:write"
        button="Create organization"
        problemOf={({ message }) => message}
        onSent={({ organization_id }) => route(`/organizations/${organization_id}`)}
      >
        <label>
          Name
          <input name="name" required maxLength={64} autocomplete="off" />
        </label>
        <label>
          Concurrent calls
          <input name="concurrent_calls" type="number" min={1} max={100_000} placeholder="default" />
        </label>
        <label class="check">
          <input name="sip_enabled" type="checkbox" defaultChecked />
          <span>With the SIP entitlement</span>
        </label>
      </RequestForm>
    </Panel>
  );
}

/** `3 of 5 members are owners`. */
export const ownersText = ({ owners, members }: Pick<Organization, 'owners' | 'members'>): string =>
  members === 0 ? 'None' : `${count(members, 'member')}, ${count(owners, 'owner')}`;
