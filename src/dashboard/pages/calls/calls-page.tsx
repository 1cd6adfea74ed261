import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { leastMos } from '../../../contract/audio-defect.js';
import { type CallSummary, readCalls } from '../../api/calls.js';
import { query } from '../../api/client.js';
import { justEnded, scope } from '../../api/live.js';
import { useResource } from '../../api/resource.js';
import { session } from '../../api/session.js';
import { StaleNotice } from '../../frame/connection-state.js';
import { Page } from '../../frame/page.js';
import { ScopeChoice } from '../../frame/scope-choice.js';
import { capitalized, duration } from '../../parts/format.js';
import { Icon } from '../../parts/icons.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { NamedState, State } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';
import { failureWords, shownOutcome } from '../call/end-reasons.js';
import { Filters } from './filters.js';
import { Direction, LivePanel } from './live-panel.js';
import { SavedSearches } from './saved-panel.js';
import { totalText } from './saved-searches.js';
import { filterOf, isFiltered, type Search } from './search.js';

const pageSize = 50;
/** With more rows the list changes faster than a person can read it. */
const shownLive = 100;
/** A record reaches the history shortly after the call ends. */
const storedMilliseconds = [700, 2_500] as const;

export function CallsPage(): JSX.Element {
  const search = useLocation().query as Search;
  return (
    <Page
      title="Calls"
      beside={
        <div class="buttons">
          <ScopeChoice />
          <a class="button" href="/calls/batches">
            Batches
          </a>
        </div>
      }
    >
      <StaleNotice />
      <LivePanel most={shownLive} search={search} />
      <History />
    </Page>
  );
}

function History(): JSX.Element {
  const { query: search, route } = useLocation() as { query: Search; route: (url: string) => void };
  const of = scope.value;
  const page = useResource(`${of} ${JSON.stringify(search)}`, (signal) =>
    readCalls(
      filterOf(search, Date.now(), of),
      { limit: pageSize, after: search.before, include_total: search.before === undefined },
      signal,
    ),
  );
  const { reload } = page;
  const latest = justEnded.value[0]?.call.call_id;
  const isFirstPage = search.before === undefined;
  useEffect(() => {
    if (latest === undefined || !isFirstPage) return;
    const timers = storedMilliseconds.map((wait) => setTimeout(reload, wait));
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [latest, isFirstPage, reload]);
  const to = (changed: Search): string => `/calls${query({ ...changed })}`;
  const { before: _, ...firstPage } = search;
  return (
    <Panel
      title={of === 'fleet' ? 'Past calls of all organizations' : 'Past calls'}
      aside={<Export search={search} />}
    >
      <Filters search={search} onSearch={(filters) => route(to(filters))} />
      <SavedSearches search={search} />
      <Loaded what="past calls" from={page}>
        {({ calls, organizations, has_more, total }) => (
          <>
            {total !== null && total.calls > 0 && (
              <p class="note figure" role="status">
                {capitalized(totalText(total))}
              </p>
            )}
            {calls.length === 0 && <NoCalls isFiltered={isFiltered(search)} />}
            {calls.length > 0 && (
              <CallTable
                calls={calls}
                organizations={of === 'fleet' ? organizations : undefined}
                organizationLink={(organization) => to({ ...firstPage, organization })}
              />
            )}
            <nav class="pages" aria-label="Pages of past calls">
              {!isFirstPage && <a href={to(firstPage)}>Newest</a>}
              {has_more && <a href={to({ ...search, before: calls.at(-1)!.call_id })}>Older</a>}
            </nav>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** The same calls, all of them, as a file. */
function Export({ search }: { search: Search }): JSX.Element {
  const filter = filterOf(search, Date.now(), scope.value);
  return (
    <a
      class="button small"
      href={`/v1/sip/calls.csv${query(filter as Record<string, string | number | undefined>)}`}
      download
    >
      <Icon name="download" />
      CSV
    </a>
  );
}

function NoCalls({ isFiltered }: { isFiltered: boolean }): JSX.Element {
  if (isFiltered) return <Empty title="No matching calls">Remove a filter or widen the time range.</Empty>;
  return (
    <Empty title="No calls yet">
      <p>
        <a href="/trunks/add">Add a number</a> and call it; <code>npm run call</code> places one with a
        softphone.
      </p>
    </Empty>
  );
}

interface CallTableProps {
  readonly calls: readonly CallSummary[];
  /** Names by id, where calls of several organizations are listed. */
  readonly organizations?: Readonly<Record<string, string>> | undefined;
  readonly organizationLink?: (id: string) => string;
}

export function CallTable({
  calls,
  organizations,
  organizationLink = (id) => `/calls${query({ scope: 'fleet', organization: id })}`,
}: CallTableProps): JSX.Element {
  const own = session.value?.organization.id;
  return (
    <WideTable label="Past calls, newest first">
      <TableHead
        columns={{
          Outcome: '',
          Started: '',
          ...(organizations && { Organization: 'wide-only' }),
          From: 'wide-only',
          To: 'wide-only',
          Talked: 'number wide-only',
          MOS: 'number wide-only',
          Direction: 'wide-only',
          Ended: 'wide-only',
        }}
      />
      <tbody>
        {calls.map((call) => (
          <tr key={call.call_id}>
            <td>
              <NamedState name={shownOutcome(call)} />
              <small class="under narrow-only">
                <Reason call={call} /> · {call.direction === 'inbound' ? 'In' : 'Out'}
              </small>
              <small class="under narrow-only">
                <PhoneNumber text={call.from} /> → <PhoneNumber text={call.to} />
              </small>
            </td>
            <th scope="row">
              {organizations === undefined ||
              call.organization_id === own ||
              call.organization_id === null ? (
                <a href={`/calls/${encodeURIComponent(call.call_id)}`}>
                  <When at={call.started_at} />
                </a>
              ) : (
                <When at={call.started_at} />
              )}
            </th>
            {organizations !== undefined && (
              <td class="wide-only">
                {call.organization_id === null ? (
                  <span class="muted">none: unknown number</span>
                ) : (
                  <a class="above-row" href={organizationLink(call.organization_id)}>
                    {organizations[call.organization_id] ?? call.organization_id}
                  </a>
                )}
              </td>
            )}
            <td class="wide-only breakable">
              <PhoneNumber text={call.from} />
              {call.direction === 'inbound' && <Name call={call} />}
            </td>
            <td class="wide-only breakable">
              <PhoneNumber text={call.to} />
              {call.direction === 'outbound' && <Name call={call} />}
            </td>
            <td class="number figure wide-only">
              {call.answered_at === null ? '–' : duration(call.duration_seconds)}
            </td>
            <td class="number figure wide-only">
              <Mos value={call.mos} />
            </td>
            <td class="wide-only">
              <Direction name={call.direction} />
            </td>
            <td class="wide-only">
              <Reason call={call} />
            </td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

const Name = ({ call }: { call: CallSummary }): JSX.Element | null =>
  call.party_name === null ? null : (
    <small class="under">
      <Untrusted text={call.party_name} />
    </small>
  );

const Reason = ({ call }: { call: CallSummary }): JSX.Element => (
  <span class="figure">{failureWords({ end_reason: call.end_reason, sip_status: call.sip_code })}</span>
);

/** The mean opinion score, with attention where users complain. */
function Mos({ value }: { value: number | null }): JSX.Element {
  if (value === null) return <span>–</span>;
  return value < leastMos ? <State tone="warn">{value.toFixed(1)}</State> : <span>{value.toFixed(1)}</span>;
}
