import type { Kysely } from 'kysely';
import { groupBy } from '../../../base/group-by.js';
import type { Database } from '../../database/tables.js';
import type { FoundCall } from '../../fleet/fleet-reader.js';
import type { Direction } from '../../numbers/tables.js';
import { alertPercent, percentOf } from './share.js';

/** How much of the limit of a number, or of a trunk that numbers share, is used now. */
export interface NumberLimit {
  readonly organizationId: string;
  /** E.164 digits, or the id of the trunk. */
  readonly limited: string;
  readonly direction: Direction;
  readonly measured: number;
  readonly limit: number;
}

const numbersAtOnce = 1_000;

/**
 * The limits that active calls use most of. Only numbers with active calls are read, however many are configured.
 * @param calls active ones of all organizations
 */
export async function readNearNumbers(
  database: Kysely<Database>,
  calls: readonly FoundCall[],
): Promise<NumberLimit[]> {
  const active = new Map<string, number>();
  for (const { call } of calls) {
    if (call.number === null) continue;
    const key = keyOf(call.number, call.direction);
    active.set(key, (active.get(key) ?? 0) + 1);
  }
  const numbers = [...new Set(calls.flatMap(({ call }) => call.number ?? []))];
  const used = new Map<string, NumberLimit>();
  for (let at = 0; at < numbers.length; at += numbersAtOnce) {
    const rows = await readSettings(database, numbers.slice(at, at + numbersAtOnce));
    for (const own of groupBy(rows, ({ number }) => number).values()) {
      for (const direction of ['inbound', 'outbound'] as const) {
        const found = limitOf(own, direction, active);
        if (found === undefined) continue;
        // Numbers of a shared trunk count together.
        const key = keyOf(found.limited, direction);
        used.set(key, { ...found, measured: found.measured + (used.get(key)?.measured ?? 0) });
      }
    }
  }
  return [...used.values()].filter((limit) => percentOf(limit) >= alertPercent);
}

const keyOf = (limited: string, direction: Direction): string => `${limited} ${direction}`;

const readSettings = (database: Kysely<Database>, numbers: readonly string[]) =>
  database
    .selectFrom('direction_settings')
    .innerJoin('numbers', 'numbers.number', 'direction_settings.number')
    .select(['numbers.number', 'organization_id', 'trunk_id', 'direction', 'limits'])
    .where('numbers.number', 'in', numbers)
    .execute();

type Settings = Awaited<ReturnType<typeof readSettings>>[number];

/** As edges count it: calls from a number have the limits of calls to it, unless they have their own. */
function limitOf(
  settings: readonly Settings[],
  direction: Direction,
  active: ReadonlyMap<string, number>,
): NumberLimit | undefined {
  const { number, organization_id: organizationId, trunk_id: trunk } = settings[0]!;
  const measured = active.get(keyOf(number, direction));
  const of = (name: Direction) => settings.find((each) => each.direction === name)?.limits ?? undefined;
  const limits = direction === 'inbound' ? of('inbound') : (of('outbound') ?? of('inbound'));
  const limit = limits?.concurrent_calls;
  // 0 means none at all, and with 1 each call would be an alert.
  if (measured === undefined || limit === undefined || limit < 2) return undefined;
  return { organizationId, limited: trunk ?? number, direction, measured, limit };
}
