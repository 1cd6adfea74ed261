import type { ControlSettings } from '../../config/control-settings.js';
import type { NewDelivery } from '../deliveries/delivery-storage.js';
import { eventId, type OccurredEvent } from '../events/event.js';
import type { StoredAlerts } from '../numbers/tables.js';
import { type AlertRow, type AlertView, alertView } from './alert-view.js';
import { type Contacts, noContacts } from './contacts.js';
import { mutedKey } from './handling.js';
import { noticeDeliveries } from './notices.js';
import { keyOf } from './watched.js';

export interface AlertChange {
  readonly change: 'fired' | 'recovered' | 'closed';
  readonly organizationId: string;
  readonly alert: AlertView;
  /** Recorded only: its notices wait for the end of a maintenance window, or its beginning was never sent. */
  readonly isWithheld: boolean;
}

export const changeOf = (
  change: AlertChange['change'],
  settings: ControlSettings,
  row: AlertRow,
): AlertChange => ({
  change,
  organizationId: row.organization_id,
  alert: alertView(settings, row, []),
  isWithheld: row.is_withheld,
});

/** Whether contacts are notified: a closed alert's threshold is no longer configured. */
export const isAnnounced = ({ change, isWithheld }: AlertChange): boolean =>
  change !== 'closed' && !isWithheld;

/** Where notices of alerts go. */
export interface NoticeReceivers {
  /** By `keyOf` of the threshold. */
  readonly channels: ReadonlyMap<string, StoredAlerts['channels']>;
  /** By organization. */
  readonly contacts: ReadonlyMap<string, Contacts>;
  /** `mutedKey` of the thresholds. */
  readonly muted: ReadonlySet<string>;
}

/** The notices of announced changes; muted alerts have none. */
export const noticesOf = (
  announced: readonly AlertChange[],
  { channels, contacts, muted }: NoticeReceivers,
): NewDelivery[] =>
  announced.flatMap(({ change, organizationId, alert }) => {
    const key = keyOf({ ...alert, number: alert.phone_number.slice(1) });
    if (muted.has(mutedKey(organizationId, key))) return [];
    return noticeDeliveries(change === 'fired' ? 'alert.fired' : 'alert.recovered', alert, {
      organizationId,
      channels: channels.get(key) ?? {},
      contacts: contacts.get(organizationId) ?? noContacts,
    });
  });

/** Of a change that is announced. */
export function eventOf({ change, organizationId, alert }: AlertChange): OccurredEvent {
  const event = change === 'fired' ? 'alert.fired' : 'alert.recovered';
  const { notices: _, ...shown } = alert;
  return {
    organizationId,
    subject: alert.alert_id,
    event_id: eventId(event, alert.alert_id),
    event,
    occurred_at: (change === 'fired' ? alert.fired_at : alert.recovered_at) ?? alert.fired_at,
    sequence: change === 'fired' ? 1 : 2,
    data: shown,
  };
}
