import type { TraceEntry } from '../../../contract/call-record.js';
import { escapeHidden } from '../../../contract/hidden-characters.js';
import { readMessage } from '../../../sip/read.js';

/** What a carrier needs to find and explain a call; all other headers, which may name people, and bodies are left out. */
const shownHeaders: ReadonlySet<string> = new Set([
  ...['Via', 'From', 'To', 'Call-ID', 'CSeq', 'Contact', 'Route', 'Record-Route', 'Max-Forwards'],
  ...['Allow', 'Supported', 'Require', 'Unsupported', 'Session-Expires', 'Min-SE', 'RSeq', 'RAck'],
  ...['Reason', 'Warning', 'Retry-After', 'User-Agent', 'Server', 'Content-Type'],
]);

/** Headers whose display names and users are those of people. */
const addressHeaders: ReadonlySet<string> = new Set(['From', 'To', 'Contact', 'Route', 'Record-Route']);

/** Carriers find a call by its Call-ID; the last digits tell its two numbers apart. */
const shownDigits = 2;
const leastNumber = 7;

const maskDigits = (digits: string): string =>
  digits.slice(0, -shownDigits).replaceAll(/\d/g, 'x') + digits.slice(-shownDigits);

/** The user of an address: of a number its last digits stay, of a name nothing. */
export const maskUser = (user: string): string =>
  /^\+?[\d.\-() ]{4,}$/.test(user) ? maskDigits(user) : user === '' ? '' : 'xxx';

/** Numbers in a text for people, such as that of a Warning. */
const maskText = (text: string): string =>
  text.replaceAll(/\+?\d[\d.\-() ]{5,}\d/g, (found) =>
    found.replaceAll(/\D/g, '').length < leastNumber ? found : maskDigits(found),
  );

/** Users in all URIs of a text; of `tel:` URIs the number. */
function maskUris(text: string): string {
  return text
    .replaceAll(/\b(sips?:)([^@<>\s,"]*)@/gi, (_, scheme: string, user: string) => {
      // Parameters of the user and its password name people, too.
      const [name = ''] = user.split(/[;:]/, 1);
      return `${scheme}${maskUser(name)}@`;
    })
    .replaceAll(/\b(tel:)([^;<>\s,"]*)/gi, (_, scheme: string, user: string) => `${scheme}${maskUser(user)}`);
}

/** Without display names: what stands before `<`, quoted or not. */
const maskAddress = (value: string): string =>
  maskUris(value.replaceAll(/(^|,)\s*(?:"(?:[^"\\]|\\.)*"|[^<",:]*)\s*</g, '$1<'));

function maskHeader(name: string, value: string): string {
  if (addressHeaders.has(name)) return maskAddress(value);
  return name === 'Reason' || name === 'Warning' ? maskText(maskUris(value)) : value;
}

function maskMessage(text: string): string {
  const { startLine, headers } = readMessage(text);
  const lines = [...headers]
    .filter(([name]) => shownHeaders.has(name))
    .map(([name, value]) => `${name}: ${maskHeader(name, value)}`);
  // A reason phrase may name the callee.
  const start = startLine.startsWith('SIP/') ? maskText(maskUris(startLine)) : maskUris(startLine);
  return `${[start, ...lines, 'Content-Length: 0'].map(escapeHidden).join('\r\n')}\r\n\r\n`;
}

/** The messages of the trunk's leg, without bodies, and without numbers and names of people. */
export const maskTrace = (trace: readonly TraceEntry[]): TraceEntry[] =>
  trace
    .filter(({ leg }) => leg === 'trunk')
    .map((entry) => ({
      ...entry,
      summary: maskText(entry.summary),
      message: maskMessage(entry.message),
    }));
