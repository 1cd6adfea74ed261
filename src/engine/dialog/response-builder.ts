import { tagOf, withTag } from '../../sip/address.js';
import { newResponse, type SipRequest, type SipResponse } from '../../sip/message.js';
import { respondTo } from '../../sip/response.js';
import type { Listener } from '../transport/flow.js';
import type { ApplicationMessage } from './application.js';
import { composeHeaders, contactsOf, contentTypeOf } from './compose.js';
import { advertisedHostPort, defaultContact } from './local-contact.js';

export interface ResponseOptions {
  readonly toTag: string | undefined;
  /** Whether a Contact is written when the application gave none. */
  readonly needsContact: boolean;
  /** Used instead of the listener's default Contact. */
  readonly contact?: string | undefined;
  readonly additional?: readonly (readonly [string, string])[];
}

/** An application's response, completed as RFC 3261 §8.2.6 and wire protocol §6.7 say. */
export function completeResponse(
  request: SipRequest,
  listener: Listener,
  answer: ApplicationMessage,
  options: ResponseOptions,
): SipResponse {
  const { headers } = request;
  const hostPort = advertisedHostPort(listener);
  const first: [string, string][] = headers.lines('Via').map((via) => ['Via', via]);
  // RFC 3261 §12.1.1: every response that forms the dialog must carry the route set to the caller.
  if (answer.status > 100 && answer.status < 300)
    for (const route of headers.lines('Record-Route')) first.push(['Record-Route', route]);
  let contacts = contactsOf(answer, hostPort);
  if (contacts.length === 0 && options.needsContact) contacts = [options.contact ?? defaultContact(listener)];
  const contentType = contentTypeOf(answer);
  const to = headers.get('To') ?? '';
  return newResponse(
    answer.status,
    answer.reason,
    composeHeaders(
      {
        first,
        from: headers.get('From') ?? '',
        to: options.toTag === undefined || tagOf(to) !== undefined ? to : withTag(to, options.toTag),
        callId: headers.get('Call-ID') ?? '',
        cseq: headers.get('CSeq') ?? '',
        contacts,
      },
      answer,
      hostPort,
      contentType === 'missing' ? undefined : contentType,
      options.additional,
    ),
    answer.body,
  );
}

/** The methods that the engine can handle, for `Allow`. */
export const allowedMethods =
  'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, PRACK, REFER, NOTIFY, SUBSCRIBE, MESSAGE, REGISTER, PUBLISH';

/** A refusal by the engine itself. */
export function refuse(
  request: SipRequest,
  status: number,
  toTag: string,
  headers: readonly (readonly [string, string])[] = [],
  reason?: string,
): SipResponse {
  return respondTo(request, status, { toTag, headers, ...(reason === undefined ? {} : { reason }) });
}
