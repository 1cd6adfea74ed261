import { signal } from '@preact/signals';
import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { AlertConfig, Direction } from './trunks.js';

export type { Alert } from '../../../clients/typescript/src/index.js';
export type Notice = api.Alert['notices'][number];
export type AlertPage = api.ListAlertsAnswer['data'];

/** Number of open alerts; undefined when not known. */
export const activeAlerts = signal<number | undefined>(undefined);

export async function readAlerts(filter: api.ListAlertsQuery, signal?: AbortSignal): Promise<AlertPage> {
  const page = await ask(demarc.listAlerts(filter, { signal }));
  if (filter.phone_number === undefined) activeAlerts.value = page.active_count;
  return page;
}

export type AlertTest = api.TestAlertsAnswer['data'];

export const testAlerts = (phone_number: string, direction: Direction): Promise<AlertTest> =>
  ask(demarc.testAlerts({ phone_number, direction }));

export type Contacts = api.GetAlertContactsAnswer['data'];

export const readContacts = (signal?: AbortSignal): Promise<Contacts> =>
  ask(demarc.getAlertContacts({ signal }));

export const saveContacts = (contacts: Contacts): Promise<Contacts> =>
  ask(demarc.updateAlertContacts(contacts));

/** null removes the configuration. */
export const saveAlertConfig = (
  phone_number: string,
  direction: Direction,
  alert_config: AlertConfig | null,
): Promise<unknown> => ask(demarc.configureDirection({ phone_number, direction, alert_config }));
