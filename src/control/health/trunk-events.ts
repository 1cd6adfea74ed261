import { sql, type Transaction } from 'kysely';
import { explainUnreachable } from '../../contract/explanations.js';
import type { EndpointHealth } from '../../contract/health.js';
import type { Database } from '../database/tables.js';
import { queueEvents } from '../deliveries/queue-events.js';
import { eventId, type OccurredEvent } from '../events/event.js';
import { e164 } from '../http/phone-number.js';
import { readEndpointNames } from './number-health.js';

/** Numbers that an event names; all of them are counted. */
const maximumNumbers = 100;

/** Queues `trunk.unreachable` and `trunk.recovered` for the organizations whose numbers use these servers. */
export async function queueTrunkEvents(
  transaction: Transaction<Database>,
  changes: readonly EndpointHealth[],
): Promise<void> {
  if (changes.length === 0) return;
  const numbers = await transaction
    .selectFrom('configurations')
    .innerJoin('numbers', 'numbers.number', 'configurations.number')
    .select(['numbers.number', 'numbers.organization_id'])
    .distinct()
    .where('direction', '=', 'outbound')
    .where(
      sql<boolean>`exists (select from webhook_endpoints
        where webhook_endpoints.organization_id = numbers.organization_id and enabled)`,
    )
    .orderBy('numbers.number')
    .execute();
  if (numbers.length === 0) return;
  const names = await readEndpointNames(
    transaction,
    numbers.map(({ number }) => number),
  );
  const events = changes.flatMap((check) => {
    const users = new Map<string, string[]>();
    for (const { number, organization_id: organization } of numbers) {
      if (names.get(number)?.includes(check.endpoint) !== true) continue;
      users.set(organization, [...(users.get(organization) ?? []), number]);
    }
    return [...users].map(([organization, own]) => eventOf(check, organization, own));
  });
  await queueEvents(transaction, events);
}

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
