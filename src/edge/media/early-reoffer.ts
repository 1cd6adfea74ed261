import { narrowed } from '../../sdp/local-description.js';
import { type Codec, isVoice } from '../../sdp/registered-codecs.js';
import {
  codecsOf,
  cryptoLinesOf,
  directionOfLine,
  type MediaDescription,
  readSession,
  type SessionDescription,
} from '../../sdp/sdp.js';
import { keyLineOf } from '../../sdp/srtp-key.js';

interface Offer {
  readonly session: SessionDescription;
  readonly audio: MediaDescription;
}

interface Offered {
  /** The description that the side got, and the place of its audio line. */
  readonly written: string;
  readonly index: number;
  /** With the codecs that it has answered, or else those that it may answer. */
  readonly kept: MediaDescription;
}

interface Reoffer {
  /** Our answer to the side's offer. */
  readonly answer: string;
  /** The offer, as an answer to the description that the side got. */
  readonly described: string;
}

const isSame = (first: Codec, second: Codec): boolean =>
  first.name === second.name && first.clockRate === second.clockRate;

/**
 * A side that has answered our offer makes its own offer, before the other side can be asked (RFC 3311 §5.1): our description is
 * the answer, reduced to what both name, and the offer a renewed answer. Undefined: no voice codec is left.
 */
export function earlyReoffer(
  { session, audio }: Offer,
  { written, index, kept }: Offered,
): Reoffer | undefined {
  const own = readSession(written);
  const ownAudio = own?.media[index];
  if (own === undefined || ownAudio === undefined) return undefined;
  const common = codecsOf(audio).filter((codec) => codecsOf(kept).some((each) => isSame(each, codec)));
  if (!common.some(isVoice)) return undefined;
  const formats = codecsOf(ownAudio).filter((codec) => common.some((each) => isSame(each, codec)));
  const tag = cryptoLinesOf({ ...audio, lines: [keyLineOf(audio) ?? ''] })[0]?.tag;
  const ownTag = cryptoLinesOf(ownAudio)[0]?.tag;
  const reduced = { ...audio, formats: common.map(({ payloadType }) => payloadType) };
  const refused = `m=audio 0 ${audio.protocol} 0\r\n`.repeat(index);
  const described = narrowed({ session, audio: reduced }).replace('m=audio', `${refused}m=audio`);
  return {
    answer: `${[...own.head, ...answerLines(ownAudio, formats, tag)].join('\r\n')}\r\n`,
    described: ownTag === undefined ? described : described.replace(/^a=crypto:\d+ /m, `a=crypto:${ownTag} `),
  };
}

/** Our audio line with these codecs, and our key under the tag of the offer's (RFC 4568 §5.1.2). */
function answerLines(own: MediaDescription, codecs: readonly Codec[], tag: string | undefined): string[] {
  const types = codecs.map(({ payloadType }) => payloadType);
  const lines = own.lines.slice(1).flatMap((line) => {
    const described = /^a=(?:rtpmap|fmtp|rtcp-fb):(\d+)/.exec(line)?.[1];
    if (described !== undefined && !types.includes(described)) return [];
    if (directionOfLine(line) !== undefined) return [];
    if (!line.startsWith('a=crypto:')) return [line];
    return line.startsWith(`a=crypto:${cryptoLinesOf(own)[0]?.tag} `)
      ? [line.replace(/^a=crypto:\d+/, `a=crypto:${tag ?? '1'}`)]
      : [];
  });
  return [`m=audio ${own.port} ${own.protocol} ${types.join(' ')}`, ...lines, 'a=sendrecv'];
}
