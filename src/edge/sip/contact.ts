/**
 * Our Contact towards the sender of a request, for every response that makes or refreshes a dialog (RFC 3261 §12.1.1): also
 * for 18x, where drachtio-server writes none. Over TLS that server would write its listener's `sips:` URI, which many PBXs
 * cannot send their ACK to; `sips:` is owed only to those who used it.
 * @returns the engine puts the advertised address in the place of `localhost`
 */
export function contactHeaders(request: {
  readonly protocol: string;
  readonly uri: string;
}): Readonly<Record<string, string>> {
  if (request.uri.startsWith('sips:')) return { Contact: '<sips:demarc@localhost>' };
  const transport = request.protocol === 'udp' ? '' : `;transport=${request.protocol}`;
  return { Contact: `<sip:demarc@localhost${transport}>` };
}
