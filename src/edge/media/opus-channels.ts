/**
 * RFC 7587 §7 requires `opus/48000/2` of every description, mono or not. rtpengine 10.5 takes the number as what to encode: two channels
 * at −3 dB and twice the bit rate, whatever the parameters say. With `opus/48000/1` it encodes one channel at the level that it got.
 */
export const withOneChannel = (sdp: string): string =>
  sdp.replace(/^(a=rtpmap:\d+ opus\/48000)\/2\b/gim, '$1/1');

/** As the RFC requires. */
export const withTwoChannels = (sdp: string): string =>
  sdp.replace(/^(a=rtpmap:\d+ opus\/48000)(?:\/1\b|(?=\r?$))/gim, '$1/2');
