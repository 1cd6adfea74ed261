import type { Transaction } from 'kysely';
import type { Database } from '../database/tables.js';
import { addDeliveries } from '../deliveries/delivery-storage.js';
import { queueEvents } from '../deliveries/queue-events.js';
import { eventId } from '../events/event.js';
import { portMail } from './port-mail.js';
import { numbersOf, type PortRequest } from './port-rows.js';
import { portStatuses } from './port-status.js';
import { portView } from './port-view.js';

/** Queues what a change of state tells: `port.*` to webhook endpoints, and a mail to each address of the request. */
export async function noticesOf(
  transaction: Transaction<Database>,
  request: PortRequest,
  reason: string,
): Promise<void> {
  const numbers = await numbersOf(transaction, request.id);
  const event = `port.${request.status}` as const;
  await queueEvents(transaction, [
    {
      organizationId: request.organization_id,
      subject: request.id,
      event_id: eventId(event, request.id),
      event,
      occurred_at: request.updated_at.toISOString(),
      sequence: portStatuses.indexOf(request.status) + 1,
      data: { ...portView(request, numbers), reason },
    },
  ]);
  const content = portMail(request, numbers, reason);
  await addDeliveries(
    transaction,
    request.notification_emails.map((target) => ({
      organizationId: request.organization_id,
      event,
      subject: request.id,
      channel: 'email' as const,
      target,
      content,
    })),
  );
}
