import { describe, expect, it } from 'vitest';
import type { KnownEdge } from '../../../../src/control/fleet/fleet-reader.js';
import {
  callsPerSecond,
  stateOfEdges,
  stateOfMedia,
  summaryOfEdge,
} from '../../../../src/control/noc/edge-summary.js';

type Media = 'up' | 'down' | 'unknown';

function edge({
  isAlive = true,
  isDraining = false,
  hasEngine = true,
  hasRedis = true,
  media = ['up'] as readonly Media[],
} = {}): KnownEdge {
  return {
    owner: 'edge-1-a',
    isAlive,
    ageMilliseconds: 1_000,
    heartbeat: {
      edge_id: 'edge-1',
      version: '1.0.0',
      since: '2026-11-27T08:00:00.000Z',
      at: '2026-11-27T09:00:00.000Z',
      draining: isDraining,
      engine: { up: hasEngine, kind: 'embedded', listeners: [] },
      rtpengine: media.map((state, index) => ({
        name: `192.0.2.${index}:22222`,
        state,
        round_trip_milliseconds: 0.4,
        owed_deletions: 0,
      })),
      redis: { ready: hasRedis, detail: '' },
      counts: { calls: 5, ringing: 2, answered: 3, ending: 0, records_waiting: 0, owed_deletions: 0 },
      calls_per_second: 0.5,
      organizations: { acme: { ringing: 1, answered: 2, begun: 4 } },
      event_loop_delay_milliseconds: 11,
      memory_bytes: 1_000_000,
      takeovers: [],
    },
  };
}

const down = edge({ isAlive: false });

describe('an edge', () => {
  it.each([
    ['up when everything works', {}, 'up'],
    ['degraded without its engine', { hasEngine: false }, 'degraded'],
    ['degraded without Redis', { hasRedis: false }, 'degraded'],
    ['degraded with an rtpengine that is down', { media: ['up', 'down'] as const }, 'degraded'],
    ['degraded without any rtpengine', { media: [] }, 'degraded'],
    ['draining, whatever else', { isDraining: true, hasEngine: false }, 'draining'],
    ['down without heartbeat, whatever else', { isAlive: false, isDraining: true }, 'down'],
  ])('is %s', (_what, facts, state) => {
    expect(summaryOfEdge(edge(facts)).state).toBe(state);
  });

  it('was seen as long ago as its heartbeat is old', () => {
    const now = Date.parse('2026-11-27T09:00:01.000Z');
    expect(summaryOfEdge(edge(), now)).toMatchObject({
      id: 'edge-1',
      seen_at: '2026-11-27T09:00:00.000Z',
      redis_up: true,
      rtpengine: [{ name: '192.0.2.0:22222', state: 'up', round_trip_ms: 0.4 }],
    });
  });
});

describe('the edges together', () => {
  it.each<[string, KnownEdge[], string]>([
    ['unknown without any', [], 'unknown'],
    ['up when all are', [edge(), edge()], 'up'],
    ['degraded when one is down', [edge(), down], 'degraded'],
    ['degraded when the only one drains', [edge({ isDraining: true })], 'degraded'],
    ['down when none is alive', [down, down], 'down'],
    ['down when the one that is alive has no engine', [edge({ hasEngine: false }), down], 'down'],
  ])('are %s', (_what, edges, state) => {
    expect(stateOfEdges(edges)).toBe(state);
  });
});

describe('the media servers together', () => {
  it.each<[string, KnownEdge[], string]>([
    ['unknown without any', [edge({ media: [] })], 'unknown'],
    ['unknown where only dead edges knew some', [down], 'unknown'],
    ['up when all are', [edge(), edge(), edge({ isAlive: false, media: ['down'] })], 'up'],
    ['degraded when one is down', [edge(), edge({ media: ['down'] })], 'degraded'],
    ['down when all are', [edge({ media: ['down', 'down'] })], 'down'],
    ['unknown when one may be up', [edge({ media: ['down', 'unknown'] })], 'unknown'],
  ])('are %s', (_what, edges, state) => {
    expect(stateOfMedia(edges)).toBe(state);
  });
});

describe('the calls per second', () => {
  it('are sums over the edges that are alive', () => {
    expect(callsPerSecond([edge(), edge(), down])).toBe(1);
    expect(callsPerSecond([])).toBe(0);
  });

  it('are those of one organization, none where edges name it not', () => {
    expect(callsPerSecond([edge(), edge(), down], 'acme')).toBe(0.8);
    expect(callsPerSecond([edge()], 'other')).toBe(0);
  });
});
