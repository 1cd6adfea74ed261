import { expect, it } from 'vitest';
import { afterArrived } from '../../../src/rtp/after-arrived.js';

/** Turns of the event loop until it continues, when each of them reads so many datagrams. */
const turnsWith = (perTurn: (turn: number) => number): Promise<number> =>
  new Promise((resolve) => {
    let datagrams = 0;
    let turns = -1;
    const received = (): number => {
      turns++;
      // The reading before a turn's datagrams, then the one after them.
      if (turns % 2 === 1) datagrams += perTurn((turns + 1) / 2);
      return datagrams;
    };
    afterArrived(received, () => resolve((turns + 1) / 2));
  });

it('continues after the first turn that leaves nothing unread', async () => {
  expect(await turnsWith(() => 0)).toBe(1);
  expect(await turnsWith((turn) => (turn <= 3 ? 32 : 31))).toBe(4);
});

it('continues during a flood', async () => {
  expect(await turnsWith(() => 32)).toBe(64);
});
