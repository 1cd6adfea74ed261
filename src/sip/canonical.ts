import { withEarlyTag, withQuotedNames } from './address.js';
import { Headers } from './headers.js';
import type { SipMessage } from './message.js';

/** Headers whose values are addresses with display names. */
const addressHeaders: ReadonlySet<string> = new Set([
  'From',
  'To',
  'Contact',
  'Reply-To',
  'Refer-To',
  'Referred-By',
  'Diversion',
  'History-Info',
  'P-Asserted-Identity',
  'P-Preferred-Identity',
  'P-Called-Party-ID',
  'Remote-Party-ID',
]);

/** U+2028 and U+2029 in UTF-8: line ends to regular expressions, though not to SIP. */
const unicodeLineEnd = /\xe2\x80[\xa8\xa9]/g;

/**
 * The message in a form that less strict readers, such as regular expressions, read correctly; the same object if it already
 * is. For validated messages that are handed to an application:
 * - display names that are not plain tokens come in quotes;
 * - the tag of From and To comes before parameters with unusual values;
 * - headers with "%" in their names are left out: some readers undo such escapes and see another header (RFC 4475 §3.1.1.5);
 * - Unicode line ends in a reason phrase become blanks.
 */
export function canonical<M extends SipMessage>(message: M): M {
  let isCanonical = true;
  message.headers.forEach((name, value) => {
    if (name.includes('%') || canonicalValue(name, value) !== value) isCanonical = false;
  });
  const copy: M = isCanonical ? message : { ...message, headers: canonicalHeaders(message.headers) };
  if (copy.kind === 'request') return copy;
  const reason = copy.reason.replace(unicodeLineEnd, ' ');
  return reason === copy.reason ? copy : { ...copy, reason };
}

function canonicalHeaders(headers: Headers): Headers {
  const result = new Headers();
  headers.forEach((name, value) => {
    if (!name.includes('%')) result.addCanonical(name, canonicalValue(name, value));
  });
  return result;
}

function canonicalValue(name: string, value: string): string {
  if (!addressHeaders.has(name)) return value;
  const quoted = withQuotedNames(value);
  return name === 'From' || name === 'To' ? withEarlyTag(quoted) : quoted;
}
