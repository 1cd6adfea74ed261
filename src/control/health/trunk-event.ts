import { explainUnreachable } from '../../contract/explanations.js';
import type { EndpointHealth } from '../../contract/health.js';
import { eventId, type OccurredEvent } from '../events/event.js';
import { e164 } from '../http/phone-number.js';

/** Numbers that an event names; all of them are counted. */
const maximumNumbers = 100;

/**
 * `trunk.unreachable` and `trunk.recovered`: of each server, one to each organization whose numbers use it.
 * @param names of the servers of each number
 */
export const trunkEvents = (
  changes: readonly EndpointHealth[],
  numbers: readonly { readonly number: string; readonly organization_id: string }[],
  names: ReadonlyMap<string, readonly string[]>,
): OccurredEvent[] =>
  changes.flatMap((check) => {
    const users = new Map<string, string[]>();
    for (const { number, organization_id: organization } of numbers) {
      if (names.get(number)?.includes(check.endpoint) !== true) continue;
      users.set(organization, [...(users.get(organization) ?? []), number]);
    }
    return [...users].map(([organization, own]) => eventOf(check, organization, own));
  });

function eventOf(check: EndpointHealth, organizationId: string, numbers: readonly string[]): OccurredEvent {
  const { endpoint, status, checked_at: checkedAt, reason } = check;
  const event = status === 'healthy' ? 'trunk.recovered' : 'trunk.unreachable';
  return {
    organizationId,
    subject: endpoint,
    event_id: eventId(event, organizationId, endpoint, checkedAt),
    event,
    occurred_at: checkedAt,
    sequence: Date.parse(checkedAt),
    data: {
      server: endpoint,
      status,
      reason,
      detail: check.detail,
      sip_code: check.sip_status,
      response_time_ms: check.response_time_milliseconds,
      ...(reason === null ? { cause: null, advice: null } : explainUnreachable(reason)),
      phone_numbers: numbers.slice(0, maximumNumbers).map(e164),
      phone_number_count: numbers.length,
    },
  };
}
