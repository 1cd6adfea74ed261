import type { NoticeSettings } from '../../../config/notice-settings.js';
import { SecretError } from '../../../contract/secret.js';
import { EgressPolicy } from '../../../naming/egress.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import { type Delivery, failed, type Outcome, type Sender } from '../sender.js';
import { findEndpoint } from './endpoint-storage.js';
import { type Exchange, requestHead } from './exchange.js';
import { describeFailure, isLate } from './failure-words.js';
import { outcomeOfStatus } from './outcome.js';
import { type Answer, ForbiddenAddress, post } from './post.js';
import { endpointPlace, openSecrets, type SecretDeps, signingSecrets } from './secrets.js';
import { type SigningSecrets, signatureHeaders } from './signature.js';
import { beginWebhook } from './webhook-span.js';

export interface WebhookDeps extends SecretDeps {
  /** Absent: no spans are made, and no trace context is sent. */
  readonly telemetry?: Telemetry | undefined;
  readonly settings: NoticeSettings['webhook'];
  /** The body of a delivery that stores none; undefined: its subject is deleted. */
  readonly bodyOf: (delivery: Delivery) => Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** The URL of a delivery and the secrets that sign it. */
interface Receiver {
  readonly url: string;
  readonly secrets: SigningSecrets | undefined;
}

/** Posts signed JSON; any 2xx is success. */
export class WebhookSender implements Sender {
  private readonly egress: EgressPolicy;

  constructor(private readonly deps: WebhookDeps) {
    this.egress = new EgressPolicy(deps.settings);
  }

  async send(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    const span = this.deps.telemetry === undefined ? undefined : beginWebhook(this.deps.telemetry, delivery);
    const outcome = await this.attempt(delivery, signal, span?.traceparent);
    span?.end(outcome);
    return outcome;
  }

  private async attempt(
    delivery: Delivery,
    signal: AbortSignal,
    traceparent: string | undefined,
  ): Promise<Outcome> {
    const content = delivery.content?.body ?? (await this.deps.bodyOf(delivery));
    if (content === undefined) return failed('Its call is no longer in the history', null, true);
    const body = JSON.stringify(content);
    let receiver: Receiver | Outcome;
    try {
      receiver = await this.receiverOf(delivery);
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      return failed('The signing secret cannot be decrypted: create a new one');
    }
    if ('kind' in receiver) return receiver;
    const { timeoutMilliseconds } = this.deps.settings;
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Demarc-Webhook/1',
      'x-webhook-id': delivery.id,
      'x-webhook-event': delivery.event,
      ...(traceparent === undefined ? {} : { traceparent }),
      ...(receiver.secrets === undefined ? {} : signatureHeaders(receiver.secrets, body)),
    };
    const head = requestHead(receiver.url, headers, Buffer.byteLength(body));
    const unanswered: Exchange = { requestHead: head, responseHead: null, responseBody: null };
    try {
      const answer = await post({
        url: receiver.url,
        headers,
        body,
        timeoutMilliseconds,
        egress: this.egress,
        signal,
      });
      const exchange = this.mayShow(answer)
        ? { ...unanswered, responseHead: answer.head, responseBody: answer.body }
        : unanswered;
      return { ...outcomeOfStatus(answer.status), exchange };
    } catch (error) {
      if (error instanceof ForbiddenAddress) return failed(error.message, null, true);
      if (signal.aborted) return { kind: 'interrupted' };
      const isSilent = isLate(error as Error);
      return {
        ...failed(describeFailure(error as Error, timeoutMilliseconds)),
        isSilent,
        exchange: unanswered,
      };
    }
  }

  /** Responses from private addresses would show customers the operator's network. */
  private mayShow({ isPublic }: Answer): boolean {
    return isPublic || this.deps.settings.showPrivateResponses;
  }

  /** An endpoint's current URL and secrets, which also apply to pending deliveries. Throws `SecretError`. */
  private async receiverOf({ endpoint_id: id, organization_id: organization, target }: Delivery) {
    const { deps } = this;
    if (id === null) return { url: target, secrets: await signingSecrets(deps, organization) };
    const endpoint = await findEndpoint(deps.database, organization, id);
    if (endpoint === undefined) return failed('The webhook endpoint was deleted', null, true);
    if (!endpoint.enabled) return failed('The webhook endpoint is disabled', null, true);
    return {
      url: endpoint.url,
      secrets: openSecrets(deps.secrets, endpoint, endpointPlace(organization, id)),
    };
  }
}
