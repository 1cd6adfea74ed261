import { formatHostPort } from '../../sip/uri.js';
import { parseVia } from '../../sip/via.js';
import type { InboundRequest, Refusal } from './admission.js';
import { refuse } from './refusal.js';

/** Carried by every request that we send to an agent; one that comes back through a trunk has gone in a circle. */
const marker = 'X-Demarc-Call-ID';

const defaultPort = (transport: string): number => (transport === 'TLS' || transport === 'WSS' ? 5061 : 5060);

/** RFC 3261 §16.3 step 3: nothing is left of Max-Forwards (a request without it may proceed). */
export function refuseTooManyHops(request: InboundRequest): Refusal | undefined {
  if (request.maxForwards === undefined || request.maxForwards > 0) return undefined;
  return refuse('too_many_hops', 'refused_too_many_hops', { detail: 'Max-Forwards is 0.' });
}

/**
 * RFC 3261 §16.3 step 4: the request has passed one of our listeners already.
 * @param listeners `protocol/host:port`: a caller on this machine may use a TCP port with the same number as one of our UDP
 * ports
 */
export function refuseLoop(request: InboundRequest, listeners: Iterable<string>): Refusal | undefined {
  const id = request.header(marker);
  if (id !== undefined) {
    return refuse('loop', 'refused_loop', {
      detail: `The call carries ${marker}, so an edge has already sent it.`,
    });
  }
  const own = new Set<string>();
  for (const listener of listeners) own.add(listener.toLowerCase());
  if (own.size === 0) return undefined;
  for (const value of request.via) {
    const via = parseVia(value);
    if (via === undefined) continue;
    const sentBy = formatHostPort(via.host, via.port ?? defaultPort(via.transport)).toLowerCase();
    if (own.has(`${via.transport.toLowerCase()}/${sentBy}`)) {
      return refuse('loop', 'refused_loop', { detail: `Via contains Demarc's own listener ${sentBy}.` });
    }
  }
  return undefined;
}
