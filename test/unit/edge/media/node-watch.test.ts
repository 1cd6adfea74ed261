import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AnchoredMedia, NodeWatch } from '../../../../src/edge/media/node-watch.js';
import type { MediaNode } from '../../../../src/edge/media/rtpengine-pool.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setImmediate', 'setTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const node = 'media-1:22222';

class Media implements AnchoredMedia {
  isNodeDown = false;
  mayBeLost = false;
  isUnsettled = false;
  hasKnownDescriptions = false;
  isKnown = true;
  asked = 0;

  constructor(readonly nodeName = node) {}

  noteFound(): void {
    this.mayBeLost = false;
  }

  async count() {
    this.asked++;
    return this.isKnown ? { result: 'ok' } : { result: 'error', 'error-reason': 'Unknown call-id' };
  }
}

function watching(...sessions: Media[]) {
  let goDown: (node: MediaNode) => void = () => {};
  const watch = new NodeWatch({ onDown: (wentDown) => (goDown = wentDown) });
  const lost: { media: Media; cause: string }[] = [];
  const stops = sessions.map((media) => watch.watch(media, (cause) => lost.push({ media, cause })));
  return { watch, lost, stops, goDown: (name: string) => goDown({ name, state: 'down', losses: 1 }) };
}

describe('the watch for lost media nodes', () => {
  it('asks a node for one of its sessions at a time, and for all of them once it has lost one', async () => {
    const sessions = [new Media(), new Media(), new Media()];
    const otherMedia = new Media('media-2:22222');
    const { lost } = watching(...sessions, otherMedia);
    await vi.advanceTimersByTimeAsync(500);
    expect(sessions.reduce((sum, { asked }) => sum + asked, 0)).toBe(1);
    for (const media of sessions) media.isKnown = false;
    await vi.advanceTimersByTimeAsync(510);
    expect(new Set(lost.map(({ media }) => media))).toEqual(new Set(sessions));
    expect(lost[0]!.cause).toContain('Unknown call-id');
  });

  it('reports all sessions of a node that is down, each one time', async () => {
    const [first, second] = [new Media(), new Media('media-2:22222')];
    const { watch, lost, goDown } = watching(first, second);
    goDown(node);
    goDown(node);
    await vi.advanceTimersByTimeAsync(1);
    expect(lost.map(({ media }) => media)).toEqual([first]);
    expect(watch.size).toBe(1);
  });

  it('looks for a session whose node was down before it was watched', async () => {
    const [there, gone] = [new Media(), new Media()];
    there.mayBeLost = true;
    gone.mayBeLost = true;
    gone.isKnown = false;
    const { lost } = watching(there, gone);
    await vi.advanceTimersByTimeAsync(1);
    expect(lost.map(({ media }) => media)).toEqual([gone]);
    expect(there.mayBeLost).toBe(false);
  });

  it('moves the calls of a node at a bounded rate, and not those that end meanwhile', async () => {
    const sessions = Array.from({ length: 100 }, () => new Media());
    const { watch, lost, goDown, stops } = watching(...sessions);
    goDown(node);
    await vi.advanceTimersByTimeAsync(1);
    expect(lost).toHaveLength(20);
    stops.at(-1)!();
    await vi.advanceTimersByTimeAsync(50);
    expect(lost).toHaveLength(40);
    await vi.advanceTimersByTimeAsync(500);
    expect(lost.map(({ media }) => media)).toEqual(sessions.slice(0, -1));
    expect(watch.size).toBe(0);
  });

  it('asks a node about calls that were taken over some at a time, and about each once, however slow it is', async () => {
    const sessions = Array.from({ length: 120 }, () => new Media());
    let pending = 0;
    let most = 0;
    for (const media of sessions) {
      media.mayBeLost = true;
      media.count = async () => {
        media.asked++;
        most = Math.max(most, ++pending);
        await new Promise((resolve) => setTimeout(resolve, 700));
        pending--;
        return { result: 'error', 'error-reason': 'Unknown call-id' };
      };
    }
    const { lost } = watching(...sessions);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(lost).toHaveLength(120);
    expect(most).toBeLessThanOrEqual(51);
    expect(Math.max(...sessions.map(({ asked }) => asked))).toBe(1);
  });
});
