import { expect, it } from 'vitest';
import { SystemClock } from '../../../src/base/system-clock.js';

it('calls back once after the time given, and not at all when cancelled', async () => {
  const clock = new SystemClock();
  const startedAt = clock.now();
  let cancelled = false;
  const timer = clock.after(5, () => {
    cancelled = true;
  });
  timer.cancel();
  await new Promise<void>((resolve) => clock.after(20, resolve));
  expect(clock.now() - startedAt).toBeGreaterThanOrEqual(18);
  expect(cancelled).toBe(false);
  timer.cancel();
});
