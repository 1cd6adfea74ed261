import { isTelephoneEvent, isVoice } from '../../sdp/registered-codecs.js';
import { codecsOf, type MediaDescription } from '../../sdp/sdp.js';

const telephoneClockRate = 8_000;
const opusClockRate = 48_000;

/**
 * A description as rtpengine has to see it where it may convert the codec. It plays digits only as events of the codec's clock rate, so to
 * a side that has Opus alone with events at 8,000 Hz, as older PBXs have, it would play tones. The events of such a side are described
 * at the rate of its stream: the digits are the same, and only their durations are read by another clock.
 */
export function eventsAtCodecClock(sdp: string, audio: MediaDescription): string {
  const codecs = codecsOf(audio);
  const isOpusAlone = codecs.filter(isVoice).every(({ clockRate }) => clockRate === opusClockRate);
  const events = codecs.filter(isTelephoneEvent);
  if (!isOpusAlone || events.some(({ clockRate }) => clockRate !== telephoneClockRate)) return sdp;
  return sdp.replaceAll(`telephone-event/${telephoneClockRate}`, `telephone-event/${opusClockRate}`);
}

/** rtpengine's description for that side, with its events as the side itself described them. */
export function eventsAsDescribed(sdp: string, audio: MediaDescription): string {
  return codecsOf(audio)
    .filter((codec) => isTelephoneEvent(codec) && codec.clockRate === telephoneClockRate)
    .reduce(
      (text, { payloadType }) =>
        text.replace(
          `a=rtpmap:${payloadType} telephone-event/${opusClockRate}`,
          `a=rtpmap:${payloadType} telephone-event/${telephoneClockRate}`,
        ),
      sdp,
    );
}
