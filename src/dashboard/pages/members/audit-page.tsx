import type { JSX } from 'preact';
import { useLocation } from 'preact-iso';
import { query } from '../../api/client.js';
import { type AuditEvent, may, readAudit, whyNot } from '../../api/members.js';
import { useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';
import '../../style/organization.css';
import { readNames } from './audit-names.js';
import { fieldWords, type KnownNames, subjectParts } from './audit-words.js';
import { OrganizationTabs } from './organization-tabs.js';

const pageSize = 50;

/** Who changed what. */
export function AuditPage(): JSX.Element {
  return (
    <Page title="Audit log">
      <OrganizationTabs />
      {may('members:write') ? <Events /> : <Empty title="The audit log is for owners">{whyNot.value}</Empty>}
    </Page>
  );
}

function Events(): JSX.Element {
  const { query: search } = useLocation();
  const { actor, after } = search;
  const events = useResource(`audit ${actor ?? ''} ${after ?? ''}`, async (signal) => {
    const page = await readAudit({ actor_id: actor, after, limit: pageSize }, signal);
    return { ...page, names: await readNames(page.events, signal) };
  });
  return (
    <Panel
      title="Changes and sign-ins"
      note="Every change through the dashboard and the API, newest first. Values of fields are not stored."
      aside={actor !== undefined && <a href="/members/audit">All people and keys</a>}
    >
      <Loaded what="events" from={events}>
        {(page) => (
          <>
            {page.events.length === 0 && <Empty title="No changes yet" />}
            {page.events.length > 0 && <EventTable events={page.events} names={page.names} />}
            <nav class="pages" aria-label="Pages of the audit log">
              {after !== undefined && <a href={`/members/audit${query({ actor })}`}>Newest</a>}
              {page.next !== null && (
                <a href={`/members/audit${query({ actor, after: page.next })}`}>Older</a>
              )}
            </nav>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

interface TableProps {
  readonly events: readonly AuditEvent[];
  readonly names: KnownNames;
  /** Whether an actor leads to what else it did; only of the own organization. */
  readonly hasLinks?: boolean;
}

export function EventTable({ events, names, hasLinks = true }: TableProps): JSX.Element {
  return (
    <WideTable label="Changes, newest first">
      <TableHead columns={{ Time: '', Who: '', Action: '', Address: 'wide-only' }} />
      <tbody class="card-rows">
        {events.map((event) => (
          <EventRow key={event.audit_event_id} event={event} names={names} hasLinks={hasLinks} />
        ))}
      </tbody>
    </WideTable>
  );
}

const kinds = { member: '', key: 'API key', command: '' } as const;

interface RowProps {
  readonly event: AuditEvent;
  readonly names: KnownNames;
  readonly hasLinks: boolean;
}

function EventRow({ event, names, hasLinks }: RowProps): JSX.Element {
  const { actor } = event;
  return (
    <tr>
      <td>
        <When at={event.occurred_at} />
      </td>
      <td>
        {hasLinks ? (
          <a href={`/members/audit${query({ actor: actor.id })}`}>
            <Untrusted text={actor.name} />
          </a>
        ) : (
          <Untrusted text={actor.name} />
        )}{' '}
        {kinds[actor.kind] !== '' && <span class="chip">{kinds[actor.kind]}</span>}
      </td>
      <td>
        <span class="party">
          {event.summary}
          <span class="muted">
            {subjectParts(event.subject, names).map(({ text, id }, index) => (
              <span title={id} key={index}>
                {index > 0 && ' '}
                <Untrusted text={text} />
              </span>
            ))}
            {event.fields !== '' && <span title={event.fields}> ({fieldWords(event.fields)})</span>}
          </span>
        </span>
      </td>
      <td class="wide-only figure">{event.address}</td>
    </tr>
  );
}
