import { describe, expect, it } from 'vitest';
import type { CallFigures, Summary, WindowFigures } from '../../../src/dashboard/api/noc.js';
import { concernsOf, isJudged } from '../../../src/dashboard/pages/overview/concerns.js';

const noSrtp = (count: number): WindowFigures['failures'][number] => ({
  end_reason: 'refused_media',
  sip_status: 488,
  direction: 'inbound',
  count,
  concerns: 'customer',
  cause: 'No SRTP was offered.',
  advice: '',
});
const figuresOf = (failed: number, calls: number): WindowFigures => ({
  attempts: calls,
  answered: calls - failed,
  answer_rate_percent: null,
  average_setup_ms: null,
  average_post_dial_delay_ms: null,
  failed,
  bad_audio: 0,
  judged: { calls, failed, caller_errors: 0, worst: failed === 0 ? null : noSrtp(failed) },
  failures: failed === 0 ? [] : [noSrtp(failed)],
  day_before: {
    attempts: 0,
    answered: 0,
    answer_rate_percent: null,
    failed: 0,
    average_post_dial_delay_ms: null,
  },
});
const callsOf = (recent: WindowFigures, day = recent): CallFigures => ({
  active: 0,
  ringing: 0,
  calls_per_second: 0,
  windows: { '5m': recent, '1h': recent, '24h': day },
});
const quiet = callsOf(figuresOf(0, 0));
const counts = {
  total: 1,
  healthy: 0,
  unreachable: 0,
  unchecked: 1,
  failing: 0,
  degraded: 0,
  unregistered: 0,
};
const summaryOf = (changes: Partial<Summary> = {}): Summary => ({
  at: '2026-11-20T12:00:00Z',
  parts: { edges: 'up', media: 'up', redis: 'up', database: 'up' },
  trunk_counts: counts,
  trunks: [],
  calls: quiet,
  figures: { calls: { state: 'current', as_of: null }, trunks: { state: 'current', as_of: null } },
  registrations: null,
  fleet: null,
  alerts: { active: 0, unnoticed: 0 },
  ...changes,
});

describe('the verdict', () => {
  it('is not green while every call is refused', () => {
    const [worst] = concernsOf(summaryOf(), callsOf(figuresOf(8, 8)), 'organization');
    expect(worst).toEqual({
      tone: 'bad',
      text: '8 of 8 calls failed in the last 5 minutes: 488 SDP offer not acceptable',
      href: '/calls?outcome=unsuccessful&span=5m',
    });
  });

  it('is not green while the trunk that answers OPTIONS refuses its calls', () => {
    const worst = figuresOf(9, 9).failures[0]!;
    const trunk = {
      phone_number: '+14155550100',
      calls: { state: 'failing', window: '1h', calls: 9, failed: 9, worst, hour: [] },
    } as unknown as Summary['trunks'][number];
    const summary = summaryOf({ trunk_counts: { ...counts, failing: 1 }, trunks: [trunk] });
    expect(concernsOf(summary, quiet, 'organization')).toEqual([
      {
        tone: 'bad',
        text: '9 of 9 calls of +14155550100 failed in the last hour: 488 SDP offer not acceptable',
        href: '/calls?number=%2B14155550100&end_reason=refused_media&code=488&span=1h',
      },
    ]);
  });

  it('names the numbers of few unreachable trunks with their cause, and counts many', () => {
    const unreachable = (...numbers: string[]): Summary =>
      summaryOf({
        trunk_counts: { ...counts, unreachable: numbers.length },
        trunks: numbers.map((phone_number) => ({
          phone_number,
          status: 'unreachable',
          cause: 'The server does not respond.',
          calls: { state: 'quiet' },
        })) as unknown as Summary['trunks'],
      });
    const [first, second, third] = ['+14155550100', '+14155550101', '+14155550102'] as const;
    expect(concernsOf(unreachable(first), quiet, 'organization')).toEqual([
      {
        tone: 'bad',
        text: 'Trunk of +14155550100 unreachable: the server does not respond',
        href: '/trunks/14155550100',
      },
    ]);
    expect(concernsOf(unreachable(first, second, third), quiet, 'organization')).toEqual([
      { tone: 'bad', text: '3 trunks unreachable', href: '/trunks?state=unreachable' },
    ]);
    expect(
      concernsOf({ ...unreachable(first), trunks: [] }, quiet, 'organization').map(({ text }) => text),
    ).toEqual(['1 trunk unreachable']);
  });

  it('is red when an alert reached no recipient', () => {
    const summary = summaryOf({ alerts: { active: 2, unnoticed: 1 } });
    expect(concernsOf(summary, quiet, 'organization')).toEqual([
      { tone: 'bad', text: '1 active alert reached no recipient', href: '/alerts?state=active' },
    ]);
  });

  it('is not given without a call or a checked trunk', () => {
    expect(concernsOf(summaryOf(), quiet, 'organization')).toEqual([]);
    expect(isJudged(summaryOf(), quiet)).toBe(false);
    expect(isJudged(summaryOf(), callsOf(figuresOf(0, 1)))).toBe(true);
    expect(isJudged(summaryOf({ trunk_counts: { ...counts, healthy: 1 } }), quiet)).toBe(true);
  });

  it('puts what is down before what is degraded', () => {
    const summary = summaryOf({ parts: { edges: 'degraded', media: 'up', redis: 'down', database: 'up' } });
    expect(concernsOf(summary, quiet, 'organization').map(({ text }) => text)).toEqual([
      ...['Redis: down', 'edges: degraded'],
    ]);
  });
});
