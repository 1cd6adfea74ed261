/**
 * Session descriptions (RFC 4566) as offer and answer need them. Lines are kept as they came, so that a description can be
 * written again with some of them left out; only what is asked for is looked at.
 */

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface Codec {
  readonly payloadType: string;
  /** As written; compare with `sameCodecName`. */
  readonly name: string;
  readonly clockRate: number;
}

export interface CryptoLine {
  readonly tag: string;
  readonly suite: string;
  /** `inline:…` with key, lifetime and MKI. Secret. */
  readonly keyParameters: string;
  readonly sessionParameters: string;
  readonly line: string;
}

export interface MediaDescription {
  readonly kind: string;
  readonly port: number;
  readonly protocol: string;
  readonly formats: readonly string[];
  /** All lines, `m=` first. */
  readonly lines: readonly string[];
}

export interface SessionDescription {
  /** Lines before the first `m=`. */
  readonly head: readonly string[];
  readonly media: readonly MediaDescription[];
}

/** Payload types with a meaning of their own (RFC 3551 §6). */
const staticCodecs: Readonly<Record<string, readonly [string, number]>> = {
  '0': ['PCMU', 8000],
  '3': ['GSM', 8000],
  '4': ['G723', 8000],
  '8': ['PCMA', 8000],
  '9': ['G722', 8000],
  '13': ['CN', 8000],
  '15': ['G728', 8000],
  '18': ['G729', 8000],
};

const maximumMediaDescriptions = 20;

/** undefined: not a session description with at least one media description. */
export function readSession(text: string): SessionDescription | undefined {
  if (!text.startsWith('v=0')) return undefined;
  const head: string[] = [];
  const media: MediaDescription[] = [];
  let lines = head;
  for (const raw of text.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (line === '') continue;
    if (line.startsWith('m=')) {
      const fields = line.slice(2).trim().split(/ +/);
      const [kind, port, protocol, ...formats] = fields;
      const number = Number(port?.split('/')[0]);
      if (kind === undefined || protocol === undefined || !(number >= 0 && number <= 65_535))
        return undefined;
      lines = [];
      media.push({ kind, port: number, protocol, formats, lines });
      if (media.length > maximumMediaDescriptions) return undefined;
    }
    lines.push(line);
  }
  return media.length === 0 ? undefined : { head, media };
}

/** The codecs of a media description, in order of preference. */
export function codecsOf(media: MediaDescription): Codec[] {
  return media.formats.flatMap((payloadType): Codec[] => {
    const prefix = `a=rtpmap:${payloadType} `;
    const line = media.lines.find((candidate) => candidate.startsWith(prefix));
    if (line !== undefined) {
      const [name, clockRate] = line.slice(prefix.length).trim().split('/');
      return [{ payloadType, name: name!, clockRate: Number(clockRate) }];
    }
    const known = staticCodecs[payloadType];
    return known === undefined ? [] : [{ payloadType, name: known[0], clockRate: known[1] }];
  });
}

/** Encoding names are compared without regard to case (RFC 4855 §3). */
export function sameCodecName(one: string, other: string): boolean {
  return one.length === other.length && one.toLowerCase() === other.toLowerCase();
}

/** The `a=crypto` lines of a media description (RFC 4568 §9.1). */
export function cryptoLinesOf(media: MediaDescription): CryptoLine[] {
  const found: CryptoLine[] = [];
  for (const line of media.lines) {
    if (!line.startsWith('a=crypto:')) continue;
    const [tag, suite, keyParameters, ...session] = line.slice('a=crypto:'.length).trim().split(/ +/);
    if (keyParameters === undefined) continue;
    found.push({ tag: tag!, suite: suite!, keyParameters, sessionParameters: session.join(' '), line });
  }
  return found;
}

const directions: Readonly<Record<string, Direction>> = {
  'a=sendrecv': 'sendrecv',
  'a=sendonly': 'sendonly',
  'a=recvonly': 'recvonly',
  'a=inactive': 'inactive',
};

/** The line that sets a direction, if this is one. */
export const directionOfLine = (line: string): Direction | undefined => directions[line];

/**
 * What the describing side wants to do. The old way to hold, a connection address of 0.0.0.0 (RFC 3264 §8.4), counts as
 * not wanting to receive.
 */
export function directionOf(session: SessionDescription, media: MediaDescription): Direction {
  const own = media.lines.map(directionOfLine).find((found) => found !== undefined);
  const direction =
    own ?? session.head.map(directionOfLine).find((found) => found !== undefined) ?? 'sendrecv';
  const address = connectionAddress(session, media);
  if (address !== '0.0.0.0' && address !== '::') return direction;
  return direction === 'sendrecv' || direction === 'sendonly' ? 'sendonly' : 'inactive';
}

export function connectionAddress(session: SessionDescription, media: MediaDescription): string | undefined {
  const line =
    media.lines.find((candidate) => candidate.startsWith('c=')) ??
    session.head.find((candidate) => candidate.startsWith('c='));
  return line?.slice(2).trim().split(/ +/)[2]?.split('/')[0];
}

/** The answerer's view of an offered direction that asks for no less than `wanted` allows (RFC 3264 §6.1). */
export function answerDirection(offered: Direction, wanted: Direction): Direction {
  const mayReceive = offered === 'sendrecv' || offered === 'sendonly';
  const maySend = offered === 'sendrecv' || offered === 'recvonly';
  const receives = mayReceive && (wanted === 'sendrecv' || wanted === 'recvonly');
  const sends = maySend && (wanted === 'sendrecv' || wanted === 'sendonly');
  if (receives) return sends ? 'sendrecv' : 'recvonly';
  return sends ? 'sendonly' : 'inactive';
}
