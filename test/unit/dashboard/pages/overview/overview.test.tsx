import { afterEach, describe, expect, it } from 'vitest';
import { summary } from '../../../../../src/dashboard/api/live.js';
import type { CallFigures, CallSeries, Fleet, Summary } from '../../../../../src/dashboard/api/noc.js';
import { Figures, hoursOf } from '../../../../../src/dashboard/pages/overview/figures.js';
import { FleetPanel, OrganizationsPanel } from '../../../../../src/dashboard/pages/overview/fleet-panel.js';
import { TrunksPanel } from '../../../../../src/dashboard/pages/overview/trunks-panel.js';
import { type Rendered, rendered } from '../../rendered.js';

const at = '2026-11-22T10:00:00.000Z';

afterEach(() => {
  summary.value = undefined;
});

const edge = (fields: object = {}) => ({
  id: 'edge-1',
  version: '0.2.0',
  since: at,
  state: 'up',
  engine: { up: true, kind: 'embedded' },
  rtpengine: [{ name: 'rtp1', state: 'up', round_trip_ms: 1.2 }],
  counts: { calls: 1_200 },
  calls_per_second: 3.25,
  event_loop_delay_ms: 2,
  memory_bytes: 209_715_200,
  seen_at: at,
  takeovers: [],
  ...fields,
});

const fleet = (fields: object = {}): Fleet =>
  ({
    edges: [edge()],
    redis: { state: 'up', round_trip_ms: 0.4 },
    database: { state: 'up', round_trip_ms: 3 },
    control: { version: '0.2.0', since: at, parts: [{ name: 'jobs', ready: true, detail: null }] },
    ...fields,
  }) as unknown as Fleet;

describe('the fleet', () => {
  const panel = (fields: object = {}): Rendered => rendered(<FleetPanel fleet={fleet(fields)} />);

  it('has no edge, or is unknown while Redis is down', () => {
    expect(panel({ edges: [] }).text).toContain('No edge is running');
    expect(panel({ edges: [], redis: { state: 'down', round_trip_ms: null } }).text).toContain(
      'Edges unknown',
    );
    expect(panel().text).not.toMatch(/No edge is running|Edges unknown/);
    expect(panel({ edges: [] }).all('table')).toEqual([]);
  });

  it('shows each edge with its components', () => {
    const cells = panel().all('td');
    expect(cells.slice(0, 7)).toEqual([
      'Up',
      'Upembedded',
      'Uprtp1, 1.2 ms',
      '1,200',
      '3.3',
      '2.0 ms',
      '200 MB',
    ]);
    expect(panel({ edges: [edge({ engine: { up: false, kind: 'embedded' } })] }).all('td')[1]).toBe(
      'Downembedded',
    );
  });

  it('does not repeat what a silent edge said of its components', () => {
    const cells = panel({ edges: [edge({ state: 'down' })] }).all('td');
    expect(cells.slice(0, 3)).toEqual(['Down', 'Unknownembedded', 'Unknownrtp1, 1.2 ms']);
  });

  it('names the components of control that are not ready', () => {
    expect(panel().text).toContain('All 1 components ready');
    const parts = [
      { name: 'jobs', ready: false, detail: 'Redis is down' },
      { name: 'http', ready: true, detail: null },
    ];
    const shown = panel({ control: { version: '1', since: at, parts } });
    expect(shown.text).toContain('Not ready');
    expect(shown.text).toContain('jobs: Redis is down');
    expect(shown.text).not.toContain('http:');
  });

  it('lists the latest five takeovers, latest first', () => {
    expect(panel().html).not.toContain('Calls taken over');
    const takeover = (minute: number, calls: number) => ({
      at: `2026-11-22T10:0${minute}:00.000Z`,
      from_edge_id: `old-${minute}`,
      calls,
    });
    const shown = panel({
      edges: [
        edge({ takeovers: [0, 2, 4].map((minute) => takeover(minute, 1)) }),
        edge({ id: 'edge-2', takeovers: [1, 3, 5].map((minute) => takeover(minute, 2_000)) }),
      ],
    });
    const events = shown.all('li').filter((text) => text.includes('took over'));
    expect(events.map((text) => /from (\S+)/.exec(text)?.[1])).toEqual([
      'old-5',
      'old-4',
      'old-3',
      'old-2',
      'old-1',
    ]);
    expect(events[0]).toMatch(/^edge-2 took over 2,000 calls /);
    expect(events[1]).toMatch(/^edge-1 took over 1 call /);
  });

  it('lists organizations, if any called', () => {
    const judged = { state: 'working', window: '1h', calls: 9, failed: 1, worst: null } as const;
    const first = {
      id: 'o1',
      name: 'Acme',
      active: 1_000,
      attempts_1h: 9,
      answered_1h: 8,
      failed_1h: 1,
      judged,
    };
    expect(rendered(<OrganizationsPanel organizations={[]} />).text).toContain('No calls');
    expect(rendered(<OrganizationsPanel organizations={[first]} />).all('td')).toEqual([
      'Working',
      '1,000',
      '9',
      '8',
      '1',
    ]);
  });
});

describe('the worst trunks', () => {
  const trunk = (fields: object = {}) => ({
    phone_number: '+13125550161',
    endpoint: 'tls:pbx.example',
    status: 'healthy',
    cause: null,
    response_time_ms: 42,
    checked_at: null,
    servers: { total: 1, unreachable: 0 },
    registration: null,
    calls: { state: 'quiet', window: '1h', calls: 0, failed: 0, worst: null, hour: [] },
    ...fields,
  });
  const figures = (state: string) => ({ trunks: { state, as_of: null } });
  const panel = (trunks: readonly object[], fields: object = {}): Rendered =>
    rendered(
      <TrunksPanel
        {...({
          trunks,
          trunk_counts: { total: trunks.length, healthy: 1, unreachable: 2, failing: 3 },
          figures: figures('current'),
          ...fields,
        } as unknown as Summary)}
      />,
    );

  it('are unknown without PostgreSQL, or there are none yet', () => {
    const down = panel([], { figures: figures('unknown') });
    expect(down.text).toContain('Trunks unknown PostgreSQL answers slowly or is down.');
    expect(down.text).not.toContain('1 reachable');
    expect(panel([]).text).toContain('No numbers yet');
    expect(panel([trunk()], { figures: figures('late') }).text).toContain(
      '1 reachable, 2 unreachable, 3 failing',
    );
    expect(panel([trunk()]).text).not.toMatch(/No numbers yet|Trunks unknown/);
  });

  it('have address and response time, or the cause instead', () => {
    expect(panel([trunk()]).all('.note')).toEqual(['tls:pbx.example 42 ms']);
    expect(panel([trunk({ checked_at: at })]).all('.note')[0]).toMatch(/^tls:pbx.example 42 ms, .* ago$/);
    expect(panel([trunk({ cause: 'Refused.' })]).all('.note')).toEqual(['Refused.']);
  });

  it('have no state without a server', () => {
    const inbound = panel([trunk({ endpoint: null })]);
    expect(inbound.all('.note')).toEqual(['Inbound only: no server to check.']);
    expect(inbound.all('.state')).toEqual([]);
    expect(panel([trunk({ endpoint: null, registration: 'registered' })]).text).not.toContain('Inbound only');
    expect(panel([trunk()]).all('.state')).toEqual(['Reachable']);
  });

  it('have calls where there were some', () => {
    expect(panel([trunk()]).html).not.toContain('trunk-hour');
    const calls = { state: 'working', window: '1h', calls: 3, failed: 0, worst: null, hour: [] };
    expect(panel([trunk({ calls })]).text).toContain('3 calls in 1 h');
  });

  it('are six at most, with a link to all', () => {
    const several = (count: number): Rendered =>
      panel(Array.from({ length: count }, (_, index) => trunk({ phone_number: `+1312555016${index}` })));
    expect(several(6).all('li')).toHaveLength(6);
    expect(several(6).text).not.toContain('All 6 trunks');
    expect(several(7).all('li')).toHaveLength(6);
    expect(several(7).text).toContain('All 7 trunks');
  });
});

describe('the figures of calls', () => {
  const window = (fields: object = {}) => ({
    answer_rate_percent: 92.4,
    attempts: 50,
    answered: 46,
    failed: 4,
    bad_audio: 0,
    judged: { calls: 50, failed: 4, caller_errors: 0, worst: null },
    average_post_dial_delay_ms: 800,
    average_setup_ms: 2_500,
    day_before: { answer_rate_percent: 90, attempts: 40, failed: 5, average_post_dial_delay_ms: 900 },
    ...fields,
  });
  const figures = (fields: object = {}): Rendered =>
    rendered(
      <Figures
        window="1h"
        calls={
          {
            active: 0,
            ringing: 0,
            calls_per_second: 0,
            windows: { '1h': window() },
            ...fields,
          } as unknown as CallFigures
        }
      />,
    );

  it('compare with the day before', () => {
    expect(figures().all('.tile-note')).toEqual([
      '0 being set up, 0 new per second',
      '46 of 50, last hour 90 % at this time yesterday',
      'last hour 5 at this time yesterday',
      'to answer 2.50 s 900 ms at this time yesterday',
    ]);
    expect(figures().all('.tile-value')).toEqual(['0', '92 %', '4', '800 ms']);
  });

  it('compare with nothing when there were no calls then', () => {
    const quiet = { windows: { '1h': window({ day_before: { attempts: 0 } }) } };
    expect(figures(quiet).text.match(/no calls at this time yesterday/g)).toHaveLength(3);
  });

  it('say what is down, and name bad audio', () => {
    const down = figures({ active: null, ringing: null, windows: undefined });
    expect(down.all('.tile-value')).toEqual(['–', '–', '–', '–']);
    expect(down.text).toContain('unknown: Redis is down');
    expect(down.text).toContain('PostgreSQL is down');
    expect(figures({ windows: { '1h': window({ bad_audio: 2 }) } }).text).toContain('and 2 with bad audio,');
    expect(figures().text).not.toContain('bad audio');
  });

  it('have the colour of their judgement', () => {
    const failing = window({ answered: 0, judged: { calls: 50, failed: 50 } });
    expect(figures({ windows: { '1h': failing } }).all('.bad-text')).toEqual(['92 %', '4']);
    expect(figures().all('.bad-text')).toEqual([]);
  });

  it('sum up quarters of an hour, also the last ones', () => {
    const bucket = (attempts: number) => ({ attempts, answered: 1, failed: 1, bad_audio: 1 });
    expect(hoursOf({ buckets: [1, 2, 3, 4, 5].map(bucket) } as unknown as CallSeries)).toEqual([
      { attempts: 10, answered: 4, failed: 8 },
      { attempts: 5, answered: 1, failed: 2 },
    ]);
    expect(hoursOf({ buckets: [] } as unknown as CallSeries)).toEqual([]);
  });
});
