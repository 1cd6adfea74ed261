import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { readCalls } from '../../api/calls.js';
import { query } from '../../api/client.js';
import { justEnded, scope } from '../../api/live.js';
import { useResource } from '../../api/resource.js';
import { StaleNotice } from '../../frame/connection-state.js';
import { Page } from '../../frame/page.js';
import { ScopeChoice } from '../../frame/scope-choice.js';
import { capitalized } from '../../parts/format.js';
import { Icon } from '../../parts/icons.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { CallTable } from './call-table.js';
import { ColumnChoice, useColumns } from './column-choice.js';
import { Filters } from './filters.js';
import { LivePanel } from './live-panel.js';
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
  const [columns, chooseColumns] = useColumns();
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
      <ColumnChoice columns={columns} onChoose={chooseColumns} />
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
                columns={columns}
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
