import type { Organization } from '../../api/organizations.js';
import { count } from '../../parts/format.js';

/** What can be changed of an organization. */
export type Settings = Pick<Organization, 'sip_enabled' | 'limits'>;

const isLower = (before: number | null, after: number | null): after is number =>
  after !== null && (before === null || after < before);

/** What a change restricts or deletes, to be confirmed before it is made; none: it only grants. */
export function consequencesOf(before: Settings, after: Settings): readonly string[] {
  const found: string[] = [];
  if (before.sip_enabled && !after.sip_enabled) {
    found.push(
      'Without the SIP entitlement the API and the dashboard refuse the organization. Its numbers stay attached and take calls.',
    );
  }
  const { concurrent_calls: calls, calls_per_second: rate, call_retention_days: days } = after.limits;
  if (isLower(before.limits.concurrent_calls, calls)) {
    found.push(`New calls above ${count(calls, 'concurrent call')} are refused with 503. Active calls stay.`);
  }
  if (isLower(before.limits.calls_per_second, rate)) {
    found.push(`More than ${count(rate, 'new call')} per second are refused with 503.`);
  }
  if (isLower(before.limits.call_retention_days, days)) {
    found.push(
      `Call records and traces older than ${count(days, 'day')} are deleted for good, the first within the hour.`,
    );
  }
  return found;
}
