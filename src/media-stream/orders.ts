import { z } from 'zod';
import { type StreamOrder, streamOrderHeader, streamOrderSchema } from '../contract/agent-stream.js';
import { type SecretBox, streamPlace } from '../contract/secret.js';
import type { SipMessage } from '../edge/sip/messages.js';

/** What the INVITE of an edge orders, with its secrets opened. */
export interface OpenedOrder {
  readonly order: StreamOrder;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

const headersSchema = z.record(z.string(), z.string());

/** Throws `OrderError` for an INVITE that is not from an edge of this system. */
export function readOrder(request: Pick<SipMessage, 'get'>, secrets: SecretBox): OpenedOrder {
  const sealed = request.get(streamOrderHeader);
  if (sealed === undefined) throw new OrderError(`${streamOrderHeader} is missing: only edges call here`);
  let order: StreamOrder;
  try {
    order = streamOrderSchema.parse(JSON.parse(secrets.open(sealed)));
  } catch (error) {
    throw new OrderError(`${streamOrderHeader} cannot be read: is DEMARC_SECRET_KEY the key of the edges?`, {
      cause: error,
    });
  }
  return openOrder(order, secrets);
}

/** Throws `OrderError`. */
export function openOrder(order: StreamOrder, secrets: SecretBox): OpenedOrder {
  const place = streamPlace(order.organization);
  try {
    const { headers, signing_secrets: signing } = order.stream;
    return {
      order,
      headers: headers === undefined ? {} : headersSchema.parse(JSON.parse(secrets.open(headers, place))),
      secrets: signing.map((each) => secrets.open(each, place)),
    };
  } catch (error) {
    throw new OrderError('the headers or secrets of the agent cannot be opened', { cause: error });
  }
}

export class OrderError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OrderError';
  }
}
