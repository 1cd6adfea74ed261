import {
  codecsOf,
  cryptoLinesOf,
  type MediaDescription,
  readSession,
  type SessionDescription,
  sameCodecName,
} from './sdp.js';
import { isAcceptableCrypto, srtpSuite } from './trunk-offer.js';

/** What an answer was found to be: usable, or why not. */
export type AnswerCheck =
  | { readonly ok: true; readonly session: SessionDescription; readonly audio: MediaDescription }
  | { readonly ok: false; readonly warning: string; readonly detail: string };

const refuse = (warning: string, detail: string): AnswerCheck => ({ ok: false, warning, detail });

interface Offered {
  /** Position of the audio line in the offer. */
  readonly index: number;
  readonly audio: MediaDescription;
}

/**
 * Whether an answer is one to what was offered (RFC 3264 §6): an audio line in its place that is not refused, the same
 * transport profile, a codec from the offer. rtpengine itself accepts any answer.
 */
export function checkAnswer(sdp: string, offered: Offered, protocol: 'RTP/AVP' | 'RTP/SAVP'): AnswerCheck {
  const session = readSession(sdp);
  if (session === undefined) return refuse('Answer is not readable', 'The answer is no session description.');
  const audio = session.media[offered.index];
  if (audio === undefined || audio.kind !== 'audio') {
    return refuse('Answer has no audio', 'The answer has no audio line where one was offered.');
  }
  if (audio.port === 0) return refuse('Audio was refused', 'The answer refuses the audio line (port 0).');
  if (audio.protocol !== protocol) {
    return refuse(
      `${protocol} was offered and is required`,
      `${protocol} was offered, the answer says ${audio.protocol.slice(0, 40)}.`,
    );
  }
  const names = codecsOf(offered.audio).filter(({ name }) => !isEvent(name));
  const chosen = codecsOf(audio).filter(({ name }) => !isEvent(name));
  if (!chosen.some(({ name }) => names.some((one) => sameCodecName(one.name, name)))) {
    return refuse('No common codec', `Codecs answered: ${listed(chosen)}; offered: ${listed(names)}.`);
  }
  return protocol === 'RTP/SAVP' ? checkCrypto(session, audio, offered.audio) : { ok: true, session, audio };
}

/** Exactly one key line, our suite, with the tag of an offered one (RFC 4568 §5.1.2, §5.1.3). */
function checkCrypto(
  session: SessionDescription,
  audio: MediaDescription,
  offered: MediaDescription,
): AnswerCheck {
  const lines = cryptoLinesOf(audio);
  const [crypto] = lines;
  if (crypto === undefined) {
    return refuse(
      `No common SRTP suite: ${srtpSuite} required`,
      'The answer says RTP/SAVP but has no a=crypto line: nothing would be heard.',
    );
  }
  if (lines.length > 1 || !isAcceptableCrypto(crypto)) {
    return refuse(
      `No common SRTP suite: ${srtpSuite} required`,
      `SRTP suites answered: ${lines
        .map(({ suite }) => suite)
        .join(', ')
        .slice(0, 200)}; one usable ${srtpSuite} line is required.`,
    );
  }
  if (!cryptoLinesOf(offered).some(({ tag, suite }) => tag === crypto.tag && suite === crypto.suite)) {
    return refuse(
      'SRTP suite answered was not offered',
      `The answer's a=crypto tag ${crypto.tag} is not the tag of an offered ${srtpSuite} line.`,
    );
  }
  return { ok: true, session, audio };
}

const isEvent = (name: string): boolean =>
  sameCodecName(name, 'telephone-event') || sameCodecName(name, 'CN');

const listed = (codecs: readonly { name: string }[]): string =>
  codecs
    .map(({ name }) => name)
    .join(', ')
    .slice(0, 200) || 'none';
