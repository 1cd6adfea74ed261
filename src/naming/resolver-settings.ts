export interface ResolverSettings {
  /** Ask for NAPTR, and SRV of every protocol, when the URI has neither transport nor port (RFC 3263 §4.1). */
  readonly naptr: boolean;
  /** For a whole resolution: NAPTR, SRV and addresses together. */
  readonly lookupMilliseconds: number;
  readonly cacheEntries: number;
  readonly minimumTtlSeconds: number;
  readonly maximumTtlSeconds: number;
  /** Node doesn't return the TTL of SRV and NAPTR records. */
  readonly serviceTtlSeconds: number;
  readonly negativeTtlSeconds: number;
  /** An expired answer is used for this long while no DNS server answers. */
  readonly staleSeconds: number;
  readonly maximumServices: number;
  readonly maximumAddresses: number;
  readonly maximumTargets: number;
}

export const defaultResolver: ResolverSettings = {
  /** The wire protocol's users expect UDP for a plain `sip:` URI. */
  naptr: false,
  /** A call setup waits for it. */
  lookupMilliseconds: 3_000,
  /** About a kilobyte each. */
  cacheEntries: 4_096,
  minimumTtlSeconds: 1,
  maximumTtlSeconds: 3_600,
  serviceTtlSeconds: 60,
  /** Long enough to absorb a burst of calls to a wrong name, short enough that a corrected record takes effect quickly. */
  negativeTtlSeconds: 10,
  staleSeconds: 3_600,
  /** Real zones have two to six servers; a hostile one must not make us dial a hundred. */
  maximumServices: 16,
  maximumAddresses: 8,
  maximumTargets: 16,
};
