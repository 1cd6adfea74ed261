import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { MediaSession } from '../../../../src/edge/media/media-session.js';
import { type MediaLoss, MediaWatch } from '../../../../src/edge/media/media-watch.js';
import { MediaUnavailable } from '../../../../src/edge/media/rtpengine-pool.js';

/** A session whose counters the test sets, and the watch over it on a clock of the test's. */
function watched({ agentBound = 0 } = {}) {
  const media = {
    isFlowing: true,
    packets: 0,
    agentPackets: 0,
    state: 'ok' as 'ok' | 'away' | 'forgotten',
    queries: 0,
    agentFailure: undefined as string | undefined,
    agentAsked: [] as number[],
  };
  const session = {
    get isFlowing() {
      return media.isFlowing;
    },
    count: async () => {
      media.queries++;
      if (media.state === 'away') throw new MediaUnavailable('silent');
      if (media.state === 'forgotten') return { result: 'error', 'error-reason': 'Unknown call-id' };
      return {
        result: 'ok',
        tags: {
          trunk: { medias: [{ streams: [{ stats: { packets: media.packets } }] }] },
          agent: { medias: [{ streams: [{ stats: { packets: media.agentPackets } }] }] },
        },
      };
    },
  } as unknown as MediaSession;
  let now = 0;
  const losses: (MediaLoss & { at: number })[] = [];
  const bounds = { trunk: 30_000, agent: agentBound, node: 10_000 };
  const watch = new MediaWatch(bounds, pino({ level: 'silent' }), () => now);
  const forget = watch.watch(session, {
    onLoss: (loss) => losses.push({ ...loss, at: now }),
    askAgent: async () => {
      media.agentAsked.push(now);
      return media.agentFailure;
    },
  });
  const pass = async (seconds: number, everySecond: () => void = () => {}): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      now += 1_000;
      everySecond();
      watch.tick();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { media, watch, losses, pass, forget };
}

describe('the media watch', () => {
  it('sends no query for a short call', async () => {
    const { media, pass, forget, watch } = watched();
    await pass(14);
    forget();
    expect(media.queries).toBe(0);
    expect(watch.size).toBe(0);
  });

  it('keeps a call while packets arrive, with two queries per limit', async () => {
    const { media, losses, pass, forget } = watched();
    await pass(300, () => media.packets++);
    expect(losses).toEqual([]);
    expect(media.queries).toBeLessThanOrEqual(20);
    forget();
  });

  it('asks once in the bound of the agent while both send, and finds a silent one within twice that', async () => {
    const { media, losses, pass, forget } = watched({ agentBound: 4_000 });
    media.agentFailure = 'it answered OPTIONS with 481';
    await pass(300, () => {
      media.packets++;
      media.agentPackets++;
    });
    expect(media.queries).toBeLessThanOrEqual(75);
    expect(media.agentAsked).toEqual([]);
    await pass(9, () => media.packets++);
    expect(losses).toMatchObject([{ kind: 'agent-lost' }]);
    expect(losses[0]!.at).toBeLessThanOrEqual(309_000);
    forget();
  });

  it('reports silence once, at the bound', async () => {
    const { losses, pass, watch } = watched();
    await pass(60);
    expect(losses).toEqual([{ kind: 'silent', seconds: 30, at: 30_000 }]);
    expect(watch.size).toBe(0);
  });

  it('reports silence that begins later within one and a half bounds', async () => {
    const { media, losses, pass } = watched();
    await pass(40, () => media.packets++);
    await pass(50);
    expect(losses).toHaveLength(1);
    expect(losses[0]!.at).toBeGreaterThanOrEqual(70_000 - 1_000);
    expect(losses[0]!.at).toBeLessThanOrEqual(85_000);
  });

  it('pauses on hold and restarts afterwards', async () => {
    const { media, losses, pass } = watched();
    media.isFlowing = false;
    await pass(600);
    expect(losses).toEqual([]);
    media.isFlowing = true;
    await pass(29);
    expect(losses).toEqual([]);
    await pass(3);
    expect(losses).toMatchObject([{ kind: 'silent' }]);
  });

  it('reports at once that the node no longer has the call', async () => {
    const { media, losses, pass } = watched();
    media.state = 'forgotten';
    await pass(16);
    expect(losses).toMatchObject([{ kind: 'lost', detail: 'rtpengine: Unknown call-id' }]);
  });

  it('tolerates a node that is down for less than the limit', async () => {
    const { media, losses, pass, forget } = watched({ agentBound: 4_000 });
    await pass(5);
    media.state = 'away';
    await pass(8);
    media.state = 'ok';
    await pass(100, () => media.packets++);
    expect(losses).toEqual([]);
    forget();
  });

  it('ends a call whose node stays down', async () => {
    const { media, losses, pass } = watched({ agentBound: 4_000 });
    media.state = 'away';
    await pass(20);
    expect(losses).toMatchObject([{ kind: 'lost', at: 10_000 }]);
  });
});

describe('a silent agent', () => {
  it('is left alone when it answers, and asked again from time to time', async () => {
    const { media, losses, pass, forget } = watched({ agentBound: 4_000 });
    await pass(40, () => media.packets++);
    forget();
    expect(losses).toEqual([]);
    expect(media.agentAsked).toEqual([4_000, 14_000, 24_000, 34_000]);
  });

  it('is lost when it does not answer', async () => {
    const { media, losses, pass, watch } = watched({ agentBound: 4_000 });
    await pass(10, () => media.agentPackets++);
    media.agentFailure = 'no answer';
    await pass(10, () => media.packets++);
    expect(losses).toMatchObject([{ kind: 'agent-lost', detail: 'no answer' }]);
    expect(losses[0]!.at).toBeLessThanOrEqual(17_000);
    expect(watch.size).toBe(0);
  });

  it('is not lost when it is heard before the question fails', async () => {
    const { media, losses, pass, forget } = watched({ agentBound: 4_000 });
    media.agentFailure = 'no answer';
    const session = media as { agentFailure: string | undefined };
    Object.defineProperty(session, 'agentFailure', {
      get: () => {
        media.agentPackets++;
        return 'no answer';
      },
    });
    await pass(9, () => media.packets++);
    forget();
    expect(media.agentAsked).toHaveLength(1);
    expect(losses).toEqual([]);
  });

  it('is not asked while the call is on hold, nor where that is switched off', async () => {
    const held = watched({ agentBound: 4_000 });
    held.media.isFlowing = false;
    await held.pass(60);
    const off = watched();
    await off.pass(20, () => off.media.packets++);
    expect([...held.media.agentAsked, ...off.media.agentAsked]).toEqual([]);
    held.forget();
    off.forget();
  });
});
