type Headers = Readonly<Record<string, string>>;

/** Values that ask for the caller's identity to be kept from the callee (RFC 3323 §4.2, RFC 3325 §9.3). */
const hiding = new Set(['id', 'user', 'header']);

const anonymous = '"Anonymous" <sip:anonymous@anonymous.invalid>';

/**
 * Headers of an INVITE to a trunk that respect its own Privacy: From says nothing then, and the number stands in
 * P-Asserted-Identity alone, which the trunk needs to bill the call and keeps to itself (RFC 3325 §7).
 */
export function withPrivacy(headers: Headers): Headers {
  const values = (headers.Privacy ?? '').split(';').map((value) => value.trim().toLowerCase());
  return values.some((value) => hiding.has(value)) ? { ...headers, From: anonymous } : headers;
}
