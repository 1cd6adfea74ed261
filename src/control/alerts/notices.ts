import type { NewDelivery } from '../deliveries/delivery-storage.js';
import { e164 } from '../http/phone-number.js';
import type { StoredAlerts } from '../numbers/tables.js';
import type { AlertView } from './alert-view.js';
import type { Contacts } from './contacts.js';
import type { AlertKind } from './tables.js';
import { durationText } from './trunk-findings.js';

export type NoticeEvent = 'alert.fired' | 'alert.recovered' | 'alert.test';

type Subject = Pick<AlertView, 'kind' | 'direction'>;

const titles: Readonly<Record<AlertKind, string>> = {
  unreachable: 'the trunk is unreachable',
  failure_rate: 'too many calls fail',
  response_time: 'the trunk responds slowly',
};

const recoveredTitles: Readonly<Record<AlertKind, string>> = {
  unreachable: 'the trunk is reachable again',
  failure_rate: 'the failure rate is normal again',
  response_time: 'the response time is normal again',
};

/** For an inbound direction only the registration state is known. */
const isRegistration = ({ kind, direction }: Subject): boolean =>
  kind === 'unreachable' && direction === 'inbound';

/** The subject of an alert in a few words. */
export const alertTitle = (subject: Subject): string =>
  isRegistration(subject) ? 'not registered with the PBX' : titles[subject.kind];

const recoveredTitle = (subject: Subject): string =>
  isRegistration(subject) ? 'registered with the PBX again' : recoveredTitles[subject.kind];

/** `2026-11-20 17:03 UTC`. */
const momentText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

const trunkName = ({ phone_number, direction }: Pick<AlertView, 'phone_number' | 'direction'>): string =>
  `${phone_number} ${direction}`;

interface Texts {
  readonly title: string;
  /** Mail only. */
  readonly text: string;
  /** SMS text: at most two segments of 160 characters. */
  readonly short: string;
}

const shortLength = 300;

function noticeTexts(event: NoticeEvent, alert: AlertView): Texts {
  const trunk = trunkName(alert);
  switch (event) {
    case 'alert.fired': {
      const title = `[Demarc] ALERT ${trunk}: ${alertTitle(alert)}`;
      return texts(title, alert, [
        ['What', alert.summary],
        ['Since', momentText(alert.since)],
        ['Likely cause', alert.cause],
        ['What to do', alert.advice],
      ]);
    }
    case 'alert.recovered': {
      const title = `[Demarc] RECOVERED ${trunk}: ${recoveredTitle(alert)}`;
      const until = alert.recovered_at ?? alert.fired_at;
      const minutes = (Date.parse(until) - Date.parse(alert.since)) / 60_000;
      return texts(title, alert, [
        [
          'What',
          `It lasted ${durationText(minutes)}, from ${momentText(alert.since)} to ${momentText(until)}.`,
        ],
        ['It was', alert.summary],
        ['Likely cause', alert.cause],
        ['What to do', 'Nothing.'],
      ]);
    }
    case 'alert.test':
      return texts(`[Demarc] TEST ${trunk}: test of the alerts`, alert, [
        ['What', alert.summary],
        ['What to do', alert.advice],
      ]);
  }
}

function texts(
  title: string,
  alert: Pick<AlertView, 'dashboard_url'>,
  parts: readonly (readonly [string, string])[],
): Texts {
  const text = [
    ...parts.map(([name, value]) => `${name}: ${value}`),
    '',
    `Dashboard: ${alert.dashboard_url}`,
    '',
  ].join('\n');
  const link = ` ${alert.dashboard_url}`;
  const short = `${title.replace('[Demarc] ', 'Demarc ')}. ${parts[0]?.[1] ?? ''}`;
  const room = shortLength - link.length;
  return { title, text, short: `${short.length > room ? `${short.slice(0, room - 1)}…` : short}${link}` };
}

export interface NoticeAddressing {
  readonly organizationId: string;
  readonly channels: StoredAlerts['channels'];
  readonly contacts: Contacts;
}

/** One delivery per recipient; a channel without recipients gets one failed delivery that says so. */
export function noticeDeliveries(
  event: NoticeEvent,
  alert: AlertView,
  { organizationId, channels, contacts }: NoticeAddressing,
): NewDelivery[] {
  const { title, text, short } = noticeTexts(event, alert);
  const common = { organizationId, event, subject: alert.alert_id };
  const found: NewDelivery[] = [];
  if (channels.email === true) {
    const content = { title, text };
    for (const target of contacts.emails) found.push({ ...common, channel: 'email', target, content });
    if (contacts.emails.length === 0) {
      found.push({ ...common, channel: 'email', target: '', content, impossible: missing('email address') });
    }
  }
  if (channels.sms === true) {
    const content = { text: short };
    for (const digits of contacts.phoneNumbers)
      found.push({ ...common, channel: 'sms', target: e164(digits), content });
    if (contacts.phoneNumbers.length === 0) {
      found.push({ ...common, channel: 'sms', target: '', content, impossible: missing('phone number') });
    }
  }
  if (channels.webhook !== undefined) {
    const { notices: _, ...shown } = alert;
    const body = { event, alert: shown, text };
    found.push({ ...common, channel: 'webhook', target: channels.webhook, content: { body } });
  }
  return found;
}

/** A test of contacts, without a trunk: one delivery each. */
export function contactTestDeliveries(
  subject: string,
  dashboardUrl: string,
  { organizationId, contacts }: Omit<NoticeAddressing, 'channels'>,
): NewDelivery[] {
  const title = '[Demarc] TEST: test of an alert contact';
  const { text, short } = texts(title, { dashboard_url: dashboardUrl }, [
    ['What', 'A test of this alert contact was requested. No trunk has a problem.'],
    ['What to do', 'No action needed: alerts reach you.'],
  ]);
  return contactDeliveries(
    { organizationId, event: 'alert.test', subject },
    { title, text, short },
    contacts,
  );
}

/** One delivery for each contact of an organization. */
export const contactDeliveries = (
  common: Pick<NewDelivery, 'organizationId' | 'event' | 'subject'>,
  { title, text, short }: Texts,
  contacts: Contacts,
): NewDelivery[] => [
  ...contacts.emails.map(
    (target): NewDelivery => ({ ...common, channel: 'email', target, content: { title, text } }),
  ),
  ...contacts.phoneNumbers.map(
    (digits): NewDelivery => ({ ...common, channel: 'sms', target: e164(digits), content: { text: short } }),
  ),
];

const missing = (what: string): string => `No ${what} to notify: add one with PATCH /v1/sip/alerts/contacts`;
