import { signal } from '@preact/signals';
import * as z from 'zod/mini';
import { ask, query } from './client.js';
import type { AlertConfig } from './trunks.js';

const figure = z.nullable(z.number());
const text = z.nullable(z.string());

const noticeSchema = z.object({
  delivery_id: z.string(),
  event: z.string(),
  channel: z.string(),
  target: z.string(),
  status: z.string(),
  attempts: z.number(),
  last_status: figure,
  last_error: text,
  created_at: z.string(),
  delivered_at: text,
});
export type Notice = z.infer<typeof noticeSchema>;

const alertSchema = z.object({
  alert_id: z.string(),
  phone_number: z.string(),
  direction: z.string(),
  kind: z.string(),
  state: z.string(),
  title: z.string(),
  summary: z.string(),
  cause: z.string(),
  advice: z.string(),
  since: z.string(),
  fired_at: z.string(),
  recovered_at: text,
  measured: figure,
  threshold: z.number(),
  unit: z.string(),
  notices: z.array(noticeSchema),
});
export type Alert = z.infer<typeof alertSchema>;

const pageSchema = z.object({
  alerts: z.array(alertSchema),
  has_more: z.boolean(),
  active_count: z.number(),
});
export type AlertPage = z.infer<typeof pageSchema>;

/** How many alerts stand; undefined: not known. */
export const activeAlerts = signal<number | undefined>(undefined);

interface AlertFilter {
  readonly phone_number?: string | undefined;
  readonly state?: string | undefined;
  readonly limit: number;
  readonly before?: string | undefined;
}

export async function readAlerts(filter: AlertFilter, abort?: AbortSignal): Promise<AlertPage> {
  const page = await ask(pageSchema, `/v1/sip/alerts${query({ ...filter })}`, {
    ...(abort && { signal: abort }),
  });
  if (filter.phone_number === undefined) activeAlerts.value = page.active_count;
  return page;
}

const testSchema = z.object({
  channels: z.array(
    z.object({
      channel: z.string(),
      target: text,
      status: z.string(),
      detail: z.string(),
      last_status: figure,
      milliseconds: z.number(),
    }),
  ),
});
export type AlertTest = z.infer<typeof testSchema>;

export const testAlerts = (phoneNumber: string, direction: string): Promise<AlertTest> =>
  ask(testSchema, '/v1/sip/alerts/test', {
    method: 'POST',
    body: { phone_number: phoneNumber, direction },
  });

const contactsSchema = z.object({ emails: z.array(z.string()), phone_numbers: z.array(z.string()) });
export type Contacts = z.infer<typeof contactsSchema>;

export const readContacts = (abort?: AbortSignal): Promise<Contacts> =>
  ask(contactsSchema, '/v1/sip/alerts/contacts', { ...(abort && { signal: abort }) });

export const saveContacts = (contacts: Contacts): Promise<Contacts> =>
  ask(contactsSchema, '/v1/sip/alerts/contacts', { method: 'PATCH', body: contacts });

/** null takes the configuration away. */
export const saveAlertConfig = (
  phoneNumber: string,
  direction: string,
  config: AlertConfig | null,
): Promise<unknown> =>
  ask(z.unknown(), '/v1/sip/config', {
    method: 'PATCH',
    body: { phone_number: phoneNumber, direction, alert_config: config },
  });
