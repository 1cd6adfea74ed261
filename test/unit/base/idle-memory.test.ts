import { expect, it } from 'vitest';
import { fullCollection, IdleMemory } from '../../../src/base/idle-memory.js';
import { until } from '../../../src/testkit/waiting.js';

it('an idle process gives back what a load has left, but not during it', async () => {
  let collections = 0;
  const memory = new IdleMemory(50, () => collections++);
  try {
    const end = performance.now() + 150;
    while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
    expect(collections).toBe(0);
    await until(() => collections > 0, 10_000, 'the collection');
  } finally {
    memory.stop();
  }
});

it('a load that begins again postpones the pause', async () => {
  let collections = 0;
  const memory = new IdleMemory(20, () => collections++);
  const busy = async (milliseconds: number): Promise<void> => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
  };
  try {
    await busy(150);
    for (let pause = 0; pause < 3; pause++) {
      // Two thirds of the idle checks in a row that it takes.
      await new Promise((resolve) => setTimeout(resolve, 400));
      await busy(100);
      expect(collections).toBe(0);
    }
    await until(() => collections > 0, 10_000, 'the collection');
  } finally {
    memory.stop();
  }
});

it('an idle process is paused once for a load, however long it stays idle', async () => {
  let collections = 0;
  const memory = new IdleMemory(20, () => collections++);
  try {
    const end = performance.now() + 60;
    while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
    await until(() => collections > 0, 10_000, 'the collection');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(collections).toBe(1);
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
