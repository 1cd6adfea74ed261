import type { Clock } from '../base/clock.js';
import { DnsFailure, type DnsSource, type HostNames, type ServiceRecord } from '../base/dns.js';
import { canonicalAddress, familyOf, withoutBrackets } from './address.js';
import { type EgressPolicy, egressText } from './egress.js';
import type { ResolverSettings } from './resolver-settings.js';
import { orderByWeight } from './service-order.js';

export type Protocol = 'udp' | 'tcp' | 'tls';

/** One address to try, result of RFC 3263. */
export interface ResolvedTarget {
  readonly protocol: Protocol;
  /** IPv6 without brackets. */
  readonly address: string;
  readonly port: number;
  /** The name that the certificate must carry, and SNI: the host of the URI, not an SRV result (RFC 5922 §4). */
  readonly serverName: string;
}

/** What to resolve: taken from a SIP URI (next hop). */
export interface UnresolvedTarget {
  readonly secure: boolean;
  /** IPv6 with or without brackets. */
  readonly host: string;
  readonly port?: number | undefined;
  /** The `transport` parameter, when given. */
  readonly transport?: string | undefined;
  /** The name that the certificate must carry where `host` is only the address to try (`maddr`); absent: `host`. */
  readonly serverName?: string | undefined;
  /** A name that leads to a refused address, wholly or in part, is not found. */
  readonly egress?: Pick<EgressPolicy, 'problemOf'> | undefined;
}

/** `dns`: no address. `unsupported`: no listener for the transport. `overloaded`: too many lookups are pending. */
export class ResolutionError extends Error {
  override readonly name = 'ResolutionError';
  constructor(
    readonly failure: 'dns' | 'unsupported' | 'overloaded',
    message: string,
  ) {
    super(message);
  }
}

/** One SRV record with its addresses, or a plain name as if it were one. */
interface Service {
  readonly protocol: Protocol;
  readonly port: number;
  readonly weight: number;
  readonly addresses: readonly string[];
}

/** What is known about a next hop: services in groups of equal priority, or why there are none. Milliseconds of the clock. */
interface Plan {
  readonly groups: readonly (readonly Service[])[];
  readonly error?: ResolutionError;
  expiresAt: number;
  readonly staleUntil: number;
}

export interface ResolverDeps {
  readonly settings: ResolverSettings;
  readonly clock: Clock;
  readonly dns: DnsSource;
  readonly hosts: HostNames;
  /** Whether requests can be sent with that protocol (and family). */
  readonly supports: (protocol: Protocol, family?: 4 | 6) => boolean;
  /** 0 ≤ value < 1; spreads load over weights. */
  readonly random: () => number;
}

export const defaultPort = (protocol: Protocol): number => (protocol === 'tls' ? 5061 : 5060);

export interface ResolveOptions {
  /** True: an expired answer is returned at once, and refreshed in the background. */
  readonly mayBeStale?: boolean;
}

/** More pending lookups than this mean that a peer floods us with names. */
const maximumLookups = 1_000;

/** Before a domain: the name of its SRV records. */
export const servicePrefix: Readonly<Record<Protocol, string>> = {
  udp: '_sip._udp.',
  tcp: '_sip._tcp.',
  tls: '_sips._tcp.',
};

const naptrProtocols: Readonly<Record<string, Protocol>> = {
  'SIPS+D2T': 'tls',
  'SIP+D2T': 'tcp',
  'SIP+D2U': 'udp',
};

/**
 * From the host of a SIP URI to addresses in order of preference: RFC 3263 §4, RFC 2782.
 * Names of the hosts file skip NAPTR and SRV. Answers are bounded in number and time, and cached; negative ones briefly,
 * positive ones beyond their TTL while the DNS servers do not answer.
 */
export class TargetResolver {
  private readonly plans = new Map<string, Plan>();
  private readonly underWay = new Map<string, Promise<Plan>>();

  constructor(private readonly deps: ResolverDeps) {}

  get cachedNames(): number {
    return this.plans.size;
  }

  /** Synchronous where no DNS question is needed. Throws or rejects with ResolutionError `dns`, `unsupported` or `overloaded`. */
  resolve(
    nextHop: UnresolvedTarget,
    { mayBeStale = false }: ResolveOptions = {},
  ): readonly ResolvedTarget[] | Promise<readonly ResolvedTarget[]> {
    const host = plainName(withoutBrackets(nextHop.host));
    const chosen = this.chooseProtocol(nextHop);
    const family = familyOf(host);
    if (family !== 0) {
      const protocol = chosen ?? this.defaultProtocol(nextHop.secure);
      this.mustSupport(protocol, family);
      const address = canonicalAddress(host);
      const port = nextHop.port ?? defaultPort(protocol);
      const targets = [{ protocol, address, port, serverName: nextHop.serverName ?? address }];
      mustBeAllowed(nextHop, targets);
      return targets;
    }
    if (!isHostName(host))
      throw new ResolutionError('dns', `"${nextHop.host.slice(0, 80)}" is not a host name`);

    const key = `${nextHop.secure ? 'sips' : 'sip'} ${host} ${nextHop.port ?? ''} ${chosen ?? ''}`;
    const cached = this.plans.get(key);
    const now = this.deps.clock.now();
    if (cached !== undefined && now < cached.expiresAt) {
      this.plans.delete(key);
      this.plans.set(key, cached);
      return this.targetsOf(cached, nextHop, host);
    }
    if (mayBeStale && cached !== undefined && cached.error === undefined && now < cached.staleUntil) {
      // Its result is kept, or the stale plan is; only a defect rejects.
      this.lookUp(key, host, nextHop, chosen, cached).catch(() => {});
      return this.targetsOf(cached, nextHop, host);
    }
    return this.lookUp(key, host, nextHop, chosen, cached).then((plan) =>
      this.targetsOf(plan, nextHop, host),
    );
  }

  /** All addresses of a name, whatever protocol they are for. Rejects with DnsFailure. */
  async addressesOf(name: string): Promise<readonly string[]> {
    return (await this.addresses(plainName(name), undefined)).addresses;
  }

  /** The SRV records of a name such as `_sip._udp.example.com`, by priority. Rejects with DnsFailure. */
  async servicesOf(name: string): Promise<readonly ServiceRecord[]> {
    const records = await this.deps.dns.services(name);
    return records.toSorted((a, b) => a.priority - b.priority);
  }

  /** Empties the cache. */
  clear(): void {
    this.plans.clear();
  }

  /** What the URI itself says: `transport`, or `sips`, or a port; undefined where NAPTR decides. */
  private chooseProtocol(nextHop: UnresolvedTarget): Protocol | undefined {
    const transport = nextHop.transport?.toLowerCase();
    if (transport !== undefined) {
      if (transport === 'udp' && !nextHop.secure) return this.mustSupport('udp');
      if (transport === 'tcp') return this.mustSupport(nextHop.secure ? 'tls' : 'tcp');
      if (transport === 'tls') return this.mustSupport('tls');
      const why =
        transport === 'udp' ? 'sips over UDP is not allowed' : `no transport "${transport.slice(0, 20)}"`;
      throw new ResolutionError('unsupported', why);
    }
    if (this.deps.settings.naptr && nextHop.port === undefined && !nextHop.secure) return undefined;
    return this.mustSupport(this.defaultProtocol(nextHop.secure));
  }

  /** Where the URI has no transport: TLS for sips, else UDP; TCP if there are only TCP listeners. */
  private defaultProtocol(secure: boolean): Protocol {
    if (secure) return 'tls';
    return !this.deps.supports('udp') && this.deps.supports('tcp') ? 'tcp' : 'udp';
  }

  private mustSupport(protocol: Protocol, family?: 4 | 6): Protocol {
    if (this.deps.supports(protocol, family)) return protocol;
    throw new ResolutionError(
      'unsupported',
      `no ${protocol} listener${family === undefined ? '' : ` for IPv${family}`} to send from`,
    );
  }

  private lookUp(
    key: string,
    host: string,
    nextHop: UnresolvedTarget,
    chosen: Protocol | undefined,
    stale: Plan | undefined,
  ): Promise<Plan> {
    const running = this.underWay.get(key);
    if (running !== undefined) return running;
    if (this.underWay.size >= maximumLookups) {
      throw new ResolutionError('overloaded', `${maximumLookups} DNS lookups are under way`);
    }
    const { clock, settings } = this.deps;
    const promise = new Promise<Plan>((resolve, reject) => {
      const timer = clock.after(settings.lookupMilliseconds, () =>
        resolve(this.unanswered(stale, `no answer for ${host} within ${settings.lookupMilliseconds} ms`)),
      );
      this.plan(host, nextHop, chosen)
        .catch((error: unknown) => this.failedPlan(host, stale, error))
        .finally(() => timer.cancel())
        .then(resolve, reject);
    })
      .then((plan) => {
        this.keep(key, plan);
        return plan;
      })
      .finally(() => this.underWay.delete(key));
    this.underWay.set(key, promise);
    return promise;
  }

  private async plan(host: string, nextHop: UnresolvedTarget, chosen: Protocol | undefined): Promise<Plan> {
    const listed = this.deps.hosts.find(host);
    if (listed !== undefined) {
      const protocol = chosen ?? this.defaultProtocol(nextHop.secure);
      const addresses = listed
        .map(canonicalAddress)
        .filter((each) => this.deps.supports(protocol, ipFamily(each)));
      if (addresses.length === 0) this.mustSupport(protocol, ipFamily(canonicalAddress(listed[0]!)));
      const service = { protocol, port: nextHop.port ?? defaultPort(protocol), weight: 0, addresses };
      return this.goodPlan([[service]], this.deps.settings.minimumTtlSeconds);
    }
    // Names without a dot are of this machine or its network and have no service records.
    if (nextHop.port === undefined && host.includes('.')) {
      const plan =
        chosen === undefined
          ? await this.planByNaptr(host)
          : await this.planByServices([{ protocol: chosen, name: servicePrefix[chosen] + host }]);
      if (plan !== undefined) return plan;
    }
    const protocol = chosen ?? this.defaultProtocol(nextHop.secure);
    const { addresses, ttl } = await this.addresses(host, protocol);
    const service = { protocol, port: nextHop.port ?? defaultPort(protocol), weight: 0, addresses };
    return this.goodPlan([[service]], ttl);
  }

  /** RFC 3263 §4.1; without usable NAPTR records the SRV records of every protocol that we speak. */
  private async planByNaptr(host: string): Promise<Plan | undefined> {
    const records = await this.deps.dns.pointers(host).catch(noneAsEmpty);
    const named = [...records]
      .sort((a, b) => a.order - b.order || a.preference - b.preference)
      .flatMap((record) => {
        const protocol = naptrProtocols[record.service.toUpperCase()];
        const usable = protocol !== undefined && this.deps.supports(protocol);
        return usable && record.flags.toLowerCase() === 's' && isHostName(record.replacement.toLowerCase())
          ? [{ protocol, name: record.replacement.toLowerCase() }]
          : [];
      });
    const all: readonly Protocol[] = ['udp', 'tcp', 'tls'];
    const guessed = all
      .filter((protocol) => this.deps.supports(protocol))
      .map((protocol) => ({ protocol, name: servicePrefix[protocol] + host }));
    return this.planByServices((named.length > 0 ? named : guessed).slice(0, 4));
  }

  /** Undefined when there is no SRV record at all. */
  private async planByServices(
    wanted: readonly { protocol: Protocol; name: string }[],
  ): Promise<Plan | undefined> {
    const { settings, dns } = this.deps;
    let found = 0;
    let ttl = settings.serviceTtlSeconds;
    const groups: Service[][] = [];
    let failure: unknown;
    for (const { protocol, name } of wanted) {
      const all = await dns.services(name).catch(noneAsEmpty);
      const records = [...all]
        .sort((a, b) => a.priority - b.priority)
        .slice(0, Math.max(0, settings.maximumServices - found));
      found += records.length;
      const addresses = await Promise.all(
        records.map((record) =>
          this.addresses(record.name.toLowerCase(), protocol).catch((error: unknown) => {
            failure = error;
            return undefined;
          }),
        ),
      );
      let priority: number | undefined;
      records.forEach((record, index) => {
        const resolved = addresses[index];
        if (resolved === undefined) return;
        ttl = Math.min(ttl, resolved.ttl);
        if (record.priority !== priority) groups.push([]);
        priority = record.priority;
        const { port, weight } = record;
        groups.at(-1)!.push({ protocol, port, weight, addresses: resolved.addresses });
      });
    }
    if (found === 0) return undefined;
    if (groups.length === 0) throw failure;
    return this.goodPlan(groups, ttl);
  }

  private async addresses(
    name: string,
    protocol: Protocol | undefined,
  ): Promise<{ addresses: readonly string[]; ttl: number }> {
    const { settings, dns, hosts } = this.deps;
    // RFC 2782: a target of "." says that the service is decidedly not available.
    if (name === '' || name === '.') throw new DnsFailure('none', 'the service is not available there');
    const listed = hosts.find(name);
    const families = ([4, 6] as const).filter(
      (family) => protocol === undefined || this.deps.supports(protocol, family),
    );
    if (listed !== undefined) {
      const usable = listed.map(canonicalAddress).filter((each) => families.includes(ipFamily(each)));
      if (usable.length > 0) return { addresses: usable, ttl: settings.minimumTtlSeconds };
    }
    const answers = await Promise.allSettled(families.map((family) => dns.addresses(name, family)));
    const records = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value.slice(0, settings.maximumAddresses) : [],
    );
    if (records.length === 0) {
      const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
      throw (
        failures.find((each) => each instanceof DnsFailure && each.kind === 'failed') ??
        failures[0] ??
        new DnsFailure('none', `${name} has no address`)
      );
    }
    return {
      addresses: records
        .slice(0, settings.maximumAddresses)
        .map((record) => canonicalAddress(record.address)),
      ttl: Math.min(...records.map((record) => record.ttl)),
    };
  }

  private goodPlan(groups: readonly (readonly Service[])[], ttl: number): Plan {
    const { minimumTtlSeconds, maximumTtlSeconds, staleSeconds } = this.deps.settings;
    const seconds = Math.min(Math.max(ttl, minimumTtlSeconds), maximumTtlSeconds);
    const expiresAt = this.deps.clock.now() + seconds * 1000;
    return { groups, expiresAt, staleUntil: expiresAt + staleSeconds * 1000 };
  }

  private failedPlan(host: string, stale: Plan | undefined, error: unknown): Plan {
    if (error instanceof ResolutionError) return this.badPlan(error);
    if (!(error instanceof DnsFailure)) throw error;
    if (error.kind === 'none')
      return this.badPlan(new ResolutionError('dns', `${host} not found: ${error.message}`));
    return this.unanswered(stale, error.message);
  }

  /** The last good answer is used while no DNS server gives a new one. */
  private unanswered(stale: Plan | undefined, why: string): Plan {
    const now = this.deps.clock.now();
    if (stale === undefined || stale.error !== undefined || now >= stale.staleUntil) {
      return this.badPlan(new ResolutionError('dns', why));
    }
    stale.expiresAt = now + this.deps.settings.negativeTtlSeconds * 1000;
    return stale;
  }

  private badPlan(error: ResolutionError): Plan {
    const expiresAt = this.deps.clock.now() + this.deps.settings.negativeTtlSeconds * 1000;
    return { groups: [], error, expiresAt, staleUntil: expiresAt };
  }

  private keep(key: string, plan: Plan): void {
    this.plans.delete(key);
    if (this.plans.size >= this.deps.settings.cacheEntries) {
      this.plans.delete(this.plans.keys().next().value!);
    }
    this.plans.set(key, plan);
  }

  private targetsOf(plan: Plan, nextHop: UnresolvedTarget, host: string): readonly ResolvedTarget[] {
    if (plan.error !== undefined) throw plan.error;
    const { random, settings } = this.deps;
    const serverName = nextHop.serverName ?? host;
    const targets: ResolvedTarget[] = [];
    for (const group of plan.groups) {
      const ordered = group.length > 1 ? orderByWeight(group, random) : group;
      for (const { protocol, port, addresses } of ordered) {
        for (const address of addresses) {
          targets.push({ protocol, address, port, serverName });
        }
      }
    }
    // Checked here and not when the plan is made, because the request goes to exactly these addresses.
    mustBeAllowed(nextHop, targets);
    return targets.slice(0, settings.maximumTargets);
  }
}

function mustBeAllowed({ host, egress }: UnresolvedTarget, targets: readonly ResolvedTarget[]): void {
  if (egress === undefined) return;
  for (const target of targets) {
    const problem = egress.problemOf(target);
    if (problem !== undefined) throw new ResolutionError('dns', egressText(host, problem));
  }
}

const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

const ipFamily = (address: string): 4 | 6 => (familyOf(address) === 6 ? 6 : 4);

function noneAsEmpty(error: unknown): readonly never[] {
  if (error instanceof DnsFailure && error.kind === 'none') return [];
  throw error;
}

/** RFC 1123 names, and underscores as SRV owners have them. A last label of digits only is a mistyped address. */
function isHostName(name: string): boolean {
  if (name.length > 253 || /(^|\.)\d+\.?$/.test(name)) return false;
  return /^[a-z0-9_][a-z0-9_-]{0,62}(\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/.test(name);
}
