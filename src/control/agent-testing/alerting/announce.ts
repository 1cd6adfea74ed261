import type { Transaction } from 'kysely';
import { contactDeliveries, noContacts, readContacts } from '../../alerts/index.js';
import type { Database } from '../../database/tables.js';
import { addDeliveries } from '../../deliveries/delivery-storage.js';
import { queueEvents } from '../../deliveries/queue-events.js';
import { eventId } from '../../events/event.js';
import type { EventType } from '../../events/event-types.js';
import type { Notice } from './notice.js';

/** What has begun to fail, or passes again. */
export interface Announcement {
  readonly organizationId: string;
  readonly id: string;
  readonly event: EventType;
  /** As the API shows it. */
  readonly data: Readonly<Record<string, unknown>>;
  /** For the alert contacts; null: they are not notified. */
  readonly notice: Notice | null;
  readonly at: Date;
}

/** Sends the event to webhook endpoints, and a mail and an SMS to the alert contacts. */
export async function announce(
  transaction: Transaction<Database>,
  { organizationId, id, event, data, notice, at }: Announcement,
): Promise<void> {
  await queueEvents(transaction, [
    {
      organizationId,
      subject: id,
      event_id: eventId(event, id, at.getTime()),
      event,
      occurred_at: at.toISOString(),
      sequence: at.getTime(),
      data,
    },
  ]);
  if (notice === null) return;
  const contacts = (await readContacts(transaction, [organizationId])).get(organizationId) ?? noContacts;
  const subject = `${id} ${at.toISOString()}`;
  await addDeliveries(transaction, contactDeliveries({ organizationId, event, subject }, notice, contacts));
}
