type Headers = Readonly<Record<string, string>>;

/** Values that ask for the caller's identity to be kept from the callee (RFC 3323 §4.2, RFC 3325 §9.3). */
const hiding = new Set(['id', 'user', 'header']);

const anonymous = '"Anonymous" <sip:anonymous@anonymous.invalid>';

/**
 * Applies Privacy to the headers of an INVITE to a trunk: From becomes anonymous, and only P-Asserted-Identity, which the trunk
 * needs for billing and does not forward, has the number (RFC 3325 §7).
 */
export function withPrivacy(headers: Headers): Headers {
  const values = (headers.Privacy ?? '').split(';').map((value) => value.trim().toLowerCase());
  return values.some((value) => hiding.has(value)) ? { ...headers, From: anonymous } : headers;
}
