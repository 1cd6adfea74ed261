import type { NgReply } from './ng-client.js';

/**
 * A command as rtpengine 10.5 has to see it. RFC 7587 §7 requires `opus/48000/2` of every description, mono or not; 10.5 takes the number
 * as what to encode: two channels at −3 dB and twice the bit rate, whatever the parameters say. With `opus/48000/1` it encodes one channel
 * at the level that it got.
 */
export function oneChannel(parameters: object): object {
  const { sdp, codec } = parameters as { sdp?: unknown; codec?: { readonly transcode?: readonly string[] } };
  if (typeof sdp !== 'string') return parameters;
  const transcode = codec?.transcode?.map((name) => (name === 'opus' ? 'opus/48000/1' : name));
  return {
    ...parameters,
    sdp: sdp.replace(/^(a=rtpmap:\d+ opus\/48000)\/2\b/gim, '$1/1'),
    ...(transcode === undefined ? {} : { codec: { ...codec, transcode } }),
  };
}

/** A reply as the RFC requires. */
export const twoChannels = (reply: NgReply): NgReply =>
  reply.sdp === undefined
    ? reply
    : { ...reply, sdp: reply.sdp.replace(/^(a=rtpmap:\d+ opus\/48000)(?:\/1\b|(?=\r?$))/gim, '$1/2') };
