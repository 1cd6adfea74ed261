import type { Redis } from '../../base/redis.js';
import { SharedRead } from '../../base/shared-read.js';
import { TimedCache } from '../../base/timed-cache.js';
import {
  type EdgeHeartbeat,
  edgeHeartbeatSchema,
  heartbeatKey,
  type LiveCall,
  liveCallSchema,
  liveCallsKey,
  liveEdgesKey,
  liveMilliseconds,
  rememberedMilliseconds,
} from '../../contract/live.js';
import { readJson } from '../../contract/read-json.js';

/** The last reported state of one edge process. */
export interface KnownEdge {
  readonly owner: string;
  readonly heartbeat: EdgeHeartbeat;
  readonly ageMilliseconds: number;
  readonly isAlive: boolean;
}

export interface FoundCall {
  readonly call: LiveCall;
  readonly edgeId: string;
}

/** Upper bound on edges, so that garbage in Redis cannot exhaust memory. */
const maximumEdges = 1_000;
const cacheMilliseconds = 1_000;
/** Minimum interval between reads of all calls: with thousands of calls each read costs tens of milliseconds. */
const pauseMilliseconds = 200;

/** Reads the live state reported by edges. Its methods reject while Redis is down. */
export class FleetReader {
  private readonly cache = new TimedCache<readonly KnownEdge[]>(cacheMilliseconds);
  private readonly sharedCalls = new SharedRead(pauseMilliseconds, () => this.readCalls());

  constructor(private readonly redis: Redis) {}

  /** All running edges, and edges that died within the last ten minutes. */
  edges(): Promise<readonly KnownEdge[]> {
    return this.cache.get('edges', () => this.read());
  }

  /** Releases of the rtpengines that running edges know. */
  async mediaReleases(): Promise<readonly string[]> {
    const edges = (await this.edges()).filter(({ isAlive }) => isAlive);
    return edges.flatMap(({ heartbeat }) =>
      heartbeat.rtpengine.flatMap(({ version }) => (version == null ? [] : [version])),
    );
  }

  /** Active calls, as of now or slightly later. */
  calls(): Promise<readonly FoundCall[]> {
    return this.sharedCalls.get();
  }

  /** Whether one of those processes reports the organization's call as active. */
  async listsCall(
    owners: readonly string[],
    { call_id: id, organization }: { readonly call_id: string; readonly organization: string },
  ): Promise<boolean> {
    const pipeline = this.redis.pipeline();
    for (const owner of owners) pipeline.hget(liveCallsKey(owner), id);
    return ((await pipeline.exec()) ?? []).some(([error, json]) => {
      if (error !== null) throw error;
      return readJson(liveCallSchema, json as string | null)?.organization === organization;
    });
  }

  private async readCalls(): Promise<FoundCall[]> {
    const edges = (await this.read()).filter(({ isAlive }) => isAlive);
    const pipeline = this.redis.pipeline();
    for (const { owner } of edges) pipeline.hvals(liveCallsKey(owner));
    const replies = (await pipeline.exec()) ?? [];
    return edges.flatMap(({ heartbeat }, index) => {
      const [error, values] = replies[index]!;
      if (error !== null) throw error;
      return (values as string[]).flatMap((json) => {
        const call = readJson(liveCallSchema, json);
        return call === undefined ? [] : [{ call, edgeId: heartbeat.edge_id }];
      });
    });
  }

  private async read(): Promise<readonly KnownEdge[]> {
    const owners = await this.redis.zrevrange(liveEdgesKey, 0, maximumEdges - 1);
    if (owners.length === 0) return [];
    const pipeline = this.redis.pipeline();
    for (const owner of owners) pipeline.get(heartbeatKey(owner)).pttl(heartbeatKey(owner));
    const replies = (await pipeline.exec()) ?? [];
    const edges = owners.flatMap((owner, index): KnownEdge[] => {
      const [[error, json], [, left]] = [replies[2 * index]!, replies[2 * index + 1]!];
      if (error !== null) throw error;
      const heartbeat = json === null ? undefined : readJson(edgeHeartbeatSchema, json as string);
      if (heartbeat === undefined) return [];
      // Derived from the remaining TTL in Redis, because machine clocks differ.
      const ageMilliseconds = Math.max(0, rememberedMilliseconds - Number(left));
      return [{ owner, heartbeat, ageMilliseconds, isAlive: ageMilliseconds < liveMilliseconds }];
    });
    return withoutPredecessors(edges);
  }
}

/** A restarted edge is not down, whatever its previous process left in Redis. */
export function withoutPredecessors(edges: readonly KnownEdge[]): KnownEdge[] {
  const alive = new Set(edges.filter(({ isAlive }) => isAlive).map(({ heartbeat }) => heartbeat.edge_id));
  const shown = new Set<string>();
  return edges.filter(({ heartbeat: { edge_id }, isAlive }) => {
    if (isAlive) return true;
    if (alive.has(edge_id) || shown.has(edge_id)) return false;
    shown.add(edge_id);
    return true;
  });
}
