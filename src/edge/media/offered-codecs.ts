import type { CodecPolicy } from '../../contract/number.js';
import { isComfortNoise, isTelephoneEvent, isVoice } from '../../sdp/registered-codecs.js';
import { altered, codecsOf, type MediaDescription } from '../../sdp/sdp.js';

/** rtpengine's `codec` dictionary for an offer. */
interface CodecFlags {
  readonly mask?: readonly string[];
  readonly except?: readonly string[];
  readonly transcode?: readonly string[];
}

/** The codec flags of an offer for rtpengine. */
export interface OfferedCodecs {
  /** The audio line that it gets. */
  readonly audio: MediaDescription;
  /** Absent: it forwards packets unchanged, whatever their payload types. */
  readonly codec?: CodecFlags;
  /** True: it also converts other digits to DTMF events (only from the other side). */
  readonly convertsEvents: boolean;
}

/** Of payload type 13. */
const comfortNoiseClockRate = 8_000;

export const hasTelephoneEvents = (media: MediaDescription): boolean =>
  codecsOf(media).some(isTelephoneEvent);

/**
 * The codecs offered to the other side by a number's policy: the enabled ones in the policy's order, with DTMF events.
 * Others are removed here and not by rtpengine, whose flags also remove `telephone-event/8000` beside opus.
 *
 * Comfort noise (RFC 3389) is offered where the offerer has it, since a side that suppresses silence sends it whether or not the other
 * one was asked; Opus has its own.
 *
 * Where conversion is allowed the enabled codecs that were not offered are added. When none was offered, all of the
 * offerer's codecs are masked, not removed: rtpengine cannot convert from an absent codec, and would answer the offerer with
 * a codec that it never offered.
 *
 * An offerer without DTMF events sends digits in another way: events are still offered to the other side; they become tones
 * in one direction and are generated from INFO in the other.
 */
export function offeredCodecs(offered: MediaDescription, policy: CodecPolicy): OfferedCodecs {
  const codecs = codecsOf(offered);
  const isOffered = (codec: string): boolean => codecs.some(({ name }) => name === codec);
  const convertsEvents = !hasTelephoneEvents(offered);
  const events = convertsEvents ? ['telephone-event'] : [];
  if (!policy.order.some(isOffered) && policy.transcode) {
    const codec = { mask: ['all'], except: ['telephone-event'], transcode: [...policy.order, ...events] };
    return { audio: offered, codec, convertsEvents };
  }
  const wanted = [...policy.order, 'CN', 'telephone-event'].flatMap((each) =>
    codecs.filter(({ name }) => name === each),
  );
  const isNoisy = wanted.some((codec) => isVoice(codec) && codec.clockRate === comfortNoiseClockRate);
  const enabled = wanted.filter((codec) => isNoisy || !isComfortNoise(codec));
  const added = policy.transcode ? policy.order.filter((codec) => !isOffered(codec)) : [];
  const transcode = [...added, ...events];
  return {
    audio: altered(offered, { formats: enabled.map(({ payloadType }) => payloadType) }),
    ...(transcode.length > 0 ? { codec: { transcode } } : {}),
    convertsEvents,
  };
}
