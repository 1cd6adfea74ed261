import type { TraceEntry } from '../../../contract/call-record.js';
import { escapeHidden } from '../../../contract/hidden-characters.js';
import { parseAddress } from '../../../sip/address.js';
import { formatParameters, type Parameters } from '../../../sip/parameters.js';
import { readMessage } from '../../../sip/read.js';
import { splitList } from '../../../sip/text.js';
import { formatHostPort, parseUri } from '../../../sip/uri.js';

/** What a carrier needs to find and explain a call; all other headers, which may name people, and bodies are left out. */
const shownHeaders: ReadonlySet<string> = new Set([
  ...['Via', 'From', 'To', 'Call-ID', 'CSeq', 'Contact', 'Route', 'Record-Route', 'Max-Forwards'],
  ...['Allow', 'Supported', 'Require', 'Unsupported', 'Session-Expires', 'Min-SE', 'RSeq', 'RAck'],
  ...['Reason', 'Warning', 'Retry-After', 'User-Agent', 'Server', 'Content-Type'],
]);

/** Headers whose display names and users are those of people. */
const addressHeaders: ReadonlySet<string> = new Set(['From', 'To', 'Contact', 'Route', 'Record-Route']);

/** Of URIs and addresses. */
const shownParameters: ReadonlySet<string> = new Set([
  ...['tag', 'expires', 'q', 'transport', 'lr', 'maddr', 'user', 'ob', 'method'],
]);
/** In place of what cannot be read, and so not be masked. */
const notShown = '(not shown)';
/** A Reason or Warning for people is shorter; a hostile one must not take long to mask. */
const longestText = 500;

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
  text
    .slice(0, longestText)
    .replaceAll(/\+?\d[\d.\-() ]{5,}\d/g, (found) =>
      found.replaceAll(/\D/g, '').length < leastNumber ? found : maskDigits(found),
    )
    // Parameters of the user and its password name people, too.
    .replaceAll(
      /\b(sips?:)([^@<>\s,";:]*)[^@<>\s,"]*@/gi,
      (_, scheme: string, user: string) => `${scheme}${maskUser(user)}@`,
    );

const onlyShown = (parameters: Parameters): string =>
  formatParameters(new Map([...parameters].filter(([name]) => shownParameters.has(name))));

/** Without password, headers, and parameters that may name a person. */
function maskUri(text: string): string {
  const uri = parseUri(text);
  if (uri === undefined || uri.kind === 'other') return notShown;
  if (uri.kind === 'tel') return `tel:${maskUser(uri.number)}`;
  // What follows a semicolon belongs to the user, and may be a secret.
  const [user = ''] = (uri.user ?? '').split(';', 1);
  const at = uri.user === undefined ? '' : `${maskUser(user)}@`;
  // A telephone number in the place of the host, as of one that has no user.
  const host = /^\d+$/.test(uri.host) ? maskUser(uri.host) : uri.host;
  return `${uri.scheme}:${at}${formatHostPort(host, uri.port)}${onlyShown(uri.parameters)}`;
}

/** Without display names. */
const maskAddresses = (value: string): string =>
  splitList(value)
    .map((each) => {
      const address = parseAddress(each);
      if (address === undefined) return each === '*' ? each : notShown;
      return `<${maskUri(address.uri)}>${onlyShown(address.parameters)}`;
    })
    .join(', ');

function maskHeader(name: string, value: string): string {
  if (addressHeaders.has(name)) return maskAddresses(value);
  return name === 'Reason' || name === 'Warning' ? maskText(value) : value;
}

function maskStartLine(line: string): string {
  // A reason phrase may name the callee.
  if (line.startsWith('SIP/')) return maskText(line);
  const [method = '', uri = '', version = ''] = line.split(' ');
  return `${method} ${maskUri(uri)} ${version}`;
}

function maskMessage(text: string): string {
  const { startLine, headers } = readMessage(text);
  const lines = [...headers]
    .filter(([name]) => shownHeaders.has(name))
    .map(([name, value]) => `${name}: ${maskHeader(name, value)}`);
  return `${[maskStartLine(startLine), ...lines, 'Content-Length: 0'].map(escapeHidden).join('\r\n')}\r\n\r\n`;
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
