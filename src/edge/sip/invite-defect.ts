import { capabilityHeaders, unsupportedIn } from './capabilities.js';
import { type HeaderLookup, hasForeignBody } from './message-reading.js';
import type { ReceivedRequest } from './messages.js';

interface InviteDefect {
  readonly status: 415 | 420;
  readonly headers: Record<string, string>;
  readonly detail: string;
}

/** What makes an INVITE unacceptable from any sender (RFC 3261 §8.2.2.3, §8.2.3). */
export function inviteDefect(request: ReceivedRequest, header: HeaderLookup): InviteDefect | undefined {
  const unsupported = unsupportedIn(header('Require'));
  if (unsupported !== undefined) {
    return {
      status: 420,
      headers: { Unsupported: unsupported },
      detail: `The caller requires unsupported extensions: ${unsupported}.`,
    };
  }
  if (!hasForeignBody(request)) return undefined;
  return {
    status: 415,
    headers: { Accept: capabilityHeaders.Accept! },
    detail: `The INVITE carries ${(header('Content-Type') ?? 'a body without type').slice(0, 100)}, not SDP.`,
  };
}
