import type { PortNumber, PortRequest } from './port-rows.js';

/** What a request owes its carrier now. `other_carrier`: it was begun with a carrier that is not configured any more. */
export type OwedWork = 'submit' | 'poll' | 'cancel' | 'other_carrier' | 'nothing';

/** Follows from the stored state alone, so that any process finds the same after any crash. */
export function owedWork(
  request: Pick<PortRequest, 'carrier' | 'carrier_reference' | 'carrier_canceled_at'>,
  numbers: readonly Pick<PortNumber, 'status'>[],
  carrier: PortRequest['carrier'],
): OwedWork {
  const isConfigured = request.carrier === carrier;
  if (numbers.some(({ status }) => status === 'submitted' || status === 'in_progress')) {
    if (!isConfigured) return 'other_carrier';
    return request.carrier_reference === null ? 'submit' : 'poll';
  }
  const isCanceled = numbers.some(({ status }) => status === 'canceled');
  return isCanceled && request.carrier_canceled_at === null && isConfigured ? 'cancel' : 'nothing';
}

/** A number that was ported, and is not attached to the organization yet: one that cannot be attached says why and is not tried again. */
export const isAttachOwed = ({
  status,
  attached_at,
  reason,
}: Pick<PortNumber, 'status' | 'attached_at' | 'reason'>): boolean =>
  status === 'completed' && attached_at === null && reason === null;
