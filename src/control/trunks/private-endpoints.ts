import type { ControlSettings } from '../../config/control-settings.js';
import { InvalidRequest } from '../http/validation.js';
import { parseDestination } from './destination.js';

/**
 * Throws `InvalidRequest` for an endpoint in a private network where the service does not let customers reach there.
 * A name is not resolved: what it leads to may change at any time.
 */
export function checkReachable(
  { privateEndpoints }: Pick<ControlSettings, 'privateEndpoints'>,
  endpoint: string | null,
  path: string,
): void {
  if (privateEndpoints === 'allow' || endpoint === null) return;
  const parsed = parseDestination(endpoint);
  if (parsed.ok && parsed.destination.isPrivate) {
    throw InvalidRequest.at(path, 'A private address cannot be reached from this service');
  }
}
