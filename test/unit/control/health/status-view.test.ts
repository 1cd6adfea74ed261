import { describe, expect, it } from 'vitest';
import {
  type HealthStatus,
  type Statistics,
  statusOf,
  statusOfTrunk,
} from '../../../../src/control/health/number-health.js';
import { endpointSchema, endpointView, trunkStatus } from '../../../../src/control/health/status-view.js';
import { healthy, unreachable } from './endpoint-health.js';

const now = Date.parse('2026-11-20T12:05:00Z');
const statistics: Statistics = {
  '24h': { uptime: 99.5, averageMilliseconds: 41.2 },
  '7d': { uptime: 98, averageMilliseconds: 50 },
  '30d': { uptime: null, averageMilliseconds: null },
};
const none: Statistics = {
  '24h': { uptime: null, averageMilliseconds: null },
  '7d': { uptime: null, averageMilliseconds: null },
  '30d': { uptime: null, averageMilliseconds: null },
};
const view = (check?: ReturnType<typeof healthy>, own = statistics, name = 'tls:pbx.example.com') =>
  endpointView(name, { check, since: undefined }, own, now);

describe('the status of a check', () => {
  it('is that of the check for ten minutes', () => {
    const checkedAt = Date.parse(healthy().checked_at);
    expect(statusOf(healthy(), checkedAt + 600_000)).toBe('healthy');
    expect(statusOf(unreachable(), checkedAt + 600_000)).toBe('unreachable');
    expect(statusOf(healthy(), checkedAt + 600_001)).toBe('unchecked');
    expect(statusOf(unreachable(), checkedAt + 600_001)).toBe('unchecked');
    expect(statusOf(undefined, now)).toBe('unchecked');
  });
});

describe('the status of a trunk', () => {
  it.each<[HealthStatus, HealthStatus[]]>([
    ['healthy', ['healthy']],
    ['healthy', ['unreachable', 'healthy']],
    ['healthy', ['unchecked', 'healthy']],
    ['unreachable', ['unreachable', 'unreachable']],
    ['unreachable', ['unchecked', 'unreachable']],
    ['unchecked', ['unchecked']],
    ['unchecked', []],
  ])('is %s with servers that are %j', (status, servers) => expect(statusOfTrunk(servers)).toBe(status));
});

describe('a server in the answer', () => {
  it('has its latest check and its statistics', () => {
    const target = {
      address: '203.0.113.7:5061',
      status: 'unreachable' as const,
      reason: 'refused' as const,
      detail: 'ECONNREFUSED',
      sip_status: null,
      response_time_milliseconds: null,
      retry_at: '2026-11-20T12:10:00.000Z',
    };
    const shown = endpointView(
      'tls:pbx.example.com',
      { check: healthy({ targets: [target] }), since: '2026-11-01T00:00:00.000Z' },
      statistics,
      now,
    );
    expect(shown).toMatchObject({
      endpoint: 'tls:pbx.example.com',
      checked_since: '2026-11-01T00:00:00.000Z',
      status: 'healthy',
      reason: null,
      detail: null,
      cause: null,
      advice: null,
      response_time_ms: 40,
      checked_at: '2026-11-20T12:00:00.000Z',
      uptime_percent: { '24h': 99.5, '7d': 98, '30d': null },
      average_response_time_ms: { '24h': 41.2, '7d': 50, '30d': null },
      sip_code: 200,
      evidence: 'probe',
    });
    expect(shown.targets).toMatchObject([
      { address: '203.0.113.7:5061', status: 'unreachable', reason: 'refused', detail: 'ECONNREFUSED' },
    ]);
    expect(shown.targets[0]!.cause).toMatch(/./);
    expect(shown.targets[0]!.retry_at).toBe('2026-11-20T12:10:00.000Z');
    expect(endpointSchema.strict().parse(shown)).toEqual(shown);
  });

  it('has nothing where it was never checked', () => {
    expect(view(undefined, none)).toEqual({
      endpoint: 'tls:pbx.example.com',
      checked_since: null,
      status: 'unchecked',
      reason: null,
      detail: null,
      cause: null,
      advice: null,
      response_time_ms: null,
      checked_at: null,
      uptime_percent: { '24h': null, '7d': null, '30d': null },
      average_response_time_ms: { '24h': null, '7d': null, '30d': null },
      sip_code: null,
      evidence: null,
      targets: [],
    });
  });

  it('explains why it is unreachable', () => {
    const shown = view(unreachable({ reason: 'certificate', detail: 'self-signed' }));
    expect([shown.status, shown.reason, shown.detail]).toEqual(['unreachable', 'certificate', 'self-signed']);
    expect(shown.cause).toMatch(/./);
    expect(shown.advice).toMatch(/./);
  });
});

describe('a trunk in the answer', () => {
  const bad = view(unreachable({ reason: 'dns', detail: 'NXDOMAIN' }), statistics);
  const good = view(
    healthy({ response_time_milliseconds: 12, checked_at: '2026-11-20T12:04:00.000Z' }),
    none,
    'udp:second.example.com',
  );

  it('is decided by the first server with its status, and has the statistics of the first one of all', () => {
    expect(trunkStatus([bad, good])).toMatchObject({
      status: 'healthy',
      reason: null,
      response_time_ms: 12,
      checked_at: '2026-11-20T12:04:00.000Z',
      uptime_percent: { '24h': 99.5, '7d': 98, '30d': null },
      average_response_time_ms: { '24h': 41.2, '7d': 50, '30d': null },
    });
  });

  it('says why it is unreachable', () => {
    const refused = view(unreachable({ reason: 'refused' }));
    expect(trunkStatus([bad, refused])).toMatchObject({
      status: 'unreachable',
      reason: 'dns',
      detail: 'NXDOMAIN',
      response_time_ms: null,
    });
  });

  it('is unchecked without servers', () => {
    expect(trunkStatus([])).toEqual({
      status: 'unchecked',
      reason: null,
      detail: null,
      cause: null,
      advice: null,
      response_time_ms: null,
      checked_at: null,
      uptime_percent: { '24h': null, '7d': null, '30d': null },
      average_response_time_ms: { '24h': null, '7d': null, '30d': null },
    });
  });
});
