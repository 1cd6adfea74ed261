/** What we say we can do; the same in every answer and request (RFC 3261 §20.5, §11.2). */
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

/** Option tags that a caller may require. */
export const supportedOptionTags: ReadonlySet<string> = new Set(['100rel', ...extensions]);
