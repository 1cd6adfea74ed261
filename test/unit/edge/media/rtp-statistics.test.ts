import { describe, expect, it } from 'vitest';
import { packetsFrom, readStatistics, sumOfStatistics } from '../../../../src/edge/media/rtp-statistics.js';

const stream = (kind: 'RTP' | 'RTCP', SSRC: number, packets: number, bytes: number, errors = 0) => ({
  flags: [kind, 'filled'],
  SSRC,
  stats: { packets, bytes, errors },
});

const reply = {
  result: 'ok',
  tags: {
    trunk: { medias: [{ streams: [stream('RTP', 1, 100, 17_200, 3), stream('RTCP', 1, 4, 400)] }] },
    agent: { medias: [{ streams: [stream('RTP', 2, 90, 15_480), stream('RTCP', 2, 2, 200)] }] },
  },
  SSRC: {
    '1': {
      'cumulative loss': 2,
      'average MOS': { MOS: 44, jitter: 4, 'packet loss': 0, 'round-trip time leg': 13_666 },
      'MOS progression': {
        entries: [
          { MOS: 44, jitter: 3, 'round-trip time leg': 0 },
          { MOS: 44, jitter: 4, 'round-trip time leg': 20_000 },
          { MOS: 44, jitter: 5, 'round-trip time leg': 21_000 },
        ],
      },
    },
    '2': {
      'cumulative loss': 7,
      'MOS progression': { entries: [{ MOS: 0, jitter: 6, 'round-trip time leg': 500 }] },
    },
    '3': { 'cumulative loss': 9 },
  },
};

describe('RTP statistics', () => {
  it('count RTP only; what one side sent is what the other was sent', () => {
    const { trunk, agent } = readStatistics(reply);
    expect(trunk).toMatchObject({
      packets_received: 100,
      octets_received: 17_200,
      errors: 3,
      packets_sent: 90,
    });
    expect(agent).toMatchObject({ packets_received: 90, errors: 0, packets_sent: 100 });
  });

  it('have the quality of what came from a side as the other side reports it, in the units of the record', () => {
    const { trunk, agent } = readStatistics(reply);
    expect(agent).toMatchObject({ packets_lost: 2, jitter_milliseconds: 4, mos: 4.2 });
    expect(trunk).toMatchObject({ packets_lost: 7, jitter_milliseconds: 6, mos: 3.8 });
  });

  it('have the quality over time, bounded, without what a report does not say', () => {
    const entry = { MOS: 44, jitter: 3, 'packet loss': 2, 'round-trip time leg': 0 };
    const entries = Array.from({ length: 30 }, (_, index) => ({
      ...entry,
      'reported at': 1_000 + index * 5,
    }));
    const reports = (all: readonly object[]) =>
      readStatistics({
        ...reply,
        SSRC: { ...(reply.SSRC as object), '1': { 'MOS progression': { entries: all } } },
      } as never).agent!.progression;
    expect(reports([{ ...entry, 'packet loss': undefined, 'reported at': 7 }])).toEqual([
      { at: 7, jitter_milliseconds: 3 },
    ]);
    expect(reports(entries)).toHaveLength(24);
    expect(reports(entries)!.at(-1)).toEqual({
      at: 1_145,
      mos: 4.2,
      jitter_milliseconds: 3,
      loss_percent: 2,
    });
    expect(JSON.stringify(reports(entries)).length).toBeLessThan(2_000);
    expect(reports([entry])).toBeUndefined();
  });

  it('have the round trip to each side, from the reports that carry it', () => {
    const { trunk, agent } = readStatistics(reply);
    expect(trunk).toMatchObject({ round_trip_milliseconds: 20.5 });
    expect(agent).toMatchObject({ round_trip_milliseconds: 0.5 });
  });

  it('have no quality without reports', () => {
    const { trunk, agent } = readStatistics({ ...reply, SSRC: {} });
    for (const side of [trunk, agent]) {
      expect(side).not.toHaveProperty('packets_lost');
      expect(side).not.toHaveProperty('round_trip_milliseconds');
      expect(side).not.toHaveProperty('mos');
    }
  });

  it('take a negative loss, which rtpengine reads without its sign, for none', () => {
    const doubled = { ...reply, SSRC: { '1': { 'cumulative loss': 0xff_fffe } } };
    expect(readStatistics(doubled).agent).toMatchObject({ packets_lost: 0 });
  });

  it('of two sessions add up their losses', () => {
    const both = sumOfStatistics([readStatistics(reply), readStatistics(reply)]);
    expect(both?.trunk).toMatchObject({ packets_lost: 14, packets_received: 200 });
  });

  it('are null for a side that rtpengine does not know', () => {
    expect(readStatistics({ result: 'ok' })).toEqual({ trunk: null, agent: null });
    expect(readStatistics({ result: 'ok', tags: { agent: { medias: [] } } })).toMatchObject({ trunk: null });
  });

  it('take RTCP for a sign of life', () => {
    expect(packetsFrom(reply, 'trunk')).toBe(104);
    expect(packetsFrom({ result: 'ok' }, 'trunk')).toBeUndefined();
  });
});
