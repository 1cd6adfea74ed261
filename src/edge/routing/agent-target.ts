import { parseUri } from '../../sip/uri.js';
import type { TrunkTarget } from './targets.js';

/** Where a request to an agent's URI goes (RFC 3261 §19.1.1: `maddr` before the host). */
export function agentTarget(text: string): TrunkTarget | undefined {
  const uri = parseUri(text);
  if (uri?.kind !== 'sip') return undefined;
  const named = uri.parameters.get('transport')?.toLowerCase();
  const isSecure = uri.scheme === 'sips' || named === 'tls';
  const transport = isSecure ? 'tls' : named === 'tcp' ? 'tcp' : 'udp';
  return { host: uri.parameters.get('maddr') ?? uri.host, port: uri.port, transport };
}
