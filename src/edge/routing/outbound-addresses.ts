import { lookup, Resolver } from 'node:dns/promises';
import { within } from '../../base/within.js';
import type { Endpoint } from '../../contract/health.js';
import { normalAddress } from '../../contract/source-range.js';
import { hostOf } from './endpoint-targets.js';

/** What is asked of the DNS; replaceable in tests. Both reject when there is no answer. */
export interface NameService {
  addresses(name: string): Promise<readonly string[]>;
  /** The target names of an SRV record set. */
  serviceTargets(name: string): Promise<readonly string[]>;
}

interface Resolved {
  readonly addresses: ReadonlySet<string>;
  /** Monotonic milliseconds. */
  readonly at: number;
}

/** Names are asked for again after this long, in the background. */
const freshMilliseconds = 60_000;
/** How long an answer outlives a DNS that is away. */
const usableMilliseconds = 24 * 3_600_000;
/** A call waits this long for a name never resolved before. */
const waitMilliseconds = 1_000;
const maximumNames = 5_000;
const maximumTargets = 10;

const services = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' } as const;

/** The system's resolver: `/etc/hosts` counts as well. */
export function systemNameService(): NameService {
  const resolver = new Resolver({ timeout: 500, tries: 2 });
  return {
    addresses: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
    serviceTargets: async (name) => (await resolver.resolveSrv(name)).map(({ name: target }) => target),
  };
}

/**
 * The addresses of a number's own servers: who we call may call us. Answers are kept, refreshed in the background, and
 * outlive a DNS outage. A call never waits longer than a second.
 */
export class OutboundAddresses {
  private readonly resolved = new Map<string, Resolved>();
  private readonly running = new Map<string, Promise<Resolved | undefined>>();

  constructor(
    private readonly names: NameService,
    /** Monotonic milliseconds. */
    private readonly now: () => number,
  ) {}

  /**
   * Whether the address is one of the servers'. `unknown`: some could not be resolved, and it is none of the others.
   * @param address in normal form.
   */
  async includes(outbound: readonly Endpoint[], address: string): Promise<'yes' | 'no' | 'unknown'> {
    const sets = await Promise.all(outbound.map((server) => this.of(server)));
    if (sets.some((set) => set?.has(address) === true)) return 'yes';
    return sets.includes(undefined) ? 'unknown' : 'no';
  }

  private async of(server: Endpoint): Promise<ReadonlySet<string> | undefined> {
    const literal = normalAddress(hostOf(server));
    if (literal !== undefined) return new Set([literal]);
    const key = `${server.transport} ${server.host.toLowerCase()} ${server.port ?? ''}`;
    const known = this.resolved.get(key);
    const age = known === undefined ? Number.POSITIVE_INFINITY : this.now() - known.at;
    if (age < freshMilliseconds) return known?.addresses;
    const resolving = this.resolve(key, server);
    if (age < usableMilliseconds) return known?.addresses;
    return (await within(waitMilliseconds, resolving))?.addresses;
  }

  private resolve(key: string, server: Endpoint): Promise<Resolved | undefined> {
    const running = this.running.get(key);
    if (running !== undefined) return running;
    const started = this.ask(server)
      .then((addresses) => {
        const resolved = { addresses, at: this.now() };
        this.resolved.delete(key);
        this.resolved.set(key, resolved);
        if (this.resolved.size > maximumNames) this.resolved.delete(this.resolved.keys().next().value!);
        return resolved;
      })
      .catch(() => undefined)
      .finally(() => this.running.delete(key));
    this.running.set(key, started);
    return started;
  }

  /** RFC 3263 §4.2: a port means addresses; without one, SRV first. */
  private async ask(server: Endpoint): Promise<ReadonlySet<string>> {
    let hosts: readonly string[] = [server.host];
    if (server.port === undefined) {
      const targets = await this.names
        .serviceTargets(`${services[server.transport]}.${server.host}`)
        .catch(() => []);
      if (targets.length > 0) hosts = targets.slice(0, maximumTargets);
    }
    const answers = await Promise.allSettled(hosts.map((host) => this.names.addresses(host)));
    const addresses = new Set<string>();
    for (const answer of answers) {
      if (answer.status === 'rejected') continue;
      for (const text of answer.value) {
        const address = normalAddress(text);
        if (address !== undefined) addresses.add(address);
      }
    }
    if (addresses.size === 0) throw new Error(`${server.host} has no address`);
    return addresses;
  }
}
