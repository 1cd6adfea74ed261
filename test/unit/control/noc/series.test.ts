import { describe, expect, it } from 'vitest';
import {
  type BucketRow,
  type CountedAlike,
  organizationTotals,
  seriesOf,
} from '../../../../src/control/noc/figures.js';

const now = Date.parse('2026-11-20T12:34:56Z');
const row = (at: string, fields: Partial<BucketRow> = {}): BucketRow => ({
  at: String(Date.parse(at)),
  outcome: 'completed',
  end_reason: 'caller_hung_up',
  calls: '4',
  answered: '2',
  setup_milliseconds: 5_000,
  rung: '3',
  ringing_milliseconds: 900,
  ...fields,
});

describe('calls over time', () => {
  it.each([
    ['1h', 60, 60, '2026-11-20T11:35:00.000Z', '2026-11-20T12:34:00.000Z'],
    ['24h', 900, 96, '2026-11-19T12:45:00.000Z', '2026-11-20T12:30:00.000Z'],
    ['7d', 7_200, 84, '2026-11-13T14:00:00.000Z', '2026-11-20T12:00:00.000Z'],
    ['30d', 21_600, 120, '2026-10-21T18:00:00.000Z', '2026-11-20T12:00:00.000Z'],
  ] as const)(
    'of %s are in buckets of %i seconds, %i of them, without gaps',
    (window, seconds, count, first, last) => {
      const series = seriesOf([], window, now);
      expect([series.window, series.bucket_seconds, series.buckets.length]).toEqual([window, seconds, count]);
      expect([series.buckets[0]!.at, series.buckets.at(-1)!.at]).toEqual([first, last]);
      expect(series.buckets[0]).toMatchObject({
        attempts: 0,
        answered: 0,
        failed: 0,
        bad_audio: 0,
        answer_rate_percent: null,
        average_setup_ms: null,
        average_post_dial_delay_ms: null,
      });
    },
  );

  it('are added up by bucket', () => {
    const at = '2026-11-20T12:30:00Z';
    const { buckets } = seriesOf(
      [
        row(at),
        row(at, {
          outcome: 'failed',
          end_reason: 'trunk_refused',
          calls: '3',
          answered: '0',
          setup_milliseconds: 0,
          rung: '1',
          ringing_milliseconds: 100,
        }),
        row(at, {
          outcome: 'completed',
          end_reason: 'one_way_audio',
          calls: '1',
          answered: '1',
          setup_milliseconds: 1_000,
          rung: '0',
          ringing_milliseconds: 0,
        }),
        row('2026-11-20T12:31:00Z', {
          outcome: 'refused',
          end_reason: 'refused_limit',
          calls: '2',
          answered: '0',
        }),
      ],
      '1h',
      now,
    );
    expect(buckets.find((bucket) => bucket.at === '2026-11-20T12:30:00.000Z')).toEqual({
      at: '2026-11-20T12:30:00.000Z',
      attempts: 8,
      answered: 3,
      failed: 3,
      bad_audio: 1,
      answer_rate_percent: 37.5,
      average_setup_ms: 2_000,
      average_post_dial_delay_ms: 250,
    });
    expect(buckets.find((bucket) => bucket.at === '2026-11-20T12:31:00.000Z')).toMatchObject({
      attempts: 2,
      failed: 2,
      answer_rate_percent: 0,
      average_setup_ms: null,
    });
  });
});

describe('the totals of organizations', () => {
  const ended = (id: string, calls: number, fields: Partial<CountedAlike> = {}): CountedAlike => ({
    id,
    name: `Organization ${id}`,
    direction: 'outbound',
    outcome: 'completed',
    end_reason: 'caller_hung_up',
    sip_status: 200,
    calls: String(calls),
    answered: String(calls),
    latest: '0',
    ...fields,
  });
  const failing = { outcome: 'failed', end_reason: 'trunk_refused', sip_status: 503, answered: '0' } as const;

  it('are added up from calls that ended alike', () => {
    const [only] = organizationTotals(
      [ended('a', 10), ended('a', 4, failing), ended('a', 2, { end_reason: 'one_way_audio', sip_status: 0 })],
      10,
    );
    expect(only).toMatchObject({
      id: 'a',
      name: 'Organization a',
      attempts: 16,
      answered: 12,
      failed: 6,
      judgement: { state: 'degraded', window: '1h', calls: 16, failed: 6 },
    });
    expect(only!.judgement.worst).toMatchObject({ end_reason: 'trunk_refused', sip_status: 503, count: 4 });
  });

  it('are judged by the last five minutes where there were enough calls', () => {
    const [only] = organizationTotals([ended('a', 100), ended('a', 6, { ...failing, latest: '6' })], 10);
    expect(only!.judgement).toMatchObject({ state: 'failing', window: '5m', calls: 6, failed: 6 });
  });

  it('have no status where none was counted', () => {
    const [only] = organizationTotals(
      [ended('a', 8, { outcome: 'failed', end_reason: 'trunk_unreachable', sip_status: 0, answered: '0' })],
      10,
    );
    expect(only!.judgement.worst!.sip_status).toBeNull();
  });

  it('come in the order of urgency, then of calls, then of ids', () => {
    const rows = [
      ended('quiet', 2),
      ended('busy', 50),
      ended('degraded', 9),
      ended('degraded', 3, failing),
      ended('failing', 6, failing),
      ended('b', 20),
      ended('a', 20),
    ];
    const order = (limit: number): string[] => organizationTotals(rows, limit).map(({ id }) => id);
    expect(order(10)).toEqual(['failing', 'degraded', 'busy', 'a', 'b', 'quiet']);
    expect(order(2)).toEqual(['failing', 'degraded']);
    expect(organizationTotals([], 10)).toEqual([]);
  });
});
