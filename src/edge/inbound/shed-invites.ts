import type { AdmissionChain } from '../admission/chain.js';
import type { EdgeMetrics } from '../metrics.js';
import type { LoadShedder } from '../sip/unread-invite.js';
import { waitedSince } from './inbound-call.js';

/** Refuses, in overload, callers' INVITEs whose turn would come too late. Such calls are counted, not recorded. */
export const loadShedder = (
  admission: Pick<AdmissionChain, 'setups' | 'refuseUnread'>,
  metrics: Pick<EdgeMetrics, 'callRefused'>,
): LoadShedder => ({
  get isShedding() {
    return admission.setups.isOverloaded;
  },
  refusal({ arrivedAt, ...invite }) {
    const refusal = admission.refuseUnread(invite, waitedSince(arrivedAt));
    if (refusal !== undefined) metrics.callRefused(refusal.endReason, refusal.status);
    return refusal;
  },
});
