import { sql } from 'kysely';
import { type HealthStatus, readStatuses } from '../health/index.js';
import type { ControlDeps } from '../http/api-server.js';
import { e164 } from '../http/phone-number.js';
import { readConfigurations, requirePhoneNumber } from '../numbers/number-access.js';
import type { Direction } from '../numbers/tables.js';
import { type AdvancedView, advancedView } from './advanced.js';
import { type ConfigurationView, configurationView } from './views.js';

export type AttachedDirection = ConfigurationView & AdvancedView;

export interface NumberView {
  readonly inbound: AttachedDirection | null;
  readonly outbound: AttachedDirection | null;
  /** All of them in order, when a direction has several. */
  readonly configurations: AttachedDirection[];
  /** The shared trunk that the configurations come from; null: they are the number's own. */
  readonly trunk_id: string | null;
}

/** Get a number’s configurations. Throws `InvalidRequest`, `DemarcError` `NOT_FOUND`. */
export async function readNumber(
  { database }: ControlDeps,
  organizationId: string,
  phoneNumber: string,
): Promise<NumberView> {
  const number = requirePhoneNumber(phoneNumber);
  const rows = await readConfigurations(database, organizationId, number);
  const settings = await database
    .selectFrom('direction_settings')
    .selectAll()
    .where('number', '=', number)
    .execute();
  const configurations = rows.map((row) => ({
    ...configurationView(row, organizationId),
    ...advancedView(settings.find(({ direction }) => direction === row.direction)),
  }));
  const first = (wanted: Direction): AttachedDirection | null =>
    configurations.find(({ direction }) => direction === wanted) ?? null;
  const { trunk_id } = await database
    .selectFrom('numbers')
    .select('trunk_id')
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  return { inbound: first('inbound'), outbound: first('outbound'), configurations, trunk_id };
}

export interface NumberListEntry {
  readonly phone_number: string;
  readonly directions: Direction[];
  /** The first outbound server. */
  readonly sip_endpoint: string | null;
  readonly health_status: HealthStatus;
}

export interface NumberPage {
  readonly numbers: NumberListEntry[];
  /** For `after` of the next page; null on the last. */
  readonly next: string | null;
}

/** The organization's numbers in order of their digits. */
export async function listNumbers(
  { database }: ControlDeps,
  organizationId: string,
  page: { readonly after: string; readonly limit: number },
): Promise<NumberPage> {
  const rows = await database
    .selectFrom('numbers')
    .innerJoin('configurations', 'configurations.number', 'numbers.number')
    .select([
      'numbers.number',
      sql<Direction[]>`array_agg(distinct direction)`.as('directions'),
      sql<
        string | null
      >`(array_agg(sip_endpoint order by position) filter (where direction = 'outbound'))[1]`.as(
        'sip_endpoint',
      ),
    ])
    .where('organization_id', '=', organizationId)
    .where('numbers.number', '>', page.after)
    .groupBy('numbers.number')
    .orderBy('numbers.number')
    .limit(page.limit + 1)
    .execute();
  const shown = rows.slice(0, page.limit);
  const statuses = await readStatuses(
    database,
    shown.filter(({ directions }) => directions.includes('outbound')).map(({ number }) => number),
  );
  return {
    numbers: shown.map(({ number, directions, sip_endpoint }) => ({
      phone_number: e164(number),
      directions: directions.sort(),
      sip_endpoint,
      health_status: statuses.get(number) ?? 'unchecked',
    })),
    next: rows.length > shown.length ? e164(shown.at(-1)!.number) : null,
  };
}
