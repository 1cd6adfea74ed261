import { createHmac } from 'node:crypto';

/** How the handshake with a bot's server is signed, so that the server can tell our connections from a stranger's. */

export interface SignedFacts {
  /** As configured, character for character: servers behind proxies see another one. */
  readonly url: string;
  readonly accountSid: string;
  readonly callSid: string;
}

/**
 * `X-Twilio-Signature`: base64 of HMAC-SHA1 over the whole URL with its scheme `wss` and no body, the host in lower case, as
 * the validators of that vendor's SDKs compute it.
 */
export function compatibleSignature(secret: string, url: string): string {
  const [, scheme = '', host = '', rest = ''] = /^([a-z]+:\/\/)([^/?#]*)(.*)$/is.exec(url) ?? [];
  return createHmac('sha1', secret)
    .update(`${scheme.toLowerCase()}${host.toLowerCase()}${rest}`)
    .digest('base64');
}

/**
 * `X-Twilio-Signature` of a request for a document: base64 of HMAC-SHA1 over the URL as it is requested, with its query, and the
 * fields of a form, sorted by name.
 */
export function documentSignature(
  secret: string,
  url: string,
  form: Readonly<Record<string, string>> = {},
): string {
  const fields = Object.keys(form).sort();
  return createHmac('sha1', secret)
    .update(fields.reduce((text, name) => text + name + form[name], url))
    .digest('base64');
}

/**
 * `X-Demarc-Signature`: `t=<Unix seconds>,v1=<hex>`, HMAC-SHA256 over `t.url.account.call`. While a secret is being replaced
 * there are two `v1`, and either is enough. A server refuses a `t` that is more than five minutes off.
 */
export function timedSignature(
  secrets: readonly string[],
  { url, accountSid, callSid }: SignedFacts,
  unixSeconds: number,
): string {
  const text = `${unixSeconds}.${url}.${accountSid}.${callSid}`;
  const signatures = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(text).digest('hex')}`);
  return [`t=${unixSeconds}`, ...signatures].join(',');
}

/** All header fields by which a handshake names and proves its call. Without a secret the last two are absent. */
export function handshakeHeaders(
  secrets: readonly string[],
  facts: SignedFacts,
  unixSeconds: number,
): Record<string, string> {
  const [current] = secrets;
  return {
    'X-Demarc-Account-ID': facts.accountSid,
    'X-Demarc-Call-ID': facts.callSid,
    ...(current === undefined
      ? {}
      : {
          'X-Demarc-Signature': timedSignature(secrets, facts, unixSeconds),
          'X-Twilio-Signature': compatibleSignature(current, facts.url),
        }),
  };
}
