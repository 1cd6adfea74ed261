import { isIP } from 'node:net';
import { formatParameters } from './format-parameters.js';
import {
  type Codec,
  encodingOf,
  isPayloadType,
  registeredCodec,
  staticEncoding,
} from './registered-codecs.js';

/**
 * Session descriptions (RFC 4566) as offer and answer need them. Lines are kept as they came, so that a description can be
 * written again with some of them left out; only the requested parts are read.
 */

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface CryptoLine {
  readonly tag: string;
  readonly suite: string;
  /** `inline:…` with key, lifetime and MKI. Secret. */
  readonly keyParameters: string;
  readonly sessionParameters: string;
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

const maximumMediaDescriptions = 20;
/** Above the number of registered codecs: each one stays. */
const maximumPayloadTypes = 16;

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
      // A number of ports may follow (RFC 4566 §5.14); one stream needs one.
      const number = Number(/^(\d{1,5})(?:\/\d+)?$/.exec(port ?? '')?.[1]);
      if (kind === undefined || protocol === undefined || !(number <= 65_535)) return undefined;
      lines = [];
      media.push(new ReadMedia(kind, number, protocol, formats, lines));
      if (media.length > maximumMediaDescriptions) return undefined;
    }
    lines.push(line);
  }
  return media.length === 0 ? undefined : { head, media };
}

/** A media description as it was read, which is asked for its codecs again and again. */
class ReadMedia implements MediaDescription {
  #codecs: readonly Codec[] | undefined;

  constructor(
    readonly kind: string,
    readonly port: number,
    readonly protocol: string,
    readonly formats: readonly string[],
    readonly lines: readonly string[],
  ) {}

  get codecs(): readonly Codec[] {
    this.#codecs ??= readCodecs(this);
    return this.#codecs;
  }
}

/** A media description with another profile, formats or lines; as one that was read, it finds its codecs once. */
export const altered = (
  { kind, port, protocol, formats, lines }: MediaDescription,
  changes: Partial<Pick<MediaDescription, 'protocol' | 'formats' | 'lines'>>,
): MediaDescription =>
  new ReadMedia(kind, port, changes.protocol ?? protocol, changes.formats ?? formats, changes.lines ?? lines);

/**
 * The codecs of a media description that are written as registered, in order of preference, each payload type once: of each codec the
 * first two payload types that differ in their parameters, and 16 in all. rtpengine sets up encoders and decoders for each one.
 */
export const codecsOf = (media: MediaDescription): readonly Codec[] =>
  media instanceof ReadMedia ? media.codecs : readCodecs(media);

function readCodecs(media: MediaDescription): Codec[] {
  const codecs: Codec[] = [];
  for (const payloadType of new Set(media.formats)) {
    if (!isPayloadType(payloadType)) continue;
    const encoding = encodingIn(media, payloadType);
    const codec = encoding === undefined ? undefined : registeredCodec(payloadType, encoding);
    if (codec !== undefined) codecs.push(codec);
  }
  return codecs.length === 1 ? codecs : boundedCodecs(media, codecs);
}

/** Second payload types are dropped before a codec is. */
function boundedCodecs(media: MediaDescription, codecs: readonly Codec[]): Codec[] {
  const firsts = new Map<string, Codec>();
  const seconds = new Map<string, Codec>();
  const parameters = (codec: Codec): string | undefined => {
    const given = attributeOf(media, `fmtp:${codec.payloadType} `);
    return given === undefined ? undefined : formatParameters(codec, given);
  };
  for (const codec of codecs) {
    const encoding = encodingOf(codec);
    const first = firsts.get(encoding);
    if (first === undefined) firsts.set(encoding, codec);
    else if (!seconds.has(encoding) && parameters(codec) !== parameters(first)) seconds.set(encoding, codec);
  }
  const kept = new Set([...firsts.values(), ...seconds.values()].slice(0, maximumPayloadTypes));
  return codecs.filter((codec) => kept.has(codec));
}

/** All codecs that a media description lists, as written, for display. */
export const encodingsOf = (media: MediaDescription): string =>
  media.formats
    .slice(0, 40)
    .map((payloadType) => encodingIn(media, payloadType) ?? payloadType)
    .join(', ')
    .slice(0, 200) || 'none';

/** What a payload type means in a media description, as written: `name/clock rate[/channels]`. */
export function encodingIn(media: MediaDescription, payloadType: string): string | undefined {
  return attributeOf(media, `rtpmap:${payloadType} `)?.trim() ?? staticEncoding(payloadType);
}

/** What follows `a=` and this prefix in the first line that has it. */
export function attributeOf(media: MediaDescription, prefix: string): string | undefined {
  for (const line of media.lines)
    if (line.startsWith('a=') && line.startsWith(prefix, 2)) return line.slice(2 + prefix.length);
  return undefined;
}

/** The `a=crypto` lines of a media description (RFC 4568 §9.1). */
export function cryptoLinesOf(media: MediaDescription): CryptoLine[] {
  const found: CryptoLine[] = [];
  for (const line of media.lines) {
    if (!line.startsWith('a=crypto:')) continue;
    const [tag, suite, keyParameters, ...session] = line.slice('a=crypto:'.length).trim().split(/ +/);
    if (keyParameters === undefined) continue;
    found.push({ tag: tag!, suite: suite!, keyParameters, sessionParameters: session.join(' ') });
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

const directionIn = (lines: readonly string[]): Direction | undefined =>
  lines.map(directionOfLine).find((found) => found !== undefined);

/** The direction that is written for a media description, or for all (RFC 4566 §6). */
export const statedDirection = (
  session: SessionDescription,
  media: MediaDescription,
): Direction | undefined => directionIn(media.lines) ?? directionIn(session.head);

/**
 * The direction from the describing side's view. The obsolete hold, a connection address of 0.0.0.0 (RFC 3264 §8.4), counts
 * as not receiving.
 */
export function directionOf(session: SessionDescription, media: MediaDescription): Direction {
  const direction = statedDirection(session, media) ?? 'sendrecv';
  const address = connectionAddress(session, media);
  if (address !== '0.0.0.0' && address !== '::') return direction;
  return direction === 'sendrecv' || direction === 'sendonly' ? 'sendonly' : 'inactive';
}

export function connectionAddress(session: SessionDescription, media: MediaDescription): string | undefined {
  return connectionOf(session, media)?.split(/ +/)[2]?.split('/')[0];
}

/** The `c=` line that holds for a media description (RFC 4566 §5.7), without `c=`. */
export function connectionOf(session: SessionDescription, media: MediaDescription): string | undefined {
  const isConnection = (line: string): boolean => line.startsWith('c=');
  return (media.lines.find(isConnection) ?? session.head.find(isConnection))?.slice(2).trim();
}

/**
 * Where a media description wants its media. Undefined: no unicast IP address; rtpengine takes neither names nor groups, nor a zone,
 * which has a meaning on the machine of the sender only (RFC 4007 §6).
 */
export function mediaAddress(session: SessionDescription, media: MediaDescription): string | undefined {
  const [network, family, address = ''] = (connectionOf(session, media) ?? '').split(/ +/);
  const isUnicast =
    network === 'IN' && family === `IP${isIP(address)}` && !/^(22[4-9]|23\d)\.|^ff|%/i.test(address);
  return isUnicast ? address : undefined;
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
