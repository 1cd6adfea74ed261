import type { CodecPolicy } from '../../contract/number.js';
import { isVoice } from '../../sdp/registered-codecs.js';
import {
  codecsOf,
  connectionOf,
  encodingsOf,
  type MediaDescription,
  mediaAddress,
  readSession,
  type SessionDescription,
} from '../../sdp/sdp.js';
import { egressProblem, type MediaEgress } from './media-egress.js';
import { warningOf } from './trunk-offer.js';

/** The usable part of an agent's offer (re-INVITE, late offer). */
export interface AgentOffer {
  readonly ok: true;
  readonly session: SessionDescription;
  /** Position of `audio` in the offer. */
  readonly index: number;
  readonly audio: MediaDescription;
}

interface RefusedAgentOffer {
  readonly ok: false;
  readonly warning: string;
  readonly detail: string;
}

/** Picks the first plain RTP audio line with a codec that is enabled, or convertible where that is allowed. */
export function readAgentOffer(
  sdp: string,
  policy: CodecPolicy,
  egress?: MediaEgress,
): AgentOffer | RefusedAgentOffer {
  const session = readSession(sdp);
  if (session === undefined) {
    return refuse(305, 'SDP is not valid', "The agent's offer is not valid SDP.");
  }
  const index = session.media.findIndex(
    (media) => media.kind === 'audio' && media.port !== 0 && media.protocol === 'RTP/AVP',
  );
  const audio = session.media[index];
  if (audio === undefined) {
    return refuse(304, 'RTP/AVP audio required', "The agent's offer has no audio line over RTP/AVP.");
  }
  const names = codecsOf(audio).map(({ name }) => name);
  const hasVoice = names.some((name) => isVoice({ name }));
  if (policy.transcode ? !hasVoice : !policy.order.some((codec) => names.includes(codec))) {
    return refuse(
      305,
      'No common codec',
      `Codecs the agent offered: ${encodingsOf(audio)}; enabled: ${policy.order.join(', ')}.`,
    );
  }
  if (mediaAddress(session, audio) === undefined) {
    const connection = connectionOf(session, audio) ?? 'no c= line';
    return refuse(
      301,
      'An IP address is required in c=',
      `The agent's audio has no usable address: ${connection.slice(0, 100)}.`,
    );
  }
  const problem = egressProblem(egress, session, audio);
  if (problem !== undefined) return refuse(301, 'Media address in c= is not allowed', problem);
  return { ok: true, session, index, audio };
}

const refuse = (code: 301 | 304 | 305, text: string, detail: string): RefusedAgentOffer => ({
  ok: false,
  warning: warningOf(code, text),
  detail,
});
