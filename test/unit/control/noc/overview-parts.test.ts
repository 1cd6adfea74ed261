import { describe, expect, it } from 'vitest';
import type { KnownEdge } from '../../../../src/control/fleet/fleet-reader.js';
import type { ActiveCounts } from '../../../../src/control/noc/active-calls.js';
import { callFigures, figuresState, partsOf } from '../../../../src/control/noc/overview-parts.js';

const edge = (begun: number): KnownEdge =>
  ({
    isAlive: true,
    heartbeat: {
      draining: false,
      engine: { up: true },
      redis: { ready: true },
      rtpengine: [{ state: 'up' }],
      counts: { ringing: 2, answered: 5 },
      calls_per_second: 0.74,
      organizations: { org_1: { ringing: 1, answered: 3, begun } },
    },
  }) as unknown as KnownEdge;

describe('how current figures are', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');

  it('is unknown without any, and late after a time', () => {
    expect(figuresState(undefined, 5_000, now)).toEqual({ state: 'unknown', as_of: null });
    expect(figuresState({ at: now - 5_000, value: 1 }, 5_000, now)).toEqual({
      state: 'current',
      as_of: null,
    });
    expect(figuresState({ at: now - 5_001, value: 1 }, 5_000, now)).toEqual({
      state: 'late',
      as_of: '2026-11-20T11:59:54.999Z',
    });
  });
});

describe('the components of the overview', () => {
  const up = { state: 'up' } as const;
  const down = { state: 'down' } as const;

  it('are those of the edges, and of the stores', () => {
    expect(partsOf(up, down, [edge(0)])).toEqual({
      edges: 'up',
      media: 'up',
      redis: 'up',
      database: 'down',
    });
  });

  it('are unknown where nothing is known of edges', () => {
    expect(partsOf(down, up, undefined)).toEqual({
      edges: 'unknown',
      media: 'unknown',
      redis: 'down',
      database: 'up',
    });
  });
});

describe('the calls of the overview', () => {
  const active: ActiveCounts = {
    all: { active: 9, ringing: 4 },
    byOrganization: new Map([['org_1', { active: 6, ringing: 2 }]]),
  };

  it('are those of the organization, with the mean of the last ten seconds', () => {
    expect(callFigures([edge(7), edge(4)], active, undefined, 'org_1')).toEqual({
      active: 6,
      ringing: 2,
      calls_per_second: 1.1,
      windows: null,
    });
    expect(callFigures([edge(7)], active, undefined, 'org_2')).toMatchObject({
      active: 0,
      ringing: 0,
      calls_per_second: 0,
    });
  });

  it('are those of all organizations when none is named', () =>
    expect(callFigures([edge(0)], active, undefined)).toMatchObject({
      active: 9,
      ringing: 4,
      calls_per_second: 0.7,
    }));

  it('are unknown where nothing is known of calls or edges', () => {
    expect(callFigures(undefined, active, undefined, 'org_1')).toEqual({
      active: 6,
      ringing: 2,
      calls_per_second: null,
      windows: null,
    });
    expect(callFigures([edge(7)], undefined, undefined, 'org_1')).toMatchObject({
      active: null,
      ringing: null,
      calls_per_second: 0.7,
    });
    expect(callFigures([edge(7)], undefined, undefined)).toMatchObject({ active: null, ringing: null });
  });
});
