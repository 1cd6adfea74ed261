import { expect, it } from 'vitest';
import { WakeablePause } from '../../../src/base/wakeable-pause.js';
import { within } from '../../../src/base/within.js';

it('a pause ends when woken, and a wake before it is not lost', async () => {
  const pause = new WakeablePause();
  const ended = pause.wait(60_000).then(() => true);
  pause.wake();
  expect(await within(1_000, ended)).toBe(true);
  pause.wake();
  expect(
    await within(
      1_000,
      pause.wait(60_000).then(() => true),
    ),
  ).toBe(true);
  const next = pause.wait(60_000).then(() => true);
  expect(await within(10, next)).toBeUndefined();
  pause.wake();
  expect(await next).toBe(true);
});
