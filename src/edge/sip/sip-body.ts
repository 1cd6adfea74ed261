import type { SipMessage } from './engine-link.js';

/** The session description a message carries, alone or as a part of a multipart body. */
export function sdpOf(message: SipMessage): string | undefined {
  const { body } = message;
  if (body === undefined || body === '') return undefined;
  const type = message.get('Content-Type')?.toLowerCase();
  if (type === undefined || type.startsWith('application/sdp')) return body;
  if (!type.startsWith('multipart/')) return undefined;
  return message.payload?.find((part) => part.type?.toLowerCase().startsWith('application/sdp') === true)
    ?.content;
}

/** A body that is neither absent nor one we can look into for a session description (RFC 3261 §8.2.3). */
export function hasForeignBody(message: SipMessage): boolean {
  if (message.body === undefined || message.body === '') return false;
  const encoding = message.get('Content-Encoding')?.toLowerCase();
  return (encoding !== undefined && encoding !== 'identity') || sdpOf(message) === undefined;
}
