import { type EgressPolicy, egressText } from '../../naming/egress.js';
import type { MediaDescription, SessionDescription } from '../../sdp/sdp.js';
import { mediaAddress } from '../../sdp/sdp.js';

/** Where descriptions from outside may send rtpengine; undefined: anywhere. */
export type MediaEgress = Pick<EgressPolicy, 'problemOf'> | undefined;

/** The obsolete hold (RFC 3264 §8.4): nothing is sent there. */
const isNowhere = (address: string): boolean => address === '0.0.0.0' || address === '::';

/** `address port` at which a media description wants packets; undefined: nowhere. */
export function endpointOf(session: SessionDescription, media: MediaDescription): string | undefined {
  const address = mediaAddress(session, media);
  return address === undefined || isNowhere(address) ? undefined : `${address} ${media.port}`;
}

/** What is wrong with the address of a description from outside; undefined: media may be sent there. */
export function egressProblem(
  egress: MediaEgress,
  session: SessionDescription,
  media: MediaDescription,
): string | undefined {
  const address = mediaAddress(session, media);
  if (egress === undefined || address === undefined || isNowhere(address)) return undefined;
  const problem = egress.problemOf({ address, port: media.port, protocol: 'udp' });
  if (problem === undefined) return undefined;
  const advice =
    problem === 'private'
      ? ' Use a public address in the SDP, or ask the operator to add its network to DEMARC_PRIVATE_NETWORKS.'
      : '';
  return `Audio cannot be sent there: ${egressText(address, problem)}.${advice}`;
}
