import { z } from 'zod';
import { flag, whole } from './environment.js';
import type { OwnListeners } from './own-listeners.js';

/** Also that user and password are percent-encoded where they must be: `#` or `/` of a password would end the host. */
function isReadableUrl(text: string): boolean {
  try {
    const { hostname, username, password } = new URL(text);
    return hostname !== '' && !decodeURIComponent(username + password).includes('\0');
  } catch {
    return false;
  }
}

/** Variables for notifications that control sends to customers: webhooks, mail, SMS; each default with its reason. */
export const noticeVariables = {
  /** Where people reach the dashboard, for links in notices; absent: the address that control listens on. */
  DEMARC_PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be http://… or https://…' })
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  /** Customers choose the addresses of webhooks: they must not make control speak to its own network. */
  DEMARC_WEBHOOK_ALLOW_PRIVATE: flag.default(false),
  /** Where customers can name private addresses, the log of deliveries would show them what answers there. */
  DEMARC_WEBHOOK_SHOW_PRIVATE: flag.default(false),
  /** A receiver that has not answered by then does its work before it answers, which it should not. */
  DEMARC_WEBHOOK_TIMEOUT_MS: whole(100, 60_000).default(10_000),
  /** With the wait below, doubled each time and an hour at most, the last attempt is five hours after the first. */
  DEMARC_DELIVERY_ATTEMPTS: whole(1, 50).default(14),
  /** After the first failure. */
  DEMARC_DELIVERY_RETRY_MS: whole(10, 600_000).default(5_000),

  /** For one receiver. The oldest of more are failed and can be replayed: a backlog of days helps no receiver. */
  DEMARC_DELIVERY_PENDING: whole(100, 1_000_000).default(20_000),

  /** Longer than a weekend during which the receiver is unattended. */
  DEMARC_WEBHOOK_DISABLE_HOURS: whole(1, 720).default(72),

  /** `smtp://user:password@host:587` or `smtps://…`; absent: no mail. */
  DEMARC_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^\s/]+/, 'must be smtp://… or smtps://…')
    .refine(
      isReadableUrl,
      'is not a valid URL: percent-encode special characters in the password, such as # as %23',
    )
    .optional(),
  DEMARC_SMTP_FROM: z.string().min(3).max(320).optional(),
  /** PEM of a mail server's own authority. */
  DEMARC_SMTP_CA: z.string().optional(),

  /** Twilio's API or one that is made like it. */
  DEMARC_SMS_URL: z.url({ protocol: /^https?$/ }).default('https://api.twilio.com'),
  DEMARC_SMS_ACCOUNT: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be letters and digits')
    .optional(),
  DEMARC_SMS_TOKEN: z.string().optional(),
  /** A number, or the id of a messaging service (`MG…`). */
  DEMARC_SMS_FROM: z.string().max(64).optional(),

  /** Probes come once a minute; four looks in that time lose nothing of it. */
  DEMARC_ALERT_INTERVAL_SECONDS: whole(1, 300).default(15),
} as const;

type Read = z.output<z.ZodObject<typeof noticeVariables>>;

export interface SmtpSettings {
  readonly url: string;
  readonly from: string;
  readonly caFile: string | undefined;
}

export interface SmsSettings {
  readonly url: string;
  readonly account: string;
  readonly token: string;
  readonly from: string;
}

export interface NoticeSettings {
  /** Without a slash at the end. */
  readonly publicUrl: string | undefined;
  readonly webhook: {
    readonly allowPrivate: boolean;
    /** Whether customers see the responses of private addresses. */
    readonly showPrivateResponses: boolean;
    readonly timeoutMilliseconds: number;
  } & OwnListeners;
  readonly delivery: {
    readonly attempts: number;
    readonly retryMilliseconds: number;
    /** Deliveries that may wait for one receiver. */
    readonly pendingLimit: number;
    /** A webhook endpoint for which nothing got through for so long is disabled. */
    readonly disableAfterHours: number;
  };
  readonly smtp: SmtpSettings | undefined;
  readonly sms: SmsSettings | undefined;
  readonly alertIntervalMilliseconds: number;
}

/** What is given without what it needs; empty: nothing. */
export function noticeProblems(read: Read): string[] {
  const problems: string[] = [];
  if ((read.DEMARC_SMTP_URL === undefined) !== (read.DEMARC_SMTP_FROM === undefined)) {
    problems.push('DEMARC_SMTP_URL and DEMARC_SMTP_FROM: set both or neither');
  }
  const sms = [read.DEMARC_SMS_ACCOUNT, read.DEMARC_SMS_TOKEN, read.DEMARC_SMS_FROM];
  if (sms.some((value) => value !== undefined) && sms.includes(undefined)) {
    problems.push('DEMARC_SMS_ACCOUNT, DEMARC_SMS_TOKEN and DEMARC_SMS_FROM: set all three or none');
  }
  return problems;
}

/** After `noticeProblems` has found none. */
export function noticeSettings(read: Read, own: OwnListeners): NoticeSettings {
  const { DEMARC_SMS_ACCOUNT: account, DEMARC_SMS_TOKEN: token, DEMARC_SMS_FROM: smsFrom } = read;
  const { DEMARC_SMTP_URL: smtpUrl, DEMARC_SMTP_FROM: smtpFrom } = read;
  return {
    publicUrl: read.DEMARC_PUBLIC_URL,
    webhook: {
      allowPrivate: read.DEMARC_WEBHOOK_ALLOW_PRIVATE,
      showPrivateResponses: read.DEMARC_WEBHOOK_SHOW_PRIVATE,
      timeoutMilliseconds: read.DEMARC_WEBHOOK_TIMEOUT_MS,
      ...own,
    },
    delivery: {
      attempts: read.DEMARC_DELIVERY_ATTEMPTS,
      retryMilliseconds: read.DEMARC_DELIVERY_RETRY_MS,
      pendingLimit: read.DEMARC_DELIVERY_PENDING,
      disableAfterHours: read.DEMARC_WEBHOOK_DISABLE_HOURS,
    },
    smtp:
      smtpUrl === undefined || smtpFrom === undefined
        ? undefined
        : { url: smtpUrl, from: smtpFrom, caFile: read.DEMARC_SMTP_CA },
    sms:
      account === undefined || token === undefined || smsFrom === undefined
        ? undefined
        : { url: read.DEMARC_SMS_URL.replace(/\/+$/, ''), account, token, from: smsFrom },
    alertIntervalMilliseconds: read.DEMARC_ALERT_INTERVAL_SECONDS * 1_000,
  };
}
