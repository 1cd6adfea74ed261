import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Endpoint } from '../../contract/health.js';
import { formatHostPort } from '../../sip/uri.js';

/** One address of an endpoint. */
export interface EndpointTarget {
  /** IPv6 without brackets. */
  readonly address: string;
  readonly port: number;
}

/** What is asked of the DNS; replaceable in tests. Both reject when there is no answer. */
export interface EndpointNames {
  addresses(name: string): Promise<readonly string[]>;
  services(
    name: string,
  ): Promise<readonly { readonly name: string; readonly port: number; readonly priority: number }[]>;
}

const services = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' } as const;
export const defaultPorts = { udp: 5060, tcp: 5060, tls: 5061 } as const;

/** The system's resolver: `/etc/hosts` counts as well. */
export function systemEndpointNames(): EndpointNames {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  return {
    addresses: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
    services: (name) => resolver.resolveSrv(name),
  };
}

/** The host without the brackets of an IPv6 address. */
export const hostOf = ({ host }: Pick<Endpoint, 'host'>): string => host.replace(/^\[(.*)\]$/, '$1');

/** The SIP URI that takes a request to that address, where the endpoint's name is expected in the certificate (RFC 3261 §19.1.1). */
export function nextHop(endpoint: Endpoint, { address, port }: EndpointTarget): string {
  const maddr = address.includes(':') ? `[${address}]` : address;
  return `sip:${formatHostPort(hostOf(endpoint), port)};transport=${endpoint.transport};maddr=${maddr}`;
}

export const targetName = ({ address, port }: EndpointTarget): string => formatHostPort(address, port);

/** Every address that calls to the endpoint may go to (RFC 3263 §4.2). Rejects when the name has none. */
export async function targetsOf(
  endpoint: Endpoint,
  names: EndpointNames,
  maximum: number,
): Promise<readonly EndpointTarget[]> {
  const { port, transport } = endpoint;
  const name = hostOf(endpoint);
  if (isIP(name) !== 0) return [{ address: name, port: port ?? defaultPorts[transport] }];
  const found = port === undefined ? await serversOf(`${services[transport]}.${name}`, names) : [];
  const servers = found.length > 0 ? found : [{ name, port: port ?? defaultPorts[transport] }];
  const answers = await Promise.allSettled(servers.map((server) => names.addresses(server.name)));
  const targets = new Map<string, EndpointTarget>();
  answers.forEach((answer, index) => {
    if (answer.status === 'rejected') return;
    for (const address of answer.value) {
      const target = { address, port: servers[index]!.port };
      targets.set(targetName(target), target);
    }
  });
  if (targets.size === 0) {
    const refusal = answers.find((answer) => answer.status === 'rejected');
    const why = (refusal?.reason as NodeJS.ErrnoException | undefined)?.code ?? 'no address';
    throw new Error(`${name} cannot be resolved: ${why}`);
  }
  return [...targets.values()].slice(0, maximum);
}

async function serversOf(
  name: string,
  names: EndpointNames,
): Promise<readonly { readonly name: string; readonly port: number }[]> {
  const records = await names.services(name).catch(() => []);
  return records.toSorted((one, other) => one.priority - other.priority).slice(0, 10);
}
