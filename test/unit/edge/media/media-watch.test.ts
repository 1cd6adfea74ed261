import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { MediaSession } from '../../../../src/edge/media/media-session.js';
import { type MediaLoss, MediaWatch } from '../../../../src/edge/media/media-watch.js';
import { MediaUnavailable } from '../../../../src/edge/media/rtpengine-pool.js';

/** A session whose counters the test sets, and the watch over it on a clock of the test's. */
function watched(bound = 30_000) {
  const media = { isFlowing: true, packets: 0, state: 'ok' as 'ok' | 'away' | 'forgotten', queries: 0 };
  const session = {
    get isFlowing() {
      return media.isFlowing;
    },
    query: async () => {
      media.queries++;
      if (media.state === 'away') throw new MediaUnavailable('silent');
      if (media.state === 'forgotten') return { result: 'error', 'error-reason': 'Unknown call-id' };
      return {
        result: 'ok',
        tags: { trunk: { medias: [{ streams: [{ stats: { packets: media.packets } }] }] } },
      };
    },
  } as unknown as MediaSession;
  let now = 0;
  const losses: (MediaLoss & { at: number })[] = [];
  const watch = new MediaWatch(bound, pino({ level: 'silent' }), () => now);
  const forget = watch.watch(session, (loss) => losses.push({ ...loss, at: now }));
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
  it('asks nothing of a short call', async () => {
    const { media, pass, forget, watch } = watched();
    await pass(14);
    forget();
    expect(media.queries).toBe(0);
    expect(watch.size).toBe(0);
  });

  it('leaves a call alone while packets come, with two questions a bound', async () => {
    const { media, losses, pass, forget } = watched();
    await pass(300, () => media.packets++);
    expect(losses).toEqual([]);
    expect(media.queries).toBeLessThanOrEqual(20);
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

  it('stands still on hold and begins anew afterwards', async () => {
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

  it('reports at once that the node has forgotten the call', async () => {
    const { media, losses, pass } = watched();
    media.state = 'forgotten';
    await pass(16);
    expect(losses).toMatchObject([{ kind: 'lost', detail: 'rtpengine: Unknown call-id' }]);
  });

  it('forgives a node that is away for less than two bounds', async () => {
    const { media, losses, pass, forget } = watched();
    media.state = 'away';
    await pass(50);
    media.state = 'ok';
    await pass(100, () => media.packets++);
    expect(losses).toEqual([]);
    forget();
  });

  it('gives a call up whose node stays away', async () => {
    const { media, losses, pass } = watched();
    media.state = 'away';
    await pass(70);
    expect(losses).toMatchObject([{ kind: 'lost' }]);
  });
});
