import { describe, expect, it } from 'vitest';
import { type EndReason, endReasons } from '../../../src/contract/call-record.js';
import { concernedBy } from '../../../src/contract/concerned.js';
import { type CountedCalls, figuresOf } from '../../../src/control/noc/figures.js';
import { organizationReasons, serviceReasons } from '../../../src/control/noc/incidents/reasons.js';
import { judge } from '../../../src/control/noc/judgement.js';
import type { CallFigures, Fleet, Summary, WindowFigures } from '../../../src/dashboard/api/noc.js';
import { type Concern, concernsOf, isJudged } from '../../../src/dashboard/pages/overview/concerns.js';

/** What the calls of sixty callers come to in control, as the page gets it. */

const answeredReasons: ReadonlySet<EndReason> = new Set([
  'caller_hung_up',
  'agent_hung_up',
  'callee_hung_up',
  'target_hung_up',
  'transferred',
  'stopped',
  'test_completed',
  'max_duration',
]);

const ended = (end_reason: EndReason, changes: Partial<CountedCalls> = {}): CountedCalls => {
  const isAnswered = answeredReasons.has(end_reason);
  const calls = changes.calls ?? 60;
  return {
    direction: 'inbound',
    outcome: isAnswered ? 'completed' : end_reason === 'caller_cancelled' ? 'cancelled' : 'refused',
    end_reason,
    sip_status: isAnswered ? 200 : 503,
    calls,
    answered: isAnswered ? calls : 0,
    setup_milliseconds: 0,
    rung: 0,
    ringing_milliseconds: 0,
    ...changes,
  };
};

const nothingYesterday: WindowFigures['day_before'] = {
  attempts: 0,
  answered: 0,
  answer_rate_percent: null,
  failed: 0,
  average_post_dial_delay_ms: null,
};

function callsOf(rows: readonly CountedCalls[]): CallFigures {
  const window = { ...figuresOf(rows), day_before: nothingYesterday };
  return {
    active: 0,
    ringing: 0,
    calls_per_second: 0,
    windows: { '5m': window, '1h': window, '24h': window },
  };
}

const noTrunks = {
  total: 1,
  healthy: 1,
  unreachable: 0,
  unchecked: 0,
  failing: 0,
  degraded: 0,
  unregistered: 0,
};

function summaryOf(rows: readonly CountedCalls[], changes: Partial<Summary> = {}): Summary {
  const calls = callsOf(rows);
  const organization = {
    id: 'o1',
    name: 'Acme',
    active: 0,
    attempts_1h: 60,
    answered_1h: 0,
    failed_1h: 60,
    judged: judge(rows, rows),
  };
  const fleet = {
    calls,
    // Calls to numbers that no organization has are in no row.
    organizations: rows[0]?.end_reason === 'refused_unknown_number' ? [] : [organization],
    trunk_counts: noTrunks,
    trunks: [],
  } as unknown as Fleet;
  return {
    at: '2026-11-24T12:00:00Z',
    parts: { edges: 'up', media: 'up', redis: 'up', database: 'up' },
    trunk_counts: noTrunks,
    trunks: [],
    calls,
    figures: { calls: { state: 'current', as_of: null }, trunks: { state: 'current', as_of: null } },
    registrations: null,
    fleet,
    alerts: { active: 0, unnoticed: 0 },
    ...changes,
  };
}

const scopes = ['organization', 'fleet'] as const;
const concerns = (rows: readonly CountedCalls[], scope: (typeof scopes)[number]): Concern[] => {
  const summary = summaryOf(rows);
  return concernsOf(summary, summary.calls, scope);
};

describe.each(scopes)('the verdict over calls of which all end alike, %s view', (scope) => {
  it.each(endReasons.filter((reason) => !answeredReasons.has(reason)))('is never green: %s', (reason) => {
    const [worst] = concerns([ended(reason)], scope);
    expect(worst).toBeDefined();
    const party = concernedBy(reason, 503);
    const isOthers = party === 'none' || party === 'caller';
    expect(worst!.tone).toBe(isOthers ? 'warn' : 'bad');
    expect(worst!.text).toMatch(/^(60 of 60 calls|None of 60 calls)/);
  });

  it.each([...answeredReasons])('is green: %s', (reason) => {
    expect(concerns([ended(reason)], scope)).toEqual([]);
    expect(isJudged(summaryOf([ended(reason)]), callsOf([ended(reason)]))).toBe(true);
  });

  it.each([404, 410, 480, 484, 486, 487, 600, 603, 604, 607, 608])(
    'says that no call was answered, and blames no trunk: %i',
    (sip_status) => {
      expect(concerns([ended('trunk_refused', { sip_status })], scope)).toMatchObject([
        { tone: 'warn', text: 'None of 60 calls was answered in the last 5 minutes' },
      ]);
    },
  );

  it('is not green for one call, or three, that all failed', () => {
    for (const calls of [1, 3]) {
      expect(concerns([ended('refused_media', { calls, sip_status: 488 })], scope)[0]?.text).toBe(
        `${calls} of ${calls === 1 ? '1 call' : `${calls} calls`} failed in the last 5 minutes: 488 SDP offer not acceptable`,
      );
    }
  });
});

describe('an incident', () => {
  const isRed = (summary: Summary): boolean =>
    concernsOf(summary, summary.calls, 'organization').some(({ tone }) => tone === 'bad');

  const statuses = [null, 200, 401, 403, 404, 408, 480, 486, 488, 500, 503, 603] as const;

  it.each(endReasons)('is opened exactly when the verdict of these calls is red: %s', (end_reason) => {
    for (const sip_status of statuses) {
      const summary = summaryOf([ended(end_reason, { sip_status })]);
      const party = concernedBy(end_reason, sip_status);
      const reds = party === 'none' || party === 'caller' ? [] : [{ kind: 'calls', end_reason, sip_status }];
      expect(isRed(summary), `${sip_status}`).toBe(reds.length > 0);
      // Both views name the end of these calls, and no other.
      expect(organizationReasons(summary)).toMatchObject(reds);
      expect(serviceReasons(summary)).toMatchObject(reds);
    }
  });

  const trunk = (changes: object) =>
    ({
      phone_number: '+14155550100',
      status: 'healthy',
      calls: { state: 'working', worst: null },
      ...changes,
    }) as unknown as Summary['trunks'][number];
  const well = [ended('caller_hung_up')];
  const red: Readonly<Record<string, readonly [Partial<Summary>, string]>> = {
    'an unreachable trunk': [
      {
        trunk_counts: { ...noTrunks, unreachable: 1 },
        trunks: [trunk({ status: 'unreachable', reason: 'timeout', cause: 'No answer.', advice: 'Look.' })],
      },
      'Trunk of +14155550100 unreachable',
    ],
    'a failing number': [
      {
        trunk_counts: { ...noTrunks, failing: 1 },
        trunks: [
          trunk({ calls: { state: 'failing', window: '1h', calls: 9, failed: 9, worst: null, hour: [] } }),
        ],
      },
      '9 of 9 calls of +14155550100 failed in the last hour',
    ],
    'a lost registration': [
      { registrations: { total: 2, registered: 1, failed: 1 } },
      'Registrations failed: 1',
    ],
    'an alert that told nobody': [
      { alerts: { active: 2, unnoticed: 1 } },
      'Active alerts that reached no recipient: 1',
    ],
  };
  it.each(Object.entries(red))('names what the verdict is red for: %s', (_, [changes, text]) => {
    const summary = summaryOf(well, changes);
    expect(isRed(summary)).toBe(true);
    expect(organizationReasons(summary).map((reason) => reason.text)).toEqual([text]);
  });

  it('of a component concerns every organization', () => {
    const parts = { edges: 'up', media: 'up', redis: 'down', database: 'degraded' } as const;
    const summary = summaryOf(well, { parts });
    expect(isRed(summary)).toBe(true);
    expect(organizationReasons(summary)).toEqual([]);
    expect(serviceReasons(summary)).toMatchObject([{ kind: 'component', text: 'Redis: down' }]);
  });

  it('is not opened for what is only amber', () => {
    const summary = summaryOf([ended('refused_media', { calls: 3 })], {
      alerts: { active: 1, unnoticed: 0 },
    });
    expect(isRed(summary)).toBe(false);
    expect([...organizationReasons(summary), ...serviceReasons(summary)]).toEqual([]);
  });
});

describe('the cause that the verdict names', () => {
  it('is one of the calls that it counts, not of mistakes of callers', () => {
    const rows = [
      ended('agent_unreachable', { calls: 40 }),
      ended('refused_unknown_number', { calls: 100, sip_status: 404 }),
      ended('caller_hung_up', { calls: 20 }),
    ];
    expect(concerns(rows, 'fleet')[0]).toEqual({
      tone: 'bad',
      text: '40 of 60 calls of Acme failed in the last 5 minutes: 503 Agent unreachable',
      href: '/calls?scope=fleet&organization=o1&end_reason=agent_unreachable&code=503&span=5m',
    });
    expect(concerns(rows, 'organization')[0]?.text).toBe(
      '40 of 60 calls failed in the last 5 minutes: 503 Agent unreachable',
    );
  });

  it('is the wrong password, not the refusal to check further guesses', () => {
    const rows = [
      ended('refused_guessing', { calls: 40, sip_status: 403 }),
      ended('refused_credentials', { calls: 20, sip_status: 403 }),
    ];
    expect(concerns(rows, 'organization')[0]?.text).toBe(
      '60 of 60 calls failed in the last 5 minutes: 403 Wrong or no credentials',
    );
  });
});

describe('what is unknown', () => {
  const well = [ended('caller_hung_up')];
  it('is said, with the age of the last figures', () => {
    const late = summaryOf(well, {
      figures: {
        calls: { state: 'late', as_of: '2026-11-24T11:59:00Z' },
        trunks: { state: 'unknown', as_of: null },
      },
    });
    const found = concernsOf(late, late.calls, 'organization');
    expect(found.map(({ tone }) => tone)).toEqual(['warn', 'warn']);
    expect(found[0]?.text).toMatch(/^Calls as of \d\d:59:00: PostgreSQL answers slowly/);
    expect(found[1]?.text).toMatch(/^Trunks unknown: PostgreSQL/);
  });

  it('is alerts, too', () => {
    const summary = summaryOf(well, { alerts: null });
    expect(concernsOf(summary, summary.calls, 'organization')[0]?.text).toMatch(/^Alerts unknown/);
  });
});

describe('the fleet', () => {
  it('is not green while a trunk of another organization is unreachable', () => {
    const summary = summaryOf([ended('caller_hung_up')]);
    const fleet = { ...summary.fleet!, trunk_counts: { ...noTrunks, unreachable: 1 } };
    expect(concernsOf({ ...summary, fleet }, summary.calls, 'fleet')).toEqual([
      { tone: 'bad', text: '1 trunk of all organizations unreachable', href: '#fleet-trunks' },
    ]);
  });

  it('is not green while one small organization of many fails', () => {
    const good = [ended('caller_hung_up', { calls: 9_000 })];
    const summary = summaryOf(good);
    const rows = [ended('refused_credentials', { calls: 12, sip_status: 403 })];
    const organizations = [{ ...summary.fleet!.organizations[0]!, judged: judge(rows, rows) }];
    const fleet = { ...summary.fleet!, organizations };
    expect(concernsOf({ ...summary, fleet }, summary.calls, 'fleet')[0]).toMatchObject({
      tone: 'bad',
      text: '12 of 12 calls of Acme failed in the last 5 minutes: 403 Wrong or no credentials',
    });
  });
});
