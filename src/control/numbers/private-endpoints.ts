import type { ControlSettings } from '../../config/control-settings.js';
import { isStreamUrl } from '../../contract/agent-stream.js';
import { isAddress } from '../../naming/address.js';
import { EgressPolicy, egressText } from '../../naming/egress.js';
import { InvalidRequest } from '../http/validation.js';
import { parseDestination } from './destination.js';

/**
 * Throws `InvalidRequest` for a malformed endpoint, or one in a private network, where customers may not reach such networks.
 * A name is not resolved: its addresses may change at any time.
 */
export function checkReachable(
  { privateEndpoints, privateNetworks }: Pick<ControlSettings, 'privateEndpoints' | 'privateNetworks'>,
  endpoint: string | null,
  path: string,
): void {
  if (privateEndpoints === 'allow' || endpoint === null) return;
  if (isStreamUrl(endpoint)) {
    checkUrl({ privateEndpoints, privateNetworks }, endpoint, path);
    return;
  }
  const parsed = parseDestination(endpoint);
  if (!parsed.ok) throw InvalidRequest.at(path, parsed.reason);
  const { host, isPrivate } = parsed.destination;
  const egress = new EgressPolicy({ allowPrivate: false, privateNetworks });
  // `localhost` is a private name.
  const problem = isAddress(host) ? egress.problemOf({ address: host }) : isPrivate ? 'private' : undefined;
  if (problem !== undefined) throw InvalidRequest.at(path, egressText(host, problem));
}

/** The encrypted one in place of each. */
const plainSchemes: Readonly<Record<string, string>> = { 'ws:': 'wss:', 'http:': 'https:' };

/** The same of a URL of a bot (`wss:`) or a file (`https:`). Plain `ws:` and `http:` reach private networks alone. */
export function checkUrl(
  { privateEndpoints, privateNetworks }: Pick<ControlSettings, 'privateEndpoints' | 'privateNetworks'>,
  text: string,
  path: string,
): void {
  if (privateEndpoints === 'allow') return;
  const { protocol, hostname } = new URL(text);
  const encrypted = plainSchemes[protocol];
  const host = hostname.replace(/^\[|\]$/g, '');
  const egress = new EgressPolicy({ allowPrivate: false, privateNetworks });
  const isListed = isAddress(host) && privateNetworks.length > 0 && egress.allows({ address: host });
  if (encrypted !== undefined && !isListed)
    throw InvalidRequest.at(path, `must be ${encrypted}//: ${protocol}// is not encrypted`);
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  const problem = isAddress(host) ? egress.problemOf({ address: host }) : isLocal ? 'private' : undefined;
  if (problem !== undefined) throw InvalidRequest.at(path, egressText(host, problem));
}
