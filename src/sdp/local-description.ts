import { isIP } from 'node:net';
import { formatParameters } from './format-parameters.js';
import { type Codec, encodingOf } from './registered-codecs.js';
import {
  answerDirection,
  attributeOf,
  codecsOf,
  cryptoLinesOf,
  type Direction,
  type MediaDescription,
  mediaAddress,
  readSession,
  type SessionDescription,
  statedDirection,
} from './sdp.js';
import { keyLineOf } from './srtp-key.js';

/** The media lines of one side in their order, which later offers must keep (RFC 3264 §8). */
export interface Layout {
  readonly audioIndex: number;
  /** The other lines, refused with port 0; the entry at `audioIndex` is not used. */
  readonly refused: readonly string[];
}

/** One side's description, reduced to its audio line. */
interface Chosen {
  readonly session: SessionDescription;
  readonly audio: MediaDescription;
}

const directions: readonly Direction[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];

const onlyAudio: Layout = { audioIndex: 0, refused: [''] };

/** The layout of an offer: its audio line taken, every other line refused. */
export function layoutOf(session: SessionDescription, audioIndex: number): Layout {
  if (session.media.length === 1) return onlyAudio;
  const refused = session.media.map(
    ({ kind, protocol, formats }) => `m=${kind} 0 ${protocol} ${formats.join(' ') || '0'}`,
  );
  return { audioIndex, refused };
}

/** The lines that describe a codec, with the supported parameters. */
export function codecLines(codec: Codec, media: MediaDescription): string[] {
  const { payloadType } = codec;
  const given = attributeOf(media, `fmtp:${payloadType} `);
  const parameters = given === undefined ? undefined : formatParameters(codec, given);
  const rtpmap = `a=rtpmap:${payloadType} ${encodingOf(codec)}`;
  return parameters === undefined ? [rtpmap] : [rtpmap, `a=fmtp:${payloadType} ${parameters}`];
}

/**
 * A side's description for rtpengine, rebuilt from its parsed fields: one audio line, one key, nothing private. No
 * number of the sender's reaches rtpengine unread: it ends itself on some (`a=ptime:1000000`), others cost it gigabytes.
 */
export function narrowed({ session, audio }: Chosen): string {
  const codecs = codecsOf(audio);
  const address = mediaAddress(session, audio) ?? '0.0.0.0';
  const key = audio.protocol === 'RTP/SAVP' ? keyLineOf(audio) : undefined;
  const direction = statedDirection(session, audio);
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    `c=IN IP${isIP(address)} ${address}`,
    ...bandwidths(session.head),
    't=0 0',
    `m=audio ${audio.port} ${audio.protocol} ${codecs.map(({ payloadType }) => payloadType).join(' ')}`,
    ...bandwidths(audio.lines),
    ...codecs.flatMap((codec) => codecLines(codec, audio)),
    ...packetTime(audio, 'ptime'),
    ...packetTime(audio, 'maxptime'),
    ...controlPort(audio, address),
    ...(direction === undefined ? [] : [`a=${direction}`]),
    ...(key === undefined ? [] : [key]),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

/** Bits or kilobits a second (RFC 4566 §5.8, RFC 3556 §2, RFC 3890 §6.2). */
const bandwidths = (lines: readonly string[]): string[] =>
  lines.filter((line) => /^b=(?:AS|CT|TIAS|RS|RR):\d{1,8}$/.test(line)).slice(0, 5);

const packetTimeRange = { least: 10, most: 200 };

/** Milliseconds (RFC 4566 §6), clamped to the range for voice. */
function packetTime(audio: MediaDescription, name: 'ptime' | 'maxptime'): string[] {
  const value = attributeOf(audio, `${name}:`)?.trim() ?? '';
  if (!/^0*[1-9]\d*$/.test(value)) return [];
  const { least, most } = packetTimeRange;
  return [`a=${name}:${Math.min(most, Math.max(least, Number(value)))}`];
}

/** The port for RTCP where it is not the next one (RFC 3605 §2.1); at another address there is none. */
function controlPort(audio: MediaDescription, address: string): string[] {
  const [, port, own = address] =
    /^(\d{1,5})(?: +IN +IP[46] +(\S+))?\s*$/.exec(attributeOf(audio, 'rtcp:') ?? '') ?? [];
  const isPort = Number(port) > 0 && Number(port) <= 65_535;
  return isPort && own === address ? [`a=rtcp:${Number(port)}`] : [];
}

/**
 * Writes the description that one side is sent: our own origin with a version that grows when the rest changes (RFC 3264 §8), and the
 * side's own order of media lines.
 */
export class LocalDescription {
  private layout = onlyAudio;
  /** True: the side has SRTP as RTP/AVP with a key (RFC 8643). */
  isOptimistic = false;
  private version = 0;
  /** The last description; the part behind its origin line decides about the version. */
  private last = '';
  private lastContentLength = 0;
  /** Before the last one was written. */
  private before: { readonly version: number; readonly last: string; readonly length: number } | undefined;

  constructor(private readonly sessionId: number) {}

  /** Continues after a description that another process has sent. */
  static continuing(sent: string, version: number, sessionId: number): LocalDescription {
    const local = new LocalDescription(sessionId);
    local.version = version;
    const read = readSession(sent);
    if (read === undefined) return local;
    const audioIndex = read.media.findIndex(({ kind, port }) => kind === 'audio' && port > 0);
    if (audioIndex >= 0) local.layout = layoutOf(read, audioIndex);
    const audio = read.media[audioIndex];
    local.isOptimistic = audio?.protocol === 'RTP/AVP' && cryptoLinesOf(audio).length > 0;
    const originAt = sent.indexOf('o=');
    local.last = sent;
    local.lastContentLength = sent.length - sent.indexOf('\r\n', originAt);
    return local;
  }

  /** Session id and version of the last `o=` line. */
  get origin(): { readonly sessionId: number; readonly version: number } {
    return { sessionId: this.sessionId, version: this.version };
  }

  /** Where the audio line is in descriptions of this side. */
  get audioIndex(): number {
    return this.layout.audioIndex;
  }

  /** Sets this side's media lines. */
  adopt(layout: Layout): void {
    this.layout = layout;
  }

  /** The side does not get the description that was written last. */
  takeBack(): void {
    if (this.before === undefined) return;
    ({ version: this.version, last: this.last, length: this.lastContentLength } = this.before);
    this.before = undefined;
  }

  /** A description sent to this side before, as a new one (RFC 3264 §8). */
  again(earlier: string): string {
    this.version++;
    this.last = '';
    return earlier.replace(/^(o=\S+ \S+) \d+/m, `$1 ${this.version}`);
  }

  writeOffer(fromRtpengine: string): string {
    return this.write(fromRtpengine, this.layout);
  }

  /** The answer to an offer of this side: its layout, and no direction that the offer forbids (RFC 3264 §6.1). */
  writeAnswer(fromRtpengine: string, layout: Layout, offered: Direction): string {
    // rtpengine always writes the direction, and has converted a zero address to one.
    const wanted =
      directions.find((direction) => fromRtpengine.includes(`\r\na=${direction}\r\n`)) ?? 'sendrecv';
    const allowed = answerDirection(offered, wanted);
    const text =
      allowed === wanted ? fromRtpengine : fromRtpengine.replaceAll(`a=${wanted}\r\n`, `a=${allowed}\r\n`);
    return this.write(text, layout);
  }

  private write(fromRtpengine: string, { audioIndex, refused }: Layout): string {
    const originAt = fromRtpengine.indexOf('o=');
    const originEnd = fromRtpengine.indexOf('\r\n', originAt);
    const origin = fromRtpengine.slice(originAt + 2, originEnd).split(' ');
    const mediaAt = fromRtpengine.indexOf('m=', originEnd);
    const head = fromRtpengine.slice(originEnd, mediaAt);
    const own = fromRtpengine.slice(mediaAt);
    const audio = this.isOptimistic ? own.replace(/^(m=audio \d+) RTP\/SAVP /, '$1 RTP/AVP ') : own;
    const media =
      refused.length === 1
        ? audio
        : refused.map((line, index) => (index === audioIndex ? audio : `${line}\r\n`)).join('');
    const content = `${head}${media}`;
    this.before = { version: this.version, last: this.last, length: this.lastContentLength };
    const isSame = content.length === this.lastContentLength && this.last.endsWith(content);
    if (!isSame) this.version++;
    this.last = `v=0\r\no=- ${this.sessionId} ${this.version} IN ${origin[4] ?? 'IP4'} ${origin[5] ?? '127.0.0.1'}${content}`;
    this.lastContentLength = content.length;
    return this.last;
  }
}
