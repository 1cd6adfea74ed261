import { groupBy } from '../../../base/group-by.js';
import type { LiveCall } from '../../../contract/live.js';
import type { Direction, StoredLimits } from '../../numbers/tables.js';

/** How much of the limit of a number, or of a trunk that numbers share, is used now. */
export interface NumberLimit {
  readonly organizationId: string;
  /** E.164 digits, or the id of the trunk. */
  readonly limited: string;
  readonly direction: Direction;
  readonly measured: number;
  readonly limit: number;
}

/** The settings of one direction of a number, as its table has them. */
export interface LimitedDirection {
  readonly number: string;
  readonly organization_id: string;
  readonly trunk_id: string | null;
  readonly direction: Direction;
  readonly limits: StoredLimits | null;
}

/** Active calls by number and direction. */
export type ActiveCalls = ReadonlyMap<string, number>;

const keyOf = (limited: string, direction: Direction): string => `${limited} ${direction}`;

/** Calls without a number count towards none. */
export function activeCallsOf(calls: readonly Pick<LiveCall, 'number' | 'direction'>[]): ActiveCalls {
  const active = new Map<string, number>();
  for (const { number, direction } of calls) {
    if (number === null) continue;
    const key = keyOf(number, direction);
    active.set(key, (active.get(key) ?? 0) + 1);
  }
  return active;
}

/** The limits of numbers with active calls; those of numbers that share a trunk are one. */
export function limitsInUse(settings: readonly LimitedDirection[], active: ActiveCalls): NumberLimit[] {
  const used = new Map<string, NumberLimit>();
  for (const own of groupBy(settings, ({ number }) => number).values()) {
    for (const direction of ['inbound', 'outbound'] as const) {
      const found = limitOf(own, direction, active);
      if (found === undefined) continue;
      const key = keyOf(found.limited, direction);
      used.set(key, { ...found, measured: found.measured + (used.get(key)?.measured ?? 0) });
    }
  }
  return [...used.values()];
}

/** As edges count it: calls from a number have the limits of calls to it, unless they have their own. */
function limitOf(
  settings: readonly LimitedDirection[],
  direction: Direction,
  active: ActiveCalls,
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
