import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../database/tables.js';
import type { Direction, StoredAlerts } from '../numbers/tables.js';
import type { AlertKind } from './tables.js';

/** One threshold of one direction of a number. */
export interface Watched {
  readonly organizationId: string;
  /** E.164 digits without plus. */
  readonly number: string;
  /** The trunk that the number shares; null: none. */
  readonly trunkId: string | null;
  readonly direction: Direction;
  readonly kind: AlertKind;
  /** Minutes, percent or milliseconds, depending on the kind. */
  readonly threshold: number;
  /** Failure rate only. */
  readonly windowMinutes: number;
  readonly channels: StoredAlerts['channels'];
}

/** Default window of a failure rate: long enough for a handful of calls, short enough for the night. */
const defaultWindowMinutes = 15;

export const keyOf = ({
  number,
  direction,
  kind,
}: {
  readonly number: string;
  readonly direction: Direction;
  readonly kind: AlertKind;
}): string => `${number} ${direction} ${kind}`;

/** Every configured threshold, for all organizations or for one number. */
export async function readWatched(database: Kysely<Database> | Transaction<Database>): Promise<Watched[]> {
  const rows = await database
    .selectFrom('direction_settings')
    .innerJoin('numbers', 'numbers.number', 'direction_settings.number')
    .select(['organization_id', 'numbers.number', 'trunk_id', 'direction', 'alerts'])
    .where('alerts', 'is not', null)
    .where(sql<boolean>`(alerts->>'enabled')::boolean`)
    .execute();
  return rows.flatMap(({ organization_id: organizationId, trunk_id: trunkId, number, direction, alerts }) =>
    alerts === null ? [] : watchedOf({ organizationId, number, trunkId, direction }, alerts),
  );
}

/** The thresholds that a direction of a number has. */
export function watchedOf(
  subject: Pick<Watched, 'organizationId' | 'number' | 'trunkId' | 'direction'>,
  { thresholds, channels }: StoredAlerts,
): Watched[] {
  const windowMinutes = thresholds.failure_rate_window_minutes ?? defaultWindowMinutes;
  const kinds: [AlertKind, number | undefined][] = [
    ['unreachable', thresholds.unreachable_minutes],
    ['failure_rate', thresholds.failure_rate_percent],
    ['response_time', thresholds.response_time_ms],
  ];
  return kinds.flatMap(([kind, threshold]) =>
    threshold === undefined ? [] : [{ ...subject, kind, threshold, windowMinutes, channels }],
  );
}
