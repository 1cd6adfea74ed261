import { detached } from '../../sip/detached.js';
import { Headers } from '../../sip/headers.js';
import type { ApplicationMessage } from './application.js';
import { bracketed, substituteLocalHost } from './local-host.js';

/** The headers that the engine decides, in the order of the wire (wire protocol §7.2); absent ones are left out. */
export interface LeadingHeaders {
  /** Copied as they are: Via and Record-Route of a response. */
  readonly first?: readonly (readonly [string, string])[];
  readonly routes?: readonly string[];
  readonly maxForwards?: string;
  readonly from: string;
  readonly to: string;
  readonly callId: string;
  readonly cseq: string;
  readonly contacts?: readonly string[];
}

/** Puts what the engine decides and what the application wrote into the order of wire protocol §7.2. */
export function composeHeaders(
  leading: LeadingHeaders,
  application: ApplicationMessage,
  hostPort: string,
  contentType: string | undefined,
  additional: readonly (readonly [string, string])[] = [],
): Headers {
  const headers = leadingHeaders(leading);
  for (const [name, value] of application.known) {
    headers.add(
      name,
      name === 'P-Asserted-Identity' ? bracketed(substituteLocalHost(value, hostPort)) : value,
    );
  }
  for (const [name, value] of additional) headers.add(name, value);
  if (contentType !== undefined) headers.add('Content-Type', contentType);
  headers.add('Content-Length', String(application.body.length));
  for (const [name, value] of application.unknown) headers.add(name, value);
  return headers;
}

function leadingHeaders(leading: LeadingHeaders): Headers {
  const headers = new Headers();
  if (leading.first !== undefined) for (const [name, value] of leading.first) headers.add(name, value);
  if (leading.routes !== undefined) for (const route of leading.routes) headers.add('Route', route);
  if (leading.maxForwards !== undefined) headers.add('Max-Forwards', leading.maxForwards);
  headers.add('From', leading.from);
  headers.add('To', leading.to);
  headers.add('Call-ID', leading.callId);
  headers.add('CSeq', leading.cseq);
  if (leading.contacts !== undefined) for (const contact of leading.contacts) headers.add('Contact', contact);
  return headers;
}

/** The Contact lines of the application with the placeholder host filled in. */
export function contactsOf(application: ApplicationMessage, hostPort: string): readonly string[] {
  if (application.contacts.length === 0) return application.contacts;
  return application.contacts.map((contact) =>
    contact === '*' ? contact : bracketed(substituteLocalHost(contact, hostPort)),
  );
}

const looksLikeSdp = (body: string): boolean => body.startsWith('v=0');

/** The media type of the body: the application's, or SDP if the body is recognizably SDP; `missing` when neither is known. */
export function contentTypeOf(application: ApplicationMessage): string | undefined | 'missing' {
  if (application.body === '') return application.contentType;
  if (application.contentType !== undefined) return application.contentType;
  return looksLikeSdp(application.body) ? 'application/sdp' : 'missing';
}

/** The body when it is a session description, RFC 3264's offer or answer. */
export function sessionDescriptionIn(body: string): string | undefined {
  return looksLikeSdp(body) ? detached(body) : undefined;
}
