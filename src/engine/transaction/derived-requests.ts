import { Headers } from '../../sip/headers.js';
import { newRequest, type SipRequest, type SipResponse } from '../../sip/message.js';
import { respondTo } from '../../sip/response.js';
import { serialize } from '../../sip/serialize.js';
import { formatHostPort } from '../../sip/uri.js';
import type { Listener, Protocol } from '../transport/flow.js';
import type { PreparedRequest } from './client-table.js';

const viaOf: Readonly<Record<Protocol, string>> = {
  udp: 'SIP/2.0/UDP ',
  tcp: 'SIP/2.0/TCP ',
  tls: 'SIP/2.0/TLS ',
};

/** A copy of the request with our Via on top (RFC 3261 §18.1.1): `rport` (RFC 3581) over UDP only, where answers need it. */
export function prepare(request: SipRequest, listener: Listener, branch: string): PreparedRequest {
  const { protocol, advertisedHost, advertisedPort } = listener;
  const rport = protocol === 'udp' ? ';rport' : '';
  const via = `${viaOf[protocol]}${formatHostPort(advertisedHost, advertisedPort)}${rport};branch=${branch}`;
  const sent = { ...request, headers: request.headers.clone().prepend('Via', via) };
  return { request: sent, branch, bytes: serialize(sent) };
}

const copied = (target: Headers, source: Headers, name: string): void => {
  for (const value of source.lines(name)) target.add(name, value);
};

/** What ACK and CANCEL of an INVITE have in common: its top Via alone, Route, From, Call-ID, CSeq number. */
function hopByHop(invite: SipRequest, method: string, to: string): SipRequest {
  const source = invite.headers;
  const headers = new Headers().add('Via', source.get('Via')!);
  copied(headers, source, 'Route');
  headers.add('Max-Forwards', '70');
  headers.add('From', source.get('From')!);
  headers.add('To', to);
  headers.add('Call-ID', source.get('Call-ID')!);
  headers.add('CSeq', `${Number.parseInt(source.get('CSeq')!, 10)} ${method}`);
  return newRequest(method, invite.uri, headers);
}

/** RFC 3261 §17.1.1.3: the ACK to a non-2xx final; its To is the response's. */
export const ackFor = (invite: SipRequest, response: SipResponse): SipRequest =>
  hopByHop(invite, 'ACK', response.headers.get('To') ?? invite.headers.get('To')!);

/** Headers of a CANCEL that its INVITE decides (RFC 3261 §9.1) or that the layer writes. */
const fixedInCancel = new Set([
  'via',
  'v',
  'from',
  'f',
  'to',
  't',
  'call-id',
  'i',
  'cseq',
  'route',
  'max-forwards',
  'contact',
  'm',
  'content-length',
  'l',
  'content-type',
  'c',
  'require',
  'proxy-require',
  'p-asserted-identity',
]);

/** RFC 3261 §9.1: the CANCEL of an INVITE, with its branch. `extra` is for Reason and the like. */
export function cancelFor(invite: SipRequest, extra: readonly (readonly [string, string])[]): SipRequest {
  const cancel = hopByHop(invite, 'CANCEL', invite.headers.get('To')!);
  for (const [name, value] of extra) {
    if (!fixedInCancel.has(name.toLowerCase())) cancel.headers.add(name, value);
  }
  return cancel;
}

/** A final response made by the engine, not received (wire protocol §5.6). */
export const fabricate = (request: SipRequest, status: number, toTag: string, reason?: string): SipResponse =>
  respondTo(request, status, reason === undefined ? { toTag } : { toTag, reason });
