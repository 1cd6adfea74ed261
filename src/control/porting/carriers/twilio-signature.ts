import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { CarrierWebhook } from './carrier.js';

const sign = (authToken: string, text: string): Buffer =>
  createHmac('sha1', authToken).update(text, 'utf8').digest();

/**
 * Whether Twilio signed the request: HMAC-SHA1 of the URL with the fields of a form in the order of their names, in
 * `X-Twilio-Signature`; a JSON body stands in the URL as `bodySHA256`.
 */
export function isSignedByTwilio(authToken: string, { url, headers, body }: CarrierWebhook): boolean {
  const signature = headers['x-twilio-signature'];
  if (typeof signature !== 'string') return false;
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');
  const claimed = new URL(url).searchParams.get('bodySHA256');
  if (!isForm) {
    if (claimed === null) return false;
    const actual = createHash('sha256').update(body).digest('hex');
    if (!isEqual(Buffer.from(claimed.toLowerCase()), Buffer.from(actual))) return false;
  }
  const fields = isForm ? [...new URLSearchParams(body.toString('utf8'))] : [];
  const text = fields
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .reduce((all, [name, value]) => all + name + value, url);
  return isEqual(Buffer.from(signature, 'base64'), sign(authToken, text));
}

const isEqual = (left: Buffer, right: Buffer): boolean =>
  left.length === right.length && timingSafeEqual(left, right);
