import { formatParameters } from '../../../src/sip/parameters.js';
import { formatHostPort, type Uri } from '../../../src/sip/uri.js';
import type { Via } from '../../../src/sip/via.js';

/** What the parser made of a URI, as text again: nothing of it may be lost. */
export function formatUri(uri: Uri): string {
  if (uri.kind === 'other') return `${uri.scheme}:${uri.opaque}`;
  if (uri.kind === 'tel') return `tel:${uri.number}${formatParameters(uri.parameters)}`;
  let text = `${uri.scheme}:`;
  if (uri.user !== undefined) {
    text += uri.user;
    if (uri.password !== undefined) text += `:${uri.password}`;
    text += '@';
  }
  text += formatHostPort(uri.host, uri.port);
  if (uri.parameters.size > 0) text += formatParameters(uri.parameters);
  if (uri.headers !== undefined) text += `?${uri.headers}`;
  return text;
}

/** The same of a Via. */
export function formatVia(via: Via): string {
  const sentBy = formatHostPort(via.host, via.port);
  return `SIP/${via.version ?? '2.0'}/${via.transport} ${sentBy}${formatParameters(via.parameters)}`;
}
