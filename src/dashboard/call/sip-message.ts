/** Reading SIP messages for people: nothing is refused, what cannot be read is shown as it came. */

export interface SipMessage {
  readonly startLine: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
  /** Of a response. */
  readonly status: number | undefined;
  /** Of a request, or of the request that a response answers. */
  readonly method: string;
}

/** RFC 3261 §7.3.3. */
const compactNames: Readonly<Record<string, string>> = {
  i: 'call-id',
  m: 'contact',
  e: 'content-encoding',
  l: 'content-length',
  c: 'content-type',
  f: 'from',
  s: 'subject',
  k: 'supported',
  t: 'to',
  v: 'via',
  x: 'session-expires',
  r: 'refer-to',
  b: 'referred-by',
  o: 'event',
  u: 'allow-events',
};

const fullName = (name: string): string => compactNames[name.toLowerCase()] ?? name.toLowerCase();

export function readMessage(text: string): SipMessage {
  const lines = text.replaceAll('\r\n', '\n');
  const end = lines.indexOf('\n\n');
  const [startLine = '', ...rest] = (end === -1 ? lines.trimEnd() : lines.slice(0, end)).split('\n');
  const headers: { name: string; value: string }[] = [];
  for (const line of rest) {
    const last = headers.at(-1);
    if (/^[ \t]/.test(line) && last !== undefined) last.value += ` ${line.trim()}`;
    else {
      const colon = line.indexOf(':');
      headers.push({
        name: colon === -1 ? '' : line.slice(0, colon).trim(),
        value: line.slice(colon + 1).trim(),
      });
    }
  }
  const status = /^SIP\/2\.0 (\d{3})\b/.exec(startLine)?.[1];
  const message = { startLine, headers, body: end === -1 ? '' : lines.slice(end + 2) };
  const cseq = header(message, 'CSeq');
  return {
    ...message,
    status: status === undefined ? undefined : Number(status),
    method: (status === undefined ? startLine.split(' ')[0] : cseq?.split(/\s+/)[1]) ?? '',
  };
}

/** The first value of a header under its full or its compact name. */
export function header(message: Pick<SipMessage, 'headers'>, wanted: string): string | undefined {
  const name = wanted.toLowerCase();
  return message.headers.find((candidate) => fullName(candidate.name) === name)?.value;
}

export interface Party {
  /** The display name, if there is one. */
  readonly name: string | undefined;
  /** The URI's user, else its host, else the text as it came. */
  readonly address: string;
}

/** Who a From or To header means. */
export function readParty(value: string): Party {
  const [quoted = '', inner] = /^\s*"((?:[^"\\]|\\.)*)"/.exec(value) ?? [];
  const rest = value.slice(quoted.length);
  const [, plain, bracketed] = /^([^<]*)<([^>]*)>/.exec(rest) ?? [];
  const name = (inner?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '').trim();
  const uri = (bracketed ?? rest.split(';')[0] ?? '').trim();
  const [, user, host] = /^[a-z]+:(?:([^@]*)@)?([^;?]*)/i.exec(uri) ?? [];
  const address = user !== undefined && user !== '' ? user : (host ?? uri);
  return { name: name === '' ? undefined : name, address };
}
