import type { Kysely } from 'kysely';
import type { NoticeSettings } from '../../config/notice-settings.js';
import type { SecretBox } from '../../contract/secret.js';
import type { Database } from '../database/tables.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { type ComposeMail, MailSender } from './mail-sender.js';
import { type Delivery, type Sender, unconfigured } from './sender.js';
import { SmsSender } from './sms-sender.js';
import type { Channel } from './tables.js';
import { WebhookSender } from './webhook/webhook-sender.js';

export interface SenderDeps {
  readonly settings: NoticeSettings;
  readonly database: Kysely<Database>;
  readonly secrets: SecretBox;
  readonly bodyOf: (delivery: Delivery) => Promise<Readonly<Record<string, unknown>> | undefined>;
  readonly mailOf: ComposeMail;
  /** Absent: webhooks make no spans. */
  readonly telemetry?: Telemetry | undefined;
}

export type Senders = Readonly<Record<Channel, Sender>>;

/** One sender per channel. Throws when the mail server's CA file cannot be read. */
export const sendersOf = ({ settings, mailOf, ...deps }: SenderDeps): Senders => ({
  webhook: new WebhookSender({ settings: settings.webhook, ...deps }),
  email: settings.smtp === undefined ? unconfigured('mail') : new MailSender(settings.smtp, mailOf),
  sms: settings.sms === undefined ? unconfigured('SMS') : new SmsSender(settings.sms),
});
