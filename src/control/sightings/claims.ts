import { parseSourceRange, type SourceRange } from '../../contract/source-range.js';
import { parseAddress } from '../../naming/address.js';
import type { Views } from '../database/tables.js';
import { endpointOf } from '../numbers/compose-document.js';
import type { Configuration } from '../numbers/tables.js';

/** One site's addresses; wider ranges say who may call, but not whose addresses they are. */
const widest = { 4: 28, 6: 64 } as const;
const mappedPrefix = 96;

/** What a configuration says of addresses. */
type ClaimingRow = Pick<
  Configuration,
  'direction' | 'allowed_ips' | 'sip_endpoint' | 'registrar' | 'options'
>;

/** The ranges that directions list, and the servers that they name: those that are called, and those to register at. */
export function claimsOf(
  rows: readonly ClaimingRow[],
  shared: Views['trunk_directions']['directions'],
): {
  readonly listed: readonly string[];
  readonly servers: readonly ReturnType<typeof endpointOf>[];
} {
  const listed = [
    ...rows.flatMap(({ allowed_ips }) => allowed_ips),
    ...shared.flatMap((direction) => (direction.type === 'inbound' ? (direction.allowed_ips ?? []) : [])),
  ];
  const servers = [
    ...rows.flatMap(({ direction, sip_endpoint, registrar, options }) => {
      const uri = direction === 'outbound' ? sip_endpoint : registrar;
      return uri === null ? [] : [endpointOf(uri, options)];
    }),
    ...shared.flatMap((direction) =>
      direction.type === 'outbound'
        ? [endpointOf(direction.sip_endpoint, serverOptions(direction.options))]
        : [],
    ),
  ];
  return { listed, servers };
}

/** Those that name one site; wider ones say who may call, but not whose addresses they are. */
export const narrowRanges = (listed: readonly string[]): SourceRange[] =>
  listed.filter(isNarrow).flatMap((text) => {
    const parsed = parseSourceRange(text);
    return parsed.ok ? [parsed.range] : [];
  });

const serverOptions = (
  options: {
    readonly port?: number | undefined;
    readonly transport?: 'udp' | 'tcp' | 'tls' | undefined;
  } = {},
) => ({
  ...(options.port === undefined ? {} : { port: options.port }),
  ...(options.transport === undefined ? {} : { transport: options.transport }),
});

function isNarrow(range: string): boolean {
  const [written = '', prefix] = range.split('/');
  if (prefix === undefined) return true;
  const isIpv4 = parseAddress(written)?.kind() === 'ipv4';
  // IPv4-mapped IPv6 (`::ffff:a.b.c.d`) is IPv4, whose prefix comes behind these 96 bits.
  const bits = Number(prefix) - (isIpv4 && written.includes(':') ? mappedPrefix : 0);
  return bits >= widest[isIpv4 ? 4 : 6];
}

/** `203.0.113.5:5061`, `[2001:db8::5]:5061` */
export const hostOf = (address: string): string => address.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
