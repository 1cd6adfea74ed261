import { formatHostPort, parseUri } from '../sip/uri.js';

/** A dialog with an edge, as the media-stream process sees it. */
export interface KnownDialog {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
}

/**
 * The Refer-To of a transfer (RFC 3515 §2.1): a URI or what is dialled, or another call's dialog with an edge, whose other party
 * takes over (RFC 3891 §3: the to-tag is the edge's).
 * @param edgeUri remote target of the dialog
 */
export function referTo(target: string | KnownDialog, edgeUri: string): string {
  const edge = parseUri(edgeUri);
  const host = edge?.kind === 'sip' ? formatHostPort(edge.host, edge.port) : 'localhost';
  if (typeof target === 'string')
    return /^(sips?|tel):/i.test(target) ? `<${target}>` : `<sip:${encodeURIComponent(target)}@${host}>`;
  const { callId, localTag, remoteTag } = target;
  const replaces = `${callId};to-tag=${remoteTag};from-tag=${localTag}`;
  return `<sip:joined@${host}?Replaces=${encodeURIComponent(replaces)}>`;
}
