import { tagOf } from '../../sip/address.js';
import { parseCSeq } from '../../sip/cseq.js';
import type { SipRequest } from '../../sip/message.js';
import { topVia } from '../../sip/via.js';
import { magicCookie } from './branch.js';

/**
 * RFC 3261 §17.2.3: the key that matches a request to a server transaction. `method` is that of the wanted transaction:
 * INVITE for an ACK, and for the INVITE that a CANCEL is about (§9.2). Undefined when the message has no usable Via.
 */
export function serverKey(request: SipRequest, method: string): string | undefined {
  const via = topVia(request);
  if (via === undefined) return undefined;
  const branch = via.branch;
  // §17.2.3: "If the branch parameter is present and begins with the magic cookie", then branch, sent-by and method decide.
  if (branch?.startsWith(magicCookie)) {
    return `${branch}|${via.host.toLowerCase()}:${via.port ?? ''}|${method}`;
  }
  return legacyKey(request, method);
}

/**
 * §17.2.3, second half: clients of RFC 2543 do not make unique branches; Request-URI, From tag, Call-ID, CSeq and the top
 * Via decide. The To tag is left to the caller: an INVITE has none yet, its ACK carries the one of the response.
 */
function legacyKey(request: SipRequest, method: string): string {
  const headers = request.headers;
  const number = parseCSeq(headers.get('CSeq') ?? '')?.number ?? 0;
  return `${headers.get('Via')}|${request.uri}|${tagOf(headers.get('From') ?? '') ?? ''}|${headers.get('Call-ID')}|${number}|${method}`;
}

/** RFC 3261 §8.2.2.2: what copies of one request that arrived by different paths have in common. Undefined inside a dialog. */
export function mergeKey(request: SipRequest): string | undefined {
  const headers = request.headers;
  if (tagOf(headers.get('To') ?? '') !== undefined) return undefined;
  return `${headers.get('Call-ID')}|${tagOf(headers.get('From') ?? '') ?? ''}|${headers.get('CSeq')}`;
}
