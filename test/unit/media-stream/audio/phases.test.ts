import { describe, expect, it } from 'vitest';
import { Phases, type Tick } from '../../../../src/media-stream/audio/phases.js';
import { ManualClock } from '../../../../src/testkit/manual-clock.js';

describe('the cadence of all calls', () => {
  it('serves each of four phases once in 20 ms, 5 ms apart', async () => {
    const clock = new ManualClock();
    const ticks: [number, number][] = [];
    const phases = new Phases(({ phase, frames }) => {
      expect(frames).toBe(1);
      ticks.push([phase, clock.now()]);
    }, clock);
    phases.start();
    await clock.advance(40);
    phases.stop();
    expect(ticks.slice(0, 8)).toEqual([
      [0, 0],
      [1, 5],
      [2, 10],
      [3, 15],
      [0, 20],
      [1, 25],
      [2, 30],
      [3, 35],
    ]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('rests between the last call and the next one, also when the last one ends in a tick', async () => {
    const clock = new ManualClock();
    const ticks: number[] = [];
    const phases = new Phases(({ skipped }) => {
      expect(skipped).toBe(0);
      ticks.push(clock.now());
      if (ticks.length === 2) phases.stop();
    }, clock);
    phases.start();
    phases.start();
    await clock.advance(1_000);
    expect(ticks).toEqual([0, 5]);
    expect(clock.pendingTimers).toBe(0);
    phases.start();
    await clock.advance(5);
    phases.stop();
    expect(ticks).toEqual([0, 5, 1_000, 1_005]);
    expect(phases.latenessP99).toBe(0);
  });

  it('does not drift in ten minutes of late timers', async () => {
    const clock = new ManualClock();
    // Each timer fires up to 3 ms late.
    let late = 0;
    const lazy = {
      now: () => clock.now(),
      after: (milliseconds: number, act: () => void) => clock.after(milliseconds + (late++ % 4), act),
    };
    const frames = [0, 0, 0, 0];
    const phases = new Phases(({ phase, frames: count, skipped }: Tick) => {
      frames[phase]! += count + skipped;
    }, lazy);
    phases.start();
    await clock.advance(600_000);
    phases.stop();
    for (const count of frames) expect(Math.abs(count - 30_000)).toBeLessThanOrEqual(1);
    expect(phases.skippedFrames).toBe(0);
  });

  it('catches up three frames after a stall, and says how many it has skipped', async () => {
    const clock = new ManualClock();
    const ticks: Tick[] = [];
    let isStalled = false;
    const stalling = {
      now: () => clock.now(),
      after: (milliseconds: number, act: () => void) => clock.after(isStalled ? 200 : milliseconds, act),
    };
    const phases = new Phases((tick) => ticks.push({ ...tick }), stalling);
    phases.start();
    await clock.advance(40);
    isStalled = true;
    await clock.advance(5);
    ticks.length = 0;
    isStalled = false;
    await clock.advance(200);
    const first = ticks.slice(0, 4);
    expect(new Set(first.map(({ phase }) => phase)).size).toBe(4);
    for (const { frames, skipped } of first) {
      expect(frames).toBe(3);
      expect(frames + skipped).toBeGreaterThanOrEqual(9);
      expect(frames + skipped).toBeLessThanOrEqual(11);
    }
    phases.stop();
    expect(phases.latenessP99).toBeGreaterThan(150);
  });
});
