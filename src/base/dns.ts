export interface AddressRecord {
  readonly address: string;
  /** Seconds. */
  readonly ttl: number;
}

/** RFC 2782. */
export interface ServiceRecord {
  readonly name: string;
  readonly port: number;
  readonly priority: number;
  readonly weight: number;
}

/** NAPTR, RFC 3403. */
export interface PointerRecord {
  readonly flags: string;
  readonly service: string;
  readonly replacement: string;
  readonly order: number;
  readonly preference: number;
}

/** `none`: the name or the record does not exist. `failed`: no DNS server answered the question. */
export class DnsFailure extends Error {
  override readonly name = 'DnsFailure';
  constructor(
    readonly kind: 'none' | 'failed',
    message: string,
  ) {
    super(message);
  }
}

/** Where records come from. All methods reject with DnsFailure; an empty list counts as `none`. */
export interface DnsSource {
  addresses(name: string, family: 4 | 6): Promise<readonly AddressRecord[]>;
  services(name: string): Promise<readonly ServiceRecord[]>;
  pointers(name: string): Promise<readonly PointerRecord[]>;
  /** Cancels pending questions. */
  cancel(): void;
}

/** Names that DNS servers don't know: those of the hosts file. */
export interface HostNames {
  /** The addresses of a lower-case name; undefined: not listed. */
  find(name: string): readonly string[] | undefined;
}
