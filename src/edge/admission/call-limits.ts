import type { AdmissionSettings } from '../../config/edge-settings.js';
import type { NumberDocument } from '../../contract/number.js';
import type { ErrorCode } from '../../errors.js';
import type { Refusal } from './admission.js';
import { refuse } from './refusal.js';
import { TokenBuckets } from './token-buckets.js';

export type Place =
  | { readonly ok: true; readonly release: () => void }
  | { readonly ok: false; readonly refusal: Refusal };

/** Calls that go on, by key. */
class Occupancy {
  private readonly counts = new Map<string, number>();

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  enter(key: string): void {
    this.counts.set(key, this.of(key) + 1);
  }

  leave(key: string): void {
    const left = this.of(key) - 1;
    if (left > 0) this.counts.set(key, left);
    else this.counts.delete(key);
  }
}

const maximumKeys = 50_000;

/**
 * Concurrent calls and calls a second, of the edge, of an organization and of a number. They hold for this edge process:
 * a cluster of n edges lets n times as many through.
 */
export class CallLimits {
  private readonly numbers = new Occupancy();
  private readonly organizations = new Occupancy();
  private readonly rates: TokenBuckets;
  private total = 0;

  constructor(
    private readonly settings: AdmissionSettings,
    now: () => number,
  ) {
    this.rates = new TokenBuckets(maximumKeys, now);
  }

  /** Calls that have entered and not left. */
  get active(): number {
    return this.total;
  }

  /** Takes a place for one call, or says which limit is reached; a refused call takes nothing from any limit. */
  enter({ number, organization, limits }: NumberDocument): Place {
    const { maximumCalls, organizationMaximumCalls, organizationCallsPerSecond } = this.settings;
    const retry = this.settings.retryAfterSeconds;
    const { concurrent_calls: most, calls_per_second: perSecond } = limits;
    if (this.total >= maximumCalls) {
      return full('edge_full', `The edge carries ${maximumCalls} calls (DEMARC_MAX_CALLS).`, retry);
    }
    if (most !== undefined && this.numbers.of(number) >= most) {
      const detail = `No more than ${most} calls ${toOrFrom(number)} at a time (limits.concurrent_calls).`;
      return full('number_full', detail, retry);
    }
    if (this.organizations.of(organization) >= organizationMaximumCalls) {
      const detail = `Organization ${organization} carries ${organizationMaximumCalls} calls (DEMARC_ORGANIZATION_MAX_CALLS).`;
      return full('organization_full', detail, retry);
    }
    const organizationKey = `organization ${organization}`;
    const organizationRate = { perSecond: organizationCallsPerSecond, burst: organizationCallsPerSecond };
    const organizationWait = this.rates.wait(organizationKey, organizationRate);
    if (organizationWait > 0) {
      const detail = `Organization ${organization} gets more than ${organizationCallsPerSecond} calls a second (DEMARC_ORGANIZATION_CALLS_PER_SECOND).`;
      return full('organization_too_fast', detail, organizationWait);
    }
    if (perSecond !== undefined) {
      const wait = this.rates.take(`number ${number}`, { perSecond, burst: Math.max(1, perSecond) });
      if (wait > 0) {
        const detail = `No more than ${perSecond} calls ${toOrFrom(number)} a second (limits.calls_per_second).`;
        return full('number_too_fast', detail, wait);
      }
    }
    this.rates.take(organizationKey, organizationRate);
    return { ok: true, release: this.occupy(number, organization) };
  }

  /** True when the edge and the organization can take another call now. Takes nothing. */
  hasRoom(organization: string): boolean {
    const { maximumCalls, organizationMaximumCalls, organizationCallsPerSecond: perSecond } = this.settings;
    const rate = { perSecond, burst: perSecond };
    return (
      this.total < maximumCalls &&
      this.organizations.of(organization) < organizationMaximumCalls &&
      this.rates.wait(`organization ${organization}`, rate) === 0
    );
  }

  /** For a call that had room and whose pace all edges together keep; gives its place back when called. */
  enterPaced({ number, organization }: NumberDocument): () => void {
    const perSecond = this.settings.organizationCallsPerSecond;
    this.rates.take(`organization ${organization}`, { perSecond, burst: perSecond });
    return this.occupy(number, organization);
  }

  private occupy(number: string, organization: string): () => void {
    this.total++;
    this.numbers.enter(number);
    this.organizations.enter(organization);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.total--;
      this.numbers.leave(number);
      this.organizations.leave(organization);
    };
  }
}

/** Calls from a number are counted as those of `from NUMBER`. */
const toOrFrom = (number: string): string => (number.startsWith('from ') ? number : `to ${number}`);

function full(code: ErrorCode, detail: string, retryAfter: number): Place {
  return {
    ok: false,
    refusal: refuse(code, 'refused_limit', { detail, retryAfter: Math.max(1, retryAfter) }),
  };
}
