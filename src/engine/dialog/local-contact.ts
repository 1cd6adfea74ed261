import type { Listener } from '../transport/flow.js';

/** `host:port` as advertised; an IPv6 literal in brackets. */
export function advertisedHostPort(listener: Listener): string {
  const host = listener.advertisedHost;
  return host.includes(':') && !host.startsWith('[')
    ? `[${host}]:${listener.advertisedPort}`
    : `${host}:${listener.advertisedPort}`;
}

/** The Contact that the engine writes when the application wrote none (wire protocol §6.2). */
export function defaultContact(listener: Listener): string {
  const transport = listener.protocol === 'udp' ? '' : `;transport=${listener.protocol}`;
  return `<sip:${advertisedHostPort(listener)}${transport}>`;
}
