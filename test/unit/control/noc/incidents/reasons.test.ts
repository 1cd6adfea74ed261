import { describe, expect, it } from 'vitest';
import {
  componentDown,
  organizationReasons,
  serviceReasons,
} from '../../../../../src/control/noc/incidents/reasons.js';
import { noTrunkCalls } from '../../../../../src/control/noc/trunk-calls.js';
import type {
  FailureCount,
  NocSummary,
  TrunkSummary,
  WindowFigures,
} from '../../../../../src/control/noc/view.js';

const worst: FailureCount = {
  end_reason: 'trunk_refused',
  sip_status: 503,
  direction: 'outbound',
  count: 9,
  concerns: 'service',
  cause: 'The server is overloaded.',
  advice: 'Ask the carrier.',
};
const trunk = (phone_number: string, fields: Partial<TrunkSummary> = {}): TrunkSummary => ({
  phone_number,
  directions: ['outbound'],
  status: 'healthy',
  endpoint: 'tls:pbx.example.com',
  reason: null,
  detail: null,
  cause: null,
  advice: null,
  response_time_ms: null,
  checked_at: null,
  servers: { total: 1, unreachable: 0 },
  registration: null,
  calls: noTrunkCalls,
  ...fields,
});
const window = (calls: number, failed: number, own: FailureCount | null = worst): WindowFigures =>
  ({ judged: { calls, failed, caller_errors: 0, worst: own } }) as unknown as WindowFigures;
const calls = (failed = 0, own: FailureCount | null = worst): NocSummary['calls'] => ({
  active: 0,
  ringing: 0,
  calls_per_second: 0,
  windows: { '5m': window(10, failed, own), '1h': window(10, failed, own), '24h': window(10, failed, own) },
});
const parts = { edges: 'up', media: 'up', redis: 'up', database: 'up' } as const;
const summary = (fields: Partial<NocSummary>): NocSummary =>
  ({
    trunk_counts: {
      total: 9,
      healthy: 9,
      unreachable: 0,
      unchecked: 0,
      failing: 0,
      degraded: 0,
      unregistered: 0,
    },
    trunks: [],
    registrations: null,
    alerts: null,
    calls: calls(),
    parts,
    ...fields,
  }) as NocSummary;
const counts = (fields: Partial<NocSummary['trunk_counts']>) => ({ ...summary({}).trunk_counts, ...fields });
const keysAndTexts = (reasons: ReturnType<typeof organizationReasons>) =>
  reasons.map(({ key, kind, text }) => [key, kind, text]);

describe('red reasons of the service', () => {
  it('are none while all works', () => expect(serviceReasons({ parts, calls: calls() })).toEqual([]));

  it('are the components that are down', () => {
    const down = { edges: 'down', media: 'degraded', redis: 'down', database: 'unknown' } as const;
    expect(keysAndTexts(serviceReasons({ parts: down, calls: calls() }))).toEqual([
      ['component edges', 'component', 'edges: down'],
      ['component redis', 'component', 'Redis: down'],
    ]);
    expect(componentDown('database')).toMatchObject({
      key: 'component database',
      text: 'PostgreSQL: down',
      cause: null,
      end_reason: null,
    });
  });

  it('are failing calls, with how most of them ended', () => {
    expect(serviceReasons({ parts, calls: calls(9) })).toEqual([
      {
        key: 'calls  trunk_refused 503',
        kind: 'calls',
        text: '9 of 10 calls of the service failed in the last 5 minutes: 503 The server is overloaded',
        cause: 'The server is overloaded.',
        advice: 'Ask the carrier.',
        phone_number: null,
        end_reason: 'trunk_refused',
        sip_status: 503,
      },
    ]);
  });

  it.each<[string, FailureCount | null]>([
    ['9 of 10 calls of the service failed in the last 5 minutes', null],
    [
      '9 of 10 calls of the service failed in the last 5 minutes: The server is overloaded',
      { ...worst, sip_status: null },
    ],
    [
      '9 of 10 calls of the service failed in the last 5 minutes: The server is overloaded',
      { ...worst, sip_status: 299 },
    ],
    [
      '9 of 10 calls of the service failed in the last 5 minutes: 300 The server is overloaded',
      { ...worst, sip_status: 300 },
    ],
  ])('say "%s"', (text, own) => expect(serviceReasons({ parts, calls: calls(9, own) })[0]!.text).toBe(text));
});

describe('red reasons of an organization', () => {
  it('leave components out', () =>
    expect(organizationReasons(summary({ parts: { ...parts, redis: 'down' } }))).toEqual([]));

  it('are its unreachable trunks, each with its cause', () => {
    const unreachable = trunk('+14155550100', {
      status: 'unreachable',
      reason: 'timeout',
      cause: 'No answer.',
      advice: 'Check the firewall.',
    });
    expect(
      organizationReasons(summary({ trunks: [unreachable], trunk_counts: counts({ unreachable: 1 }) })),
    ).toEqual([
      {
        key: 'trunk +14155550100 timeout',
        kind: 'trunk',
        text: 'Trunk of +14155550100 unreachable',
        cause: 'No answer.',
        advice: 'Check the firewall.',
        phone_number: '+14155550100',
        end_reason: null,
        sip_status: null,
      },
    ]);
  });

  it('are one for more than five trunks, or when not all of them are known', () => {
    const many = (count: number, known: number) =>
      keysAndTexts(
        organizationReasons(
          summary({
            trunks: Array.from({ length: known }, (_, index) =>
              trunk(`+1415555010${index}`, { status: 'unreachable', reason: 'timeout' }),
            ),
            trunk_counts: counts({ unreachable: count }),
          }),
        ),
      );
    expect(many(5, 5)).toHaveLength(5);
    expect(many(6, 6)).toEqual([['trunk many', 'trunk', 'Trunks unreachable: 6']]);
    expect(many(5, 4)).toEqual([['trunk many', 'trunk', 'Trunks unreachable: 5']]);
  });

  it('are its numbers whose calls fail', () => {
    const failing = trunk('+14155550100', {
      calls: { ...noTrunkCalls, state: 'failing', window: '1h', calls: 8, failed: 6, worst },
    });
    const [first, ...rest] = organizationReasons(
      summary({ trunks: [failing], trunk_counts: counts({ failing: 1 }) }),
    );
    expect(rest).toEqual([]);
    expect(first).toMatchObject({
      key: 'calls +14155550100 trunk_refused 503',
      kind: 'calls',
      text: '6 of 8 calls of +14155550100 failed in the last hour: 503 The server is overloaded',
      phone_number: '+14155550100',
      end_reason: 'trunk_refused',
    });
  });

  it('are failed registrations, and alerts that reached no recipient', () => {
    expect(
      keysAndTexts(
        organizationReasons(
          summary({
            registrations: { total: 3, registered: 1, failed: 2 },
            alerts: { active: 4, unnoticed: 3 },
          }),
        ),
      ),
    ).toEqual([
      ['registration', 'registration', 'Registrations failed: 2'],
      ['alert', 'alert', 'Active alerts that reached no recipient: 3'],
    ]);
    expect(
      organizationReasons(
        summary({
          registrations: { total: 3, registered: 3, failed: 0 },
          alerts: { active: 4, unnoticed: 0 },
        }),
      ),
    ).toEqual([]);
  });
});
