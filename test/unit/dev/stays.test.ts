import { expect, it } from 'vitest';
import { stays } from '../../support/stays.js';

it('an assertion that holds for the time passes after it', async () => {
  const begun = performance.now();
  await stays(() => expect(1).toBe(1), 60);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(60);
});

it('an assertion fails in the moment in which it no longer holds', async () => {
  const begun = performance.now();
  await expect(stays(async () => expect(performance.now() - begun).toBeLessThan(40), 60_000)).rejects.toThrow(
    /to be less than 40/,
  );
});
