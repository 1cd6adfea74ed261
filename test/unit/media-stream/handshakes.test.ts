import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Handshakes } from '../../../src/media-stream/bot/handshakes.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('begins at most 10 handshakes in 20 ms, each in its turn', () => {
  const handshakes = new Handshakes();
  const begun: number[] = [];
  for (let place = 0; place < 25; place++) handshakes.next(() => begun.push(place));
  expect(begun).toHaveLength(10);
  vi.advanceTimersByTime(19);
  expect(begun).toHaveLength(10);
  vi.advanceTimersByTime(1);
  expect(begun).toHaveLength(20);
  // A new one waits behind those.
  handshakes.next(() => begun.push(25));
  expect(begun).toHaveLength(20);
  vi.advanceTimersByTime(20);
  expect(begun).toEqual(Array.from({ length: 26 }, (_, place) => place));
  vi.advanceTimersByTime(100);
  expect(vi.getTimerCount()).toBe(0);
});
