import { describe, expect, it } from 'vitest';
import { FairSemaphore } from '../../../src/base/fair-semaphore.js';

describe('a fair semaphore', () => {
  it('lets as many in as it has slots and the next ones in order of arrival', async () => {
    const semaphore = new FairSemaphore(2);
    expect([semaphore.enter(1_000), semaphore.enter(1_000)]).toEqual([true, true]);
    const order: number[] = [];
    const later = [1, 2].map(async (number) => {
      expect(await semaphore.enter(1_000)).toBe(true);
      order.push(number);
    });
    expect(semaphore.waiting).toBe(2);
    semaphore.leave();
    semaphore.leave();
    await Promise.all(later);
    expect(order).toEqual([1, 2]);
    semaphore.leave();
    semaphore.leave();
    expect(semaphore.enter(1_000)).toBe(true);
  });

  it('lets groups take turns: a flood of one does not keep another waiting', async () => {
    const semaphore = new FairSemaphore(1);
    void semaphore.enter(1_000, { group: 'flood' });
    const order: string[] = [];
    const later = [...Array.from({ length: 20 }, () => 'flood'), 'neighbor', 'neighbor'].map(
      async (group) => {
        await semaphore.enter(1_000, { group });
        order.push(group);
        semaphore.leave();
      },
    );
    semaphore.leave();
    await Promise.all(later);
    expect(order.slice(0, 4)).toEqual(['flood', 'neighbor', 'flood', 'neighbor']);
    expect(order).toHaveLength(22);
    expect(semaphore.waiting).toBe(0);
  });

  it('lets members of a group take turns', async () => {
    const semaphore = new FairSemaphore(1);
    void semaphore.enter(1_000);
    const order: string[] = [];
    const later = ['flood', 'flood', 'flood', 'neighbor'].map(async (member) => {
      await semaphore.enter(1_000, { group: 'acme', member });
      order.push(member);
      semaphore.leave();
    });
    semaphore.leave();
    await Promise.all(later);
    expect(order).toEqual(['flood', 'neighbor', 'flood', 'flood']);
  });

  it('lets heavy work in when there is room for it, and light work not past it', async () => {
    const semaphore = new FairSemaphore(10);
    expect(semaphore.enter(1_000, { weight: 6 })).toBe(true);
    const order: string[] = [];
    const enter = async (name: string, weight: number, limit = 1_000): Promise<void> => {
      if (await semaphore.enter(limit, { weight })) order.push(name);
    };
    const tooHeavy = enter('given up', 7, 5);
    const heavy = enter('heavy', 99, 20_000);
    const light = enter('light', 1);
    await tooHeavy;
    expect(order).toEqual([]);
    semaphore.leave(6);
    await heavy;
    expect(order).toEqual(['heavy']);
    semaphore.leave(99);
    await light;
    expect(order).toEqual(['heavy', 'light']);
  });

  it('gives up a waiter after its limit, and keeps no slot for it', async () => {
    const semaphore = new FairSemaphore(1);
    expect(semaphore.enter(1)).toBe(true);
    expect(await semaphore.enter(5)).toBe(false);
    expect(semaphore.waiting).toBe(0);
    semaphore.leave();
    expect(semaphore.enter(1)).toBe(true);
  });
});
