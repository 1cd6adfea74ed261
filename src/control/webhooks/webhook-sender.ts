import { STATUS_CODES } from 'node:http';
import type { NoticeSettings } from '../../config/notice-settings.js';
import { SecretError } from '../../contract/secret.js';
import { EgressPolicy } from '../../naming/egress.js';
import { type Delivery, failed, type Outcome, type Sender } from '../deliveries/sender.js';
import { ForbiddenAddress, post } from './post.js';
import { type SecretParts, signatureOf, signingSecret } from './secrets.js';

export interface WebhookParts extends SecretParts {
  readonly settings: NoticeSettings['webhook'];
  /** The body of a delivery that stores none; undefined: what it tells of is gone. */
  readonly bodyOf: (delivery: Delivery) => Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** What a connection failed with, in words that say nothing of our network. */
const failures: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name of the URL has no address',
  EAI_AGAIN: 'The host name of the URL could not be looked up',
  ECONNREFUSED: 'Nobody listens at the address of the URL',
  ECONNRESET: 'The receiver closed the connection before it answered',
  EPIPE: 'The receiver closed the connection before it answered',
  EHOSTUNREACH: 'There is no route to the receiver',
  ENETUNREACH: 'There is no route to the receiver',
  ETIMEDOUT: 'The receiver did not answer in time',
  CERT_HAS_EXPIRED: 'The certificate of the receiver has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the receiver is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the receiver is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the receiver is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate of the receiver is not trusted',
};

/** Posts JSON with `X-Webhook-Signature`; any 2xx is success. */
export class WebhookSender implements Sender {
  private readonly egress: EgressPolicy;

  constructor(private readonly parts: WebhookParts) {
    this.egress = new EgressPolicy(parts.settings);
  }

  async send(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    const content = delivery.content?.body ?? (await this.parts.bodyOf(delivery));
    if (content === undefined) return failed('What it tells of is not in the history any more', null, true);
    const body = JSON.stringify(content);
    let secret: string | undefined;
    try {
      secret = await signingSecret(this.parts, delivery.organization_id);
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      return failed('The signing secret cannot be opened: create a new one');
    }
    const { timeoutMilliseconds } = this.parts.settings;
    try {
      const status = await post({
        url: delivery.target,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Demarc-Webhook/1',
          'x-webhook-id': delivery.id,
          'x-webhook-event': delivery.event,
          ...(secret === undefined ? {} : { 'x-webhook-signature': signatureOf(secret, body) }),
        },
        body,
        timeoutMilliseconds,
        egress: this.egress,
        signal,
      });
      return outcomeOf(status);
    } catch (error) {
      if (error instanceof ForbiddenAddress) return failed(error.message, null, true);
      if (signal.aborted) return { kind: 'interrupted' };
      return failed(describe(error as Error, timeoutMilliseconds));
    }
  }
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  const text = `The receiver answered ${status} ${STATUS_CODES[status] ?? ''}`.trim();
  return failed(status >= 300 && status < 400 ? `${text}; redirects are not followed` : text, status);
}

function describe(error: Error, timeoutMilliseconds: number): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return `The receiver did not answer within ${timeoutMilliseconds} ms`;
  }
  // Several addresses were tried.
  const first = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const code = (first as { code?: unknown }).code;
  return failures[String(code)] ?? `The connection to the receiver failed (${String(code ?? first.name)})`;
}
