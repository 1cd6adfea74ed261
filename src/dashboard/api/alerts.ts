import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';
import type { AlertConfig, Direction } from './trunks.js';

export type Alert = api.Alert;
export type Notice = api.Alert['notices'][number];
export type AlertPage = api.ListAlertsAnswer['data'];

export const readAlerts = (filter: api.ListAlertsQuery, signal?: AbortSignal): Promise<AlertPage> =>
  ask(demarc.listAlerts(filter, { signal }));

/** Assigns an alert, or mutes its notices. */
export const handleAlert = (alert_id: string, change: api.UpdateAlertBody): Promise<Alert> =>
  ask(demarc.updateAlert({ alert_id }, change));

export type AlertTest = api.TestAlertsAnswer['data'];

export const testAlerts = (phone_number: string, direction: Direction): Promise<AlertTest> =>
  ask(demarc.testAlerts({ phone_number, direction }));

export type Contacts = api.GetAlertContactsAnswer['data'];

export const readContacts = (signal?: AbortSignal): Promise<Contacts> =>
  ask(demarc.getAlertContacts({ signal }));

/** Replaces the contacts of one channel. */
export const contactsOf =
  (channel: 'email' | 'sms', list: string[]): ApiRequest<Contacts> =>
  (client) =>
    client.updateAlertContacts(channel === 'email' ? { emails: list } : { phone_numbers: list });

export type ContactTest = api.TestAlertContactAnswer['data'];

export const testContact = (channel: 'email' | 'sms', contact: string): Promise<ContactTest> =>
  ask(demarc.testAlertContact(channel === 'email' ? { email: contact } : { phone_number: contact }));

/** null removes the configuration. */
export const alertConfigOf =
  (phone_number: string, direction: Direction, alert_config: AlertConfig | null): ApiRequest =>
  (client) =>
    client.configureDirection({ phone_number, direction, alert_config });
