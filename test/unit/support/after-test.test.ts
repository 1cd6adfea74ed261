import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { undoAfterTest, undoingFaults } from '../../support/after-test.js';
import { endStores } from '../../support/async-stores.js';

const alone = {};
const besideOthers = { suite: { concurrent: true } };

describe.each([
  ['alone', alone],
  ['beside others', besideOthers],
])('the faults of a test that runs %s', (_how, task) => {
  it('are undone after it, the last one first', async () => {
    const undone: string[] = [];
    await undoingFaults(async () => {
      await turn();
      undoAfterTest(() => undone.push('first'));
      undoAfterTest(() => undone.push('second'));
      await turn();
      expect(undone).toEqual([]);
    }, task);
    expect(undone).toEqual(['second', 'first']);
  });

  it('are undone after its failure', async () => {
    const undone: string[] = [];
    const test = undoingFaults(async () => {
      undoAfterTest(() => undone.push('fault'));
      throw new Error('it failed');
    }, task);
    await expect(test).rejects.toThrow('it failed');
    expect(undone).toEqual(['fault']);
  });

  it('are no longer collected after it', async () => {
    const undone: string[] = [];
    await undoingFaults(async () => {}, task);
    undoAfterTest(() => undone.push('outside'));
    await undoingFaults(async () => {}, task);
    expect(undone).toEqual([]);
  });
});

it('undoes the faults of one of two tests that run at the same time while the other runs', async () => {
  const undone: string[] = [];
  let endSecond = () => {};
  const second = undoingFaults(async () => {
    undoAfterTest(() => undone.push('second'));
    await new Promise<void>((resolve) => {
      endSecond = resolve;
    });
  }, besideOthers);
  await undoingFaults(async () => {
    await turn();
    undoAfterTest(() => undone.push('first'));
  }, besideOthers);
  expect(undone).toEqual(['first']);
  endSecond();
  await second;
  expect(undone).toEqual(['first', 'second']);
});

it('ends stores of other code', () => {
  const store = new AsyncLocalStorage<string>();
  store.run('kept', () => {
    expect(store.getStore()).toBe('kept');
    endStores();
    expect(store.getStore()).toBeUndefined();
  });
});
