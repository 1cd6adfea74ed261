import { beforeAll, describe, expect, it } from 'vitest';
import { randomKills } from '../../../dev/survival/random-kills.js';
import { drachtioBinary } from '../../support/drachtio-server.js';
import type { Stack } from '../stack.js';

/** `npm run survival -- --kills 6 --seed 1` runs the same. */
const seed = 1;

let stack: Stack;

export function randomLosses(stage: () => Stack): void {
  describe('the loss of any process', () => {
    beforeAll(() => {
      stack = stage();
    });

    describe.skipIf(drachtioBinary !== undefined)('six kills at random moments of random calls', () => {
      it('lose no answered call, and leave no leg, no media session, no second record', async () => {
        const { tested, problems } = await randomKills(stack, seed, 6);
        expect(problems).toEqual([]);
        expect(tested).toBeGreaterThan(1);
      });
    });
  });
}
