import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { FairRate } from '../fair-rate.js';
import { type Rate, TokenBuckets } from '../token-buckets.js';
import { type LimitFleet, type LimitFleetEvents, tokenMilliseconds } from './limit-fleet.js';
import { recallWait } from './recall-wait.js';

/** What of the edges that share limits is needed here. */
export type RateFleet = Pick<LimitFleet, 'isUp' | 'part' | 'waitMilliseconds' | 'leaseTokens'> &
  Pick<EventEmitter<LimitFleetEvents>, 'on'>;

interface Waiting {
  /** Undefined: a token is still needed. */
  readonly take: (mayOverdraw: boolean) => number | undefined;
  /** The same while Redis is down. */
  readonly takeAlone: () => number;
  readonly resolve: (seconds: number) => void;
}

interface Tokens {
  rate: Rate;
  /** Unused ones at the last exchange, as Redis knows them. */
  reported: number;
  /** Unused ones at which more are leased in advance. */
  low: number;
  /** Monotonic milliseconds of the last exchange. */
  exchangedAt: number;
  /** Monotonic milliseconds of the last attempt. */
  usedAt: number;
  /** Monotonic milliseconds; until then there is no token anywhere. */
  emptyUntil: number;
  /** Tokens a second that were granted here lately, at a moment. */
  granted: number;
  grantedAt: number;
  readonly waiting: Waiting[];
  /** Redis was down at the last call. */
  isAlone: boolean;
  isLeasing: boolean;
  isRecalled: boolean;
  isChanged: boolean;
}

const maximumKeys = 50_000;
const noneInAdvance = Number.NEGATIVE_INFINITY;
/** A rate counts as short for this long after a request that was not granted, and the grants are averaged over it. */
const shortMilliseconds = 2_000;

/**
 * Limits of calls per second, shared with the other edges; sources share what an edge gets fairly. Without other edges, the whole of
 * each rate is ours.
 */
export class RateShares {
  private readonly fair: FairRate;
  private readonly rates = new Map<string, Tokens>();
  /**
   * What is left of this edge's part of each rate after its calls: what the edge starts with when Redis goes down. Its leased tokens do not
   * tell, because others may have asked for them.
   */
  private readonly parts: TokenBuckets;

  constructor(
    private readonly fleet: RateFleet | undefined,
    private readonly now: () => number,
  ) {
    this.fair = new FairRate(maximumKeys, now);
    this.parts = new TokenBuckets(maximumKeys, now);
    fleet?.on('recall', (kind, key) => {
      if (kind === 'rate') this.recalled(key);
    });
    fleet?.on('renewed', () => this.report());
  }

  /**
   * Takes a token for a call of that source: 0 when there was one for it, else the seconds until there is. A promise: Redis is asked
   * first; it never rejects.
   */
  take(key: string, source: string, rate: Rate): number | Promise<number> {
    const taken = this.draw(key, source, rate);
    if (this.fleet === undefined) return taken;
    const noted = (seconds: number): number => {
      if (seconds === 0) this.parts.take(key, this.alone(rate));
      return seconds;
    };
    return typeof taken === 'number' ? noted(taken) : taken.then(noted);
  }

  private draw(key: string, source: string, rate: Rate): number | Promise<number> {
    if (this.fleet?.isUp !== true) return this.fair.take(key, source, this.aloneFor(key, rate));
    const tokens = this.tokensOf(key, rate);
    const isEmpty = this.now() < tokens.emptyUntil;
    const seconds = this.fair.takeDeposited(key, source, this.supplied(tokens), isEmpty);
    if (seconds !== undefined) {
      if (!tokens.isLeasing && this.fair.tokensOf(key) <= tokens.low) this.lease(key, tokens);
      return seconds;
    }
    return this.wait(key, tokens, {
      take: (mayOverdraw) => this.fair.retryDeposited(key, source, this.supplied(tokens), mayOverdraw),
      takeAlone: () => this.fair.take(key, source, this.aloneFor(key, rate)),
    });
  }

  /** Refunds an unused token. */
  giveBack(key: string, source: string): void {
    this.fair.giveBack(key, source);
    this.parts.giveBack(key);
  }

  /** Whether a call could take a token now. */
  hasRoom(key: string, rate: Rate): boolean | Promise<boolean> {
    if (this.fleet?.isUp !== true) return this.fair.wait(key, this.aloneFor(key, rate)) === 0;
    const tokens = this.tokensOf(key, rate);
    const isThere = (): 0 | undefined => (this.fair.tokensOf(key) >= 1 ? 0 : undefined);
    if (isThere() === 0) return true;
    const takeAlone = (): number => this.fair.wait(key, this.aloneFor(key, rate));
    const waited = this.wait(key, tokens, { take: isThere, takeAlone });
    return typeof waited === 'number' ? waited === 0 : waited.then((seconds) => seconds === 0);
  }

  private alone(rate: Rate): Rate {
    return this.fleet === undefined ? rate : scaled(rate, this.fleet.part);
  }

  /** The rate for a call while Redis is down. At the first one, what is left of this edge's part replaces the leased tokens. */
  private aloneFor(key: string, rate: Rate): Rate {
    const alone = this.alone(rate);
    const tokens = this.rates.get(key);
    if (tokens?.isAlone === false) {
      tokens.isAlone = true;
      this.fair.deposit(key, this.parts.tokensOf(key, alone) - this.fair.tokensOf(key));
    }
    return alone;
  }

  private wait(key: string, tokens: Tokens, call: Omit<Waiting, 'resolve'>): number | Promise<number> {
    const milliseconds = tokens.emptyUntil - this.now();
    if (milliseconds > 0) return milliseconds / 1_000;
    return new Promise((resolve) => {
      tokens.waiting.push({ ...call, resolve });
      this.lease(key, tokens);
    });
  }

  private tokensOf(key: string, rate: Rate): Tokens {
    const now = this.now();
    let tokens = this.rates.get(key);
    if (tokens === undefined) {
      tokens = {
        rate,
        reported: 0,
        low: noneInAdvance,
        exchangedAt: now,
        usedAt: now,
        emptyUntil: Number.NEGATIVE_INFINITY,
        granted: 0,
        grantedAt: now,
        waiting: [],
        isAlone: false,
        isLeasing: false,
        isRecalled: false,
        isChanged: false,
      };
      this.fair.deposit(key, -this.fair.tokensOf(key));
      this.rates.set(key, tokens);
    }
    tokens.rate = rate;
    tokens.usedAt = now;
    tokens.isAlone = false;
    // The bucket in Redis is full again by now, whatever was leased.
    if (now - tokens.exchangedAt > tokenMilliseconds && !tokens.isLeasing) this.discard(key, tokens);
    return tokens;
  }

  private discard(key: string, tokens: Tokens): void {
    this.fair.deposit(key, -Math.max(0, this.fair.tokensOf(key)));
    tokens.reported = 0;
    tokens.exchangedAt = this.now();
  }

  /** What sources divide here: the whole rate, but while the edges lack tokens as much as this one has been getting. */
  private supplied({ rate, granted, grantedAt, emptyUntil }: Tokens): Rate {
    const now = this.now();
    if (now - emptyUntil > shortMilliseconds) return rate;
    const lately = decayed(granted, now - grantedAt) / rate.perSecond;
    return scaled(rate, Math.min(1, Math.max(this.fleet?.part ?? 1, lately)));
  }

  private recalled(key: string): void {
    const tokens = this.rates.get(key);
    if (tokens === undefined || (tokens.reported === 0 && this.fair.tokensOf(key) < 1)) return;
    tokens.isRecalled = true;
    this.lease(key, tokens);
  }

  /** Redis does not count used tokens as leased for longer than a renewal. */
  private report(): void {
    const before = this.now() - tokenMilliseconds;
    for (const [key, tokens] of this.rates) {
      if (tokens.isLeasing) continue;
      if (tokens.usedAt < before) this.rates.delete(key);
      else if (tokens.reported !== unused(this.fair.tokensOf(key)) || this.fair.tokensOf(key) <= -1)
        this.lease(key, tokens);
    }
  }

  /** Asks Redis once at a time for each rate. */
  private lease(key: string, tokens: Tokens): void {
    tokens.isChanged = true;
    if (tokens.isLeasing || this.fleet === undefined) return;
    tokens.isLeasing = true;
    void this.exchange(this.fleet, key, tokens).finally(() => {
      tokens.isLeasing = false;
    });
  }

  private async exchange(fleet: RateFleet, key: string, tokens: Tokens): Promise<void> {
    const { fair } = this;
    let waits = 0;
    while (tokens.isChanged || tokens.waiting.length > 0) {
      tokens.isChanged = false;
      const returned = tokens.isRecalled ? unused(fair.tokensOf(key)) : 0;
      const inAdvance = !tokens.isRecalled;
      tokens.isRecalled = false;
      if (returned > 0) fair.deposit(key, -returned);
      const held = fair.tokensOf(key);
      const kept = unused(held);
      const asked = [...tokens.waiting];
      const needed = asked.length + Math.max(0, Math.ceil(-held));
      const request = { ...tokens.rate, returned, kept, needed, inAdvance };
      const grant = fleet.isUp ? await fleet.leaseTokens(key, request) : undefined;
      const now = this.now();
      tokens.exchangedAt = now;
      if (grant === undefined) {
        for (const { takeAlone, resolve } of tokens.waiting.splice(0)) resolve(takeAlone());
        return;
      }
      tokens.reported = kept + Math.max(0, grant.granted - needed);
      tokens.low = tokens.reported === 0 ? noneInAdvance : Math.floor(tokens.reported / 4);
      tokens.granted = decayed(tokens.granted, now - tokens.grantedAt);
      tokens.granted += grant.granted / (shortMilliseconds / 1_000);
      tokens.grantedAt = now;
      fair.deposit(key, grant.granted);
      const isShort = grant.granted < needed;
      const wait = isShort && grant.mayComeBack ? recallWait(waits++, fleet.waitMilliseconds) : undefined;
      if (wait === undefined) {
        waits = 0;
        if (isShort) tokens.emptyUntil = now + Math.max(1, grant.waitMilliseconds);
      }
      const late = wait === undefined ? Math.max(1, grant.waitMilliseconds) / 1_000 : undefined;
      for (const waiting of asked) {
        const seconds = waiting.take(late !== undefined) ?? late;
        if (seconds === undefined) continue;
        tokens.waiting.splice(tokens.waiting.indexOf(waiting), 1);
        waiting.resolve(seconds);
      }
      if (wait !== undefined) await sleep(wait);
    }
  }
}

const unused = (tokens: number): number => Math.max(0, Math.floor(tokens));

const decayed = (perSecond: number, milliseconds: number): number =>
  perSecond * Math.exp(-milliseconds / shortMilliseconds);

const scaled = ({ perSecond, burst }: Rate, part: number): Rate => ({
  perSecond: perSecond * part,
  burst: Math.max(1, burst * part),
});
