import type { AdmissionSettings } from '../../config/edge-settings.js';
import type { SharedSlot } from '../../contract/held-call.js';
import type { NumberDocument } from '../../contract/number.js';
import type { ErrorCode } from '../../errors.js';
import type { Refusal } from './admission.js';
import { FairRate } from './fair-rate.js';
import { refuse } from './refusal.js';
import type { SetupQueue } from './setup-queue.js';

export type Place =
  | {
      readonly ok: true;
      readonly release: () => void;
      /** Releases the slot of a call that was refused after all, and returns what it took from the rates. */
      readonly withdraw?: () => void;
      /** Where all edges share the limit. */
      readonly shared?: SharedSlot;
    }
  | { readonly ok: false; readonly refusal: Refusal };

/** Active calls by key. */
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
/** The source of calls that the API ordered. */
const orders = 'orders';

/**
 * Concurrent calls and calls per second, of the edge, of an organization and of a number. They apply per edge process: a
 * cluster of n edges admits n times as many.
 */
export class CallLimits {
  private readonly numbers = new Occupancy();
  private readonly organizations = new Occupancy();
  private readonly rates: FairRate;
  private total = 0;

  constructor(
    private readonly settings: AdmissionSettings,
    now: () => number,
    private readonly setups: Pick<SetupQueue, 'isOverloaded'>,
    /** From 0 to 1. */
    private readonly random: () => number = Math.random,
  ) {
    this.rates = new FairRate(maximumKeys, now);
  }

  /** Calls that have entered and not left. */
  get active(): number {
    return this.total;
  }

  /**
   * Takes a slot for one call, or returns the limit that is reached; a refused call uses up no limit.
   * @param source of the call: sources share the rates of a number and of an organization fairly
   */
  enter({ number, organization, limits }: NumberDocument, source: string): Place {
    const { maximumCalls, organizationMaximumCalls, organizationCallsPerSecond } = this.settings;
    const retry = this.settings.retryAfterSeconds;
    const { concurrent_calls: most, calls_per_second: perSecond } = limits;
    if (this.total >= maximumCalls) {
      return this.full(
        'edge_full',
        `The edge has ${maximumCalls} active calls, its limit (DEMARC_MAX_CALLS).`,
        retry,
      );
    }
    if (most !== undefined && this.numbers.of(number) >= most) {
      const detail = `The limit of ${most} concurrent calls ${toOrFrom(number)} is reached (limits.concurrent_calls).`;
      return this.full('number_full', detail, retry);
    }
    if (this.organizations.of(organization) >= organizationMaximumCalls) {
      const detail = `Organization ${organization} has ${organizationMaximumCalls} active calls, its limit (DEMARC_ORGANIZATION_MAX_CALLS).`;
      return this.full('organization_full', detail, retry);
    }
    const organizationKey = `organization ${organization}`;
    const organizationRate = { perSecond: organizationCallsPerSecond, burst: organizationCallsPerSecond };
    const organizationWait = this.rates.take(organizationKey, source, organizationRate);
    if (organizationWait > 0) {
      const detail = `Organization ${organization} exceeds ${organizationCallsPerSecond} calls per second (DEMARC_ORGANIZATION_CALLS_PER_SECOND).`;
      return this.full('organization_too_fast', detail, organizationWait);
    }
    const numberKey = `number ${number}`;
    if (perSecond !== undefined) {
      const wait = this.rates.take(numberKey, source, { perSecond, burst: Math.max(1, perSecond) });
      if (wait > 0) {
        this.rates.giveBack(organizationKey, source);
        const detail = `The limit of ${perSecond} calls per second ${toOrFrom(number)} is exceeded (limits.calls_per_second).`;
        return this.full('number_too_fast', detail, wait);
      }
    }
    const release = this.occupy(number, organization);
    return {
      ok: true,
      release,
      withdraw: () => {
        release();
        this.rates.giveBack(organizationKey, source);
        if (perSecond !== undefined) this.rates.giveBack(numberKey, source);
      },
    };
  }

  /** For a call whose turn to be set up did not come in time. */
  refuseOverload(): Refusal {
    const { setupDelayMilliseconds: target } = this.settings.load;
    const detail = `The edge is overloaded: the call waited too long for its setup (DEMARC_SETUP_DELAY_MS is ${target}). Start more edges (DEMARC_EDGES), or give this machine processors.`;
    return this.refusalOf('edge_overloaded', detail, this.settings.retryAfterSeconds);
  }

  /** True when the edge and the organization can take another call now. Takes nothing. */
  hasRoom(organization: string): boolean {
    const { maximumCalls, organizationMaximumCalls, organizationCallsPerSecond: perSecond } = this.settings;
    const rate = { perSecond, burst: perSecond };
    return (
      !this.setups.isOverloaded &&
      this.total < maximumCalls &&
      this.organizations.of(organization) < organizationMaximumCalls &&
      this.rates.wait(`organization ${organization}`, rate) === 0
    );
  }

  /** For a call that had room and whose pace all edges together keep; gives its place back when called. */
  enterPaced({ number, organization }: NumberDocument): () => void {
    const perSecond = this.settings.organizationCallsPerSecond;
    this.rates.take(`organization ${organization}`, orders, { perSecond, burst: perSecond });
    return this.occupy(number, organization);
  }

  /** Callers that were refused together must not come back together: up to twice the time, at random. */
  private refusalOf(code: ErrorCode, detail: string, seconds: number): Refusal {
    const least = Math.max(1, Math.ceil(seconds));
    const retryAfter = least + Math.floor(this.random() * (least + 1));
    return refuse(code, 'refused_limit', { detail, retryAfter });
  }

  private full(code: ErrorCode, detail: string, seconds: number): Place {
    return { ok: false, refusal: this.refusalOf(code, detail, seconds) };
  }

  /** A slot for a call that another process has admitted. */
  occupy(number: string, organization: string): () => void {
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
