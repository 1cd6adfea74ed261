import type { AgentCallSettings } from '../../config/edge-settings.js';
import { anyOf, type SourceRange } from '../../contract/source-range.js';
import { normalAddress } from '../../naming/address.js';
import { isLoopback } from '../../naming/address-scope.js';
import type { ReceivedRequest } from '../sip/messages.js';

/** Origin of a request: the connection or datagram, never a header. */
type Origin = Pick<ReceivedRequest, 'source_address' | 'protocol' | 'receivedOn'>;

/**
 * Recognizes the agent runtime: the request came in on the private listener, from a source that may dial. Both are required,
 * so that neither a trunk with an agent's address nor a stranger who reaches that port passes.
 */
export class AgentGate {
  private readonly sources: SourceRange;

  constructor(private readonly settings: AgentCallSettings) {
    this.sources = anyOf(settings.sources);
  }

  isAgent({ source_address: address, protocol, receivedOn }: Origin): boolean {
    if (receivedOn === undefined || !this.isPrivate(receivedOn)) return false;
    const source = normalAddress(address);
    if (source === undefined || !this.sources.contains(source)) return false;
    // The source of a datagram can be forged, except loopback from outside this machine.
    return protocol.toLowerCase() !== 'udp' || this.settings.trustUdpSources || isLoopback(source);
  }

  private isPrivate(receivedOn: string): boolean {
    const { listen, trunkPorts } = this.settings;
    const at = receivedOn.lastIndexOf(':');
    const port = Number(receivedOn.slice(at + 1));
    const host = receivedOn.slice(0, at).replace(/^\[|\]$/g, '');
    if (listen === undefined || host !== listen.host) return false;
    // Any free port: every other listener has a fixed one.
    return listen.port === 0 ? !trunkPorts.includes(port) : port === listen.port;
  }
}
