import type { EndReason } from '../../contract/call-record.js';
import type { CodecPolicy, InboundConfiguration, NumberDocument } from '../../contract/number.js';
import type { AcceptedOffer, LateOffer, RefusedOffer } from '../media/trunk-offer.js';

/** What admission looks at; built from the engine's request by the call side. All text as it came on the wire. */
export interface InboundRequest {
  readonly method: string;
  /** The Request-URI. */
  readonly uri: string;
  /** User part of the Request-URI, or the number of a `tel:` URI; may carry `;` parameters and visual separators. */
  readonly calledUser: string;
  /** Values of From and To. */
  readonly from: string;
  readonly to: string;
  readonly callId: string;
  /** Of the connection or datagram, never of a header. */
  readonly sourceAddress: string;
  readonly sourcePort: number;
  readonly protocol: string;
  readonly maxForwards?: number | undefined;
  /** Since the INVITE reached the SIP server. */
  readonly waitedMilliseconds: number;
  /** The first line's value. */
  header(name: string): string | undefined;
  readonly via: readonly string[];
  /** It replaces one side of a call of this edge, which continues while the edge drains. */
  readonly isReplacement?: boolean;
  /** undefined: no SDP (late offer). */
  readonly sdp: string | undefined;
}

/** A final answer that ends the call before anything was allocated for it. */
export interface Refusal {
  readonly status: number;
  /** Reason phrase; the standard one when absent. */
  readonly reason?: string;
  readonly headers: Record<string, string>;
  readonly endReason: EndReason;
  /** The whole truth, for the call record only: which rule refused and what to configure. */
  readonly detail: string;
  /** True when the caller is expected to try again with the answer to a challenge: this was no failure yet. */
  readonly isChallenge?: boolean;
  /** True in a flood of refusals: this one is to be counted, but neither logged nor recorded. */
  readonly isUnrecorded?: boolean;
}

export type Admission =
  | {
      readonly admitted: true;
      readonly document: NumberDocument;
      /** The configuration that let the call in. */
      readonly inbound: InboundConfiguration;
      /** At least one; several ring at once. */
      readonly agentUris: readonly string[];
      /** The trunk's offer as it was read for admission; undefined: a late offer. */
      readonly offer: AcceptedOffer | undefined;
      /** The digest user, when credentials and not the address let the call in. */
      readonly authenticatedAs?: string;
      /** The caller is that of an agent test, with this run. */
      readonly testRunId?: string;
      /** The agent's INVITE is out, or there will be none: the next call may be set up. */
      readonly forwarded: () => void;
      /** Gives the call's places in the limits back; harmless when called again. */
      readonly release: () => void;
    }
  | { readonly admitted: false; readonly refusal: Refusal; readonly document?: NumberDocument };

/**
 * Media's judgement of a trunk's offer; undefined is a late offer and passes. With `isForeign` the egress policy decides on its
 * address.
 */
export type CheckTrunkOffer = (
  sdp: string | undefined,
  codecs: CodecPolicy,
  isForeign: boolean,
) => AcceptedOffer | LateOffer | RefusedOffer;
