import type { CodecPolicy } from '../../contract/number.js';
import { codecLines } from '../../sdp/local-description.js';
import { type Codec, isVoice } from '../../sdp/registered-codecs.js';
import {
  codecsOf,
  connectionAddress,
  type MediaDescription,
  type SessionDescription,
} from '../../sdp/sdp.js';

/**
 * An answer to an offer's audio line that keeps the stream and moves nothing ("black hole", RFC 3725 §4.4): no address,
 * inactive, with the codecs of the offer that the policy enables.
 */
export function blackHole(
  session: SessionDescription,
  audio: MediaDescription,
  { order, transcode }: CodecPolicy,
): string {
  const isEnabled = (codec: Codec): boolean => !isVoice(codec) || order.some((name) => name === codec.name);
  const offered = codecsOf(audio);
  const enabled = offered.filter(isEnabled);
  const hasVoice = enabled.some(isVoice);
  const codecs = hasVoice || !transcode ? enabled : offered;
  const types = codecs.map(({ payloadType }) => payloadType);
  const isIp6 = connectionAddress(session, audio)?.includes(':') === true;
  const lines = [
    'v=0',
    `o=- 1 1 IN ${isIp6 ? 'IP6 ::1' : 'IP4 127.0.0.1'}`,
    's=-',
    `c=IN ${isIp6 ? 'IP6 ::' : 'IP4 0.0.0.0'}`,
    't=0 0',
    // The discard port: 0 would refuse the stream.
    `m=audio 9 ${audio.protocol} ${types.join(' ')}`,
    ...codecs.flatMap((codec) => codecLines(codec, audio)),
    'a=inactive',
  ];
  return `${lines.join('\r\n')}\r\n`;
}
