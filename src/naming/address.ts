import ipaddr from 'ipaddr.js';
import { remembered } from './remembered.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The library throws for other texts, which costs a hundred times as much: each call asks about names of hosts. */
const addressCharacters = /^[\da-f:.]{2,45}(?:%|$)/i;

/**
 * Reads an IPv4 address as dotted quad, or an IPv6 address without brackets. Undefined for anything else: also for `10.1`,
 * `0x0a000001` and `010.0.0.1` (octal 8.0.0.1), which other readers accept and people misread.
 */
const readAddress = remembered((text): Address | undefined => {
  if (!addressCharacters.test(text)) return undefined;
  if (text.includes(':')) return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
  return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
});

/** As `readAddress`, where IPv4-mapped IPv6 is IPv4 and a zone (`fe80::1%eth0`), an interface of this host, is dropped. */
export function parseAddress(text: string): Address | undefined {
  const address = readAddress(text.includes('%') ? text.slice(0, text.indexOf('%')) : text);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** 4, 6 (also for IPv4-mapped addresses), or 0 when the text isn't an address. */
export function familyOf(text: string): 0 | 4 | 6 {
  const address = readAddress(text);
  if (address === undefined) return 0;
  return address.kind() === 'ipv4' ? 4 : 6;
}

export const isAddress = (text: string): boolean => readAddress(text) !== undefined;

/** One spelling for each address: RFC 5952, and the dotted quad for IPv4-mapped IPv6; without zone. Undefined: no address. */
export const normalAddress = remembered((text): string | undefined => parseAddress(text)?.toString());

/** As `normalAddress`, but keeps the zone, and text that isn't an address as it is. */
export function canonicalAddress(text: string): string {
  if (!text.includes(':')) return text;
  const zone = text.indexOf('%');
  const address = parseAddress(text);
  if (address === undefined) return text;
  return zone < 0 || address.kind() === 'ipv4' ? address.toString() : address.toString() + text.slice(zone);
}

export const isWildcard = (address: string): boolean => address === '0.0.0.0' || address === '::';

/** `[::1]` → `::1`; any other host stays as it is. */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
