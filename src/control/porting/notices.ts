import type { Transaction } from 'kysely';
import type { Database } from '../database/tables.js';
import { addDeliveries } from '../deliveries/delivery-storage.js';
import { queueEvents } from '../deliveries/queue-events.js';
import { eventId } from '../events/event.js';
import { e164 } from '../http/phone-number.js';
import { numbersOf, type PortNumber, type PortRequest } from './port-rows.js';
import { type PortStatus, portStatuses } from './port-status.js';
import { portView } from './port-view.js';

const titles: Readonly<Record<PortStatus, string>> = {
  waiting_for_signature: 'waiting for signature',
  submitted: 'signed and submitted',
  in_progress: 'in progress at the losing carrier',
  completed: 'completed',
  failed: 'failed',
  canceled: 'canceled',
};

const advice: Readonly<Record<PortStatus, string>> = {
  waiting_for_signature:
    'The authorized representative has been asked by mail to sign the Letter of Authorization.',
  submitted:
    'The request is on its way to the losing carrier. Keep the service there active until the port is completed.',
  in_progress:
    'The losing carrier is processing it. Keep the service there active until the port is completed.',
  completed: 'The ported numbers are inbound numbers of your organization now.',
  failed: 'Correct the problem named in the reason, then start a new request.',
  canceled: 'No numbers were moved. You can start a new request at any time.',
};

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
  const content = mailOf(request, numbers, reason);
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

function mailOf(request: PortRequest, numbers: readonly PortNumber[], reason: string) {
  const [first] = numbers;
  const more = numbers.length > 1 ? ` and ${numbers.length - 1} more` : '';
  return {
    title: `[Demarc] Port of ${e164(first!.number)}${more}: ${titles[request.status]}`,
    text: [
      `Request: ${request.id}`,
      ...(reason === '' ? [] : [`Reason: ${reason}`]),
      ...numbers.map(
        ({ number, status, reason: why }) =>
          `${e164(number)}: ${titles[status]}${why === null || why === reason ? '' : ` (${why})`}`,
      ),
      '',
      advice[request.status],
      '',
    ].join('\n'),
  };
}
