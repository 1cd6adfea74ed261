import { z } from 'zod';
import type { Delivery } from './sender.js';
import { channels, deliveryEvents, deliveryStatuses } from './tables.js';

const moment = z.iso.datetime();

export const deliverySchema = z
  .object({
    delivery_id: z.string(),
    event: z.enum(deliveryEvents),
    subject: z.string().meta({ description: 'call_id or alert_id' }),
    channel: z.enum(channels),
    target: z.string().meta({ description: 'Address, number or URL; the query of a URL is not shown' }),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    last_status: z.int().nullable().meta({ description: 'HTTP or SMTP status of the last attempt' }),
    last_error: z.string().nullable(),
    created_at: moment,
    last_attempt_at: moment.nullable(),
    next_attempt_at: moment.nullable(),
    delivered_at: moment.nullable(),
  })
  .meta({ id: 'Delivery' });

export type DeliveryView = z.infer<typeof deliverySchema>;

/** A URL without its query, where people put tokens. */
export function shownTarget({ channel, target }: Pick<Delivery, 'channel' | 'target'>): string {
  return channel === 'webhook' ? target.replace(/[?#].*$/s, '?…') : target;
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export const deliveryView = (row: Omit<Delivery, 'content'>): DeliveryView => ({
  delivery_id: row.id,
  event: row.event,
  subject: row.subject,
  channel: row.channel,
  target: shownTarget(row),
  status: row.status,
  attempts: row.attempts,
  last_status: row.last_status,
  last_error: row.last_error,
  created_at: row.created_at.toISOString(),
  last_attempt_at: iso(row.last_attempt_at),
  next_attempt_at: iso(row.next_attempt_at),
  delivered_at: iso(row.delivered_at),
});
