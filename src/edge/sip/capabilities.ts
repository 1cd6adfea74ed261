import { splitList } from '../../sip/text.js';

/** Our capabilities, the same in every response and request (RFC 3261 §20.5, §11.2). */
export const allow = 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, PRACK, REFER, NOTIFY, SUBSCRIBE';

const extensions = ['timer', 'replaces', 'norefersub'];

export const capabilityHeaders: Readonly<Record<string, string>> = {
  Allow: allow,
  Accept: 'application/sdp, application/dtmf-relay, application/dtmf',
  Supported: ['100rel', ...extensions].join(', '),
};

/**
 * For an INVITE without offer: a reliable response to it would bring one, which the library's PRACK cannot answer (RFC 3262
 * §5). For a re-INVITE: the library sends no PRACK in it at all.
 */
export const supportedWithoutReliability: string = extensions.join(', ');

const supportedOptionTags: ReadonlySet<string> = new Set(['100rel', ...extensions]);

/** For `Unsupported` in a 420 (RFC 3261 §8.2.2.3): required extensions that we do not support. Undefined: none. */
export function unsupportedIn(require: string | undefined): string | undefined {
  const missing = splitList(require ?? '').filter(
    (tag) => tag !== '' && !supportedOptionTags.has(tag.toLowerCase()),
  );
  return missing.length === 0 ? undefined : missing.join(', ').slice(0, 200);
}

/**
 * Our Contact towards the sender of a request, for every response that makes or refreshes a dialog (RFC 3261 §12.1.1): also
 * for 18x, where drachtio-server writes none. Over TLS that server would write its listener's `sips:` URI, which many PBXs
 * cannot send their ACK to; `sips:` is only for peers that used it.
 * @returns the engine replaces `localhost` by the advertised address
 */
export function contactHeaders(request: {
  readonly protocol: string;
  readonly uri: string;
}): Readonly<Record<string, string>> {
  if (request.uri.startsWith('sips:')) return { Contact: '<sips:demarc@localhost>' };
  const transport = request.protocol === 'udp' ? '' : `;transport=${request.protocol}`;
  return { Contact: `<sip:demarc@localhost${transport}>` };
}
