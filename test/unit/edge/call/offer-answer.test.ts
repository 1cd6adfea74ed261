import { expect, it } from 'vitest';
import { OfferAnswer } from '../../../../src/edge/call/offer-answer.js';

it('lets a peer change the session 200 times in a row, and twice a minute for hours', () => {
  let now = 5_000;
  const exchanges = new OfferAnswer(undefined, () => now);
  const changes = (count: number): void => {
    for (let change = 0; change < count; change++) {
      expect(exchanges.secondsToWait).toBe(0);
      exchanges.modify()();
    }
  };
  changes(200);
  expect(exchanges.secondsToWait).toBe(30);
  now += 29_000;
  expect(exchanges.secondsToWait).toBe(1);
  now += 1_000;
  changes(1);
  expect(exchanges.secondsToWait).toBe(30);
  now += 4 * 3_600_000;
  changes(480);
  expect(exchanges.secondsToWait).toBeGreaterThan(0);
});
