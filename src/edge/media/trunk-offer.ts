import type { CodecPolicy } from '../../contract/number.js';
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
import { keyLineOf, type SrtpSuite, srtpSuite, withSuites } from '../../sdp/srtp-key.js';
import { egressProblem, type MediaEgress } from './media-egress.js';

/** A trunk's offer as read: its audio line with a key that we accept. */
export interface AcceptedOffer {
  readonly ok: true;
  readonly session: SessionDescription;
  /** Position of `audio` in the offer. */
  readonly index: number;
  readonly audio: MediaDescription;
  /** True: SRTP was offered as RTP/AVP with a key (RFC 8643), and is answered so. `audio` says RTP/SAVP. */
  readonly isOptimistic?: boolean;
}

/** An INVITE without a description. */
export interface LateOffer {
  readonly ok: true;
  readonly session?: undefined;
}

/** 488 with the text of a Warning value (no code, no agent); `detail` is for the call record. */
export interface RefusedOffer {
  readonly ok: false;
  readonly status: 488;
  /** A whole Warning header value (RFC 3261 §20.43). */
  readonly warning: string;
  readonly detail: string;
}

type WarningCode = 301 | 304 | 305;

/** A Warning value; the agent name is a constant because an address would reveal the internal network. */
export const warningOf = (code: WarningCode, text: string): string => `${code} demarc "${text}"`;

const refuse = (code: WarningCode, text: string, detail: string): RefusedOffer => ({
  ok: false,
  status: 488,
  warning: warningOf(code, text),
  detail,
});

/** Codecs rtpengine can decode, whether a number enables them or not. */
const convertible = ['PCMU', 'PCMA', 'G722', 'G729', 'opus', 'GSM', 'G723', 'speex'];

/** Which SRTP trunks may offer. */
export interface SrtpPolicy {
  readonly suites?: readonly SrtpSuite[] | undefined;
  /** True: also as RTP/AVP with a key (RFC 8643). */
  readonly takesOptimistic?: boolean | undefined;
}

/** Admission's check, whose result media reuses. An INVITE without a description is a late offer and passes. */
export function checkTrunkOffer(
  sdp: string | undefined,
  codecs: CodecPolicy,
  egress?: MediaEgress,
  policy?: SrtpPolicy,
): AcceptedOffer | LateOffer | RefusedOffer {
  return sdp === undefined ? { ok: true } : readTrunkOffer(sdp, codecs, egress, policy);
}

/** Picks the first audio line over RTP/SAVP, else over RTP/AVP with a key where that is taken, that offers an allowed suite with a whole key, and a codec we may use. */
export function readTrunkOffer(
  sdp: string,
  codecs: CodecPolicy,
  egress?: MediaEgress,
  { suites = [srtpSuite], takesOptimistic = false }: SrtpPolicy = {},
): AcceptedOffer | RefusedOffer {
  const session = readSession(sdp);
  if (session === undefined && hasNoMedia(sdp)) {
    return refuse(304, 'No audio offered', 'The offer has no m= line: the caller has no codec enabled.');
  }
  if (session === undefined) {
    return refuse(305, 'SDP is not valid', 'The offer is not a session description.');
  }
  const audio = session.media.filter((media) => media.kind === 'audio' && media.port !== 0);
  if (audio.length === 0) {
    const kinds = session.media.map((media) => `${media.kind} ${media.protocol}`).join(', ');
    return refuse(
      304,
      'No audio offered',
      `The offer has no usable audio line, only: ${kinds.slice(0, 200)}.`,
    );
  }
  const secure = [
    ...audio.filter((media) => media.protocol === 'RTP/SAVP'),
    ...(takesOptimistic ? audio.filter(isOptimistic) : []),
  ];
  if (secure.length === 0) {
    const protocols = audio.map((media) => media.protocol).join(', ');
    return refuse(
      305,
      'SRTP required: offer RTP/SAVP with AES_CM_128_HMAC_SHA1_80',
      `Audio was offered over ${protocols.slice(0, 100)}, not RTP/SAVP: turn on SRTP with SDES at the caller.`,
    );
  }
  let defect: RefusedOffer | undefined;
  for (const offered of secure) {
    const media = altered(withSuites(offered, suites), { protocol: 'RTP/SAVP' });
    if (keyLineOf(media) === undefined) {
      defect ??= refuseCrypto(offered, suites);
      continue;
    }
    if (!hasUsableCodec(media, codecs)) {
      defect ??= refuseCodecs(media, codecs);
      continue;
    }
    if (mediaAddress(session, media) === undefined) {
      const connection = connectionOf(session, media) ?? 'no c= line';
      defect ??= refuse(
        301,
        'An IP address is required in c=',
        `The audio has no usable address: ${connection.slice(0, 100)}.`,
      );
      continue;
    }
    const problem = egressProblem(egress, session, media);
    if (problem !== undefined) {
      defect ??= refuse(301, 'Media address in c= is not allowed', problem);
      continue;
    }
    const index = session.media.indexOf(offered);
    return { ok: true, session, index, audio: media, isOptimistic: isOptimistic(offered) };
  }
  return defect!;
}

const isOptimistic = (media: MediaDescription): boolean =>
  media.protocol === 'RTP/AVP' && cryptoLinesOf(media).length > 0;

/** Asterisk offers so where an endpoint allows no codec. */
const hasNoMedia = (sdp: string): boolean => /^v=0\r?\n/.test(sdp) && !/^m=/m.test(sdp);

function hasUsableCodec(media: MediaDescription, policy: CodecPolicy): boolean {
  const usable: readonly string[] = policy.transcode ? [...policy.order, ...convertible] : policy.order;
  return codecsOf(media).some(({ name }) => usable.includes(name));
}

function refuseCrypto(media: MediaDescription, allowed: readonly SrtpSuite[]): RefusedOffer {
  const required = allowed.join(', ');
  const lines = cryptoLinesOf(media);
  const suites = lines.map(({ suite }) => suite).join(', ');
  if (lines.length === 0) {
    return refuse(
      305,
      'SRTP key missing: a=crypto required',
      'RTP/SAVP was offered without any a=crypto line.',
    );
  }
  const unusable = lines.find(({ suite }) => (allowed as readonly string[]).includes(suite));
  if (unusable !== undefined) {
    return refuse(
      305,
      `${unusable.suite} offered with an unusable key`,
      `The ${unusable.suite} line has a key of the wrong length, a bad tag, or switches encryption or authentication off.`,
    );
  }
  return refuse(
    305,
    `No common SRTP suite: ${required} required`,
    `SRTP suites offered: ${suites.slice(0, 200)}; required: ${required}.`,
  );
}

function refuseCodecs(media: MediaDescription, policy: CodecPolicy): RefusedOffer {
  return refuse(
    305,
    `No common codec: ${policy.order.join(', ')} accepted`,
    `Codecs offered: ${encodingsOf(media)}; enabled for the number: ${policy.order.join(', ')}.`,
  );
}
