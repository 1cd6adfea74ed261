import { describe, expect, it } from 'vitest';
import { Turnstile } from '../../../../src/edge/media/turnstile.js';

describe('a turnstile', () => {
  it('lets its number in at once and the next ones in order of arrival', async () => {
    const turnstile = new Turnstile(2);
    expect([turnstile.enter(1_000), turnstile.enter(1_000)]).toEqual([true, true]);
    const order: number[] = [];
    const later = [1, 2].map(async (number) => {
      expect(await turnstile.enter(1_000)).toBe(true);
      order.push(number);
    });
    expect(turnstile.waiting).toBe(2);
    turnstile.leave();
    turnstile.leave();
    await Promise.all(later);
    expect(order).toEqual([1, 2]);
    turnstile.leave();
    turnstile.leave();
    expect(turnstile.enter(1_000)).toBe(true);
  });

  it('lets groups take turns: a flood of one does not keep another waiting', async () => {
    const turnstile = new Turnstile(1);
    void turnstile.enter(1_000, 'flood');
    const order: string[] = [];
    const later = [...Array.from({ length: 20 }, () => 'flood'), 'neighbor', 'neighbor'].map(
      async (group) => {
        await turnstile.enter(1_000, group);
        order.push(group);
        turnstile.leave();
      },
    );
    turnstile.leave();
    await Promise.all(later);
    expect(order.slice(0, 4)).toEqual(['flood', 'neighbor', 'flood', 'neighbor']);
    expect(order).toHaveLength(22);
    expect(turnstile.waiting).toBe(0);
  });

  it('sends away who has waited long enough, and keeps no place for it', async () => {
    const turnstile = new Turnstile(1);
    expect(turnstile.enter(1)).toBe(true);
    expect(await turnstile.enter(5)).toBe(false);
    expect(turnstile.waiting).toBe(0);
    turnstile.leave();
    expect(turnstile.enter(1)).toBe(true);
  });
});
