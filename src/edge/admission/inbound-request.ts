import { splitList } from '../../sip/text.js';
import { parseUri, userOf } from '../../sip/uri.js';
import type { HeaderLookup } from '../sip/message-reading.js';
import type { ReceivedRequest } from '../sip/messages.js';
import type { InboundRequest } from './admission.js';

/** The caller's INVITE as admission wants it. */
export function inboundRequest(
  request: ReceivedRequest,
  header: HeaderLookup,
  sdp: string | undefined,
  waitedMilliseconds = 0,
): InboundRequest {
  const uri = parseUri(request.uri);
  const maxForwards = Number.parseInt(header('Max-Forwards') ?? '', 10);
  return {
    method: request.method,
    uri: request.uri,
    calledUser: (uri === undefined ? undefined : userOf(uri)) ?? '',
    from: header('From') ?? '',
    to: header('To') ?? '',
    callId: header('Call-ID') ?? '',
    sourceAddress: request.source_address,
    sourcePort: request.source_port,
    protocol: request.protocol,
    maxForwards: Number.isNaN(maxForwards) ? undefined : maxForwards,
    waitedMilliseconds,
    header,
    via: splitList(header('Via') ?? ''),
    sdp,
  };
}
