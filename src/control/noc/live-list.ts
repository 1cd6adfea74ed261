import { partyOf, spelled } from '../calls/index.js';
import type { FoundCall } from '../fleet/fleet-reader.js';
import { e164 } from '../http/phone-number.js';
import type { CallGroup, LiveCalls, LiveCallView } from './view.js';

const maximumListed = 1_000;

/** The newest calls, and counts of the others. */
export function listOf(found: readonly FoundCall[], isOperator: boolean, most = maximumListed): LiveCalls {
  const newest = found.toSorted((left, right) => (left.call.started_at < right.call.started_at ? 1 : -1));
  const groups = new Map<string, CallGroup>();
  for (const { call, edgeId } of newest.slice(most)) {
    const organization_id = call.organization;
    const phone_number = numberOf(call);
    const edge_id = isOperator ? edgeId : null;
    const key = JSON.stringify([organization_id, phone_number, edge_id]);
    const group = groups.get(key) ?? { organization_id, phone_number, edge_id, active: 0, ringing: 0 };
    const isActive = call.state === 'answered';
    groups.set(key, {
      ...group,
      active: group.active + Number(isActive),
      ringing: group.ringing + Number(!isActive),
    });
  }
  return {
    calls: newest.slice(0, most).map((call) => viewOfCall(call, isOperator)),
    unlisted: [...groups.values()],
    total: newest.length,
    truncated: newest.length > most,
    at: new Date().toISOString(),
  };
}

const numberOf = ({ number }: FoundCall['call']): string | null => (number === null ? null : e164(number));

/** Only operators see which edge has a call. */
export function viewOfCall({ call, edgeId }: FoundCall, isOperator: boolean): LiveCallView {
  const { organization, number, from, to, test_run_id: _, ...rest } = call;
  return {
    ...rest,
    from: spelled(partyOf(from), number),
    to: spelled(partyOf(to), number),
    from_header: from,
    to_header: to,
    organization_id: organization,
    phone_number: numberOf(call),
    edge_id: isOperator ? edgeId : null,
  };
}
