import { type Codec, isVoice } from '../../sdp/registered-codecs.js';
import {
  altered,
  codecsOf,
  connectionOf,
  cryptoLinesOf,
  encodingsOf,
  type MediaDescription,
  mediaAddress,
  readSession,
  type SessionDescription,
} from '../../sdp/sdp.js';
import { keyLineOf } from '../../sdp/srtp-key.js';
import { egressProblem, type MediaEgress } from './media-egress.js';

/** The verdict on an answer: usable, or why not. */
export type AnswerCheck =
  | { readonly ok: true; readonly session: SessionDescription; readonly audio: MediaDescription }
  | { readonly ok: false; readonly warning: string; readonly detail: string };

const refuse = (warning: string, detail: string): AnswerCheck => ({ ok: false, warning, detail });

/** A usable answer. */
export type AcceptedAnswer = Extract<AnswerCheck, { readonly ok: true }>;

export interface OfferedAudio {
  /** Position of the audio line in the offer. */
  readonly index: number;
  readonly audio: MediaDescription;
}

/**
 * Whether an answer matches the offer (RFC 3264 §6): an audio line in its place that is not refused, the same
 * transport profile, a codec from the offer. rtpengine itself accepts any answer.
 * @param isOptimistic SRTP was offered as RTP/AVP with a key (RFC 8643); the answer must have a key all the same
 */
export function checkAnswer(
  sdp: string,
  offered: OfferedAudio,
  protocol: 'RTP/AVP' | 'RTP/SAVP',
  egress?: MediaEgress,
  isOptimistic = false,
): AnswerCheck {
  const session = readSession(sdp);
  if (session === undefined) return refuse('SDP answer is not valid', 'The answer is not valid SDP.');
  const audio = session.media[offered.index];
  if (audio === undefined || audio.kind !== 'audio') {
    return refuse('Answer has no audio', 'The answer has no audio line, but one was offered.');
  }
  if (audio.port === 0) return refuse('Audio was refused', 'The answer refuses the audio line (port 0).');
  if (audio.protocol !== protocol && !(isOptimistic && audio.protocol === 'RTP/AVP')) {
    return refuse(
      `${protocol} was offered and is required`,
      `${protocol} was offered, the answer says ${audio.protocol.slice(0, 40)}.`,
    );
  }
  const names = codecsOf(offered.audio);
  const chosen = codecsOf(audio).filter((codec) => names.some((each) => isSame(each, codec)));
  if (!chosen.some(isVoice)) {
    const detail = `Codecs answered: ${encodingsOf(audio)}; offered: ${encodingsOf(offered.audio)}.`;
    return refuse('No common codec', detail);
  }
  if (mediaAddress(session, audio) === undefined) {
    const connection = connectionOf(session, audio) ?? 'no c= line';
    const detail = `The answer has no usable address: ${connection.slice(0, 100)}.`;
    return refuse('An IP address is required in c=', detail);
  }
  const problem = egressProblem(egress, session, audio);
  if (problem !== undefined) return refuse('Media address in c= is not allowed', problem);
  // What was not offered (RFC 3264 §6.1 lets an answer name more) would be passed on to a side that did not offer it.
  const common = altered(audio, { protocol, formats: chosen.map(({ payloadType }) => payloadType) });
  return protocol === 'RTP/SAVP'
    ? checkCrypto(session, common, offered.audio)
    : { ok: true, session, audio: common };
}

/** Exactly one key line, with suite and tag of an offered one (RFC 4568 §5.1.2, §5.1.3). */
function checkCrypto(
  session: SessionDescription,
  audio: MediaDescription,
  offered: MediaDescription,
): AnswerCheck {
  const lines = cryptoLinesOf(audio);
  const suites = [...new Set(cryptoLinesOf(offered).map(({ suite }) => suite))].join(' or ');
  const [crypto] = lines;
  if (crypto === undefined) {
    return refuse(
      `No common SRTP suite: ${suites} required`,
      'The answer is RTP/SAVP but has no a=crypto line.',
    );
  }
  const isOffered = cryptoLinesOf(offered).some(({ suite }) => suite === crypto.suite);
  if (lines.length > 1 || !isOffered || keyLineOf(audio) === undefined) {
    return refuse(
      `No common SRTP suite: ${suites} required`,
      `SRTP suites answered: ${lines
        .map(({ suite }) => suite)
        .join(', ')
        .slice(0, 200)}; one usable ${suites} line is required.`,
    );
  }
  if (!cryptoLinesOf(offered).some(({ tag, suite }) => tag === crypto.tag && suite === crypto.suite)) {
    return refuse(
      'SRTP suite answered was not offered',
      `The answer's a=crypto tag ${crypto.tag} is not the tag of an offered ${suites} line.`,
    );
  }
  return { ok: true, session, audio };
}

const isSame = (first: Codec, second: Codec): boolean =>
  first.name === second.name && first.clockRate === second.clockRate;
