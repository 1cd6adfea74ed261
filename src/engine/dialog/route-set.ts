import { EgressPolicy } from '../../naming/egress.js';
import { parseAddress } from '../../sip/address.js';
import type { Headers } from '../../sip/headers.js';
import { parseUri, type SipUri } from '../../sip/uri.js';
import type { NextHop } from '../transport/flow.js';

/** The Request-URI, the Route header lines and the next hop of a request (RFC 3261 §12.2.1.1). */
export interface Routing {
  readonly requestUri: string;
  readonly routes: readonly string[];
  /** URI that decides where the packet goes. */
  readonly nextHopUri: string;
}

/** The route set of a dialog: Record-Route values in order for the UAS, reversed for the UAC (§12.1). */
export function routeSetOf(headers: Headers, role: 'uas' | 'uac'): string[] {
  if (!headers.has('Record-Route')) return [];
  const values = headers.list('Record-Route');
  return role === 'uas' ? values : values.reverse();
}

function uriOf(routeValue: string): string {
  return parseAddress(routeValue)?.uri ?? routeValue;
}

function isLoose(uri: string): boolean {
  const parsed = parseUri(uri);
  return parsed?.kind === 'sip' && parsed.parameters.has('lr');
}

/** Applies a route set to a request to `remoteTarget`; a first route without `lr` is a strict router. */
export function routeRequest(remoteTarget: string, routeSet: readonly string[]): Routing {
  const first = routeSet[0];
  if (first === undefined) return { requestUri: remoteTarget, routes: [], nextHopUri: remoteTarget };
  const firstUri = uriOf(first);
  if (isLoose(firstUri)) return { requestUri: remoteTarget, routes: routeSet, nextHopUri: firstUri };
  return {
    requestUri: firstUri,
    routes: [...routeSet.slice(1), `<${remoteTarget}>`],
    nextHopUri: firstUri,
  };
}

/** The next hop of a SIP URI; undefined for any other text. */
export function nextHopOf(uri: string): NextHop | undefined {
  const parsed = parseUri(uri);
  return parsed?.kind === 'sip' ? nextHopOfSipUri(parsed) : undefined;
}

function nextHopOfSipUri(uri: SipUri): NextHop {
  const transport = uri.parameters.get('transport')?.toLowerCase();
  const maddr = uri.parameters.get('maddr');
  return {
    secure: uri.scheme === 'sips' || transport === 'tls',
    host: maddr ?? uri.host,
    // RFC 5922 §4: the identity to verify is that of the URI's host, wherever the packets go.
    ...(maddr === undefined ? {} : { serverName: uri.host }),
    // An extension: an application whose customers name servers requests it with the next hop.
    ...(uri.parameters.has('public-only') ? { egress: publicOnly(uri.parameters.get('public-only')) } : {}),
    ...(uri.port === undefined ? {} : { port: uri.port }),
    ...(transport === undefined ? {} : { transport }),
  };
}

/** @param networks separated by `&`: those that may be reached although they are private */
const publicOnly = (networks: string | undefined): EgressPolicy =>
  new EgressPolicy({ allowPrivate: false, privateNetworks: networks?.split('&') });

/**
 * Normalizes an explicit next hop: adds the brackets to an IPv6 literal with a trailing port, as the library builds it from
 * the source of a challenge (wire protocol §11.1).
 */
export function repairRouteUrl(url: string): string {
  const scheme = url.startsWith('sips:') ? 'sips:' : url.startsWith('sip:') ? 'sip:' : '';
  const rest = url.slice(scheme.length);
  if (rest.includes('[') || rest.includes('@')) return scheme === '' ? `sip:${rest}` : url;
  const end = rest.indexOf(';');
  const hostPort = end < 0 ? rest : rest.slice(0, end);
  const tail = end < 0 ? '' : rest.slice(end);
  const colon = hostPort.lastIndexOf(':');
  const repaired =
    hostPort.indexOf(':') === colon ? hostPort : `[${hostPort.slice(0, colon)}]:${hostPort.slice(colon + 1)}`;
  return `${scheme === '' ? 'sip:' : scheme}${repaired}${tail}`;
}
