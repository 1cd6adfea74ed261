import { e164 } from '../../http/phone-number.js';
import type { Direction } from '../../numbers/tables.js';
import { percentOf } from './share.js';

/** A number, or a trunk that numbers share, whose active calls came near their limit. */
export interface NearNumber {
  /** E.164 digits, or the id of the trunk. */
  readonly limited: string;
  readonly direction: Direction;
  readonly measured: number;
  readonly allowed: number;
}

const mostNamed = 10;

const isNumber = (limited: string): boolean => /^\d+$/.test(limited);

/** As the API and webhooks have it. */
export const limitView = ({ limited, direction, measured, allowed }: NearNumber) => ({
  phone_number: isNumber(limited) ? e164(limited) : null,
  trunk_id: isNumber(limited) ? null : limited,
  direction,
  measured,
  limit: allowed,
  percent: percentOf({ measured, limit: allowed }),
});

const lineOf = (near: NearNumber): string => {
  const { phone_number, trunk_id, measured, limit, percent } = limitView(near);
  const whose = phone_number ?? `trunk ${trunk_id}`;
  const direction = near.direction === 'inbound' ? 'to' : 'from';
  return `${measured} of ${limit} concurrent calls ${direction} ${whose} (${percent} %)`;
};

/** One notice of all. @param near the fullest first, at least one */
export function noticeOfNumbers(near: readonly NearNumber[], dashboardUrl: string) {
  const [worst] = near as [NearNumber];
  const unnamed = near.length - mostNamed;
  const lines = [...near.slice(0, mostNamed).map(lineOf), ...(unnamed > 0 ? [`and ${unnamed} more`] : [])];
  const title =
    near.length === 1
      ? `concurrent calls at ${limitView(worst).percent} % of a number’s limit`
      : `concurrent calls of ${near.length} numbers near their limit`;
  return {
    title: `[Demarc] USAGE: ${title}`,
    text: `What: ${lines.join('\n      ')}\nWhat to do: Above the limit, calls to the number and calls of agents are refused with 503, and ordered calls wait. Raise limits.concurrent_calls of the number or trunk.\n\nDashboard: ${dashboardUrl}\n`,
    short: `Demarc USAGE: ${title}. ${lineOf(worst)}. ${dashboardUrl}`,
  };
}
