import { describe, expect, it } from 'vitest';
import { packetsFrom, readStatistics } from '../../../../src/edge/media/rtp-statistics.js';

const stream = (kind: 'RTP' | 'RTCP', packets: number, bytes: number, errors = 0) => ({
  flags: [kind, 'filled'],
  stats: { packets, bytes, errors },
});

const reply = {
  result: 'ok',
  tags: {
    trunk: { medias: [{ streams: [stream('RTP', 100, 17_200, 3), stream('RTCP', 4, 400)] }] },
    agent: { medias: [{ streams: [stream('RTP', 90, 15_480), stream('RTCP', 2, 200)] }] },
  },
  SSRC: {
    '1': { 'average MOS': { MOS: 44, jitter: 4, 'packet loss': 0, 'round-trip time': 20_500 } },
    '2': { 'average MOS': { MOS: 42, jitter: 6, 'packet loss': 1, 'round-trip time': 21_500 } },
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
    expect(agent).toMatchObject({ packets_received: 90, errors: 0, packets_sent: 97 });
  });

  it('have quality in the units of the record', () => {
    expect(readStatistics(reply).trunk).toMatchObject({
      mos: 4.3,
      jitter_milliseconds: 5,
      round_trip_milliseconds: 21,
    });
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
