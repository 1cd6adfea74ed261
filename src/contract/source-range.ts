import { parseAddress } from '../naming/address.js';

/** Addresses that share a prefix; IPv4-mapped IPv6 (`::ffff:a.b.c.d`) counts as IPv4. */
export interface SourceRange {
  contains(address: string): boolean;
}

/** Ranges wider than these are taken for mistakes: 10.0.0.0/8 and fc00::/7 are the widest that networks use. */
const widest = { ipv4: 8, ipv6: 7 } as const;

const mappedPrefix = 96;

/** Whether an address is in one of the ranges; texts that are no range count for nothing. */
export function anyOf(texts: readonly string[]): SourceRange {
  const ranges = texts.flatMap((text) => {
    const parsed = parseSourceRange(text);
    return parsed.ok ? [parsed.range] : [];
  });
  return { contains: (address) => ranges.some((range) => range.contains(address)) };
}

export type SourceRangeResult =
  | { readonly ok: true; readonly range: SourceRange }
  | { readonly ok: false; readonly problem: 'malformed' | 'too-wide' };

/** Reads `address` or `address/prefix`. */
export function parseSourceRange(text: string): SourceRangeResult {
  const slash = text.indexOf('/');
  const written = slash < 0 ? text : text.slice(0, slash);
  const prefixText = slash < 0 ? undefined : text.slice(slash + 1);
  const network = parseAddress(written);
  if (network === undefined || (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText))) {
    return { ok: false, problem: 'malformed' };
  }
  const isMapped = network.kind() === 'ipv4' && written.includes(':');
  const bits = network.kind() === 'ipv4' ? 32 : 128;
  const prefix = prefixText === undefined ? bits : Number(prefixText) - (isMapped ? mappedPrefix : 0);
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
