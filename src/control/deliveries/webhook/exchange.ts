import type { IncomingMessage } from 'node:http';

/** What one attempt sent and what was answered, as the log of deliveries shows it. */
export interface Exchange {
  /** Request line and headers. */
  readonly requestHead: string;
  /** Status line and headers; null: no response, or one that must not be shown. */
  readonly responseHead: string | null;
  /** Its first 2 KB; null like the head. */
  readonly responseBody: string | null;
}

/** Of a head or a body. */
export const shownOctets = 2_048;

const cut = (text: string): string => (text.length <= shownOctets ? text : `${text.slice(0, shownOctets)}…`);

/** PostgreSQL's text has no U+0000. */
const storable = (text: string): string => cut(text.replaceAll('\0', '�'));

/** The URL's query often carries tokens. */
export function requestHead(url: string, headers: Readonly<Record<string, string>>, octets: number): string {
  const { host, pathname, search } = new URL(url);
  const lines = Object.entries({ host, ...headers, 'content-length': String(octets) });
  return storable(
    [
      `POST ${pathname}${search === '' ? '' : '?…'} HTTP/1.1`,
      ...lines.map(([name, value]) => `${name}: ${value}`),
    ].join('\n'),
  );
}

/** The receiver's cookies are its secrets. */
const hidden: ReadonlySet<string> = new Set(['set-cookie', 'set-cookie2']);

export function responseHead({
  httpVersion,
  statusCode,
  statusMessage,
  rawHeaders,
}: IncomingMessage): string {
  const lines = [`HTTP/${httpVersion} ${statusCode} ${statusMessage}`.trim()];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    lines.push(`${name}: ${hidden.has(name.toLowerCase()) ? '…' : rawHeaders[at + 1]}`);
  }
  return storable(lines.join('\n'));
}

/** Octets that are no UTF-8 become U+FFFD. */
export const responseBody = (octets: Buffer): string =>
  storable(octets.subarray(0, shownOctets).toString('utf8'));
