import type { Sighting } from '../../api/setup.js';

/** What arrived, in words. */

/** True: calls, or at least SIP, work. */
export const isContact = ({ kind, method, status }: Sighting): boolean =>
  kind === 'request' &&
  ((method === 'INVITE' && status === null) || (method === 'OPTIONS' && status === 200));

/** True: the caller's address was the reason. */
export const isRefusedSource = ({ end_reason, phone_number, protocol }: Sighting): boolean =>
  end_reason === 'refused_source' && phone_number !== null && protocol !== 'udp';

/** `INVITE from 203.0.113.5: 403, the address is not in the list` */
export function headlineOf(sighting: Sighting): string {
  const { kind, method, source_address: address, status } = sighting;
  if (kind === 'handshake') return `TLS connection from ${address} failed`;
  if (status === null) return `${method} from ${address}: admitted`;
  const why =
    reasons[sighting.end_reason ?? ''] ?? (method === 'REGISTER' ? 'Demarc is no registrar' : undefined);
  return `${method} from ${address}: ${status}${why === undefined ? '' : `, ${why}`}`;
}

const reasons: Readonly<Record<string, string>> = {
  refused_source: 'the address is not in the list',
  refused_unknown_number: 'the called number is not attached here',
  refused_credentials: 'user or password is wrong',
  refused_media: 'no usable SRTP or codec was offered',
  refused_limit: 'a limit is reached',
  refused_draining: 'the edge is shutting down',
};

export function answerOf({ kind, status, protocol, source_port }: Sighting): string {
  if (kind === 'handshake') return 'nothing: there was no SIP request';
  const way = `${protocol.toUpperCase()}${source_port === null ? '' : `, from port ${source_port}`}`;
  return `${status ?? 'admitted'} over ${way}`;
}
