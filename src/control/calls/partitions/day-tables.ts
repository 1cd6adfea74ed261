import { leastMos } from '../../../contract/audio-defect.js';

/** Milliseconds of one day (UTC): a partition holds the calls that started on it. */
export const dayMilliseconds = 86_400_000;

/** The table of before the partitions. */
export const tableBefore = 'calls_before';

/** Holds calls that start after the last day that has a table, which a wrong clock or a control that has not run causes. */
export const tableAhead = 'calls_ahead';

/** The beginning of the day of a moment. */
export const dayOf = (milliseconds: number): number => milliseconds - (milliseconds % dayMilliseconds);

/** `calls_20261124` */
export const tableOfDay = (day: number): string =>
  `calls_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`;

/** Undefined: not the table of one day. */
export function dayOfTable(table: string): number | undefined {
  const [, year, month, date] = /^calls_(\d{4})(\d\d)(\d\d)$/.exec(table) ?? [];
  return date === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1, Number(date));
}

/** Tables of so many days are made beforehand: control may be down that long. */
export const daysAhead = 7;

export interface Partition {
  readonly table: string;
  /** Exclusive, Unix milliseconds; undefined: none. */
  readonly end: number | undefined;
}

/** The days whose tables are to be made, beside these. The tables have no gaps: the next one begins where the last one ends. */
export function daysToAdd(partitions: readonly Partition[], now: number): number[] {
  const first = Math.max(...partitions.map(({ end = 0 }) => end));
  const last = dayOf(now) + daysAhead * dayMilliseconds;
  // In one go for some days, because each time keeps `calls` locked for a moment.
  if (first > last - (daysAhead / 2) * dayMilliseconds) return [];
  return Array.from(
    { length: (last - first) / dayMilliseconds + 1 },
    (_, index) => first + index * dayMilliseconds,
  );
}

/** Whether all calls of a table started before the moment. */
export const isOver = ({ table, end }: Partition, before: number): boolean =>
  end !== undefined && end <= before && (dayOfTable(table) !== undefined || table === tableBefore);

const order = 'started_at desc, call_id desc';
const page = (columns: string): string => `(organization_id, ${columns}, ${order})`;

/**
 * The indexes of one day by name, without what distinguishes days. Those of outcomes and statuses leave out the calls that every page
 * finds at once, most of all, so that a usual call is written to eleven indexes instead of the sixteen of the single table. No index by age: a day is
 * dropped as a whole.
 */
const indexes: Readonly<Record<string, string>> = {
  calls_page: `(organization_id, ${order})`,
  calls_number_page: page('number'),
  calls_direction_page: page('direction'),
  calls_caller_page: page('caller'),
  calls_called_page: page('called'),
  calls_source_address_page: page('source_address'),
  calls_end_reason_page: page('end_reason'),
  calls_outcome_page: `${page('outcome')} where outcome <> 'completed'`,
  calls_status_page: `${page('sip_status')} where sip_status <> 200`,
  calls_number_outcome_page: `${page('number, outcome')} where outcome <> 'completed'`,
  calls_number_status_page: `${page('number, sip_status')} where sip_status <> 200`,
  calls_audio_problem_page: `(organization_id, ${order})
    where mos < ${leastMos} or end_reason in ('one_way_audio', 'dead_air', 'media_timeout', 'agent_lost')
      or (end_reason = 'media_failed' and outcome = 'completed')`,
  calls_sip_call_id: '(organization_id, sip_call_id)',
};

/** Statements that make an empty table with its indexes, which is no partition yet; repeatable. */
export function createTable(table: string): readonly string[] {
  const suffix = table.replace(/^calls/, '');
  return [
    `create table if not exists ${table} (like calls including defaults including storage) with (toast_tuple_target = 512)`,
    `create unique index if not exists calls_pkey${suffix} on ${table} (call_id)`,
    ...Object.entries(indexes).map(
      ([name, definition]) => `create index if not exists ${name}${suffix} on ${table} ${definition}`,
    ),
    `create index if not exists calls_search${suffix} on ${table}
      using gin (call_search_tokens(organization_id, caller, called, party_name))`,
    `create index if not exists calls_tokens${suffix} on ${table} using gin (search_tokens) where search_tokens is not null`,
  ];
}

/** @param from Unix milliseconds; undefined: without a bound */
export function attachTable(table: string, from: number | undefined, to: number | undefined): string {
  const bound = (milliseconds: number | undefined, otherwise: string): string =>
    milliseconds === undefined ? otherwise : `'${new Date(milliseconds).toISOString()}'`;
  return `alter table calls attach partition ${table}
    for values from (${bound(from, 'minvalue')}) to (${bound(to, 'maxvalue')})`;
}
