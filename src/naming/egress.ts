import ipaddr from 'ipaddr.js';
import { type Address, isWildcard, normalAddress, parseAddress, withoutBrackets } from './address.js';
import { scopeOf } from './address-scope.js';

export interface EgressTarget {
  /** An IP address; IPv6 with or without brackets. */
  readonly address: string;
  readonly port?: number | undefined;
  readonly protocol?: 'udp' | 'tcp' | 'tls' | undefined;
}

/** A listening socket of this service. */
export interface OwnListener {
  readonly protocol: 'udp' | 'tcp' | 'tls';
  /** An address, a wildcard address, or the name that the listener is known by; IPv6 with or without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Why a target must not be sent to. */
export type EgressProblem = 'own_listener' | 'private' | 'reserved';

const problemTexts: Readonly<Record<EgressProblem, string>> = {
  own_listener: 'a listener of this service itself',
  private: 'a private address, which cannot be reached from this service',
  reserved: 'an address that no host can have',
};

/** For a person: why `host`, an address or a name that leads to one, is not sent to. */
export const egressText = (host: string, problem: EgressProblem): string =>
  `${host.slice(0, 80)} ${/^[[\d]*[\d.]+$|:/.test(host) ? 'is' : 'leads to'} ${problemTexts[problem]}`;

export interface EgressDeps {
  /** Whether the operator lets customers name hosts of private networks and of this machine. */
  readonly allowPrivate: boolean;
  /** Exceptions: private networks with the operator's agents or customers' PBXs. */
  readonly privateNetworks?: readonly string[] | undefined;
  readonly ownListeners?: () => readonly OwnListener[];
  /** The addresses of this machine's interfaces, for listeners on a wildcard address. */
  readonly localAddresses?: () => readonly string[];
}

/**
 * Where this service may send a request whose destination a customer, a peer or a name server chose: every call, probe,
 * registration, discovery and webhook asks here, with the address that it is about to use. Our own listeners are always
 * refused, private networks unless the operator's setting allows them.
 */
export class EgressPolicy {
  private readonly isListed: (address: string) => boolean;

  constructor(private readonly deps: EgressDeps) {
    this.isListed = networkMatcher(deps.privateNetworks ?? []);
  }

  get allowsPrivate(): boolean {
    return this.deps.allowPrivate;
  }

  get privateNetworks(): readonly string[] {
    return this.deps.privateNetworks ?? [];
  }

  /** Undefined: the target may be sent to. */
  problemOf(target: EgressTarget): EgressProblem | undefined {
    const { allowPrivate, ownListeners, localAddresses } = this.deps;
    const own = ownListeners?.() ?? [];
    if (own.length > 0 && isOwnListener(target, own, localAddresses ?? (() => []))) return 'own_listener';
    const scope = scopeOf(target.address);
    if (scope === 'reserved') return 'reserved';
    return scope === 'public' || allowPrivate || this.isListed(bare(target.address)) ? undefined : 'private';
  }

  allows(target: EgressTarget): boolean {
    return this.problemOf(target) === undefined;
  }
}

/** Without brackets, and an address in its one spelling: `::ffff:a.b.c.d` is `a.b.c.d`. */
function bare(host: string): string {
  const plain = withoutBrackets(host).toLowerCase();
  return normalAddress(plain) ?? plain;
}

/** True when a packet to the target would reach one of the listeners. */
export function isOwnListener(
  { address, port, protocol }: EgressTarget,
  listeners: readonly OwnListener[],
  localAddresses: () => readonly string[],
): boolean {
  return listeners.some((listener) => {
    if (port === undefined || listener.port !== port) return false;
    if (protocol !== undefined && listener.protocol !== protocol) return false;
    const host = bare(address);
    const own = bare(listener.host);
    // A connection to the wildcard address arrives at this machine.
    if (own === host || isWildcard(host)) return true;
    return isWildcard(own) && (scopeOf(host) === 'loopback' || localAddresses().includes(host));
  });
}

/**
 * True for an address in one of the networks (CIDRs or single addresses); other text is in none. An IPv4-mapped IPv6 address
 * counts as its IPv4 address.
 */
function networkMatcher(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.flatMap((text) => {
    if (ipaddr.isValidCIDR(text)) return [ipaddr.parseCIDR(text)];
    const address = parseAddress(text);
    if (address === undefined) return [];
    return [[address, address.kind() === 'ipv4' ? 32 : 128] as [Address, number]];
  });
  return (text) => {
    const address = ranges.length === 0 ? undefined : parseAddress(text);
    if (address === undefined) return false;
    return ranges.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  };
}
