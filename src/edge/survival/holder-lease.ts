import { EventEmitter } from 'node:events';
import { identify, processSpace } from '../../base/process-identity.js';
import { RecurringTask } from '../../base/recurring-task.js';
import { execute, type Redis } from '../../base/redis.js';
import { RedisScript } from '../../base/redis-script.js';
import {
  adoptedByKey,
  type HolderFacts,
  heldCallsKey,
  heldCallsMilliseconds,
  heldCallVersion,
  holderFactsSchema,
  holderLeaseKey,
  holdersKey,
  leftCallsKey,
} from '../../contract/held-call.js';
import { openCallOwnersKey, openCallsKey, openCallsMilliseconds } from '../../contract/open-calls.js';
import { readJson } from '../../contract/read-json.js';
import type { DialogsAtEngine } from './dialogs-at-engine.js';
import { type OtherHolder, OtherHolders } from './other-holders.js';

const adoptCalls = new RedisScript<
  readonly [
    lease: string,
    held: string,
    open: string,
    mark: string,
    leftOver: string,
    ownHeld: string,
    ownOpen: string,
    holders: string,
    openOwners: string,
  ]
>('adoptCalls', import.meta.url, ['adopt-calls.lua']);

const leaveCalls = new RedisScript<readonly [lease: string, holders: string, ...candidateLeases: string[]]>(
  'leaveCalls',
  import.meta.url,
  ['leave-calls.lua'],
);

const leaveCall = new RedisScript<
  readonly [
    held: string,
    open: string,
    mark: string,
    leftHeld: string,
    leftOpen: string,
    leftMark: string,
    holders: string,
    openOwners: string,
  ]
>('leaveCall', import.meta.url, ['leave-call.lua']);

export interface HolderLeaseDeps {
  readonly redis: Redis;
  /** Edge id and a random part. */
  readonly holder: string;
  readonly edgeId: string;
  readonly leaseMilliseconds: number;
  readonly renewMilliseconds: number;
  readonly isRehoming: boolean;
  /** Who has this process's dialogs at the engine process with that name. Never rejects. */
  readonly dialogsAtEngine: (engine: string) => Promise<DialogsAtEngine>;
  /** Another process has this one's calls. */
  readonly lost: () => void;
}

/** One call that is left for another holder. */
export interface LeftCall {
  readonly callId: string;
  /** Sealed. */
  readonly document: Buffer;
  /** The name under which the engine keeps its dialogs, and the holder that it is left under. */
  readonly owner: string;
  readonly holder: string;
  readonly successor: string;
}

export interface TakenCalls {
  /** Sealed, by call id. */
  readonly documents: ReadonlyMap<string, Buffer>;
  /** How many further ones there are to take. */
  readonly left: number;
  /** With the last of them: ids of its other calls without a record. */
  readonly unanswered: readonly string[];
}

export interface HolderLeaseEvents {
  /** Redis lacks what this process has written, although it may never have been unreachable. */
  dataLost: [];
}

/**
 * Who may continue which calls. A process holds its calls by a lease; where that has run out, or the process is known to be gone,
 * others take all of them, in portions, and it finds a mark that was set with the first. Until it has looked for the mark, a process whose
 * lease may have run out writes nothing of its calls. Where Redis may have lost the mark, the engine knows who has the dialogs.
 */
export class HolderLease extends EventEmitter<HolderLeaseEvents> {
  /** Engine process, and the names under which it keeps our dialogs: ours, and those of adopted holders. */
  private facts: Omit<HolderFacts, 'at'> | undefined;
  /** Monotonic milliseconds; until then no other process can have our calls. */
  private validUntil = Number.NEGATIVE_INFINITY;
  private isLost = false;
  /** Redis may have lost the mark of a takeover, and the engine has not said yet whether there was one. */
  private isDoubtful = false;
  /** Redis has lost data, which was not reported yet. */
  private hasLostData = false;
  /** `at` of the facts in Redis; undefined: none are there. */
  private writtenAt: number | undefined;
  /** Holders whose calls this process has taken, since when: monotonic milliseconds. */
  private readonly takenAt = new Map<string, number>();
  private readonly otherHolders: OtherHolders;
  private readonly task: RecurringTask;
  private readonly renewAtOnce = (): void => void this.task.next();

  constructor(private readonly deps: HolderLeaseDeps) {
    super();
    this.otherHolders = new OtherHolders(deps);
    this.task = new RecurringTask(() => this.renew(), {
      everyMilliseconds: deps.renewMilliseconds,
      retryMilliseconds: deps.renewMilliseconds,
    });
  }

  /** The engine process that has our dialogs from now on. */
  begin(engine: string, owner: string, listeners: readonly string[]): void {
    const isFirst = this.facts === undefined;
    this.facts = {
      edge_id: this.deps.edgeId,
      engine,
      listeners: [...listeners].sort().join(','),
      owners: [owner],
      is_leaving: this.facts?.is_leaving ?? false,
      has_left: false,
      left_for: null,
      process: this.facts?.process ?? ownProcess(),
      ping: this.facts?.ping ?? null,
      document_version: heldCallVersion,
    };
    if (!isFirst) {
      void this.task.next();
      return;
    }
    // The others wait for that after an outage of Redis, in which no lease could be renewed.
    this.deps.redis.on('ready', this.renewAtOnce);
    this.task.start(0);
  }

  /** Where other machines can ping this edge. */
  pingAt(ping: HolderFacts['ping']): void {
    if (this.facts === undefined) return;
    this.facts = { ...this.facts, ping };
    void this.task.next();
  }

  get engine(): string | undefined {
    return this.facts?.engine;
  }

  /** From now on, other processes leave no calls to this one. Rejects while Redis is down. */
  async announceLeaving(): Promise<void> {
    if (this.facts === undefined) return;
    this.facts = { ...this.facts, is_leaving: true };
    await this.renew();
  }

  /**
   * Leaves the calls to one of the candidates. False: none of them lives and stays, so the calls are still ours. Rejects while
   * Redis is down.
   */
  leave(candidates: readonly OtherHolder[]): Promise<boolean> {
    const { redis, holder } = this.deps;
    const leases = candidates.map((candidate) => holderLeaseKey(candidate.holder));
    return this.leaveBy(async (facts) => {
      const names = candidates.map((candidate) => candidate.holder);
      const keys = [holderLeaseKey(holder), holdersKey, ...leases] as const;
      return (await leaveCalls.run(redis, [...keys], holder, facts, ...names)) === 1;
    });
  }

  /** Leaves the calls to whichever process comes, although none is there. Rejects while Redis is down. */
  leaveToNext(): Promise<boolean> {
    const { redis, holder } = this.deps;
    return this.leaveBy(async (facts) => {
      await execute(redis.multi().del(holderLeaseKey(holder)).hset(holdersKey, holder, facts));
      return true;
    });
  }

  private async leaveBy(leave: (facts: string) => Promise<boolean>): Promise<boolean> {
    if (this.facts === undefined || this.facts.has_left || this.isLost) return false;
    // No renewal may follow it.
    this.facts = { ...this.facts, has_left: true };
    let isLeft = false;
    try {
      isLeft = await leave(JSON.stringify({ ...this.facts, at: Date.now() }));
    } finally {
      if (!isLeft) this.facts = { ...this.facts, has_left: false };
    }
    if (isLeft) await this.endRenewal();
    return isLeft;
  }

  /** Adds a name that this edge's dialogs will have. False: another process has the calls. Rejects while Redis is down. */
  async addOwner(owner: string): Promise<boolean> {
    if (this.facts === undefined || this.facts.has_left) return false;
    this.facts = { ...this.facts, owners: [...this.facts.owners, owner] };
    return this.renewed();
  }

  /**
   * Leaves one call, whose dialogs the engine keeps under that owner, to its successor. False: another process has our calls. Rejects
   * while Redis is down, and can be repeated then.
   */
  async leaveCall({ callId, document, owner, holder: left, successor }: LeftCall): Promise<boolean> {
    const { redis, holder } = this.deps;
    if (this.facts === undefined || this.isLost) return false;
    const at = Date.now();
    const ours = { ...this.facts, owners: this.facts.owners.filter((name) => name !== owner) };
    const its = { ...ours, owners: [owner], has_left: true, left_for: successor };
    const answer = await leaveCall.run(
      redis,
      [
        ...([heldCallsKey(holder), openCallsKey(holder), adoptedByKey(holder)] as const),
        ...([heldCallsKey(left), openCallsKey(left), adoptedByKey(left)] as const),
        ...([holdersKey, openCallOwnersKey] as const),
      ],
      ...[holder, JSON.stringify({ ...ours, at }), left, JSON.stringify({ ...its, at })],
      ...[callId, document, heldCallsMilliseconds],
    );
    this.adopted([owner]);
    return answer === 1;
  }

  async stop(): Promise<void> {
    await this.endRenewal();
    const { redis, holder } = this.deps;
    if (redis.status !== 'ready' || this.facts === undefined) return;
    await redis
      .multi()
      .hdel(holdersKey, holder)
      .del(holderLeaseKey(holder))
      .exec()
      .catch(() => {});
  }

  /** Renews now. False: another process has our calls. Rejects while Redis is down. */
  async renewed(): Promise<boolean> {
    await this.renew();
    return !this.isLost;
  }

  /** False: another process has our calls. Waits only where the lease may have run out; rejects while Redis is down. */
  async isHolder(): Promise<boolean> {
    if (this.isLost) return false;
    // What has ended before the calls were left is ours to record.
    if (this.facts === undefined || this.facts.has_left || performance.now() < this.validUntil) return true;
    return this.renewed();
  }

  /** True: no other process has our calls, as far as this one knows without asking. */
  get isCurrent(): boolean {
    if (this.isLost || this.isDoubtful) return false;
    return this.facts === undefined || performance.now() < this.validUntil;
  }

  /** The other processes that hold, or held, calls on our engine, on the one before it, or elsewhere. */
  readOtherHolders(): Promise<OtherHolder[]> {
    const { engine, listeners = '' } = this.facts ?? {};
    return this.otherHolders.read({ engine, listeners });
  }

  /**
   * Takes some of the calls of another holder; others may take the rest. Undefined: it lives, or all were taken. When it rejects, some may
   * have been taken: `unclaimed` has them.
   * @param isGone it is known to be gone although its lease stands
   * @param most calls
   */
  async take(otherHolder: OtherHolder, isGone: boolean, most: number): Promise<TakenCalls | undefined> {
    const { redis, holder } = this.deps;
    // One that stalled may have lost its own calls, and ends.
    if (!(await this.isHolder())) return undefined;
    const { facts } = this;
    if (facts === undefined) return undefined;
    const both = { ...facts, owners: [...facts.owners, ...otherHolder.owners] };
    const taken = (await adoptCalls.runForOctets(
      redis,
      [
        ...([holderLeaseKey(otherHolder.holder), heldCallsKey(otherHolder.holder)] as const),
        ...([
          openCallsKey(otherHolder.holder),
          adoptedByKey(otherHolder.holder),
          leftCallsKey(otherHolder.holder),
        ] as const),
        ...([heldCallsKey(holder), openCallsKey(holder), holdersKey, openCallOwnersKey] as const),
      ],
      ...[
        otherHolder.holder,
        holder,
        isGone ? 1 : 0,
        JSON.stringify({ ...both, at: Date.now() }),
        heldCallsMilliseconds,
        most,
      ],
    )) as [held: Buffer[], left: number, unanswered: Buffer[]] | null;
    if (taken === null) return undefined;
    const [held, left, unanswered] = taken;
    this.facts = both;
    if (otherHolder.left_for === null) this.takenAt.set(otherHolder.holder, performance.now());
    const documents = new Map<string, Buffer>();
    for (let at = 0; at < held.length; at += 2) documents.set(held[at]!.toString(), held[at + 1]!);
    return { documents, left, unanswered: unanswered.map(String) };
  }

  /** Ids of calls that are ours in Redis and that this process does not know: their reply was lost with the connection. */
  async unclaimed(isKnown: (callId: string) => boolean): Promise<readonly string[]> {
    const ids = await this.deps.redis.hkeys(heldCallsKey(this.deps.holder));
    return ids.filter((id) => !isKnown(id));
  }

  /** The documents of calls that are ours in Redis, sealed; without those that are not there any more. */
  async documentsOf(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const documents = await this.deps.redis.hmgetBuffer(heldCallsKey(this.deps.holder), ...ids);
    return new Map(ids.flatMap((id, index) => (documents[index] ? [[id, documents[index]]] : [])));
  }

  /** Once our calls were lost: ids of those that edges on other engines have, and whether further ones may follow. */
  async takenElsewhere(): Promise<{ readonly ids: ReadonlySet<string>; readonly isWhole: boolean }> {
    const { redis, holder } = this.deps;
    // First, because the calls leave it before they are anywhere else.
    const isWhole = (await redis.exists(leftCallsKey(holder))) === 0;
    const elsewhere = (await this.readOtherHolders()).filter(({ hasEngine }) => !hasEngine);
    const ids = await Promise.all(elsewhere.map((candidate) => redis.hkeys(heldCallsKey(candidate.holder))));
    return { ids: new Set(ids.flat()), isWhole };
  }

  /** Of calls that have ended here: no other process may continue them. */
  async dropDocuments(callIds: readonly string[]): Promise<void> {
    if (callIds.length > 0) await this.deps.redis.hdel(heldCallsKey(this.deps.holder), ...callIds);
  }

  /** These calls of it cannot be continued: control records them as lost with it. */
  async giveBack(otherHolder: OtherHolder, callIds: readonly string[]): Promise<void> {
    if (callIds.length === 0) return;
    const { redis, holder } = this.deps;
    const open = await redis.hmget(openCallsKey(holder), ...callIds);
    const fields = callIds.flatMap((id, index) => {
      const json = open[index];
      return json == null ? [] : [id, json];
    });
    const transaction = redis
      .multi()
      .hdel(heldCallsKey(holder), ...callIds)
      .hdel(openCallsKey(holder), ...callIds);
    if (fields.length > 0) {
      const key = openCallsKey(otherHolder.holder);
      transaction
        .sadd(openCallOwnersKey, otherHolder.holder)
        .hset(key, ...fields)
        .pexpire(key, openCallsMilliseconds);
    }
    await transaction.exec();
  }

  /** The engine keeps this edge's dialogs under these names too: those of calls that are being adopted. */
  async nameOwners(owners: readonly string[]): Promise<void> {
    if (this.facts === undefined) return;
    this.facts = { ...this.facts, owners: [...new Set([...this.facts.owners, ...owners])] };
    await this.renewed();
  }

  /** The dialogs of these owners are ours under our own name now. */
  adopted(owners: readonly string[]): void {
    if (this.facts === undefined) return;
    this.facts = { ...this.facts, owners: this.facts.owners.filter((owner) => !owners.includes(owner)) };
  }

  private async endRenewal(): Promise<void> {
    this.deps.redis.off('ready', this.renewAtOnce);
    await this.task.stop();
  }

  private async renew(): Promise<void> {
    if (this.facts === undefined || this.facts.has_left || this.isLost) return;
    try {
      if (await this.renewInRedis(this.facts)) return;
    } catch (error) {
      this.otherHolders.renewed(false);
      throw error;
    }
    await this.lose();
  }

  /** Another process has adopted our calls. */
  async lose(): Promise<void> {
    if (this.isLost) return;
    this.isLost = true;
    // Redis may be down again, and what is left there is never read.
    await this.leaveNothing().catch(() => {});
    this.deps.lost();
  }

  private async leaveNothing(): Promise<void> {
    const { redis, holder } = this.deps;
    // By its entry, further edges find the calls that the first one has not taken yet.
    const isFinished = (await redis.exists(leftCallsKey(holder))) === 0;
    const leaving = redis.multi().del(holderLeaseKey(holder), heldCallsKey(holder));
    if (isFinished) leaving.hdel(holdersKey, holder);
    await leaving.exec();
  }

  /** A process that stalls has not found the mark yet. */
  private async markAgain(): Promise<void> {
    const { redis, holder } = this.deps;
    const transaction = redis.multi();
    for (const [name, at] of this.takenAt) {
      if (performance.now() - at > markedMilliseconds) this.takenAt.delete(name);
      else transaction.set(adoptedByKey(name), holder, 'PX', heldCallsMilliseconds, 'NX');
    }
    if (this.takenAt.size > 0) await execute(transaction);
  }

  /** False: another process has adopted our calls. */
  private async renewInRedis(facts: Omit<HolderFacts, 'at'>): Promise<boolean> {
    const { redis, holder, leaseMilliseconds } = this.deps;
    const sentAt = performance.now();
    const at = Date.now();
    const [adoptedBy, former] = await execute(
      redis
        .multi()
        .get(adoptedByKey(holder))
        .hget(holdersKey, holder)
        .set(holderLeaseKey(holder), '1', 'PX', leaseMilliseconds)
        .hset(holdersKey, holder, JSON.stringify({ ...facts, at })),
    );
    if (adoptedBy !== null) return false;
    const { writtenAt } = this;
    this.writtenAt = at;
    if (writtenAt !== undefined) {
      const isLost = !isSince(former as string | null, writtenAt);
      this.hasLostData ||= isLost;
      // Its entry is gone also when another process has taken all calls, and the lease of one that stalled has run out.
      this.isDoubtful ||= isLost || sentAt >= this.validUntil;
      if (isLost) await this.markAgain();
    }
    const dialogs = this.isDoubtful ? await this.deps.dialogsAtEngine(facts.engine) : 'ours';
    if (dialogs === 'adopted') return false;
    this.validUntil = sentAt + leaseMilliseconds;
    this.otherHolders.renewed(true);
    if (dialogs === 'unknown') return true;
    this.isDoubtful = false;
    if (this.hasLostData) {
      this.hasLostData = false;
      this.emit('dataLost');
    }
    return true;
  }
}

/** Longer than a process stalls. */
const markedMilliseconds = 3_600_000;

/** A facts document that is at least as new; a Redis that was emptied has none, and one restored from a copy an older one. */
function isSince(json: string | null, at: number): boolean {
  const facts = readJson(holderFactsSchema, json);
  return facts !== undefined && facts.at >= at;
}

function ownProcess(): HolderFacts['process'] {
  const identity = identify(process.pid);
  return identity === undefined ? null : { ...identity, space: processSpace() };
}
