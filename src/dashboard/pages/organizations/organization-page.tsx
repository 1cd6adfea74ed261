import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import {
  keysOf,
  type Organization,
  peopleOf,
  readAuditOf,
  readOrganization,
  updateOf,
  usageOf,
} from '../../api/organizations.js';
import { useResource } from '../../api/resource.js';
import { isOperator } from '../../api/session.js';
import { EditForm } from '../../forms/edit-form.js';
import { CheckField, NumberField } from '../../forms/fields.js';
import { useForm } from '../../forms/use-form.js';
import { Page } from '../../frame/page.js';
import { Back } from '../../parts/back.js';
import { whole } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Facts, Panel } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { EventTable } from '../members/audit-page.js';
import type { KnownNames } from '../members/audit-words.js';
import { MemberPanels } from '../members/members-page.js';
import { KeyPanels } from '../setup/keys-page.js';
import { UsagePanels } from '../usage/usage-panel.js';
import { consequencesOf, type Settings } from './consequences.js';
import { ForOperators, ownersText } from './organizations-page.js';

/** One organization: entitlement and limits, members, keys, usage. */
export function OrganizationPage(): JSX.Element {
  const { id = '' } = useRoute().params;
  const above = <Back href="/organizations" text="Organizations" />;
  if (!isOperator.value) {
    return (
      <Page title="Organization" above={above}>
        <ForOperators />
      </Page>
    );
  }
  return <Managed id={id} key={id} />;
}

function Managed({ id }: { id: string }): JSX.Element {
  const organization = useResource(`organization ${id}`, (signal) => readOrganization(id, signal));
  const { people, keys, usage } = useMemo(
    () => ({ people: peopleOf(id), keys: keysOf(id), usage: usageOf(id) }),
    [id],
  );
  return (
    <Page
      title={organization.data?.name ?? 'Organization'}
      above={<Back href="/organizations" text="Organizations" />}
    >
      <Loaded what="the organization" from={organization}>
        {(data) => (
          <>
            <Panel title="Organization">
              <Facts
                rows={[
                  ['Id', <span class="mono breakable">{data.organization_id}</span>],
                  ['Region', data.region ?? 'The first of the service'],
                  ['Created', <When at={data.created_at} />],
                  ['Numbers', whole(data.numbers)],
                  ['Members', ownersText(data)],
                  ['Active keys', whole(data.keys)],
                ]}
              />
            </Panel>
            <SettingsPanel organization={data} reload={organization.reload} />
            <UsagePanels name={id} source={usage} />
            <MemberPanels people={people} name={id} onChanged={organization.reload} />
            <KeyPanels keys={keys} name={id} own={null} onChanged={organization.reload} />
            <AuditPanel id={id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Names of what was changed are the organization's own: operators see the ids. */
function AuditPanel({ id }: { id: string }): JSX.Element {
  const events = useResource(`audit ${id}`, (signal) => readAuditOf(id, signal));
  return (
    <Panel title="Latest changes" note="The newest 20 of its audit log.">
      <Loaded what="changes" from={events}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No changes yet" />
          ) : (
            <EventTable events={list} names={noNames} hasLinks={false} />
          )
        }
      </Loaded>
    </Panel>
  );
}

const noNames: KnownNames = { kinds: new Set(), byId: new Map() };

/** A field that was emptied restores the value of the service. */
const bodyOf = (before: Settings, { sip_enabled, limits }: Settings) => {
  const names = Object.keys(before.limits) as (keyof Settings['limits'])[];
  const changed = names.filter((name) => (limits[name] ?? null) !== before.limits[name]);
  return withoutUndefined({
    sip_enabled: sip_enabled === before.sip_enabled ? undefined : sip_enabled,
    limits:
      changed.length === 0
        ? undefined
        : Object.fromEntries(changed.map((name) => [name, limits[name] ?? null])),
  });
};

const withoutUndefined = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

export function SettingsPanel({
  organization,
  reload,
}: {
  organization: Organization;
  reload: () => void;
}): JSX.Element {
  const { organization_id: id, sip_enabled, limits } = organization;
  const before = useMemo<Settings>(() => ({ sip_enabled, limits }), [sip_enabled, limits]);
  const form = useForm({
    before,
    requests: (current, draft) => [
      { request: updateOf(id, bodyOf(current, draft)), fieldOf: (path) => path },
    ],
  });
  return (
    <Panel
      title="Entitlement and limits"
      note="Empty: as the service has it. Limits hold on all edges together, for all numbers of the organization."
    >
      <EditForm
        label="Entitlement and limits"
        scope="organizations:write"
        form={form}
        reload={reload}
        consequences={consequencesOf(before, settled(form.draft))}
      >
        <CheckField path="sip_enabled" label="SIP entitlement" note="Numbers, calls and the dashboard" />
        <div class="fields-grid">
          <NumberField
            path="limits.concurrent_calls"
            label="Concurrent calls"
            least={1}
            most={100_000}
            placeholder="default"
            note="DEMARC_ORGANIZATION_MAX_CALLS"
          />
          <NumberField
            path="limits.calls_per_second"
            label="New calls"
            least={1}
            most={10_000}
            unit="per second"
            placeholder="default"
            note="DEMARC_ORGANIZATION_CALLS_PER_SECOND"
          />
          <NumberField
            path="limits.call_retention_days"
            label="Keep call records"
            least={1}
            most={36_500}
            unit="days"
            placeholder="default"
            note="No longer than DEMARC_CALL_RETENTION_DAYS"
          />
          <NumberField
            path="limits.minutes_per_month"
            label="Minutes a month"
            least={1}
            most={1_000_000_000}
            placeholder="none"
            note="Its alert contacts are notified at 80 %; no call is refused"
          />
        </div>
      </EditForm>
    </Panel>
  );
}

/** What an emptied field means. */
const settled = ({ sip_enabled, limits }: Settings): Settings => ({
  sip_enabled,
  limits: {
    concurrent_calls: limits.concurrent_calls ?? null,
    calls_per_second: limits.calls_per_second ?? null,
    call_retention_days: limits.call_retention_days ?? null,
    minutes_per_month: limits.minutes_per_month ?? null,
  },
});
