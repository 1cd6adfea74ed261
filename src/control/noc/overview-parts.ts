import type { KnownEdge } from '../fleet/fleet-reader.js';
import { type ActiveCounts, activeOf } from './active-calls.js';
import { callsPerSecond, stateOfEdges, stateOfMedia } from './edge-summary.js';
import type { Windows } from './figures.js';
import type { Known } from './last-known.js';
import type { CallFigures, FiguresState, Fleet, NocSummary } from './view.js';

/** @param lateMilliseconds age from which figures are late: they are read more often */
export function figuresState(
  figures: Known<unknown> | undefined,
  lateMilliseconds: number,
  now: number,
): FiguresState {
  if (figures === undefined) return { state: 'unknown', as_of: null };
  const isLate = now - figures.at > lateMilliseconds;
  return isLate
    ? { state: 'late', as_of: new Date(figures.at).toISOString() }
    : { state: 'current', as_of: null };
}

/** What works: nothing is known of edges while Redis does not take heartbeats. */
export const partsOf = (
  redis: Pick<Fleet['redis'], 'state'>,
  database: Pick<Fleet['database'], 'state'>,
  edges: readonly KnownEdge[] | undefined,
): NocSummary['parts'] => ({
  edges: edges === undefined ? 'unknown' : stateOfEdges(edges),
  media: edges === undefined ? 'unknown' : stateOfMedia(edges),
  redis: redis.state,
  database: database.state,
});

/** @param organizationId undefined: of all organizations */
export function callFigures(
  edges: readonly KnownEdge[] | undefined,
  active: ActiveCounts | undefined,
  windows: Windows | undefined,
  organizationId?: string,
): CallFigures {
  const counts = organizationId === undefined ? active?.all : active && activeOf(active, organizationId);
  return {
    active: counts?.active ?? null,
    ringing: counts?.ringing ?? null,
    calls_per_second: edges === undefined ? null : callsPerSecond(edges, organizationId),
    windows: windows ?? null,
  };
}
