import type { FoundCall } from '../fleet/fleet-reader.js';

export interface ActiveCalls {
  /** Answered and not ended. */
  readonly active: number;
  readonly ringing: number;
}

/** Counts of active calls, from the list of them: of all organizations together, and of each that has any. */
export interface ActiveCounts {
  readonly all: ActiveCalls;
  readonly byOrganization: ReadonlyMap<string, ActiveCalls>;
}

const none: ActiveCalls = { active: 0, ringing: 0 };

export function countActiveCalls(found: readonly FoundCall[]): ActiveCounts {
  const byOrganization = new Map<string, ActiveCalls>();
  let all = none;
  for (const { call } of found) {
    const isAnswered = call.state === 'answered';
    const withIt = ({ active, ringing }: ActiveCalls): ActiveCalls =>
      isAnswered ? { active: active + 1, ringing } : { active, ringing: ringing + 1 };
    all = withIt(all);
    if (call.organization !== null)
      byOrganization.set(call.organization, withIt(byOrganization.get(call.organization) ?? none));
  }
  return { all, byOrganization };
}

export const activeOf = (counts: ActiveCounts, organizationId: string): ActiveCalls =>
  counts.byOrganization.get(organizationId) ?? none;
