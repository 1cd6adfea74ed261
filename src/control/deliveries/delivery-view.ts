import { z } from 'zod';
import type { Delivery } from './sender.js';
import { channels, deliveryEvents, deliveryStatuses } from './tables.js';

const moment = z.iso.datetime();

export const deliverySchema = z
  .object({
    delivery_id: z.string(),
    event: z.enum(deliveryEvents),
    subject: z.string().meta({
      description: 'Subject of the event: call_id, alert_id, server, or the name of a registration',
    }),
    webhook_id: z.string().nullable().meta({
      description: 'The endpoint; null: the webhook of an order or alert, an email or an SMS',
    }),
    event_id: z.string().nullable().meta({ description: 'event_id of the body, for an endpoint’s delivery' }),
    channel: z.enum(channels),
    target: z.string().meta({ description: 'Address, number or URL without its query' }),
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

export const deliveryDetailSchema = deliverySchema
  .extend({
    body: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'The body; null: created from the call when sent' }),
    attempt_log: z
      .array(
        z.object({
          at: moment.meta({ description: 'When the attempt ended' }),
          status: z.int().nullable().meta({ description: 'HTTP or SMTP status; null: no response' }),
          error: z.string().nullable().meta({ description: 'Why it failed; null: delivered' }),
          milliseconds: z.int().meta({ description: 'Duration of the attempt in milliseconds' }),
          request_head: z.string().nullable().meta({
            description:
              'Request line and headers of a webhook, without the query; null: not sent, or older than 7 days',
          }),
          response_head: z.string().nullable().meta({
            description:
              'Status line and headers of the response, without cookies; null: no response, older than 7 days, or from a private address (DEMARC_WEBHOOK_SHOW_PRIVATE)',
          }),
          response_body: z
            .string()
            .nullable()
            .meta({ description: 'First 2 KB of the response; null like `response_head`' }),
        }),
      )
      .meta({ description: 'Attempts including those before a replay, latest first, at most 100' }),
  })
  .meta({ id: 'DeliveryDetail' });

export type DeliveryView = z.infer<typeof deliverySchema>;

/** The URL without its query, which often carries tokens. */
export function shownTarget({ channel, target }: Pick<Delivery, 'channel' | 'target'>): string {
  return channel === 'webhook' ? target.replace(/[?#].*$/s, '?…') : target;
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export const deliveryView = (row: Omit<Delivery, 'content'>): DeliveryView => ({
  delivery_id: row.id,
  event: row.event,
  subject: row.subject,
  webhook_id: row.endpoint_id,
  event_id: row.event_id,
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

export const deliveryDetailView = (
  row: Delivery,
  attempts: readonly {
    readonly attempted_at: Date;
    readonly status: number | null;
    readonly error: string | null;
    readonly milliseconds: number;
    readonly request_head: string | null;
    readonly response_head: string | null;
    readonly response_body: string | null;
  }[],
): z.infer<typeof deliveryDetailSchema> => ({
  ...deliveryView(row),
  body: row.content?.body ?? null,
  attempt_log: attempts.map(({ attempted_at, ...attempt }) => ({
    at: attempted_at.toISOString(),
    ...attempt,
  })),
});
