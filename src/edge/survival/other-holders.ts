import { hasEnded, processSpace } from '../../base/process-identity.js';
import type { Redis } from '../../base/redis.js';
import { type HolderFacts, holderFactsSchema, holderLeaseKey, holdersKey } from '../../contract/held-call.js';
import { readJson } from '../../contract/read-json.js';

export interface OtherHolder extends HolderFacts {
  readonly holder: string;
  /** False: the engine process that had its dialogs is gone, and ours has taken its place. */
  readonly hasEngine: boolean;
  /** Its process was on this machine and does not run any more, whatever its lease says. */
  hasEnded(): boolean;
  readonly hasLease: boolean;
  /** Anyone may take its calls: it has left them, or did not renew its lease while this process could renew its own. */
  readonly isFree: boolean;
  /** Its call was left for another holder, which lives. */
  readonly isReserved: boolean;
}

export interface OtherHoldersDeps {
  readonly redis: Redis;
  /** This process, which is none of them. */
  readonly holder: string;
  readonly leaseMilliseconds: number;
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

  constructor(private readonly deps: OtherHoldersDeps) {}

  /** The outcome of a renewal of our own lease. */
  renewed(isRenewed: boolean): void {
    this.isRenewed = isRenewed;
    if (!isRenewed) this.leaselessSince.clear();
  }

  /** Those on our engine, or on the one before it, which had the same listeners. Rejects while Redis is down. */
  async read({
    engine,
    listeners,
  }: {
    readonly engine: string | undefined;
    readonly listeners: string;
  }): Promise<OtherHolder[]> {
    const { redis, holder, leaseMilliseconds } = this.deps;
    const before = this.leaselessSince;
    // While Redis is down they cannot renew, so the time starts over.
    this.leaselessSince = new Map();
    const known = Object.entries(await redis.hgetall(holdersKey)).flatMap(([name, json]) => {
      const facts = name === holder ? undefined : readJson(holderFactsSchema, json);
      return facts === undefined ? [] : [{ ...facts, holder: name }];
    });
    // Their engines ended with them, or soon after.
    const forgotten = known.filter(({ at }) => at < Date.now() - forgetMilliseconds);
    if (forgotten.length > 0) await redis.hdel(holdersKey, ...forgotten.map((other) => other.holder));
    const found = known
      .filter((other) => !forgotten.includes(other))
      .filter((other) => other.engine === engine || (listeners !== '' && other.listeners === listeners));
    if (found.length === 0) return [];
    const leases = await redis.mget(...found.map((other) => holderLeaseKey(other.holder)));
    const alive = new Set(found.flatMap((other, index) => (leases[index] === null ? [] : other.holder)));
    const now = performance.now();
    return found.map((one, index) => {
      const isReserved = one.left_for !== null && alive.has(one.left_for);
      const hasEngine = one.engine === engine;
      const other = { ...one, hasEngine, isReserved, hasEnded: () => hasVanished(one.process) };
      if (leases[index] !== null) return { ...other, hasLease: true, isFree: false };
      if (!this.isRenewed) return { ...other, hasLease: false, isFree: other.has_left };
      const since = before.get(other.holder) ?? now;
      this.leaselessSince.set(other.holder, since);
      return { ...other, hasLease: false, isFree: other.has_left || now - since >= leaseMilliseconds / 2 };
    });
  }
}

const hasVanished = (known: HolderFacts['process']): boolean =>
  known !== null && known.space === processSpace() && hasEnded(known);
