import { isIP } from 'node:net';
import type { CodecPolicy } from '../../contract/number.js';
import {
  type CryptoLine,
  codecsOf,
  cryptoLinesOf,
  type MediaDescription,
  readSession,
  type SessionDescription,
  sameCodecName,
} from './sdp.js';

/** The only SRTP suite on trunk legs (RFC 4568 §6.2). */
export const srtpSuite = 'AES_CM_128_HMAC_SHA1_80';

/** What a trunk's offer came down to: the audio line and the key we accept. */
export interface AcceptedOffer {
  readonly ok: true;
  readonly session: SessionDescription;
  /** Position of `audio` in the offer. */
  readonly index: number;
  readonly audio: MediaDescription;
  readonly crypto: CryptoLine;
}

/** 488 with a Warning value without code and agent: text for people, `detail` for the call record. */
export interface RefusedOffer {
  readonly ok: false;
  readonly status: 488;
  /** A whole Warning header value (RFC 3261 §20.43). */
  readonly warning: string;
  readonly detail: string;
}

type WarningCode = 301 | 304 | 305;

/** A Warning value; the agent name is a constant because an address would tell about the inside. */
export const warningOf = (code: WarningCode, text: string): string => `${code} demarc "${text}"`;

const refuse = (code: WarningCode, text: string, detail: string): RefusedOffer => ({
  ok: false,
  status: 488,
  warning: warningOf(code, text),
  detail,
});

/** Codecs rtpengine can decode, whether a number enables them or not. */
const convertible = ['PCMU', 'PCMA', 'G722', 'G729', 'opus', 'GSM', 'G723', 'speex'];

/** Admission's question; an absent description is a late offer and passes. */
export function checkTrunkOffer(sdp: string | undefined, codecs: CodecPolicy): { ok: true } | RefusedOffer {
  if (sdp === undefined) return { ok: true };
  const read = readTrunkOffer(sdp, codecs);
  return read.ok ? { ok: true } : read;
}

/** Picks the first audio line over RTP/SAVP that offers our suite with a whole key, and a codec we may use. */
export function readTrunkOffer(sdp: string, codecs: CodecPolicy): AcceptedOffer | RefusedOffer {
  const session = readSession(sdp);
  if (session === undefined) {
    return refuse(305, 'Session description is not readable', 'The offer is not a session description.');
  }
  const audio = session.media.filter((media) => media.kind === 'audio' && media.port !== 0);
  if (audio.length === 0) {
    const kinds = session.media.map((media) => `${media.kind} ${media.protocol}`).join(', ');
    return refuse(304, 'No audio offered', `The offer has no audio line, only: ${kinds.slice(0, 200)}.`);
  }
  const secure = audio.filter((media) => media.protocol === 'RTP/SAVP');
  if (secure.length === 0) {
    const protocols = audio.map((media) => media.protocol).join(', ');
    return refuse(
      305,
      'SRTP required: offer RTP/SAVP with AES_CM_128_HMAC_SHA1_80',
      `Audio was offered over ${protocols.slice(0, 100)}, not RTP/SAVP: turn SRTP with SDES keys on at the caller.`,
    );
  }
  let defect: RefusedOffer | undefined;
  for (const media of secure) {
    const crypto = cryptoLinesOf(media).find(isAcceptableCrypto);
    if (crypto === undefined) {
      defect ??= refuseCrypto(media);
      continue;
    }
    if (!hasUsableCodec(media, codecs)) {
      defect ??= refuseCodecs(media, codecs);
      continue;
    }
    const connection = connectionOf(session, media);
    if (!isUnicastAddress(connection)) {
      defect ??= refuse(
        301,
        'An IP address is required in c=',
        `Audio has no address we can send to: ${(connection ?? 'no c= line').slice(0, 100)}.`,
      );
      continue;
    }
    return { ok: true, session, index: session.media.indexOf(media), audio: media, crypto };
  }
  return defect!;
}

/** The `c=` line that holds for a media description (RFC 4566 §5.7), without `c=`. */
function connectionOf(session: SessionDescription, media: MediaDescription): string | undefined {
  const isConnection = (line: string): boolean => line.startsWith('c=');
  return (media.lines.find(isConnection) ?? session.head.find(isConnection))?.slice(2).trim();
}

/** Names and multicast groups are allowed by RFC 4566 §5.7; rtpengine refuses both. */
function isUnicastAddress(connection: string | undefined): boolean {
  const [network, family, address = ''] = (connection ?? '').split(/ +/);
  return network === 'IN' && family === `IP${isIP(address)}` && !/^(22[4-9]|23\d)\.|^ff/i.test(address);
}

/** Our suite, a key and salt of 30 octets, and nothing that weakens it (RFC 4568 §6.1, §6.3). */
export function isAcceptableCrypto(crypto: CryptoLine): boolean {
  return (
    crypto.suite === srtpSuite &&
    /^\d{1,9}$/.test(crypto.tag) &&
    !/UNENCRYPTED|UNAUTHENTICATED/i.test(crypto.sessionParameters) &&
    hasWholeKey(crypto.keyParameters)
  );
}

function hasWholeKey(keyParameters: string): boolean {
  if (keyParameters.slice(0, 7).toLowerCase() !== 'inline:') return false;
  // Several keys in one line would need an MKI for each; the first one is the one in use.
  const key = keyParameters.slice(7).split(/[|;]/, 1)[0]!;
  return key.length === 40 && /^[A-Za-z0-9+/]{40}$/.test(key);
}

function hasUsableCodec(media: MediaDescription, policy: CodecPolicy): boolean {
  const usable = policy.transcode ? [...policy.order, ...convertible] : policy.order;
  return codecsOf(media).some(({ name }) => usable.some((one) => sameCodecName(one, name)));
}

function refuseCrypto(media: MediaDescription): RefusedOffer {
  const lines = cryptoLinesOf(media);
  const suites = lines.map(({ suite }) => suite).join(', ');
  if (lines.length === 0) {
    return refuse(
      305,
      'SRTP key missing: a=crypto required',
      'RTP/SAVP was offered without any a=crypto line.',
    );
  }
  if (lines.some(({ suite }) => suite === srtpSuite)) {
    return refuse(
      305,
      `${srtpSuite} offered with an unusable key`,
      `The ${srtpSuite} line has a key of the wrong length, a bad tag, or switches encryption or authentication off.`,
    );
  }
  return refuse(
    305,
    `No common SRTP suite: ${srtpSuite} required`,
    `SRTP suites offered: ${suites.slice(0, 200)}; required: ${srtpSuite}.`,
  );
}

function refuseCodecs(media: MediaDescription, policy: CodecPolicy): RefusedOffer {
  const names = codecsOf(media).map(({ name }) => name);
  return refuse(
    305,
    `No common codec: ${policy.order.join(', ')} accepted`,
    `Codecs offered: ${names.join(', ').slice(0, 200)}; enabled for the number: ${policy.order.join(', ')}.`,
  );
}
