import type { ControlSettings } from '../../config/control-settings.js';
import { InvalidRequest } from '../http/validation.js';
import { parseDestination } from './destination.js';

/**
 * Throws `InvalidRequest` for an endpoint in a private network, or one that cannot be read, where the service does not let
 * customers reach such networks. A name is not resolved: what it leads to may change at any time.
 */
export function checkReachable(
  { privateEndpoints }: Pick<ControlSettings, 'privateEndpoints'>,
  endpoint: string | null,
  path: string,
): void {
  if (privateEndpoints === 'allow' || endpoint === null) return;
  const parsed = parseDestination(endpoint);
  if (!parsed.ok) throw InvalidRequest.at(path, parsed.reason);
  if (parsed.destination.isPrivate) {
    throw InvalidRequest.at(path, 'A private address cannot be reached from this service');
  }
}
