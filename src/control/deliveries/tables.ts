import type { ColumnType, Generated } from 'kysely';

export const channels = ['email', 'sms', 'webhook'] as const;
export type Channel = (typeof channels)[number];

export const deliveryEvents = [
  'alert.fired',
  'alert.recovered',
  'alert.test',
  'call.completed',
  'call.lost',
] as const;
export type DeliveryEvent = (typeof deliveryEvents)[number];

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** What is sent; which of them is there depends on the channel. */
export interface DeliveryContent {
  /** Of a mail. */
  readonly title?: string;
  /** Of a mail or an SMS. */
  readonly text?: string;
  /** Of a webhook. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** One thing to tell one recipient. */
export interface DeliveriesTable {
  id: string;
  organization_id: string;
  event: DeliveryEvent;
  /** Id of the call or the alert. */
  subject: string;
  channel: Channel;
  /** Mail address, E.164 number or URL; empty where the organization has none. */
  target: string;
  /** Null: made of the call when it is sent. */
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
  /** When it goes to the queue, again if need be: what Redis lost is found by it. */
  queue_at: ColumnType<Date, Date | undefined, Date>;
}

export interface WebhookSecretsTable {
  organization_id: string;
  /** Sealed (`contract/secret.ts`). */
  secret: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

export interface DeliveryTables {
  deliveries: DeliveriesTable;
  webhook_secrets: WebhookSecretsTable;
}
