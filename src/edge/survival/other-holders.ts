import { hasEnded, processSpace } from '../../base/process-identity.js';
import type { Redis } from '../../base/redis.js';
import { type HolderFacts, holderFactsSchema, holderLeaseKey, holdersKey } from '../../contract/held-call.js';
import { readJson } from '../../contract/read-json.js';

export interface OtherHolder extends HolderFacts {
  readonly holder: string;
  /** False: its dialogs are not at our engine process, but at another one, or at one before ours, which is gone. */
  readonly hasEngine: boolean;
  /** Its engine has other listeners than ours, as on another machine, and may live. */
  readonly isElsewhere: boolean;
  /** Its process was on this machine and does not run any more, whatever its lease says. */
  hasEnded(): boolean;
  readonly hasLease: boolean;
  /** Anyone may take its calls: it has left them, or did not renew its lease while this process could renew its own. */
  readonly isFree: boolean;
  /** It has renewed nothing for longer than it may take, while this process could. */
  readonly isLate: boolean;
  /** Its call was left for another holder, which lives. */
  readonly isReserved: boolean;
}

export interface OtherHoldersDeps {
  readonly redis: Redis;
  /** This process, which is none of them. */
  readonly holder: string;
  readonly leaseMilliseconds: number;
  readonly renewMilliseconds: number;
  /** Calls of engines with other listeners can continue here. */
  readonly isRehoming: boolean;
}

/** Longer than any engine keeps dialogs without an application. */
const forgetMilliseconds = 3_600_000;

/**
 * What Redis knows of the other processes that hold calls. A missing lease is evidence only while this process can renew its own: a
 * Redis that refuses writes keeps all of them from renewing, and answers all reads.
 */
export class OtherHolders {
  /** The last renewal of our own lease succeeded. */
  private isRenewed = false;
  /** Those without a lease, since when: monotonic milliseconds. */
  private leaselessSince = new Map<string, number>();
  /** Their last renewals, and since when this process knows these. */
  private renewals = new Map<string, { readonly at: number; readonly since: number }>();

  constructor(private readonly deps: OtherHoldersDeps) {}

  /** The outcome of a renewal of our own lease. */
  renewed(isRenewed: boolean): void {
    this.isRenewed = isRenewed;
    if (isRenewed) return;
    this.leaselessSince.clear();
    this.renewals.clear();
  }

  /**
   * Those on our engine, on the one before it, which had the same listeners, and, where their calls can continue here, on engines
   * elsewhere. Rejects while Redis is down.
   */
  async read({
    engine,
    listeners,
  }: {
    readonly engine: string | undefined;
    readonly listeners: string;
  }): Promise<OtherHolder[]> {
    const { redis, holder, leaseMilliseconds, renewMilliseconds, isRehoming } = this.deps;
    const before = this.leaselessSince;
    const renewals = this.renewals;
    this.renewals = new Map();
    // While Redis is down they cannot renew, so the time starts over.
    this.leaselessSince = new Map();
    const holders = Object.entries(await redis.hgetall(holdersKey)).flatMap(([name, json]) => {
      const facts = name === holder ? undefined : readJson(holderFactsSchema, json);
      return facts === undefined ? [] : [{ ...facts, holder: name }];
    });
    // Their engines ended with them, or soon after.
    const forgotten = holders.filter(({ at }) => at < Date.now() - forgetMilliseconds);
    if (forgotten.length > 0) await redis.hdel(holdersKey, ...forgotten.map(({ holder }) => holder));
    const found = holders
      .filter((facts) => !forgotten.includes(facts))
      .map((facts) => {
        const hasEngine = facts.engine === engine;
        const isElsewhere = !hasEngine && (listeners === '' || facts.listeners !== listeners);
        return { ...facts, hasEngine, isElsewhere };
      })
      .filter(({ isElsewhere }) => !isElsewhere || isRehoming);
    if (found.length === 0) return [];
    const leases = await redis.mget(...found.map((facts) => holderLeaseKey(facts.holder)));
    const alive = new Set(found.flatMap((facts, index) => (leases[index] === null ? [] : facts.holder)));
    const now = performance.now();
    return found.map((facts, index) => {
      const isReserved = facts.left_for !== null && alive.has(facts.left_for);
      const former = renewals.get(facts.holder);
      const renewal = former?.at === facts.at ? former : { at: facts.at, since: now };
      this.renewals.set(facts.holder, renewal);
      const isLate = this.isRenewed && now - renewal.since >= 1.5 * renewMilliseconds;
      const otherHolder = { ...facts, isLate, isReserved, hasEnded: () => hasVanished(facts.process) };
      if (leases[index] !== null) return { ...otherHolder, hasLease: true, isFree: false };
      if (!this.isRenewed) return { ...otherHolder, hasLease: false, isFree: otherHolder.has_left };
      const since = before.get(otherHolder.holder) ?? now;
      this.leaselessSince.set(otherHolder.holder, since);
      return {
        ...otherHolder,
        hasLease: false,
        isFree: otherHolder.has_left || now - since >= leaseMilliseconds / 2,
      };
    });
  }
}

const hasVanished = (process: HolderFacts['process']): boolean =>
  process !== null && process.space === processSpace() && hasEnded(process);
