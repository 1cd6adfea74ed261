import { describe, expect, it, vi } from 'vitest';
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

describe('an exchange of descriptions', () => {
  const isPending = async (promise: Promise<void>): Promise<boolean> =>
    Promise.race([promise.then(() => false), new Promise<boolean>((settle) => setImmediate(settle, true))]);

  it('is open until it is closed, which counts once', () => {
    const changed = vi.fn();
    const exchanges = new OfferAnswer(changed);
    expect(exchanges.isOpen).toBe(false);
    const [first, second] = [exchanges.begin(), exchanges.modify()];
    first();
    first();
    expect(exchanges.isOpen).toBe(true);
    expect(changed).toHaveBeenCalledTimes(3);
    second();
    expect(exchanges.isOpen).toBe(false);
    expect(changed).toHaveBeenCalledTimes(4);
  });

  it('lets only a side that has finished wait for its remainder', async () => {
    const exchanges = new OfferAnswer();
    exchanges.finish('agent');
    const close = exchanges.begin();
    expect(exchanges.remainder('agent', 'INVITE')).toBeUndefined();
    exchanges.finish('agent');
    exchanges.awaitAck('trunk');
    expect(exchanges.remainder('trunk', 'UPDATE')).toBeUndefined();
    const waiting = [
      exchanges.remainder('agent', 'INVITE'),
      exchanges.remainder('agent', 'UPDATE'),
      exchanges.remainder('trunk', 'INVITE'),
    ] as Promise<void>[];
    expect(await Promise.all(waiting.map(isPending))).toEqual([true, true, true]);
    close();
    await Promise.all(waiting);
    expect(exchanges.remainder('agent', 'INVITE')).toBeUndefined();
    exchanges.awaitAck('trunk');
    expect(exchanges.remainder('trunk', 'INVITE')).toBeUndefined();
  });

  it('keeps its remainder open while another exchange is, and forgets who had finished', async () => {
    const exchanges = new OfferAnswer();
    const first = exchanges.begin();
    exchanges.finish('trunk');
    const waiting = exchanges.remainder('trunk', 'INVITE')!;
    const second = exchanges.begin();
    expect(exchanges.remainder('trunk', 'INVITE')).toBeUndefined();
    first();
    expect(await isPending(waiting)).toBe(true);
    second();
    await waiting;
  });
});
