/** What we say we can do; the same in every answer and request (RFC 3261 §20.5, §11.2). */
export const allow = 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, REFER, NOTIFY, SUBSCRIBE';

export const capabilityHeaders: Readonly<Record<string, string>> = {
  Allow: allow,
  Accept: 'application/sdp, application/dtmf-relay, application/dtmf',
  Supported: 'timer, replaces, norefersub',
};

/** Option tags that a caller may require. With `100rel` required, no provisional response but 100 is sent (RFC 3262 §3). */
export const supportedOptionTags: ReadonlySet<string> = new Set([
  'timer',
  '100rel',
  'replaces',
  'norefersub',
]);
