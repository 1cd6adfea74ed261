import { describe, expect, it } from 'vitest';
import { MissedPackets } from '../../../../src/edge/media/missed-packets.js';
import { readStatistics } from '../../../../src/edge/media/rtp-statistics.js';

interface Counted {
  readonly packets: number;
  readonly source?: number;
  readonly sequence?: number;
}

/** As rtpengine replies: with sequence numbers as 26 does, without as 10.5. */
const replyOf = (counted: Counted) => {
  const { packets, source = 7, sequence } = counted;
  const media = {
    streams: [{ flags: ['RTP'], SSRC: source, stats: { packets, bytes: 0, errors: 0 } }],
    ...(sequence === undefined ? {} : { 'ingress SSRCs': [{ SSRC: source, 'last RTP seq': sequence }] }),
  };
  return { result: 'ok', tags: { trunk: { medias: [media] }, agent: { medias: [media] } } };
};

/** Readings 15 s apart. */
function noted(readings: readonly (Counted & { readonly isHeld?: boolean })[]) {
  const missed = new MissedPackets();
  for (const [index, { isHeld = false, ...counted }] of readings.entries())
    missed.note(replyOf(counted), !isHeld, index * 15_000);
  return missed.of('trunk');
}

describe('packets that rtpengine missed', () => {
  it('are the step of the sequence number without the packets that came', () => {
    expect(
      noted([
        { packets: 100, sequence: 65_500 },
        { packets: 800, sequence: 66_237 },
      ]),
    ).toEqual({
      lost: 37,
      expected: 737,
      source: 'sequence',
    });
  });

  it('are unknown after one reply', () => {
    expect(noted([{ packets: 100, sequence: 900 }])).toBeUndefined();
    expect(noted([{ packets: 100 }])).toBeUndefined();
  });

  it('are none when a packet comes twice', () => {
    expect(
      noted([
        { packets: 0, sequence: 0 },
        { packets: 760, sequence: 750 },
      ]),
    ).toMatchObject({ lost: 0 });
  });

  it('are counted again from the first packet of another source or numbering', () => {
    const readings = [
      { packets: 0, sequence: 0 },
      { packets: 740, sequence: 750 },
      { packets: 800, sequence: 40_000 },
      { packets: 1_540, sequence: 40_750 },
      { packets: 1_600, sequence: 9, source: 8 },
      { packets: 2_340, sequence: 759, source: 8 },
    ];
    expect(noted(readings)).toEqual({ lost: 30, expected: 2_250, source: 'sequence' });
  });

  it('are estimated from time where there are no sequence numbers', () => {
    expect(noted([{ packets: 1 }, { packets: 751 }, { packets: 1_426 }])).toEqual({
      lost: 75,
      expected: 1_500,
      source: 'estimate',
    });
  });

  it.each([
    ['30 ms', 500],
    ['10 ms', 1_500],
  ])('are none of a stream of packets of %s', (_name, packets) => {
    expect(noted([{ packets: 1 }, { packets: packets + 1 }])).toMatchObject({ lost: 0, expected: packets });
  });

  it('are estimated over three seconds at least: shorter intervals are joined', () => {
    const estimatedAfter = (milliseconds: number): number | undefined => {
      const missed = new MissedPackets();
      missed.note(replyOf({ packets: 1 }), true, 0);
      missed.note(replyOf({ packets: 151 }), true, milliseconds);
      return missed.of('trunk')?.expected;
    };
    expect([2_999, 3_000].map(estimatedAfter)).toEqual([undefined, 150]);
  });

  it('are not estimated on hold, nor before the first packet', () => {
    const readings = [{ packets: 0 }, { packets: 300 }, { packets: 1_050 }];
    expect(noted(readings)).toMatchObject({ lost: 0, expected: 750 });
    const held = [
      { packets: 1 },
      { packets: 751 },
      { packets: 760, isHeld: true },
      { packets: 770 },
      { packets: 1_520 },
    ];
    expect(noted(held)).toMatchObject({ lost: 0, expected: 1_500 });
  });

  it('are not estimated of a side that sends nothing while it is silent', () => {
    expect(noted([{ packets: 1 }, { packets: 751 }, { packets: 1_051 }, { packets: 1_700 }])).toBeUndefined();
  });
});

describe('the statistics of a side without reports', () => {
  const missed = { lost: 50, expected: 1_000, source: 'sequence' as const };
  const reply = replyOf({ packets: 950 });
  const same = { trunk: 'PCMU', agent: 'PCMU' };

  it('have the loss that rtpengine saw, a MOS from it, and say so', () => {
    const sideOfAgent = readStatistics(reply, same, () => missed).agent;
    expect(sideOfAgent).toMatchObject({ packets_lost: 50, quality_source: 'sequence' });
    expect(sideOfAgent!.mos).toBeLessThan(4);
    const { agent } = readStatistics(reply, same);
    expect(agent).not.toHaveProperty('packets_lost');
    expect(agent).not.toHaveProperty('quality_source');
  });

  it('count what rtpengine missed into the reports about a converted stream', () => {
    const reports = {
      7: { 'cumulative loss': 10, 'average MOS': { jitter: 2 }, 'MOS progression': { entries: [] } },
    };
    const reported = { ...reply, SSRC: reports };
    const scoreOf = (codecs: typeof same) => readStatistics(reported, codecs, () => missed).agent;
    expect(scoreOf(same)).toMatchObject({ packets_lost: 10, quality_source: 'rtcp' });
    const converted = scoreOf({ trunk: 'opus', agent: 'PCMU' });
    expect(converted).toMatchObject({ packets_lost: 60, quality_source: 'rtcp' });
    expect(converted!.mos).toBeLessThan(scoreOf(same)!.mos!);
  });
});
