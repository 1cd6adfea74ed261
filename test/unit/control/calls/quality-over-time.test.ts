import { describe, expect, it } from 'vitest';
import { qualityOf, turnsOf } from '../../../../src/control/calls/history/quality-over-time.js';

const start = '2026-11-22T10:00:00.000Z';
const later = (seconds: number): string => new Date(Date.parse(start) + seconds * 1_000).toISOString();
type Media = Parameters<typeof qualityOf>[0];
const media = (fields: object): Media =>
  ({ samples: null, trunk: null, agent: null, ...fields }) as unknown as Media;
/** At so many seconds: 50 packets a second, 1 % loss, 2 ms jitter, 30 ms round trip, MOS 4.2. */
const sample = (seconds: number) => [seconds, 50, 1, 2, 30, 4.2];
const report = (seconds: number, fields: object = {}) => ({
  at: Date.parse(start) / 1_000 + seconds,
  ...fields,
});

describe('the audio of a call over time', () => {
  it('is unknown without samples and reports', () => {
    expect(qualityOf(media({}), start)).toBeNull();
    expect(qualityOf(media({ samples: { every_seconds: 5, trunk: [], agent: [] } }), start)).toBeNull();
  });

  it('has the samples with their moments', () => {
    expect(qualityOf(media({ samples: { every_seconds: 5, trunk: [sample(5)], agent: [] } }), start)).toEqual(
      {
        every_seconds: 5,
        agent: [],
        trunk: [
          {
            at: later(5),
            is_sampled: true,
            packets_per_second: 50,
            loss_percent: 1,
            jitter_milliseconds: 2,
            round_trip_milliseconds: 30,
            mos: 4.2,
            quality_source: 'rtcp',
          },
        ],
      },
    );
  });

  it('says where loss and MOS come from', () => {
    const rows = [
      [...sample(5), 'sequence'],
      [...sample(10), 'estimate'],
      [15, 50, null, null, null, null],
    ];
    const found = qualityOf(media({ samples: { every_seconds: 5, trunk: rows, agent: [] } }), start);
    expect(found?.trunk.map(({ quality_source }) => quality_source)).toEqual(['sequence', 'estimate', null]);
  });

  it('has reports where nothing was sampled, with what they say', () => {
    const found = qualityOf(media({ agent: { progression: [report(20, { mos: 4 }), report(10)] } }), start);
    expect(found?.every_seconds).toBeNull();
    expect(found?.agent.map(({ at, mos, is_sampled }) => [at, mos, is_sampled])).toEqual([
      [later(10), null, false],
      [later(20), 4, false],
    ]);
  });

  it('has no report within a sampled interval', () => {
    const samples = { every_seconds: 5, trunk: [sample(20)], agent: [] };
    const progression = [9, 10, 10.001, 20, 25, 25.001].map((seconds) => report(seconds));
    const found = qualityOf(media({ samples, trunk: { progression } }), start);
    expect(found?.trunk.filter(({ is_sampled: isSampled }) => !isSampled).map(({ at }) => at)).toEqual([
      later(9),
      later(10),
      later(25.001),
    ]);
    expect(found?.trunk.map(({ at }) => at)).toEqual([later(9), later(10), later(20), later(25.001)]);
  });

  it('has the replies of the agent by their moment', () => {
    const turns = { replies: [[2.5, 800]], slowest: 800 } as unknown as Parameters<typeof turnsOf>[0];
    expect(turnsOf(turns, start)).toEqual({ slowest: 800, replies: [{ at: later(2.5), milliseconds: 800 }] });
  });
});
