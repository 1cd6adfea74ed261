import { isIP } from 'node:net';
import type { ControlSettings } from '../../config/control-settings.js';
import { EgressPolicy, egressText } from '../../naming/egress.js';
import { InvalidRequest } from '../http/validation.js';
import { parseDestination } from '../numbers/destination.js';

/**
 * Throws `InvalidRequest` for an endpoint in a private network, or one that cannot be read, where the service does not let
 * customers reach such networks. A name is not resolved: what it leads to may change at any time.
 */
export function checkReachable(
  { privateEndpoints, privateNetworks }: Pick<ControlSettings, 'privateEndpoints' | 'privateNetworks'>,
  endpoint: string | null,
  path: string,
): void {
  if (privateEndpoints === 'allow' || endpoint === null) return;
  const parsed = parseDestination(endpoint);
  if (!parsed.ok) throw InvalidRequest.at(path, parsed.reason);
  const { host, isPrivate } = parsed.destination;
  const egress = new EgressPolicy({ allowPrivate: false, privateNetworks });
  // Only names can be private and no address.
  const problem =
    isIP(host) === 0 ? (isPrivate ? 'private' : undefined) : egress.problemOf({ address: host });
  if (problem !== undefined) throw InvalidRequest.at(path, egressText(host, problem));
}
