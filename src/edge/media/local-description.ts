import {
  answerDirection,
  type CryptoLine,
  type Direction,
  directionOfLine,
  type MediaDescription,
  type SessionDescription,
} from './sdp.js';

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
  /** The key to keep when several were offered. */
  readonly crypto?: CryptoLine;
}

const directions: readonly Direction[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];

const onlyAudio: Layout = { audioIndex: 0, refused: [''] };

/** What may pass from one side to the other; everything else (tools, names, candidates, labels) stays where it is. */
const passing = ['m=', 'c=', 'b=', 'a=rtpmap:', 'a=fmtp:', 'a=ptime:', 'a=maxptime:', 'a=rtcp:'];

/** The layout of an offer: its audio line taken, every other line refused. */
export function layoutOf(session: SessionDescription, audioIndex: number): Layout {
  if (session.media.length === 1) return onlyAudio;
  const refused = session.media.map(
    ({ kind, protocol, formats }) => `m=${kind} 0 ${protocol} ${formats.join(' ') || '0'}`,
  );
  return { audioIndex, refused };
}

/**
 * A side's description for rtpengine: one audio line, one key, nothing private. Other session lines are left out because
 * rtpengine hands them on as they are.
 */
export function narrowed({ session, audio, crypto }: Chosen): string {
  let text = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\n';
  for (const line of session.head) {
    if (line.startsWith('c=') || line.startsWith('b=')) text += `${line}\r\n`;
  }
  text += 't=0 0\r\n';
  for (const line of session.head) if (directionOfLine(line) !== undefined) text += `${line}\r\n`;
  for (const line of audio.lines) {
    const passes = line.startsWith('a=crypto:')
      ? crypto === undefined || line === crypto.line
      : directionOfLine(line) !== undefined || passing.some((prefix) => line.startsWith(prefix));
    if (passes) text += `${line}\r\n`;
  }
  return text;
}

/**
 * Writes what one side is told: our own origin with a version that grows when the rest changes (RFC 3264 §8), and the
 * side's own order of media lines.
 */
export class LocalDescription {
  private layout = onlyAudio;
  private version = 0;
  private lastContent = '';

  constructor(private readonly sessionId: number) {}

  /** Where the audio line is in descriptions of this side. */
  get audioIndex(): number {
    return this.layout.audioIndex;
  }

  /** From now on this side has these media lines. */
  adopt(layout: Layout): void {
    this.layout = layout;
  }

  /** A description that this side was given before, as a new one (RFC 3264 §8). */
  again(earlier: string): string {
    this.version++;
    this.lastContent = '';
    return earlier.replace(/^(o=\S+ \S+) \d+/m, `$1 ${this.version}`);
  }

  writeOffer(fromRtpengine: string): string {
    return this.write(fromRtpengine, this.layout);
  }

  /** The answer to an offer of this side: its layout, and no direction that the offer forbids (RFC 3264 §6.1). */
  writeAnswer(fromRtpengine: string, layout: Layout, offered: Direction): string {
    // rtpengine always writes the direction, and has turned a zero address into one.
    const wanted = directions.find((one) => fromRtpengine.includes(`\r\na=${one}\r\n`)) ?? 'sendrecv';
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
    const audio = fromRtpengine.slice(mediaAt);
    const media =
      refused.length === 1
        ? audio
        : refused.map((line, index) => (index === audioIndex ? audio : `${line}\r\n`)).join('');
    const content = `${head}${media}`;
    if (content !== this.lastContent) {
      this.version++;
      this.lastContent = content;
    }
    return `v=0\r\no=- ${this.sessionId} ${this.version} IN ${origin[4] ?? 'IP4'} ${origin[5] ?? '127.0.0.1'}${content}`;
  }
}
