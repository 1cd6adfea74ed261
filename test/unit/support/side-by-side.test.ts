import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sideBySide } from '../../support/side-by-side.js';

/** Names of tests by lane, in the order in which they ran. */
const ran: string[][] = [];
let running = 0;
let mostRunning = 0;

sideBySide(2, () => {
  const ofLane: string[] = [];
  beforeAll(() => ran.push(ofLane));
  const runs = (name: string) => async (): Promise<void> => {
    ofLane.push(name);
    mostRunning = Math.max(mostRunning, ++running);
    await new Promise((resolve) => setTimeout(resolve, 20));
    running--;
  };
  it('first', runs('first'));
  it('second', runs('second'));
  describe('a group', () => {
    let isSetUp = false;
    beforeAll(() => {
      isSetUp = true;
    });
    it.each(['third', 'fourth', 'fifth'])('%s', async (name) => {
      expect(isSetUp).toBe(true);
      await runs(name)();
    });
  });
  it('sixth', runs('sixth'));
  describe('a group that has a test in one lane alone', () => {
    it('seventh', runs('seventh'));
  });
});

afterAll(() => {
  expect(mostRunning).toBe(2);
});

it('deals the tests out to lanes that run at the same time', () => {
  expect(ran.toSorted()).toEqual([
    ['first', 'third', 'fifth', 'seventh'],
    ['second', 'fourth', 'sixth'],
  ]);
});
