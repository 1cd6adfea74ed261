import {
  begunSeconds,
  type CallCounts,
  heartbeatMilliseconds,
  maximumOrganizations,
} from '../../contract/live.js';
import type { Call } from '../call/call.js';
import { stateOf } from './live-view.js';

const slots = (begunSeconds * 1_000) / heartbeatMilliseconds;
/** Calls to unknown numbers count under no organization. */
const noOrganization = '';

/** Active calls and recently begun calls, in total and by organization. */
export class CallRates {
  /** Calls begun in each of the last heartbeats, the present one first. */
  private readonly begun: Map<string, number>[] = [new Map()];
  /** Whose organization was not known when they began. */
  private readonly counted = new WeakSet<Call>();

  /** Counts a call once, however often it is seen. */
  note(call: Call): void {
    if (this.counted.has(call)) return;
    this.counted.add(call);
    const organization = call.state.organization ?? noOrganization;
    const slot = this.begun[0]!;
    slot.set(organization, (slot.get(organization) ?? 0) + 1);
  }

  /** The numbers of now; the next heartbeat's slot begins. */
  take(calls: { forEach(visit: (call: Call) => void): void }) {
    const organizations = new Map<string, { ringing: number; answered: number; begun: number }>();
    const all = { ringing: 0, answered: 0, begun: 0 };
    const of = (organization: string) => {
      let counts = organizations.get(organization);
      if (counts === undefined) {
        counts = { ringing: 0, answered: 0, begun: 0 };
        organizations.set(organization, counts);
      }
      return counts;
    };
    calls.forEach((call) => {
      const field = stateOf(call) === 'answered' ? 'answered' : 'ringing';
      of(call.state.organization ?? noOrganization)[field]++;
      all[field]++;
    });
    for (const slot of this.begun) {
      for (const [organization, count] of slot) {
        of(organization).begun += count;
        all.begun += count;
      }
    }
    this.begun.unshift(new Map());
    this.begun.length = Math.min(this.begun.length, slots);
    organizations.delete(noOrganization);
    const busiest = [...organizations]
      .sort(([, first], [, second]) => weight(second) - weight(first))
      .slice(0, maximumOrganizations);
    return { all, callsPerSecond: all.begun / begunSeconds, organizations: Object.fromEntries(busiest) };
  }
}

const weight = ({ ringing, answered, begun }: CallCounts): number => ringing + answered + begun;
