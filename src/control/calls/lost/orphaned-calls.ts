import type { Kysely } from 'kysely';
import type { Logger } from '../../../base/log.js';
import type { Redis } from '../../../base/redis.js';
import { holderFactsSchema, holdersKey } from '../../../contract/held-call.js';
import { edgeLeaseKey } from '../../../contract/keys.js';
import { edgeHeartbeatSchema, heartbeatKey, liveCallSchema } from '../../../contract/live.js';
import { openCallOwnersKey, openCallsKey } from '../../../contract/open-calls.js';
import { readJson } from '../../../contract/read-json.js';
import type { Database } from '../../database/tables.js';
import { FleetReader } from '../../fleet/fleet-reader.js';
import { SweepService } from '../../jobs/sweep-service.js';
import { mayBeContinued } from './continued-calls.js';
import { type EdgeEnd, edgeLostRecord, type OpenCall, storeEdgeLost } from './edge-lost-records.js';
import { continuable, heldPatienceMilliseconds, proveWritable } from './evidence.js';

export interface OrphanedCallsDeps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
  readonly log: Logger;
  /** Grace period from the end of an edge's lease until its calls count as lost. */
  readonly patienceMilliseconds?: number;
}

const intervalMilliseconds = 5_000;
/** Longer than an edge takes to renew its lease after a Redis outage. */
const defaultPatienceMilliseconds = 10_000;
const batchSize = 200;

/**
 * Records the calls of edges that died: those that their edge admitted and for which it wrote no record. Each gets a record with the
 * reason `edge_lost`, once, whichever control process sweeps. A record that comes later, from the disk of an edge that is started
 * again or from one that had only stalled, takes its place (`history/call-storage.ts`).
 */
export class OrphanedCalls extends SweepService {
  /** Process without a lease → monotonic milliseconds at which that was seen first. */
  private readonly deadSince = new Map<string, number>();
  private readonly fleet: FleetReader;

  constructor(private readonly deps: OrphanedCallsDeps) {
    super('orphaned calls', 'recording calls of dead edges', {
      everyMilliseconds: intervalMilliseconds,
      failed: (error) =>
        deps.log.debug({ error: error.message }, 'Search for calls of dead edges failed; retrying.'),
    });
    this.fleet = new FleetReader(deps.redis);
  }

  /** Checks every edge that may have calls without a record. Rejects while Redis or PostgreSQL is down, or Redis refuses writes. */
  async sweep(): Promise<void> {
    const { redis, patienceMilliseconds = defaultPatienceMilliseconds } = this.deps;
    await proveWritable(redis).catch((error: unknown) => {
      this.deadSince.clear();
      throw error;
    });
    const owners = await redis.smembers(openCallOwnersKey);
    for (const owner of this.deadSince.keys()) if (!owners.includes(owner)) this.deadSince.delete(owner);
    for (const owner of owners) {
      if ((await redis.exists(edgeLeaseKey(owner))) === 1) {
        this.deadSince.delete(owner);
        continue;
      }
      const since = this.deadSince.get(owner) ?? performance.now();
      this.deadSince.set(owner, since);
      const deadMilliseconds = performance.now() - since;
      if (deadMilliseconds < patienceMilliseconds) continue;
      const mayContinue = deadMilliseconds < heldPatienceMilliseconds;
      await this.recordAll(owner, mayContinue ? await continuable(redis, owner) : new Set());
    }
  }

  /** @param except ids of calls that another edge may continue yet */
  private async recordAll(owner: string, except: ReadonlySet<string>): Promise<void> {
    const { redis, log } = this.deps;
    const facts = readJson(holderFactsSchema, await redis.hget(holdersKey, owner));
    const died: EdgeEnd = facts?.has_left === true ? 'stopped' : 'died';
    const heartbeat = readJson(edgeHeartbeatSchema, await redis.get(heartbeatKey(owner)));
    const diedAt = heartbeat === undefined ? undefined : Date.parse(heartbeat.at);
    const key = openCallsKey(owner);
    let recorded = 0;
    for (let cursor = '0'; !this.task.isStopped; ) {
      const [next, fields] = await redis.hscan(key, cursor, 'COUNT', batchSize);
      recorded += await this.record(key, owner, fields, { how: died, at: diedAt, except });
      cursor = next;
      if (next === '0') break;
    }
    if (recorded > 0) log.warn({ edge: owner, calls: recorded }, 'Recorded the calls of an edge that died.');
    // An edge that had only stalled adds itself again with its next heartbeat.
    if (!this.task.isStopped && (await redis.hlen(key)) === 0) await redis.srem(openCallOwnersKey, owner);
  }

  /** @returns how many calls were recorded */
  private async record(
    key: string,
    owner: string,
    fields: readonly string[],
    { how, at: diedAt, except }: { how: EdgeEnd; at: number | undefined; except: ReadonlySet<string> },
  ): Promise<number> {
    const ids: string[] = [];
    const calls: OpenCall[] = [];
    for (let at = 0; at < fields.length; at += 2) {
      if (except.has(fields[at]!)) continue;
      ids.push(fields[at]!);
      const call = readJson(liveCallSchema, fields[at + 1] ?? null);
      if (call !== undefined) calls.push(call);
    }
    if (ids.length === 0) return 0;
    // An owner is an edge id plus a suffix unique to the process.
    const edgeId = owner.split(' ')[0]!;
    const records = calls.map((call) => edgeLostRecord(call, edgeId, diedAt, how));
    // Those that rang are active at another edge, if the engine had one to give them to.
    const active = records.some(mayBeContinued) ? await this.fleet.calls() : [];
    const stored = await storeEdgeLost(
      this.deps.database,
      records,
      active.map(({ call }) => call),
    );
    await this.deps.redis.hdel(key, ...ids);
    return stored;
  }
}
