import { learningRelease } from '../../contract/rtpengine-release.js';
import type { NgReply } from './ng-client.js';

/** Release of an rtpengine. */
export interface RtpengineVersion {
  /** `26.0.1` */
  readonly text: string;
  readonly major: number;
}

/**
 * What Demarc uses of a release where releases differ. 10.5 (Debian 12) and 26.0 are tested; releases between them count as the older
 * one, and so does an unknown one.
 */
export interface RtpengineAbilities {
  /** Learns a side's address from its packets once, near the described one first, and keeps it through re-INVITEs. */
  readonly learnsOnce: boolean;
  /** Gives the last sequence number of each source: packets that it missed can be counted. */
  readonly countsSequence: boolean;
  /** Counts plain RTP that it refuses for its source among the packets. */
  readonly countsRefused: boolean;
  /** Encodes opus in two channels, 3 dB too quiet, unless descriptions say `opus/48000/1`. */
  readonly encodesStereo: boolean;
}

const older: RtpengineAbilities = {
  learnsOnce: false,
  countsSequence: false,
  countsRefused: true,
  encodesStereo: true,
};
const newer: RtpengineAbilities = {
  learnsOnce: true,
  countsSequence: true,
  countsRefused: false,
  encodesStereo: false,
};

export const abilitiesOf = (version: RtpengineVersion | undefined): RtpengineAbilities =>
  version !== undefined && version.major >= learningRelease ? newer : older;

/** Port 9 takes nothing, and the session is deleted at once. */
const description = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'm=audio 9 RTP/AVP 0',
  'c=IN IP4 127.0.0.1',
  '',
].join('\r\n');

/** Parameters of a `publish` command, whose reply names the release in `s=`; no other reply does. */
export const versionQuestion = (callId: string): object => ({
  'call-id': callId,
  'from-tag': 'version',
  sdp: description,
});

/** Undefined: another program answers for rtpengine, or `--software-id` hides its release. */
export function versionIn({ sdp }: NgReply): RtpengineVersion | undefined {
  const numbers = /^s=rtpengine-(\d+)-(\d+)(?:-(\d+))?/m.exec(sdp ?? '');
  if (numbers === null) return undefined;
  const [, major, ...minor] = numbers;
  return {
    text: [major, ...minor.filter((number) => number !== undefined)].join('.'),
    major: Number(major),
  };
}
