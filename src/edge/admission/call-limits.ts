import type { AdmissionSettings } from '../../config/edge-settings.js';
import type { SharedSlot } from '../../contract/held-call.js';
import type { NumberDocument } from '../../contract/number.js';
import type { ErrorCode } from '../../errors.js';
import type { Refusal } from './admission.js';
import type { LimitFleet } from './fleet/limit-fleet.js';
import { RateShares } from './fleet/rate-shares.js';
import { SlotShares } from './fleet/slot-shares.js';
import { refuse } from './refusal.js';
import type { SetupQueue } from './setup-queue.js';
import type { Rate } from './token-buckets.js';

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

/** What the limits of an organization are read from. */
type LimitedDocument = Pick<NumberDocument, 'organization' | 'organization_limits'>;

/** The source of calls that the API ordered. */
const orders = 'orders';

/**
 * Concurrent calls and calls per second. Those of the edge are its own; those of an organization and of a number hold for all edges
 * together, and while Redis is down each edge has its part of them.
 */
export class CallLimits {
  private readonly slots: SlotShares;
  private readonly rates: RateShares;
  /** Of calls from numbers. All edges share them by `OrderLine`; these hold while Redis is down. */
  private readonly outbound: { readonly slots: SlotShares; readonly rates: RateShares };
  private total = 0;

  constructor(
    private readonly settings: AdmissionSettings,
    now: () => number,
    private readonly setups: Pick<SetupQueue, 'isOverloaded'>,
    /** Absent: no other edge shares the limits. */
    private readonly fleet?: LimitFleet,
    /** From 0 to 1. */
    private readonly random: () => number = Math.random,
  ) {
    this.slots = new SlotShares(fleet, now);
    this.rates = new RateShares(fleet, now);
    this.outbound = { slots: new SlotShares(undefined, now), rates: new RateShares(undefined, now) };
  }

  /** Calls that have entered and not left. */
  get active(): number {
    return this.total;
  }

  /**
   * Takes a slot for one call, or returns the limit that is reached; a refused call uses up no limit. Asks Redis only when this edge
   * has used what it has leased of a limit. Never rejects.
   * @param source of the call: sources share the rates of a number and of an organization fairly
   */
  async enter(document: NumberDocument, source: string): Promise<Place> {
    const { number, organization, limits } = document;
    const { maximumCalls } = this.settings;
    const own = this.limitsOf(document);
    const retry = this.settings.retryAfterSeconds;
    const { concurrent_calls: most, calls_per_second: perSecond } = limits;
    if (this.total >= maximumCalls) {
      const detail = `The edge has ${maximumCalls} active calls, its limit (DEMARC_MAX_CALLS).`;
      return this.full('edge_full', detail, retry);
    }
    const { slots, rates, limit, part } = this.sharesOf(number);
    const numberKey = `number ${number}`;
    const organizationKey = `organization ${organization}`;
    // Taken first, because others may enter while this call waits for Redis.
    this.total++;
    const taken: (() => unknown)[] = [() => this.total--];
    const full = (code: ErrorCode, detail: string, seconds: number): Place => {
      for (const giveBack of taken) giveBack();
      return this.full(code, `${detail}${this.whileDown}`, seconds);
    };

    if (most === undefined) slots.force(numberKey, undefined);
    else if (!(await slots.enter(numberKey, limit(most)))) {
      const detail = `The limit of ${most} concurrent calls ${toOrFrom(number)} is reached (limits.concurrent_calls).`;
      return full('number_full', detail, retry);
    }
    taken.push(() => slots.leave(numberKey));
    if (!(await this.slots.enter(organizationKey, own.calls))) {
      const detail = `Organization ${organization} has ${own.calls} active calls, its limit (${own.callsSetBy}).`;
      return full('organization_full', detail, retry);
    }
    taken.push(() => this.slots.leave(organizationKey));
    const release = once(...taken);

    const organizationRate = steady(own.perSecond);
    const organizationWait = await this.rates.take(organizationKey, source, organizationRate);
    if (organizationWait > 0) {
      const detail = `Organization ${organization} exceeds ${own.perSecond} calls per second (${own.perSecondSetBy}).`;
      return full('organization_too_fast', detail, organizationWait);
    }
    taken.push(() => this.rates.giveBack(organizationKey, source));
    if (perSecond !== undefined) {
      const wait = await rates.take(numberKey, source, steady(perSecond * part));
      if (wait > 0) {
        const detail = `The limit of ${perSecond} calls per second ${toOrFrom(number)} is exceeded (limits.calls_per_second).`;
        return full('number_too_fast', detail, wait);
      }
      taken.push(() => rates.giveBack(numberKey, source));
    }
    const returned = taken.slice(slotsTaken);
    return {
      ok: true,
      release,
      withdraw: () => {
        release();
        for (const giveBack of returned) giveBack();
      },
    };
  }

  /** For a call whose turn to be set up did not come in time. */
  refuseOverload(): Refusal {
    const { setupDelayMilliseconds: target } = this.settings.load;
    const detail = `The edge is overloaded: the call waited too long for its setup (DEMARC_SETUP_DELAY_MS is ${target}). Start more edges (DEMARC_EDGES), or give this machine processors.`;
    return this.refusalOf('edge_overloaded', detail, this.settings.retryAfterSeconds);
  }

  /** True when the edge and the organization can take another call now. Takes nothing. Never rejects. */
  async hasRoom(document: LimitedDocument): Promise<boolean> {
    const key = `organization ${document.organization}`;
    const { calls, perSecond } = this.limitsOf(document);
    if (this.setups.isOverloaded || this.total >= this.settings.maximumCalls) return false;
    if (!(await this.slots.enter(key, calls))) return false;
    this.slots.leave(key);
    return this.rates.hasRoom(key, steady(perSecond));
  }

  /** For a call that had room and whose pace all edges together keep; gives its place back when called. */
  enterPaced(document: NumberDocument): () => void {
    const { number, organization } = document;
    const { calls, perSecond } = this.limitsOf(document);
    void this.rates.take(`organization ${organization}`, orders, steady(perSecond));
    return this.occupy(number, organization, { organizationMost: calls });
  }

  /**
   * A slot for a call that another process has admitted; gives it back when called.
   * @param from `most`: concurrent calls of the number, where that is known; `organizationMost`: those of the organization, by default
   * as the settings have it; `holder`: that process, where it is gone
   */
  occupy(
    number: string,
    organization: string,
    {
      most,
      organizationMost = this.settings.organizationMaximumCalls,
      holder,
    }: {
      readonly most?: number | undefined;
      readonly organizationMost?: number | undefined;
      readonly holder?: string;
    } = {},
  ): () => void {
    const { slots } = this.sharesOf(number);
    const numberKey = `number ${number}`;
    const organizationKey = `organization ${organization}`;
    this.total++;
    slots.force(numberKey, most, holder);
    this.slots.force(organizationKey, organizationMost, holder);
    return once(
      () => this.total--,
      () => slots.leave(numberKey),
      () => this.slots.leave(organizationKey),
    );
  }

  /** Limits of the organization: its own, or those of the settings; and what set them. */
  limitsOf({ organization_limits: own }: LimitedDocument) {
    const { organizationMaximumCalls, organizationCallsPerSecond } = this.settings;
    return {
      calls: own?.concurrent_calls ?? organizationMaximumCalls,
      callsSetBy: own?.concurrent_calls === undefined ? 'DEMARC_ORGANIZATION_MAX_CALLS' : ownLimits,
      perSecond: own?.calls_per_second ?? organizationCallsPerSecond,
      perSecondSetBy:
        own?.calls_per_second === undefined ? 'DEMARC_ORGANIZATION_CALLS_PER_SECOND' : ownLimits,
    };
  }

  private sharesOf(number: string) {
    const { fleet } = this;
    const whole = { limit: (calls: number) => calls, part: 1 };
    if (!isFrom(number)) return { slots: this.slots, rates: this.rates, ...whole };
    if (fleet === undefined || fleet.isUp) return { ...this.outbound, ...whole };
    return { ...this.outbound, limit: (calls: number) => fleet.shareOf(calls), part: fleet.part };
  }

  /** For the record of a call that was refused while the edges could not share. */
  private get whileDown(): string {
    return this.fleet === undefined || this.fleet.isUp
      ? ''
      : ' Redis is down: until it is back, each edge has its part of the limit.';
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
}

/** What names the limits that operators set for one organization. */
const ownLimits = 'limits of the organization';

/** Those of the edge, of the number and of the organization. */
const slotsTaken = 3;

const steady = (perSecond: number): Rate => ({ perSecond, burst: Math.max(1, perSecond) });

function once(...steps: readonly (() => unknown)[]): () => void {
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    for (const step of steps) step();
  };
}

/** Calls from a number are counted as those of `from NUMBER`. */
const isFrom = (number: string): boolean => number.startsWith('from ');
const toOrFrom = (number: string): string => (isFrom(number) ? number : `to ${number}`);
