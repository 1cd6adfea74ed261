import { z } from 'zod';
import {
  type StreamAction,
  type StreamOrder,
  streamActionHeader,
  streamActionSchema,
  streamOrderHeader,
  streamOrderSchema,
} from '../contract/agent-stream.js';
import { type SecretBox, streamPlace } from '../contract/secret.js';
import type { ReceivedRequest, SipMessage } from '../edge/sip/messages.js';

/** What the INVITE of an edge orders, with its secrets opened. */
export interface OpenedOrder {
  readonly order: StreamOrder;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** What the API has a call do. */
export interface OpenedAction {
  readonly action: StreamAction;
  /** Of `connect`: the call at its next bot. */
  readonly opened?: OpenedOrder;
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

/** @param current the order of the call. Throws `OrderError`. */
export function openAction(sealed: string, current: StreamOrder, secrets: SecretBox): OpenedAction {
  let action: StreamAction;
  try {
    action = streamActionSchema.parse(JSON.parse(secrets.open(sealed)));
  } catch (error) {
    throw new OrderError(`${streamActionHeader} cannot be read`, { cause: error });
  }
  if (action.action !== 'connect') return { action };
  const { stream } = action;
  // To the server that it has: with its format and its secret headers.
  const next =
    stream.url === current.stream.url
      ? { ...current.stream, parameters: stream.parameters }
      : { fallback: current.stream.fallback, ...stream };
  return { action, opened: openOrder({ ...current, stream: next }, secrets) };
}

/** The caller's header fields and mapped variables, by lower-case name; ours are in the order. */
export function factsOf(request: Pick<ReceivedRequest, 'get' | 'headers'>): Record<string, string> {
  const facts: Record<string, string> = {};
  for (const name of Object.keys(request.headers).map((each) => each.toLowerCase())) {
    const isFact = /^(x-|user-to-user$)/.test(name) && !name.startsWith('x-demarc-');
    const value = isFact ? request.get(name) : undefined;
    if (value !== undefined) facts[name] = value;
  }
  return facts;
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
