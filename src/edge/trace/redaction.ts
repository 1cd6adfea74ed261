const censor = '[redacted]';

/** Fields of digest credentials from which a password could be guessed offline. */
const digestSecrets = /\b(response|cnonce|rspauth)(\s*=\s*)(?:"(?:[^"\\]|\\[\s\S])*"|[^\s,]+)/gi;
/** Schemes whose whole value is the secret. */
const bearerSecrets = /^((?:proxy-)?authorization\s*:\s*)(?!digest\b)(\S+)[^\r\n]*/gim;
/** Demarc's own: what the token of a call, or of an agent test, grants to its holder. Also where an agent sends it back, folded. */
const callTokens = /^(x-demarc-(?:test-)?token[ \t]*:)[^\r\n]*(?:\r\n[ \t][^\r\n]*)*/gim;
const uriPasswords = /\b(sips?:[^:@\s<>"]+):[^@\s<>"]+@/gi;
const mediaKeys = /\binline:[^\s|;,]+/g;
const otherMediaSecrets = /^(k=|a=ice-pwd:|a=key-mgmt:)[^\r\n]*/gm;

/**
 * A SIP message without its secrets: SDES keys (RFC 4568), digest answers, call tokens, passwords in URIs, ICE passwords. Lengths change;
 * Content-Length stays as sent.
 */
export function redact(message: string): string {
  const headEnd = message.indexOf('\r\n\r\n');
  let head = headEnd < 0 ? message : message.slice(0, headEnd);
  let body = headEnd < 0 ? '' : message.slice(headEnd);
  if (/authorization|authentication-info/i.test(head)) {
    head = head.replace(bearerSecrets, `$1$2 ${censor}`).replace(digestSecrets, `$1$2"${censor}"`);
  }
  if (/x-demarc-(?:test-)?token/i.test(head)) head = head.replace(callTokens, `$1 ${censor}`);
  head = head.replace(uriPasswords, `$1:${censor}@`);
  // An unterminated head may be part of a message, so the whole text is searched for keys.
  if (headEnd < 0) head = head.replace(mediaKeys, `inline:${censor}`);
  if (body.length > 4) {
    body = body.replace(mediaKeys, `inline:${censor}`).replace(otherMediaSecrets, `$1${censor}`);
  }
  return head + body;
}
