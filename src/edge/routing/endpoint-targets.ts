import type { Endpoint } from '../../contract/health.js';
import { withoutBrackets } from '../../naming/address.js';
import type { TargetResolver } from '../../naming/target-resolver.js';
import { formatHostPort } from '../../sip/uri.js';

/** One address of an endpoint. */
export interface EndpointTarget {
  /** IPv6 without brackets. */
  readonly address: string;
  readonly port: number;
}

/** Where requests to a name go (RFC 3263). */
export type EndpointNames = Pick<TargetResolver, 'resolve'>;

/** The host without the brackets of an IPv6 address. */
export const hostOf = ({ host }: Pick<Endpoint, 'host'>): string => withoutBrackets(host);

/** The SIP URI that takes a request to that address, where the endpoint's name is expected in the certificate (RFC 3261 §19.1.1). */
export function nextHop(endpoint: Endpoint, { address, port }: EndpointTarget): string {
  const maddr = address.includes(':') ? `[${address}]` : address;
  return `sip:${formatHostPort(hostOf(endpoint), port)};transport=${endpoint.transport};maddr=${maddr}`;
}

export const targetName = ({ address, port }: EndpointTarget): string => formatHostPort(address, port);

/** Every address that calls to the endpoint may go to, at most `maximum`. Rejects with ResolutionError when there is none. */
export async function targetsOf(
  { host, port, transport }: Endpoint,
  names: EndpointNames,
  maximum: number,
): Promise<readonly EndpointTarget[]> {
  const found = await names.resolve({ secure: false, host, port, transport });
  const targets = new Map<string, EndpointTarget>();
  for (const { address, port } of found) {
    const target = { address, port };
    targets.set(targetName(target), target);
  }
  return [...targets.values()].slice(0, maximum);
}
