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
const defaultPorts = { udp: 5060, tcp: 5060, tls: 5061 } as const;

/** The system's resolver: `/etc/hosts` counts as well. */
export function systemEndpointNames(): EndpointNames {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  return {
    addresses: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
    services: (name) => resolver.resolveSrv(name),
  };
}

export const targetName = ({ address, port }: EndpointTarget): string => formatHostPort(address, port);

/** Every address that calls to the endpoint may go to (RFC 3263 §4.2). Rejects when the name has none. */
export async function targetsOf(
  { host, port, transport }: Endpoint,
  names: EndpointNames,
  maximum: number,
): Promise<readonly EndpointTarget[]> {
  const name = host.replace(/^\[(.*)\]$/, '$1');
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
