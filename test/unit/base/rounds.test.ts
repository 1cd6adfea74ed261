import { describe, expect, it } from 'vitest';
import { Rounds } from '../../../src/base/rounds.js';
import { within } from '../../../src/base/within.js';

function held() {
  const ends: ((error?: Error) => void)[] = [];
  const rounds = new Rounds(
    () =>
      new Promise((resolve, reject) =>
        ends.push((error) => (error === undefined ? resolve() : reject(error))),
      ),
  );
  return { rounds, ends };
}

describe('rounds', () => {
  it('are one at a time; what is wanted meanwhile makes for one more, also after a failure', async () => {
    const { rounds, ends } = held();
    const first = rounds.next();
    void rounds.next();
    void rounds.next();
    expect(ends).toHaveLength(1);
    ends[0]!(new Error('away'));
    await first;
    expect(ends).toHaveLength(2);
    const second = rounds.next();
    ends[1]!();
    await second;
    expect(ends).toHaveLength(3);
  });

  it('end with the one that goes on', async () => {
    const { rounds, ends } = held();
    void rounds.next();
    void rounds.next();
    let isOver = false;
    const stopped = rounds.stop().then(() => {
      isOver = true;
    });
    await Promise.resolve();
    expect(isOver).toBe(false);
    ends[0]!();
    await stopped;
    await new Promise(setImmediate);
    expect(ends).toHaveLength(1);
  });
});

describe('a bounded wait', () => {
  it('gives the value in time, and nothing when it is late or refused', async () => {
    expect(await within(1_000, Promise.resolve(1))).toBe(1);
    expect(await within(1_000, Promise.reject(new Error('no')))).toBeUndefined();
    expect(await within(1, new Promise(() => {}))).toBeUndefined();
  });
});
