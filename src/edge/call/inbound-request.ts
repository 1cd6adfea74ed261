import { splitList } from '../../sip/text.js';
import { parseUri, userOf } from '../../sip/uri.js';
import type { InboundRequest } from '../admission/admission.js';
import type { ReceivedRequest } from './engine-link.js';

/** The caller's INVITE as admission wants it. */
export function inboundRequest(request: ReceivedRequest, sdp: string | undefined): InboundRequest {
  const uri = parseUri(request.uri);
  const maxForwards = Number.parseInt(request.get('Max-Forwards') ?? '', 10);
  return {
    method: request.method,
    uri: request.uri,
    calledUser: (uri === undefined ? undefined : userOf(uri)) ?? '',
    from: request.get('From') ?? '',
    to: request.get('To') ?? '',
    callId: request.get('Call-ID') ?? '',
    sourceAddress: request.source_address,
    sourcePort: request.source_port,
    protocol: request.protocol,
    maxForwards: Number.isNaN(maxForwards) ? undefined : maxForwards,
    header: (name) => request.get(name),
    via: splitList(request.get('Via') ?? ''),
    sdp,
  };
}
