import type { SipMessage } from './engine-link.js';

/** Looks a message's header values up by name, without regard to case. */
export type HeaderLookup = (name: string) => string | undefined;

/** For a message that is asked for many headers: drachtio-srf goes through all its names each time. */
export function headerIndex(message: SipMessage): HeaderLookup {
  const values = new Map<string, string>();
  for (const name of Object.keys(message.headers)) values.set(name.toLowerCase(), message.headers[name]!);
  return (name) => values.get(name.toLowerCase());
}
