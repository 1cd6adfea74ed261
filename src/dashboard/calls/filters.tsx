import type { JSX, TargetedSubmitEvent } from 'preact';
import { type CallFilter, outcomes } from '../api/calls.js';
import { capitalized } from '../parts/format.js';

/** Time range of the history search, in hours. */
export const spans = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const;
export type Span = keyof typeof spans;

const spanNames: Readonly<Record<Span, string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};

/** Filters stored in the page URL. */
export interface Search {
  readonly number?: string;
  readonly direction?: string;
  readonly outcome?: string;
  readonly code?: string;
  readonly span?: string;
  readonly before?: string;
}

const orNothing = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

export function filterOf({ number, direction, outcome, code, span }: Search, now: number): CallFilter {
  const hours = span !== undefined && span in spans ? spans[span as Span] : undefined;
  return {
    phone_number: number,
    // The API validates the filter values from the URL.
    direction: orNothing(direction) as CallFilter['direction'],
    outcome: orNothing(outcome) as CallFilter['outcome'],
    sip_code: orNothing(code) === undefined ? undefined : Number(code),
    started_after: hours === undefined ? undefined : new Date(now - hours * 3_600_000).toISOString(),
  };
}

export function Filters({
  search,
  onSearch,
}: {
  search: Search;
  onSearch: (search: Search) => void;
}): JSX.Element {
  const apply = (form: HTMLFormElement): void => {
    const values = Object.fromEntries(
      [...new FormData(form)]
        .filter(([, value]) => value !== '')
        .map(([name, value]) => [name, String(value).trim()]),
    );
    onSearch(values);
  };
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    apply(event.currentTarget);
  };
  const change = (event: Event): void => {
    if (event.target instanceof HTMLSelectElement && event.target.form !== null) apply(event.target.form);
  };
  const isFiltered = Object.keys(search).some((name) => name !== 'before');
  return (
    // biome-ignore lint/a11y/useSemanticElements: It is a form first.
    <form class="filters" role="search" aria-label="Past calls" onSubmit={submit} onChange={change}>
      <label>
        Number
        <input
          name="number"
          type="search"
          inputMode="tel"
          placeholder="+1…"
          defaultValue={search.number ?? ''}
          key={search.number}
        />
      </label>
      <label>
        Direction
        <select name="direction" value={search.direction ?? ''}>
          <option value="">Both</option>
          <option value="inbound">Inbound</option>
          <option value="outbound">Outbound</option>
        </select>
      </label>
      <label>
        Outcome
        <select name="outcome" value={search.outcome ?? ''}>
          <option value="">All</option>
          {outcomes.map((outcome) => (
            <option value={outcome} key={outcome}>
              {capitalized(outcome)}
            </option>
          ))}
        </select>
      </label>
      <label>
        SIP status
        <input
          name="code"
          inputMode="numeric"
          pattern="[1-6][0-9][0-9]"
          placeholder="486"
          size={4}
          defaultValue={search.code ?? ''}
          key={`code ${search.code}`}
        />
      </label>
      <label>
        Time
        <select name="span" value={search.span ?? ''}>
          <option value="">All</option>
          {Object.entries(spanNames).map(([span, name]) => (
            <option value={span} key={span}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Search</button>
      {isFiltered && (
        <a class="button bare" href="/calls">
          Clear
        </a>
      )}
    </form>
  );
}
