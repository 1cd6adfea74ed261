import { expect, it } from 'vitest';
import { DutyCycle } from '../../../src/base/duty-cycle.js';

it('does one piece after the other, and leaves the rest of the time to others', async () => {
  const times: { readonly begun: number; readonly ended: number }[] = [];
  const share = new DutyCycle(0.2);
  const work = (name: string) => () => {
    const begun = performance.now();
    while (performance.now() < begun + 5);
    times.push({ begun, ended: performance.now() });
    return name;
  };
  const pieces = ['one', 'two', 'three'].map((name) => share.do(work(name)));
  expect(await Promise.all(pieces)).toEqual(['one', 'two', 'three']);
  for (const [index, { begun, ended }] of times.slice(0, -1).entries()) {
    // Timers count whole milliseconds.
    expect(times[index + 1]!.begun - ended).toBeGreaterThanOrEqual(4 * (ended - begun) - 2);
  }
});

it('continues after work that fails', async () => {
  const share = new DutyCycle(0.5);
  const failing = share.do(() => {
    throw new Error('no');
  });
  const next = share.do(() => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
