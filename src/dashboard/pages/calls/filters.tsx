import type { JSX, TargetedSubmitEvent } from 'preact';
import { endReasonExplanations } from '../../../contract/explanations.js';
import { outcomes } from '../../api/calls.js';
import { capitalized, dateTime } from '../../parts/format.js';
import { fieldOfMoment } from '../../parts/moment-field.js';
import { endReasonWords } from '../call/end-reasons.js';
import { isFiltered, type Search, type Span, searchOf } from './search.js';

const spanNames: Readonly<Record<Span, string>> = {
  '5m': 'Last 5 minutes',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};

const moreFilters: readonly (keyof Search)[] = [
  'number',
  'direction',
  'code',
  'end_reason',
  'address',
  'header',
  'ended_after',
  'ended_before',
];

interface FiltersProps {
  readonly search: Search;
  readonly onSearch: (search: Search) => void;
}

export function Filters({ search, onSearch }: FiltersProps): JSX.Element {
  const apply = (form: HTMLFormElement): void => {
    onSearch(
      searchOf(
        search,
        [...new FormData(form)].map(([name, value]) => [name, String(value)]),
      ),
    );
  };
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    apply(event.currentTarget);
  };
  const change = (event: Event): void => {
    if (event.target instanceof HTMLSelectElement && event.target.form !== null) apply(event.target.form);
  };
  const { scope } = search;
  const more = moreFilters.filter((name) => name in search).length;
  return (
    // biome-ignore lint/a11y/useSemanticElements: It is a form first.
    <form class="filters" role="search" aria-label="Past calls" onSubmit={submit} onChange={change}>
      <label class="finding">
        Search
        <input
          name="q"
          type="search"
          placeholder="Number, Call-ID or part of them, name, call id, address"
          defaultValue={search.q ?? ''}
          key={`q ${search.q}`}
          minLength={3}
        />
      </label>
      <label>
        Outcome
        <select name="outcome" value={search.outcome ?? ''}>
          <option value="">All</option>
          <option value="unsuccessful">Any problem</option>
          {outcomes.map((outcome) => (
            <option value={outcome} key={outcome}>
              {capitalized(outcome)}
            </option>
          ))}
          <option value="bad_audio">Bad audio</option>
        </select>
      </label>
      <label>
        Time
        <select name="span" value={search.span ?? ''}>
          <option value="">
            {search.ended_after === undefined && search.ended_before === undefined ? 'All' : 'One interval'}
          </option>
          {Object.entries(spanNames).map(([span, name]) => (
            <option value={span} key={span}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Search</button>
      {isFiltered(search) && (
        <a class="button bare" href={scope === undefined ? '/calls' : `/calls?scope=${scope}`}>
          Clear
        </a>
      )}
      <details class="more-filters" open={more > 0}>
        <summary>More filters{more > 0 && ` (${more})`}</summary>
        <div class="filters">
          <label>
            My number
            <input
              name="number"
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
            Ended by
            <select name="end_reason" value={search.end_reason ?? ''}>
              <option value="">Any reason</option>
              {Object.keys(endReasonExplanations).map((reason) => (
                <option value={reason} key={reason}>
                  {endReasonWords(reason)}
                </option>
              ))}
            </select>
          </label>
          <Moment name="ended_after" label="From" search={search} />
          <Moment name="ended_before" label="Until" search={search} />
          <label>
            Address or range
            <input
              name="address"
              placeholder="198.51.100.0/24"
              maxLength={64}
              defaultValue={search.address ?? ''}
              key={`address ${search.address}`}
            />
          </label>
          <label>
            SIP header
            <input
              name="header"
              placeholder="X-Tenant: acme"
              maxLength={200}
              pattern="[^:]+:.*\S.*"
              title="Name and value, such as X-Tenant: acme"
              defaultValue={search.header ?? ''}
              key={`header ${search.header}`}
            />
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
        </div>
      </details>
      {(search.ended_after !== undefined || search.ended_before !== undefined) && (
        <p class="note figure">
          Calls that ended
          {search.ended_after !== undefined && ` from ${dateTime(search.ended_after)}`}
          {search.ended_before !== undefined && ` to ${dateTime(search.ended_before)}`}
        </p>
      )}
    </form>
  );
}

/** A bound of the end of calls, in the zone that the corner of the page names. */
function Moment({
  name,
  label,
  search,
}: {
  readonly name: 'ended_after' | 'ended_before';
  readonly label: string;
  readonly search: Search;
}): JSX.Element {
  const value = fieldOfMoment(search[name]);
  return (
    <label>
      {label}
      <input name={name} type="datetime-local" defaultValue={value} key={`${name} ${value}`} />
    </label>
  );
}
