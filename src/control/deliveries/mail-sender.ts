import { readFileSync } from 'node:fs';
import { createTransport, type Transporter } from 'nodemailer';
import { withinOrThrow } from '../../base/within.js';
import type { SmtpSettings } from '../../config/notice-settings.js';
import { type Delivery, failed, type Outcome, type Sender } from './sender.js';

const connectMilliseconds = 10_000;
const idleMilliseconds = 20_000;
/** Of a whole attempt: a server may send an octet now and then. */
const attemptMilliseconds = 60_000;

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
}

export interface Mail {
  readonly title?: string;
  readonly text?: string;
  readonly attachments?: readonly { readonly filename: string; readonly content: Buffer }[];
}

/** A mail that is not stored with its delivery; undefined: nothing left to send. */
export type ComposeMail = (delivery: Delivery) => Promise<Mail | undefined>;

/** Of an `smtp://` or `smtps://` URL. @param ca trusted beside the usual authorities; undefined: none */
export function transportOptions(text: string, ca: Buffer | undefined) {
  const url = new URL(text);
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: user !== '',
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionTimeout: connectMilliseconds,
    greetingTimeout: connectMilliseconds,
    socketTimeout: idleMilliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const;
}

/** Of the sender's address, for message ids. */
export const domainOf = (from: string): string => /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'demarc.invalid';

/** Sends a plain-text mail by SMTP. Credentials are sent only over an encrypted connection. */
export class MailSender implements Sender {
  private readonly transport: Transporter;
  private readonly domain: string;

  /** Throws when the CA file cannot be read. */
  constructor(
    private readonly settings: SmtpSettings,
    private readonly compose: ComposeMail,
  ) {
    const ca = settings.caFile === undefined ? undefined : readFileSync(settings.caFile);
    this.transport = createTransport(transportOptions(settings.url, ca));
    this.domain = domainOf(settings.from);
  }

  async send(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    const { id, target } = delivery;
    const mail: Mail | undefined = delivery.content ?? (await this.compose(delivery));
    if (mail === undefined) return failed('There is nothing to send any more', null, true);
    const stopped = new Promise<Outcome>((resolve) => {
      if (signal.aborted) resolve({ kind: 'interrupted' });
      else signal.addEventListener('abort', () => resolve({ kind: 'interrupted' }), { once: true });
    });
    const sent = this.transport
      .sendMail({
        from: this.settings.from,
        to: { name: '', address: target },
        subject: mail.title ?? '',
        text: mail.text ?? '',
        ...(mail.attachments === undefined ? {} : { attachments: [...mail.attachments] }),
        // The same Message-ID for each attempt, so that mailboxes can drop duplicates.
        messageId: `<${id}@${this.domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      .then(({ response }): Outcome => ({ kind: 'delivered', status: smtpStatusOf(response) }), refused);
    return withinOrThrow(attemptMilliseconds, Promise.race([sent, stopped]), 'late').catch(() => ({
      ...failed('The mail server did not respond in time'),
      isSilent: true,
    }));
  }
}

/** The status at the beginning of an SMTP response; null: it has none. */
export const smtpStatusOf = (response: string | undefined): number | null => {
  const status = Number(/^(\d{3})/.exec(response ?? '')?.[1]);
  return Number.isNaN(status) ? null : status;
};

/** What an error of the mail server or of the connection to it comes to. */
export function refused(error: SmtpError): Outcome {
  const status = error.responseCode ?? null;
  const isOfRecipient = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
  if (isOfRecipient && status !== null) {
    // RFC 5321 §4.2.1: 5yz is permanent.
    return failed(`The mail server refused the message with ${status}`, status, status >= 500);
  }
  if (error.code === 'EAUTH')
    return failed('The mail server refused Demarc’s user name and password', status);
  if (error.code === 'ETLS') return failed('The mail server offers no trusted encryption', status);
  const isSilent = error.code === 'ETIMEDOUT';
  return { ...failed(`The mail server was unreachable (${error.code ?? error.name})`, status), isSilent };
}
