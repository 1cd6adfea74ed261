import { describe, expect, it } from 'vitest';
import { redAlerts, redCalls, redComponents, redOrganization } from '../../../src/contract/red-reasons.js';

type Summary = Parameters<typeof redOrganization>[0];
type Figures = Parameters<typeof redCalls>[0];

const share = (failed: number, calls = 100) => ({ calls, failed, worst: null }) as never;
const figures = (short: number, hour = short): Figures =>
  ({
    windows: {
      '5m': { judged: share(short) },
      '1h': { judged: share(hour) },
      '24h': { judged: share(0, 1_000) },
    },
  }) as Figures;
const summary = (fields: Partial<Summary> = {}): Summary => ({
  trunk_counts: { unreachable: 0, failing: 0 },
  trunks: [],
  registrations: { failed: 0 },
  alerts: { unnoticed: 0 },
  ...fields,
});
const trunk = (status: string, state: string) => ({ status, calls: { state } }) as never;
const kinds = (fields: Partial<Summary>, calls = figures(0)) =>
  redOrganization(summary(fields), calls).map((reason) =>
    'count' in reason ? `${reason.kind} ${reason.count}` : reason.kind,
  );

describe('the reasons of a red verdict', () => {
  it('name each component that is down', () => {
    const parts = { edges: 'up', media: 'down', redis: 'unknown', database: 'down' };
    expect(redComponents(parts)).toEqual([
      { kind: 'component', component: 'media' },
      { kind: 'component', component: 'database' },
    ]);
  });

  it('name alerts that reached no recipient', () => {
    expect(redAlerts({ unnoticed: 2 })).toEqual([{ kind: 'alert', count: 2 }]);
    expect(redAlerts({ unnoticed: 0 })).toEqual([]);
    expect(redAlerts(null)).toEqual([]);
  });

  it('name the calls of the window in which they fail', () => {
    expect(redCalls(figures(90))).toMatchObject([{ kind: 'calls', failed: { failed: 90, window: '5m' } }]);
    expect(redCalls(figures(0))).toEqual([]);
    expect(redCalls({ windows: null })).toEqual([]);
  });

  it('are none for an organization without problems', () => {
    expect(kinds({})).toEqual([]);
    expect(kinds({ registrations: null, alerts: null })).toEqual([]);
  });

  it('count trunks, registrations and alerts', () => {
    expect(
      kinds({ trunk_counts: { unreachable: 3, failing: 0 }, trunks: [trunk('unreachable', 'fine')] }),
    ).toEqual(['trunk 3']);
    expect(kinds({ trunks: [trunk('unreachable', 'fine'), trunk('up', 'fine')] })).toEqual(['trunk 1']);
    expect(kinds({ registrations: { failed: 2 }, alerts: { unnoticed: 1 } })).toEqual([
      'registration 2',
      'alert 1',
    ]);
  });

  it('name numbers whose calls fail in place of the calls as a whole', () => {
    expect(kinds({ trunks: [trunk('up', 'failing')] }, figures(90))).toEqual(['numbers 1']);
    expect(kinds({ trunk_counts: { unreachable: 0, failing: 4 } }, figures(90))).toEqual(['numbers 4']);
    expect(kinds({}, figures(90))).toEqual(['calls']);
  });
});
