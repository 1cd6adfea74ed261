import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Addresses that share a prefix; IPv4-mapped IPv6 (`::ffff:a.b.c.d`) is its IPv4 self. */
export interface SourceRange {
  contains(address: string): boolean;
}

/** Ranges wider than these are taken for mistakes: 10.0.0.0/8 and fc00::/7 are the widest that networks use. */
const widest = { ipv4: 8, ipv6: 7 } as const;

const mappedPrefix = 96;

function parseAddress(text: string): Address | undefined {
  // A zone (`fe80::1%eth0`) names an interface of ours, not the peer.
  const zone = text.indexOf('%');
  const plain = zone < 0 ? text : text.slice(0, zone);
  if (!ipaddr.isValid(plain)) return undefined;
  const address = ipaddr.process(plain);
  // `10.1`, `0x0a000001` and `010.0.0.1` (octal: 8.0.0.1) are forms that ipaddr.js reads and people misread.
  const isPlain = plain.includes(':') || /^(?:(?:0|[1-9]\d{0,2})(?:\.(?!$)|$)){4}$/.test(plain);
  return isPlain ? address : undefined;
}

/** One spelling for each address; undefined when the text is none. */
export function normalAddress(text: string): string | undefined {
  return parseAddress(text)?.toString();
}

export type SourceRangeResult =
  | { readonly ok: true; readonly range: SourceRange }
  | { readonly ok: false; readonly problem: 'malformed' | 'too-wide' };

/** Reads `address` or `address/prefix`. */
export function parseSourceRange(text: string): SourceRangeResult {
  const slash = text.indexOf('/');
  const written = slash < 0 ? text : text.slice(0, slash);
  const given = slash < 0 ? undefined : text.slice(slash + 1);
  const network = parseAddress(written);
  if (network === undefined || (given !== undefined && !/^\d{1,3}$/.test(given))) {
    return { ok: false, problem: 'malformed' };
  }
  const isMapped = network.kind() === 'ipv4' && written.includes(':');
  const bits = network.kind() === 'ipv4' ? 32 : 128;
  const prefix = given === undefined ? bits : Number(given) - (isMapped ? mappedPrefix : 0);
  if (prefix > bits) return { ok: false, problem: 'malformed' };
  if (prefix < widest[network.kind()]) return { ok: false, problem: 'too-wide' };
  return {
    ok: true,
    range: {
      contains(text: string): boolean {
        const address = parseAddress(text);
        return address !== undefined && address.kind() === network.kind() && address.match(network, prefix);
      },
    },
  };
}
