import { tagOf, withTag } from './address.js';
import { Headers } from './headers.js';
import type { SipRequest, SipResponse } from './message.js';
import { newResponse } from './message.js';
import { reasonPhrase } from './status.js';

export interface ResponseOptions {
  /** Instead of the registered phrase. */
  reason?: string;
  /** Put on To when the request's To has none; never on a 100. */
  toTag?: string;
  /** Added after those copied from the request. */
  headers?: Iterable<readonly [string, string]>;
  body?: string;
}

/**
 * The response to a request (RFC 3261 §8.2.6): Via, From, To, Call-ID and CSeq copied; Record-Route in 101–299 (§12.1.1);
 * Timestamp in a 100. What the request lacks is left out, so a malformed request can be answered too.
 */
export function respondTo(request: SipRequest, status: number, options: ResponseOptions = {}): SipResponse {
  const headers = new Headers();
  const formsDialog = status > 100 && status < 300;
  request.headers.forEach((name, value) => {
    if (name === 'Via' || (formsDialog && name === 'Record-Route')) headers.add(name, value);
  });
  copy(request, headers, 'From');
  const to = request.headers.get('To');
  if (to !== undefined) {
    const needsTag = options.toTag !== undefined && status > 100 && tagOf(to) === undefined;
    headers.add('To', needsTag ? withTag(to, options.toTag!) : to);
  }
  copy(request, headers, 'Call-ID');
  copy(request, headers, 'CSeq');
  if (status === 100) copy(request, headers, 'Timestamp');
  if (options.headers !== undefined) for (const [name, value] of options.headers) headers.add(name, value);
  return newResponse(status, options.reason ?? reasonPhrase(status), headers, options.body ?? '');
}

function copy(request: SipRequest, headers: Headers, name: string): void {
  const value = request.headers.get(name);
  if (value !== undefined) headers.add(name, value);
}
