import { isPublic } from '../../naming/address-scope.js';
import { networkMatcher } from '../../naming/networks.js';
import type { Clock } from '../clock.js';
import { DnsFailure, type DnsSource } from './dns-source.js';
import { type NextHop, type Protocol, type Target, TransportError } from './flow.js';
import type { HostsFile } from './hosts-file.js';
import { canonicalAddress, familyOf } from './ip-address.js';
import { orderByWeight } from './service-order.js';
import type { ResolverSettings } from './settings.js';

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
  readonly error?: TransportError;
  expiresAt: number;
  readonly staleUntil: number;
}

export interface ResolverParts {
  readonly settings: ResolverSettings;
  readonly clock: Clock;
  readonly dns: DnsSource;
  readonly hosts: HostsFile;
  /** Whether we have a listener of that protocol (and family). */
  readonly supports: (protocol: Protocol, family?: 4 | 6) => boolean;
  /** 0 ≤ value < 1; spreads load over weights. */
  readonly random: () => number;
}

export const defaultPort = (protocol: Protocol): number => (protocol === 'tls' ? 5061 : 5060);

/** More than this at once means that somebody feeds us names. */
const maximumLookups = 1_000;

const servicePrefix: Readonly<Record<Protocol, string>> = {
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
 * Names of the hosts file skip NAPTR and SRV. Answers are bounded in number and time, and cached; negative ones shortly,
 * good ones beyond their TTL while the DNS servers are silent.
 */
export class TargetResolver {
  private readonly plans = new Map<string, Plan>();
  private readonly underWay = new Map<string, Promise<Plan>>();

  constructor(private readonly parts: ResolverParts) {}

  get cachedNames(): number {
    return this.plans.size;
  }

  /** Synchronous where nothing has to be asked. Throws or rejects with TransportError `dns`, `unsupported` or `overloaded`. */
  resolve(nextHop: NextHop): readonly Target[] | Promise<readonly Target[]> {
    const host = nextHop.host
      .toLowerCase()
      .replace(/^\[(.*)\]$/, '$1')
      .replace(/\.$/, '');
    const chosen = this.chooseProtocol(nextHop);
    const family = familyOf(host);
    if (family !== 0) {
      const protocol = chosen ?? this.defaultProtocol(nextHop.secure);
      this.mustSupport(protocol, family);
      const address = canonicalAddress(host);
      mustBeAllowed(nextHop, [address]);
      return [
        {
          protocol,
          address,
          port: nextHop.port ?? defaultPort(protocol),
          serverName: nextHop.serverName ?? address,
        },
      ];
    }
    if (!isHostName(host)) throw new TransportError('dns', `"${nextHop.host.slice(0, 80)}" is no host name`);

    const key = `${nextHop.secure ? 'sips' : 'sip'} ${host} ${nextHop.port ?? ''} ${chosen ?? ''}`;
    const known = this.plans.get(key);
    if (known !== undefined && this.parts.clock.now() < known.expiresAt) {
      this.plans.delete(key);
      this.plans.set(key, known);
      return this.targetsOf(known, nextHop, host);
    }
    return this.lookUp(key, host, nextHop, chosen, known).then((plan) => this.targetsOf(plan, nextHop, host));
  }

  /** Forgets everything that was learned. */
  clear(): void {
    this.plans.clear();
  }

  /** What the URI itself says: `transport`, or `sips`, or a port; undefined where DNS has a say. */
  private chooseProtocol(nextHop: NextHop): Protocol | undefined {
    const transport = nextHop.transport?.toLowerCase();
    if (transport !== undefined) {
      if (transport === 'udp' && !nextHop.secure) return this.mustSupport('udp');
      if (transport === 'tcp') return this.mustSupport(nextHop.secure ? 'tls' : 'tcp');
      if (transport === 'tls') return this.mustSupport('tls');
      const why =
        transport === 'udp' ? 'sips over UDP is not allowed' : `no transport "${transport.slice(0, 20)}"`;
      throw new TransportError('unsupported', why);
    }
    if (this.parts.settings.naptr && nextHop.port === undefined && !nextHop.secure) return undefined;
    return this.mustSupport(this.defaultProtocol(nextHop.secure));
  }

  /** Without a word about transport: TLS for sips, else UDP; a TCP-only server has no choice. */
  private defaultProtocol(secure: boolean): Protocol {
    if (secure) return 'tls';
    return !this.parts.supports('udp') && this.parts.supports('tcp') ? 'tcp' : 'udp';
  }

  private mustSupport(protocol: Protocol, family?: 4 | 6): Protocol {
    if (this.parts.supports(protocol, family)) return protocol;
    throw new TransportError(
      'unsupported',
      `no ${protocol} listener${family === undefined ? '' : ` for IPv${family}`} to send from`,
    );
  }

  private lookUp(
    key: string,
    host: string,
    nextHop: NextHop,
    chosen: Protocol | undefined,
    stale: Plan | undefined,
  ): Promise<Plan> {
    const running = this.underWay.get(key);
    if (running !== undefined) return running;
    if (this.underWay.size >= maximumLookups) {
      throw new TransportError('overloaded', `${maximumLookups} DNS lookups are under way`);
    }
    const { clock, settings } = this.parts;
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

  private async plan(host: string, nextHop: NextHop, chosen: Protocol | undefined): Promise<Plan> {
    const listed = this.parts.hosts.find(host);
    if (listed !== undefined) {
      const protocol = chosen ?? this.defaultProtocol(nextHop.secure);
      const addresses = listed.filter((each) => this.parts.supports(protocol, familyOf(each) === 6 ? 6 : 4));
      if (addresses.length === 0) this.mustSupport(protocol, familyOf(listed[0]!) === 6 ? 6 : 4);
      const service = { protocol, port: nextHop.port ?? defaultPort(protocol), weight: 0, addresses };
      return this.goodPlan([[service]], this.parts.settings.minimumTtlSeconds);
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
    const records = await this.parts.dns.pointers(host).catch(noneAsEmpty);
    const named = [...records]
      .sort((a, b) => a.order - b.order || a.preference - b.preference)
      .flatMap((record) => {
        const protocol = naptrProtocols[record.service.toUpperCase()];
        const usable = protocol !== undefined && this.parts.supports(protocol);
        return usable && record.flags.toLowerCase() === 's' && isHostName(record.replacement.toLowerCase())
          ? [{ protocol, name: record.replacement.toLowerCase() }]
          : [];
      });
    const all: readonly Protocol[] = ['udp', 'tcp', 'tls'];
    const guessed = all
      .filter((protocol) => this.parts.supports(protocol))
      .map((protocol) => ({ protocol, name: servicePrefix[protocol] + host }));
    return this.planByServices((named.length > 0 ? named : guessed).slice(0, 4));
  }

  /** Undefined when there is no SRV record at all. */
  private async planByServices(
    wanted: readonly { protocol: Protocol; name: string }[],
  ): Promise<Plan | undefined> {
    const { settings, dns } = this.parts;
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
    protocol: Protocol,
  ): Promise<{ addresses: readonly string[]; ttl: number }> {
    const { settings, dns, hosts } = this.parts;
    // RFC 2782: a target of "." says that the service is decidedly not available.
    if (name === '' || name === '.') throw new DnsFailure('none', 'the service is not available there');
    const listed = hosts.find(name);
    const families = ([4, 6] as const).filter((family) => this.parts.supports(protocol, family));
    if (listed !== undefined) {
      const usable = listed.filter((each) => families.includes(familyOf(each) === 6 ? 6 : 4));
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
    const { minimumTtlSeconds, maximumTtlSeconds, staleSeconds } = this.parts.settings;
    const seconds = Math.min(Math.max(ttl, minimumTtlSeconds), maximumTtlSeconds);
    const expiresAt = this.parts.clock.now() + seconds * 1000;
    return { groups, expiresAt, staleUntil: expiresAt + staleSeconds * 1000 };
  }

  private failedPlan(host: string, stale: Plan | undefined, error: unknown): Plan {
    if (error instanceof TransportError) return this.badPlan(error);
    if (!(error instanceof DnsFailure)) throw error;
    if (error.kind === 'none')
      return this.badPlan(new TransportError('dns', `${host} not found: ${error.message}`));
    return this.unanswered(stale, error.message);
  }

  /** The last good answer serves on while nobody can give a new one. */
  private unanswered(stale: Plan | undefined, why: string): Plan {
    const now = this.parts.clock.now();
    if (stale === undefined || stale.error !== undefined || now >= stale.staleUntil) {
      return this.badPlan(new TransportError('dns', why));
    }
    stale.expiresAt = now + this.parts.settings.negativeTtlSeconds * 1000;
    return stale;
  }

  private badPlan(error: TransportError): Plan {
    const expiresAt = this.parts.clock.now() + this.parts.settings.negativeTtlSeconds * 1000;
    return { groups: [], error, expiresAt, staleUntil: expiresAt };
  }

  private keep(key: string, plan: Plan): void {
    this.plans.delete(key);
    if (this.plans.size >= this.parts.settings.cacheEntries) {
      this.plans.delete(this.plans.keys().next().value!);
    }
    this.plans.set(key, plan);
  }

  private targetsOf(plan: Plan, nextHop: NextHop, host: string): readonly Target[] {
    if (plan.error !== undefined) throw plan.error;
    const { random, settings } = this.parts;
    const serverName = nextHop.serverName ?? host;
    // Here and not when the plan is made: what is sent goes to these very addresses, whatever the name led to before.
    mustBeAllowed(
      nextHop,
      plan.groups.flatMap((group) => group.flatMap(({ addresses }) => addresses)),
    );
    const targets: Target[] = [];
    for (const group of plan.groups) {
      const ordered = group.length > 1 ? orderByWeight(group, random) : group;
      for (const { protocol, port, addresses } of ordered) {
        for (const address of addresses) {
          if (targets.length < settings.maximumTargets) targets.push({ protocol, address, port, serverName });
        }
      }
    }
    return targets;
  }
}

function mustBeAllowed({ host, publicOnly }: NextHop, addresses: readonly string[]): void {
  if (publicOnly === undefined) return;
  const isListed = networkMatcher(publicOnly);
  if (addresses.every((address) => isPublic(address) || isListed(address))) return;
  throw new TransportError('dns', `${host.slice(0, 80)} leads to a private address, which is not called`);
}

function noneAsEmpty(error: unknown): readonly never[] {
  if (error instanceof DnsFailure && error.kind === 'none') return [];
  throw error;
}

/** RFC 1123 names, and underscores as SRV owners have them. A last label of digits only is a mistyped address. */
function isHostName(name: string): boolean {
  if (name.length > 253 || /(^|\.)\d+\.?$/.test(name)) return false;
  return /^[a-z0-9_][a-z0-9_-]{0,62}(\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/.test(name);
}
