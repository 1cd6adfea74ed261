import type { Contacts } from '../../api/alerts.js';

/** Why a channel cannot work. */
export const notSent = {
  email: 'This service cannot send email: its operator has not set DEMARC_SMTP_URL.',
  sms: 'This service cannot send SMS: its operator has not set DEMARC_SMS_ACCOUNT.',
} as const;

/** Why a channel can reach no contact; undefined: it can. */
export function problemOf(
  name: 'email' | 'sms',
  { available, emails, phone_numbers }: Contacts,
): string | undefined {
  if (!available[name]) return notSent[name];
  const isEmpty = (name === 'email' ? emails : phone_numbers).length === 0;
  return isEmpty ? 'No contact: add one under Alerts.' : undefined;
}
