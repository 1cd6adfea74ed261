import { describe, expect, it } from 'vitest';
import { hashPassword, isPassword } from '../../../src/control/people/passwords.js';

describe('the queue of sign-ins', () => {
  it('serves a known browser while unknown ones fill it', async () => {
    // The queue is the same at any cost; each takes a thread longer than its turn on a busy machine.
    const cheap = await hashPassword('correct horse battery', { logN: 13, r: 8, p: 1 });
    let served = 0;
    // On a busy machine the last of them are refused.
    const strangers = Promise.allSettled(
      Array.from({ length: 20 }, async () => {
        await isPassword('wrong', cheap);
        served += 1;
      }),
    );
    expect(await isPassword('correct horse battery', cheap, true)).toBe(true);
    expect(served).toBeLessThan(16);
    await strangers;
  });
});
