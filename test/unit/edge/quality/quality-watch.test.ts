import { describe, expect, it } from 'vitest';
import type { MediaSession } from '../../../../src/edge/media/media-session.js';
import type { NgReply } from '../../../../src/edge/media/ng-client.js';
import { MediaUnavailable } from '../../../../src/edge/media/rtpengine-pool.js';
import { QualityWatch, type SampledCall } from '../../../../src/edge/quality/quality-watch.js';

interface Side {
  packets: number;
  lost: number;
  /** Since the report before. */
  lossPercent: number;
  jitter: number;
  reportedAt: number;
}

/** A call whose counters the test sets, and the watch on a clock of the test's. */
function sampling() {
  let now = 0;
  const side = (): Side => ({ packets: 0, lost: 0, lossPercent: 0, jitter: 3, reportedAt: 0 });
  const media = {
    trunk: side(),
    agent: side(),
    session: 'one',
    isFlowing: true,
    isOnHold: false,
    isDown: false,
    queries: 0,
    sendsReports: true,
  };
  const reply = (): NgReply => {
    const tag = (SSRC: number, { packets }: Side) => ({
      medias: [{ streams: [{ flags: ['RTP'], SSRC, stats: { packets, bytes: 0, errors: 0 } }] }],
    });
    // What one side reports is about the other's stream.
    const reports = ({ lost, lossPercent, jitter, reportedAt }: Side) => ({
      'cumulative loss': lost,
      'MOS progression': {
        entries: [
          { jitter, 'reported at': reportedAt, 'round-trip time leg': 20_000, 'packet loss': lossPercent },
        ],
      },
    });
    return {
      result: 'ok',
      tags: { trunk: tag(1, media.trunk), agent: tag(2, media.agent) },
      SSRC: media.sendsReports ? { '1': reports(media.agent), '2': reports(media.trunk) } : {},
    };
  };
  const call = {
    state: { startedAt: Date.now() },
    hasEnded: false,
    samples: undefined,
    notes: 0,
    samplesChanged() {
      call.notes++;
    },
    media: {
      get id() {
        return media.session;
      },
      get isFlowing() {
        return media.isFlowing;
      },
      audio: {
        get isOnHold() {
          return media.isOnHold;
        },
      },
      sideCodecs: { trunk: 'PCMU', agent: 'PCMU' },
      missed: { of: () => undefined },
      count: async () => {
        media.queries++;
        if (media.isDown) throw new MediaUnavailable('silent');
        return reply();
      },
    } as unknown as MediaSession,
  } as SampledCall & { hasEnded: boolean; notes: number };
  const watch = new QualityWatch(() => now);
  const pass = async (seconds: number, lossPercent = 0): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      now += 1_000;
      for (const side of [media.trunk, media.agent]) {
        side.packets += 50;
        if (Math.round(now / 1_000) % 5 === 0) side.reportedAt = now;
      }
      media.trunk.packets -= lossPercent / 2;
      media.trunk.lost += lossPercent / 2;
      media.trunk.lossPercent = lossPercent;
      await watch.tick();
    }
  };
  return { media, call, watch, pass, count: () => watch.counted(call, reply()) };
}

const rows = (call: SampledCall) => call.samples?.all?.trunk ?? [];

describe('the quality watch', () => {
  it('asks nothing about a call that is neither watched nor bad', async () => {
    const { media, call, watch, pass, count } = sampling();
    for (let check = 0; check < 8; check++) {
      await pass(15);
      count();
    }
    expect(media.queries).toBe(0);
    expect(watch.size).toBe(0);
    expect(call.samples).toBeUndefined();
  });

  it('samples a watched call every five seconds, until fifteen seconds after the last look', async () => {
    const { media, call, watch, pass } = sampling();
    watch.looked(call);
    await pass(10);
    watch.looked(call);
    await pass(60);
    expect(watch.size).toBe(0);
    // Until the twenty-fifth second; the first reading is what the second is compared with.
    expect(media.queries).toBe(5);
    expect(rows(call)).toHaveLength(4);
    expect(rows(call)[0]!.slice(1)).toEqual([50, 0, 3, 20, 4.4, 'rtcp']);
    watch.stop();
  });

  it('finds loss in the counters that the media watch asks for, and samples the call while it lasts', async () => {
    const { media, call, watch, pass, count } = sampling();
    count();
    await pass(15);
    count();
    expect(watch.size).toBe(0);
    await pass(15, 10);
    count();
    expect(watch.size).toBe(1);
    expect(rows(call)[0]!.slice(1, 3)).toEqual([45, 10]);
    await pass(10, 20);
    const [, , loss, , , mos] = rows(call).at(-1)!;
    expect(loss).toBeCloseTo(20, 0);
    expect(mos).toBeLessThan(3);
    const { queries } = media;
    await pass(120);
    expect(watch.size).toBe(0);
    expect(media.queries - queries).toBeLessThanOrEqual(13);
    watch.stop();
  });

  it('takes a side that sends nothing for bad, unless the call is on hold', async () => {
    const { media, call, watch, pass, count } = sampling();
    media.sendsReports = false;
    count();
    media.isOnHold = true;
    await pass(15);
    media.agent.packets -= 15 * 50;
    count();
    expect(watch.size).toBe(0);
    media.isOnHold = false;
    await pass(15);
    media.agent.packets -= 15 * 50;
    count();
    expect(watch.size).toBe(1);
    expect(call.samples?.all?.agent[0]).toEqual([expect.any(Number), 0, null, null, null, null]);
    watch.stop();
  });

  it('tells nothing that was not reported within the interval', async () => {
    const { media, call, watch, pass } = sampling();
    watch.looked(call);
    await pass(6);
    media.sendsReports = false;
    await pass(5);
    expect(rows(call)[0]!.slice(1)).toEqual([50, 0, 3, 20, 4.4, 'rtcp']);
    expect(rows(call)[1]!.slice(1)).toEqual([50, null, null, null, null]);
    watch.stop();
  });

  it('leaves a gap while the node is silent, and restarts in another session', async () => {
    const { media, call, watch, pass } = sampling();
    watch.looked(call);
    await pass(6);
    media.isDown = true;
    watch.looked(call);
    await pass(5);
    expect(rows(call)).toHaveLength(1);
    media.isDown = false;
    Object.assign(media, { session: 'two' });
    Object.assign(media.trunk, { packets: 0, lost: 0 });
    Object.assign(media.agent, { packets: 0, lost: 0 });
    watch.looked(call);
    await pass(5);
    expect(rows(call)).toHaveLength(1);
    await pass(5);
    expect(rows(call)).toHaveLength(2);
    expect(rows(call)[1]![1]).toBe(50);
    watch.stop();
  });

  it('has the samples written for a successor every half minute', async () => {
    const { call, watch, pass } = sampling();
    for (let look = 0; look < 13; look++) {
      watch.looked(call);
      await pass(5);
    }
    expect(call.notes).toBe(2);
    watch.stop();
  });

  it('forgets a call that has ended', async () => {
    const { media, call, watch, pass } = sampling();
    watch.looked(call);
    await pass(3);
    call.hasEnded = true;
    await pass(10);
    expect(media.queries).toBe(1);
    expect(watch.size).toBe(0);
    watch.looked(call);
    expect(watch.size).toBe(0);
  });
});
