import { beforeEach, expect, it, vi } from 'vitest';
import { fullCollection, IdleMemory } from '../../../src/base/idle-memory.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { stays } from '../../support/stays.js';

/** Milliseconds of processor time; that of the process includes what other files of this worker left running. */
let used: number;
beforeEach(() => {
  used = 0;
});

/** A load that takes half a core, as the process reads it: this one only waits. */
async function busy(milliseconds: number): Promise<void> {
  const began = performance.now();
  const before = used;
  while (performance.now() - began < milliseconds) {
    await pause(2);
    used = before + (performance.now() - began) / 2;
  }
}

it('an idle process gives back what a load has left, but not during it', async () => {
  const steps: string[] = [];
  const memory = new IdleMemory({
    checkMilliseconds: 50,
    collect: () => steps.push('collects'),
    trim: () => steps.push('trims'),
    read: () => used,
  });
  try {
    await busy(150);
    expect(steps).toEqual([]);
    await until(() => steps.length > 0, 10_000, 'the collection');
    expect(steps).toEqual(['collects', 'trims']);
  } finally {
    memory.stop();
  }
});

it('a process whose pause would be heard is not paused until it may be', async () => {
  let collections = 0;
  let isHeard = true;
  let asked = 0;
  const memory = new IdleMemory({
    mayPause: () => {
      asked++;
      return !isHeard;
    },
    checkMilliseconds: 20,
    collect: () => collections++,
    read: () => used,
  });
  try {
    await busy(100);
    await until(() => asked > 2, 10_000, 'an idle process');
    expect(collections).toBe(0);
    isHeard = false;
    await until(() => collections > 0, 10_000, 'the collection');
  } finally {
    memory.stop();
  }
});

it('a load that begins again postpones the pause', async () => {
  let collections = 0;
  const memory = new IdleMemory({
    checkMilliseconds: 20,
    collect: () => collections++,
    read: () => used,
  });
  try {
    await busy(150);
    for (let pause = 0; pause < 3; pause++) {
      // Two thirds of the idle checks in a row that it takes.
      await stays(() => expect(collections).toBe(0), 400);
      await busy(100);
      expect(collections).toBe(0);
    }
    await until(() => collections > 0, 10_000, 'the collection');
  } finally {
    memory.stop();
  }
});

it('collects although single checks are above the idle share', async () => {
  let collections = 0;
  let checks = 0;
  const memory = new IdleMemory({
    checkMilliseconds: 20,
    collect: () => collections++,
    read: () => {
      // A twelfth of a core for one check of ten.
      if (++checks % 10 === 0) used += 20 / 12;
      return used;
    },
  });
  try {
    await busy(150);
    await until(() => collections > 0, 10_000, 'the collection');
  } finally {
    memory.stop();
  }
});

it('an idle process is paused once for a load, however long it stays idle', async () => {
  let collections = 0;
  const memory = new IdleMemory({
    checkMilliseconds: 20,
    collect: () => collections++,
    read: () => used,
  });
  try {
    await busy(60);
    await until(() => collections > 0, 10_000, 'the collection');
    await stays(() => expect(collections).toBe(1), 300);
  } finally {
    memory.stop();
  }
});

it('judges the last thirty checks alone', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  let collections = 0;
  const memory = new IdleMemory({ collect: () => collections++, read: () => used });
  const check = (count: number, share: number): void => {
    for (let at = 0; at < count; at++) {
      used += 1_000 * share;
      vi.advanceTimersByTime(1_000);
    }
  };
  try {
    check(1, 0.5);
    // Neither a load nor idle.
    check(100, 0.05);
    check(10, 0);
    expect(collections).toBe(0);
    check(20, 0);
    expect(collections).toBe(1);
  } finally {
    memory.stop();
    vi.useRealTimers();
  }
});

it('a process that computes is not paused', async () => {
  let collections = 0;
  const memory = new IdleMemory({ checkMilliseconds: 20, collect: () => collections++ });
  try {
    // An idle one is paused after thirty checks.
    const end = performance.now() + 800;
    while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
    expect(collections).toBe(0);
  } finally {
    memory.stop();
  }
});

it('a full collection leaves no garbage', async () => {
  const garbage = new WeakRef({});
  // A WeakRef keeps its target until the turn ends.
  await new Promise((resolve) => setImmediate(resolve));
  fullCollection()();
  expect(garbage.deref()).toBeUndefined();
});
