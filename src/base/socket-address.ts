/** An address and port, or a name and port, of a socket. */
export interface HostPort {
  /** IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/**
 * Reads `host:port` or `[ipv6]:port`, as settings and traces write it; undefined when it is neither. The host and port of a URI or
 * a Via, where the port may be absent, are read by `src/sip/uri.ts`.
 */
export function parseSocketAddress(text: string): HostPort | undefined {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text);
  if (match === null) return undefined;
  const number = Number(match[3]);
  return number > 65_535 ? undefined : { host: (match[1] ?? match[2])!, port: number };
}
