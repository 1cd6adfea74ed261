import { constants, PerformanceObserver } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { IdleMemory } from '../../../src/base/idle-memory.js';
import { until } from '../../../src/testkit/waiting.js';

it('an idle process gives back what a load has left, but not during it', async () => {
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as unknown as { detail: { kind: number; flags: number } }[])
      if (
        detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR &&
        (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0
      )
        collections++;
  });
  observer.observe({ entryTypes: ['gc'] });
  const memory = new IdleMemory(50);
  try {
    const end = performance.now() + 150;
    while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
    expect(collections).toBe(0);
    await until(() => collections > 0, 10_000, 'the collection');
  } finally {
    memory.stop();
    observer.disconnect();
  }
});
