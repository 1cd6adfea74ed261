import type { CodecPolicy } from '../../contract/number.js';
import { isTelephoneEvent } from './registered-codecs.js';
import { codecsOf, type MediaDescription } from './sdp.js';

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
  /** Absent: it passes packets on as they are, whatever their payload types. */
  readonly codec?: CodecFlags;
  /** True: it also makes DTMF events of what is not (the other side's only). */
  readonly convertsEvents: boolean;
}

export const hasTelephoneEvents = (media: MediaDescription): boolean =>
  codecsOf(media).some(isTelephoneEvent);

/**
 * What the other side is offered of a number's policy: the enabled codecs in the policy's order, DTMF events kept. The
 * others are taken out here and not by rtpengine, whose flags for it take `telephone-event/8000` out beside opus as well.
 *
 * Where conversion is allowed the enabled codecs that were not offered are added. When none was offered, all of the
 * offerer's codecs are masked, not taken out: from one that is not there it cannot convert, and rtpengine would then answer
 * the offerer with a codec that it never named.
 *
 * An offerer without DTMF events sends its digits otherwise: the other side is offered events nevertheless, which become
 * tones in one direction and are made of INFO in the other.
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
  const enabled = [...policy.order, 'telephone-event'].flatMap((wanted) =>
    codecs.filter(({ name }) => name === wanted).map(({ payloadType }) => payloadType),
  );
  const added = policy.transcode ? policy.order.filter((codec) => !isOffered(codec)) : [];
  const transcode = [...added, ...events];
  return {
    audio: { ...offered, formats: enabled },
    ...(transcode.length > 0 ? { codec: { transcode } } : {}),
    convertsEvents,
  };
}
