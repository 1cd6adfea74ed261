import type { CodecPolicy } from '../../contract/number.js';
import { codecsOf, type MediaDescription, sameCodecName } from './sdp.js';

/** rtpengine's `codec` dictionary for an offer. */
export interface CodecFlags {
  readonly strip?: readonly string[];
  readonly mask?: readonly string[];
  readonly except?: readonly string[];
  readonly offer?: readonly string[];
  readonly transcode?: readonly string[];
}

/**
 * What the other side is offered of a number's policy: the enabled codecs in the policy's order, DTMF events kept. Where
 * conversion is allowed the enabled codecs that were not offered are added. When none was offered, all of the offerer's
 * codecs are masked, not stripped: a stripped codec cannot be converted from, and rtpengine would then answer the offerer
 * with a codec that it never named. `addsEvents`: DTMF events are offered though the offerer has none.
 */
export function codecFlags(offered: MediaDescription, policy: CodecPolicy, addsEvents = false): CodecFlags {
  const names = codecsOf(offered).map(({ name }) => name);
  const isOffered = (codec: string): boolean => names.some((name) => sameCodecName(name, codec));
  const shared = policy.order.some(isOffered);
  if (!shared && policy.transcode) {
    return { mask: ['all'], except: ['telephone-event'], transcode: policy.order };
  }
  const added: string[] = policy.transcode ? policy.order.filter((codec) => !isOffered(codec)) : [];
  if (addsEvents && !isOffered('telephone-event')) added.push('telephone-event');
  return {
    strip: ['all'],
    offer: [...policy.order, 'telephone-event'],
    ...(added.length > 0 ? { transcode: added } : {}),
  };
}
