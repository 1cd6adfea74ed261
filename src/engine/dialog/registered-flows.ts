import { parseAddress } from '../../sip/address.js';
import type { SipRequest, SipResponse } from '../../sip/message.js';
import { parseUri } from '../../sip/uri.js';
import type { Clock } from '../clock.js';
import { type Flow, isReliable } from '../transport/flow.js';

interface Registration {
  readonly flow: Flow;
  readonly until: number;
}

const maximumRegistrations = 100_000;
const defaultExpires = 3600;

/** `user@host:port` of a SIP URI, which is how a registered Contact is found again. */
function keyOf(uri: string): string | undefined {
  const parsed = parseUri(uri);
  if (parsed?.kind !== 'sip') return undefined;
  return `${parsed.user ?? ''}@${parsed.host.toLowerCase()}:${parsed.port ?? ''}`;
}

function seconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) || value < 0 ? undefined : value;
}

/**
 * Connections over which an accepted REGISTER or SUBSCRIBE came, by its Contact: requests to that Contact use the same
 * connection, because behind NAT there is no other path (wire protocol §11.4). An entry outlives its connection until it
 * expires, so that a request to it fails at once instead of trying an unreachable address.
 */
export class RegisteredFlows {
  private readonly registrations = new Map<string, Registration>();

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.registrations.size;
  }

  /** Learns from an accepted request; `Expires: 0` forgets. */
  accepted(request: SipRequest, response: SipResponse, flow: Flow): void {
    if (!isReliable(flow.protocol)) return;
    const granted = new Map<string, number | undefined>();
    for (const contact of response.headers.list('Contact')) {
      const address = parseAddress(contact);
      if (address !== undefined) granted.set(address.uri, seconds(address.parameters.get('expires')));
    }
    const general = seconds(response.headers.get('Expires')) ?? seconds(request.headers.get('Expires'));
    for (const contact of request.headers.list('Contact')) {
      const address = parseAddress(contact);
      const key = address && keyOf(address.uri);
      if (address === undefined || key === undefined) continue;
      const asked = seconds(address.parameters.get('expires'));
      this.remember(key, flow, granted.get(address.uri) ?? asked ?? general ?? defaultExpires);
    }
  }

  /** The connection for a request to that URI; it may be closed. */
  find(uri: string): Flow | undefined {
    if (this.registrations.size === 0) return undefined;
    const key = keyOf(uri);
    const registration = key === undefined ? undefined : this.registrations.get(key);
    if (registration === undefined) return undefined;
    if (registration.until > this.clock.now()) return registration.flow;
    this.registrations.delete(key!);
    return undefined;
  }

  private remember(key: string, flow: Flow, expires: number): void {
    this.registrations.delete(key);
    if (expires === 0) return;
    if (this.registrations.size >= maximumRegistrations) this.evict();
    this.registrations.set(key, { flow, until: this.clock.now() + expires * 1000 });
  }

  /** Drops expired entries, or else the oldest entry. */
  private evict(): void {
    const now = this.clock.now();
    for (const [key, { until }] of this.registrations) if (until <= now) this.registrations.delete(key);
    if (this.registrations.size < maximumRegistrations) return;
    const oldest = this.registrations.keys().next().value;
    if (oldest !== undefined) this.registrations.delete(oldest);
  }
}
