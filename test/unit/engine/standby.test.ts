import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Standby } from '../../../src/engine/standby.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const [first, second] = ['192.0.2.10', '2001:db8::10'];

describe('an engine whose addresses move between machines', () => {
  it('waits until the machine has all of them', async () => {
    let present = ['127.0.0.1'];
    const standby = new Standby([first, '2001:DB8:0::10', first, '0.0.0.0'], () => present);
    expect(standby.missing).toEqual([first, second]);
    let hasArrived = false;
    void standby.arrival().then(() => (hasArrived = true));
    present = ['127.0.0.1', first];
    await vi.advanceTimersByTimeAsync(1_000);
    expect(hasArrived).toBe(false);
    present = ['127.0.0.1', first, second];
    await vi.advanceTimersByTimeAsync(100);
    expect(hasArrived).toBe(true);
  });

  it('reports once that one has left, and not that an interface lacked it for a moment', async () => {
    let present = [first, second];
    const departed: (readonly string[])[] = [];
    new Standby([first, second], () => present).onDeparture((missing) => departed.push(missing));
    await vi.advanceTimersByTimeAsync(1_000);
    present = [second];
    await vi.advanceTimersByTimeAsync(250);
    present = [first, second];
    await vi.advanceTimersByTimeAsync(1_000);
    expect(departed).toEqual([]);
    present = [second];
    await vi.advanceTimersByTimeAsync(2_000);
    expect(departed).toEqual([[first]]);
  });
});
