import type { Clock } from '../../base/clock.js';
import type { DnsSource, HostNames } from '../../base/dns.js';
import { HostsFile } from '../../base/hosts-file.js';
import { SystemClock } from '../../base/system-clock.js';
import { SystemDns } from '../../base/system-dns.js';
import { defaultResolver, type ResolverSettings } from '../../naming/resolver-settings.js';
import { TargetResolver } from '../../naming/target-resolver.js';

/** Probes and calls resolve names as the engine does, with its settings. */
const probeSettings: ResolverSettings = defaultResolver;

/** Admission needs every address of a server, and keeps the last answer for a day if DNS fails. */
const admissionSettings: ResolverSettings = {
  ...defaultResolver,
  maximumTtlSeconds: 60,
  staleSeconds: 24 * 3_600,
  cacheEntries: 5_000,
  maximumTargets: defaultResolver.maximumServices * defaultResolver.maximumAddresses,
};

export interface EdgeNames {
  /** For probes, registrations, discovery, and the check of a call's target. */
  readonly targets: TargetResolver;
  /** For the addresses of allowed callers. */
  readonly admission: TargetResolver;
}

export interface EdgeNamesDeps {
  readonly dns?: DnsSource;
  readonly hosts?: HostNames;
  readonly clock?: Clock;
}

/** RFC 3263 for the edge: over the system's DNS servers and hosts file by default. */
export function edgeNames({
  dns = new SystemDns({ servers: [], lookupMilliseconds: defaultResolver.lookupMilliseconds }),
  clock = new SystemClock(),
  hosts = new HostsFile('/etc/hosts', () => clock.now()),
}: EdgeNamesDeps = {}): EdgeNames {
  // The engine refuses a transport without a listener and reports it.
  const common = { clock, dns, hosts, supports: () => true, random: Math.random };
  return {
    targets: new TargetResolver({ ...common, settings: probeSettings }),
    admission: new TargetResolver({ ...common, settings: admissionSettings }),
  };
}
