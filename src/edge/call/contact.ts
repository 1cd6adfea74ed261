/**
 * Our Contact on a leg over TLS. drachtio-server would write its listener's `sips:` URI, which many PBXs cannot send
 * their ACK to; RFC 3261 §12.1.1 asks for `sips:` only where the other side used it.
 * @returns nothing where the engine's own Contact is right; the engine puts the advertised address for `localhost`
 */
export function contactHeaders(request: {
  readonly protocol: string;
  readonly uri: string;
}): Readonly<Record<string, string>> {
  if (request.protocol !== 'tls' || request.uri.startsWith('sips:')) return {};
  return { Contact: '<sip:demarc@localhost;transport=tls>' };
}
