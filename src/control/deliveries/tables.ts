import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import { eventTypes } from '../events/event-types.js';

export const channels = ['email', 'sms', 'webhook'] as const;
export type Channel = (typeof channels)[number];

/** Events of endpoints, tests of alert receivers, and ordered calls that were given up as lost. */
export const deliveryEvents = [
  ...eventTypes,
  'alert.test',
  'call.lost',
  'port.signature_request',
  'port.signed_copy',
  'agent_test.run_completed',
  'agent_test.batch_completed',
  'agent_test.simulation_set_completed',
  'agent_test.load_test_completed',
] as const;
export type DeliveryEvent = (typeof deliveryEvents)[number];

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The content; which fields are set depends on the channel. */
export interface DeliveryContent {
  /** Mail only. */
  readonly title?: string;
  /** Mail and SMS. */
  readonly text?: string;
  /** Webhook only. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** One message to one recipient. */
export interface DeliveriesTable {
  id: string;
  organization_id: string;
  event: DeliveryEvent;
  /** Id of the call or the alert. */
  subject: string;
  channel: Channel;
  /** Mail address, E.164 number or URL; empty where the organization has none. */
  target: string;
  /** Null: built from the call when it is sent. */
  content: ColumnType<DeliveryContent | null, string | null | undefined, never>;
  status: Generated<DeliveryStatus>;
  attempts: Generated<number>;
  /** HTTP or SMTP status of the last attempt. */
  last_status: number | null;
  last_error: string | null;
  created_at: ColumnType<Date, Date | undefined, never>;
  last_attempt_at: Date | null;
  next_attempt_at: Date | null;
  delivered_at: Date | null;
  /** The webhook endpoint that it is for; null: the webhook of an order or an alert, a mail or an SMS. */
  endpoint_id: string | null;
  /** Of an endpoint's delivery: names what happened, the same for every endpoint. */
  event_id: string | null;
  /** When it is due; while a process sends it, when another one may take it over. */
  queue_at: ColumnType<Date, Date | undefined, Date>;
}

/** One attempt of a delivery; attempts of a replay are added to the earlier ones. */
export interface DeliveryAttemptsTable {
  id: GeneratedAlways<string>;
  delivery_id: string;
  attempted_at: Date;
  /** HTTP or SMTP status; null: no response. */
  status: number | null;
  /** Null: delivered. */
  error: string | null;
  milliseconds: number;
  /** Of a webhook, as long as exchanges are kept. */
  request_head: string | null;
  response_head: string | null;
  response_body: string | null;
}

/** A receiver whose last attempts had no response in their time. */
export interface SilentReceiversTable {
  organization_id: string;
  /** `delivery_receiver` of a delivery: the endpoint's id, the origin of a URL, or the channel. */
  receiver: string;
  /** In a row. */
  timeouts: number;
  silent_since: Date;
  /** When a delivery finds out whether it responds again, while the others wait; null: not paused yet. */
  paused_until: Date | null;
}

export interface WebhookSecretsTable {
  organization_id: string;
  /** Sealed (`contract/secret.ts`). */
  secret: string;
  /** The previous secret, valid until `previous_until`. */
  previous_secret: string | null;
  previous_until: Date | null;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

declare module '../database/tables.js' {
  interface Database {
    deliveries: DeliveriesTable;
    delivery_attempts: DeliveryAttemptsTable;
    silent_receivers: SilentReceiversTable;
    webhook_secrets: WebhookSecretsTable;
  }
}
