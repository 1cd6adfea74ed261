import { describe, expect, it } from 'vitest';
import { isPassword } from '../../../src/control/people/passwords.js';

describe('the queue of sign-ins', () => {
  it('serves a known browser while unknown ones fill it', async () => {
    let served = 0;
    // On a busy machine the last of them are refused.
    const strangers = Promise.allSettled(
      Array.from({ length: 10 }, async () => {
        await isPassword('wrong', undefined);
        served += 1;
      }),
    );
    await isPassword('correct horse battery', undefined, true);
    expect(served).toBeLessThan(8);
    await strangers;
  });
});
