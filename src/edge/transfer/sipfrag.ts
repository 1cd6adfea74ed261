import { reasonPhrase } from '../../sip/status.js';

/** A status line as NOTIFY carries it (RFC 3420, RFC 3515 §2.4.5). */
export interface Fragment {
  readonly status: number;
  readonly reason: string;
}

export const sipfragType = 'message/sipfrag;version=2.0';

/** The status line at the beginning of a `message/sipfrag` body; undefined when there is none. */
export function readSipfrag(body: string): Fragment | undefined {
  const line = body.trimStart().split(/\r?\n/, 1)[0]!;
  const match = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/i.exec(line.trimEnd());
  return match === null ? undefined : { status: Number(match[1]), reason: (match[2] ?? '').slice(0, 100) };
}

export const writeSipfrag = ({ status, reason }: Fragment): string =>
  `SIP/2.0 ${status} ${reason === '' ? reasonPhrase(status) : reason}\r\n`;
