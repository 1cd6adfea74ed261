import { bodyParts } from '../../sip/multipart.js';
import type { SipMessage } from './messages.js';

/** Looks a message's header values up by name, without regard to case. */
export type HeaderLookup = (name: string) => string | undefined;

/**
 * The value of a registered header, whose name drachtio-srf keeps in lower case and in its long form. The library's own `get` reads the
 * environment and lower-cases all names each time; a call asks for some thirty headers.
 */
export const headerOf = ({ headers }: Pick<SipMessage, 'headers'>, name: string): string | undefined =>
  headers[name.toLowerCase()];

/** For messages of which many headers are read, also unregistered ones. */
export function headerIndex(message: SipMessage): HeaderLookup {
  const values = new Map<string, string>();
  for (const name of Object.keys(message.headers)) values.set(name.toLowerCase(), message.headers[name]!);
  return (name) => values.get(name.toLowerCase());
}

/** The session description a message carries, alone or as a part of a multipart body. */
export function sdpOf(message: SipMessage): string | undefined {
  const { body } = message;
  if (body === undefined || body === '') return undefined;
  const type = headerOf(message, 'Content-Type')?.toLowerCase();
  if (type === undefined || type.startsWith('application/sdp')) return body;
  if (!type.startsWith('multipart/')) return undefined;
  return message.payload?.find((part) => part.type?.toLowerCase().startsWith('application/sdp') === true)
    ?.content;
}

/**
 * What we do not understand of a body and must not ignore (RFC 3261 §8.2.3): all of one without a session description, or a part
 * that says `handling=required` (§20.11). Undefined: nothing.
 */
export function foreignBodyOf(message: SipMessage): string | undefined {
  const { body } = message;
  if (body === undefined || body === '') return undefined;
  const type = headerOf(message, 'Content-Type');
  const encoding = headerOf(message, 'Content-Encoding')?.toLowerCase();
  const isEncoded = encoding !== undefined && encoding !== 'identity';
  if (isEncoded || sdpOf(message) === undefined) {
    return `${(type ?? 'a body without type').slice(0, 100)}, not SDP`;
  }
  if (type?.toLowerCase().startsWith('multipart/') !== true) return undefined;
  const required = bodyParts(type, body).find(
    (part) => part.handling === 'required' && part.type !== 'application/sdp',
  );
  return required && `a part of type ${required.type.slice(0, 100)} whose handling is required`;
}

/** As `foreignBodyOf`, for requests whose refusal is not recorded. */
export const hasForeignBody = (message: SipMessage): boolean => foreignBodyOf(message) !== undefined;

/** Max-Forwards of a request that begins with us (RFC 3261 §8.1.1.6). */
export const initialForwards = 70;

/**
 * Max-Forwards of the request on the other leg: a call that loops through several of our servers ends as it would
 * among proxies (RFC 3261 §16.6 step 3, RFC 7332). A request with 0 was refused before.
 */
export function forwardsLeft(received: string | undefined): number {
  const value = Number.parseInt(received ?? '', 10);
  return Number.isNaN(value) ? initialForwards : Math.max(0, Math.min(value, 255) - 1);
}
