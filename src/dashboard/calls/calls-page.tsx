import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type CallSummary, readCalls } from '../api/calls.js';
import { query } from '../api/client.js';
import { justEnded, scope } from '../api/live.js';
import { useResource } from '../api/resource.js';
import { endReasonWords, shownOutcome } from '../call/end-reasons.js';
import { duration } from '../parts/format.js';
import { Empty, Loaded } from '../parts/notice.js';
import { Panel, TableHead, WideTable } from '../parts/panel.js';
import { NamedState } from '../parts/state.js';
import { When } from '../parts/time.js';
import { StaleNotice } from '../shell/connection-state.js';
import { Page } from '../shell/page.js';
import { ScopeChoice } from '../shell/scope-choice.js';
import { Filters, filterOf, type Search } from './filters.js';
import { Direction, LivePanel } from './live-panel.js';

const pageSize = 50;
/** With more rows the list changes faster than a person can read it. */
const shownLive = 100;
/** A record reaches the history shortly after the call ends. */
const storedMilliseconds = [700, 2_500] as const;

export function CallsPage(): JSX.Element {
  const search = useLocation().query as Search;
  return (
    <Page title="Calls" beside={<ScopeChoice />}>
      <StaleNotice />
      <LivePanel most={shownLive} search={search} />
      <History />
    </Page>
  );
}

function History(): JSX.Element {
  const { query: search, route } = useLocation() as { query: Search; route: (url: string) => void };
  const key = JSON.stringify(search);
  const page = useResource(key, (signal) =>
    readCalls(filterOf(search, Date.now()), { limit: pageSize, after: search.before }, signal),
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
    <Panel title={scope.value === 'fleet' ? 'Past calls of my organization' : 'Past calls'}>
      <Filters search={search} onSearch={(wanted) => route(to(wanted))} />
      <Loaded what="past calls" from={page}>
        {({ calls, has_more }) => (
          <>
            {calls.length === 0 && <NoCalls isFiltered={Object.keys(search).length > 0} />}
            {calls.length > 0 && <CallTable calls={calls} />}
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

function NoCalls({ isFiltered }: { isFiltered: boolean }): JSX.Element {
  if (isFiltered) return <Empty title="No matching calls">Remove a filter or widen the time range.</Empty>;
  return (
    <Empty title="No calls yet">
      <p>
        Attach a number (see <a href="/trunks">Trunks</a>) and call it; <code>npm run call</code> places one
        with a softphone.
      </p>
    </Empty>
  );
}

export function CallTable({ calls }: { calls: readonly CallSummary[] }): JSX.Element {
  return (
    <WideTable label="Past calls, newest first">
      <TableHead
        columns={{
          Outcome: '',
          Started: '',
          From: '',
          To: 'wide-only',
          Talked: 'number wide-only',
          Direction: 'wide-only',
          Ended: 'wide-only',
        }}
      />
      <tbody>
        {calls.map((call) => (
          <tr key={call.call_id}>
            <td>
              <NamedState name={shownOutcome(call)} />
            </td>
            <th scope="row">
              <a href={`/calls/${encodeURIComponent(call.call_id)}`}>
                <When at={call.started_at} />
              </a>
            </th>
            <td class="figure breakable">
              {call.from}
              <small class="under narrow-only">to {call.to}</small>
            </td>
            <td class="figure wide-only">{call.to}</td>
            <td class="number figure wide-only">
              {call.answered_at === null ? '–' : duration(call.duration_seconds)}
            </td>
            <td class="wide-only">
              <Direction name={call.direction} />
            </td>
            <td class="wide-only">
              {endReasonWords(call.end_reason)}
              {call.status !== null && call.outcome !== 'completed' && (
                <span class="muted figure"> {call.status}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}
