import { begunSeconds } from '../../contract/live.js';
import type { KnownEdge } from '../fleet/fleet-reader.js';
import type { EdgeSummary, PartState } from './view.js';

function stateOfEdge({ heartbeat, isAlive }: KnownEdge): EdgeSummary['state'] {
  if (!isAlive) return 'down';
  if (heartbeat.draining) return 'draining';
  const isWhole =
    heartbeat.engine.up &&
    heartbeat.redis.ready &&
    heartbeat.rtpengine.every(({ state }) => state === 'up') &&
    heartbeat.rtpengine.length > 0;
  return isWhole ? 'up' : 'degraded';
}

/** As operators see it: with its addresses. */
export function summaryOfEdge(edge: KnownEdge, now: number = Date.now()): EdgeSummary {
  const { heartbeat } = edge;
  return {
    id: heartbeat.edge_id,
    version: heartbeat.version,
    since: heartbeat.since,
    seen_at: new Date(now - edge.ageMilliseconds).toISOString(),
    state: stateOfEdge(edge),
    engine: heartbeat.engine,
    rtpengine: heartbeat.rtpengine.map(({ name, state, round_trip_milliseconds }) => ({
      name,
      state,
      round_trip_ms: round_trip_milliseconds,
    })),
    redis_up: heartbeat.redis.ready,
    counts: heartbeat.counts,
    calls_per_second: heartbeat.calls_per_second,
    event_loop_delay_ms: heartbeat.event_loop_delay_milliseconds,
    memory_bytes: heartbeat.memory_bytes,
    takeovers: heartbeat.takeovers,
  };
}

/** Whether calls are taken at all, and everywhere. */
export function stateOfEdges(edges: readonly KnownEdge[]): PartState {
  if (edges.length === 0) return 'unknown';
  const states = edges.map(stateOfEdge);
  if (states.every((state) => state === 'up')) return 'up';
  return edges.some(({ isAlive, heartbeat }) => isAlive && heartbeat.engine.up) ? 'degraded' : 'down';
}

/** The rtpengines that edges use; an rtpengine that any edge reaches counts as up. */
export function stateOfMedia(edges: readonly KnownEdge[]): PartState {
  const states = edges
    .filter(({ isAlive }) => isAlive)
    .flatMap(({ heartbeat }) => heartbeat.rtpengine.map(({ state }) => state));
  if (states.length === 0) return 'unknown';
  if (states.every((state) => state === 'up')) return 'up';
  if (states.includes('up')) return 'degraded';
  return states.includes('unknown') ? 'unknown' : 'down';
}

/** New calls per second at all edges that are there: of one organization, or of all when none is named. */
export function callsPerSecond(edges: readonly KnownEdge[], organizationId?: string): number {
  const rates = edges
    .filter(({ isAlive }) => isAlive)
    .map(({ heartbeat }) =>
      organizationId === undefined
        ? heartbeat.calls_per_second
        : (heartbeat.organizations[organizationId]?.begun ?? 0) / begunSeconds,
    );
  const sum = rates.reduce((total, rate) => total + rate, 0);
  return Math.round(sum * 10) / 10;
}
