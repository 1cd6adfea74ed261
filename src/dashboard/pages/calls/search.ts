import type { CallFilter } from '../../api/calls.js';
import { momentOfField } from '../../parts/moment-field.js';

/** Time range of the history search, in minutes. */
export const spans = { '5m': 5, '1h': 60, '24h': 1_440, '7d': 10_080, '30d': 43_200 } as const;
export type Span = keyof typeof spans;

/** Filters stored in the page URL. */
export interface Search {
  readonly q?: string;
  readonly number?: string;
  readonly direction?: string;
  readonly outcome?: string;
  readonly code?: string;
  readonly end_reason?: string;
  /** An address, or a network such as `198.51.100.0/24`. */
  readonly address?: string;
  /** `Name: value` of a header of the trace. */
  readonly header?: string;
  readonly span?: string;
  /** ISO 8601: the calls of one bar of a plot, or between two times of the clock. */
  readonly ended_after?: string;
  readonly ended_before?: string;
  readonly organization?: string;
  readonly scope?: string;
  readonly before?: string;
}

/** Outcomes beyond those of a single call, and the filter that stands for them. */
const problems: ReadonlyMap<string, CallFilter['problem']> = new Map([
  ['unsuccessful', 'any'],
  ['bad_audio', 'audio'],
]);

const orNothing = (text: string | undefined): string | undefined => (text === '' ? undefined : text);
const minute = 60_000;

/** @param scope of the page: `fleet` for operators who look at all organizations */
export function filterOf(search: Search, now: number, scope: CallFilter['scope']): CallFilter {
  const { span, outcome, code } = search;
  const minutes = span !== undefined && Object.hasOwn(spans, span) ? spans[span as Span] : undefined;
  const problem = outcome === undefined ? undefined : problems.get(outcome);
  return {
    q: orNothing(search.q),
    scope,
    organization_id: orNothing(search.organization),
    phone_number: orNothing(search.number),
    // The API validates the filter values from the URL.
    direction: orNothing(search.direction) as CallFilter['direction'],
    outcome: problem === undefined ? (orNothing(outcome) as CallFilter['outcome']) : undefined,
    problem,
    end_reason: orNothing(search.end_reason) as CallFilter['end_reason'],
    source_ip: orNothing(search.address),
    header: orNothing(search.header),
    sip_code: orNothing(code) === undefined ? undefined : Number(code),
    // Figures count whole minutes: from the first one that lies within the time range.
    ended_after:
      search.ended_after ??
      (minutes === undefined
        ? undefined
        : new Date((Math.floor(now / minute) - minutes + 1) * minute).toISOString()),
    ended_before: search.ended_before,
  };
}

const intervalNames = ['ended_after', 'ended_before'] as const;

/** Whether anything but the page narrows the list. */
export const isFiltered = (search: Search): boolean =>
  Object.keys(search).some((name) => name !== 'before' && name !== 'scope');

/**
 * The search that a submitted form asks for. What the form has no field for is kept, but another time range replaces the one of a bar.
 * @param fields of the form
 */
export function searchOf(
  before: Search,
  fields: readonly (readonly [name: string, value: string])[],
): Search {
  const entered: Record<string, string> = Object.fromEntries(
    fields.map(([name, value]) => [name, value.trim()] as const).filter(([, value]) => value !== ''),
  );
  const kept = (['scope', 'organization'] as const).filter((name) => before[name] !== undefined);
  for (const name of intervalNames) {
    const hasField = fields.some(([field]) => field === name);
    const moment = hasField ? momentOfField(entered[name] ?? '') : before[name];
    delete entered[name];
    // A chosen time range replaces the interval.
    if (moment !== undefined && entered.span === undefined) entered[name] = moment;
  }
  return { ...entered, ...Object.fromEntries(kept.map((name) => [name, before[name]])) };
}
