import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** The browser's EventSource, as far as a connection that opens and then stays silent needs it. */
class SilentStream extends EventTarget {
  static readonly CLOSED = 2;
  static opened: SilentStream[] = [];
  readyState = 1;
  constructor(readonly url: string) {
    super();
    SilentStream.opened.push(this);
  }
  close(): void {
    this.readyState = 2;
  }
  send(event: string, data: unknown): void {
    this.dispatchEvent(Object.assign(new Event(event), { data: JSON.stringify(data) }));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', SilentStream);
  // Without it each tab has a separate stream.
  vi.stubGlobal('BroadcastChannel', undefined);
  SilentStream.opened = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('a stream that falls silent is not called live: within 12 seconds the page says so and opens another', async () => {
  const { connection, forgetEverything, startListening } = await import('../../../src/dashboard/api/live.js');
  startListening();
  const [first] = SilentStream.opened;
  first!.send('snapshot', { summary: {}, live: { calls: [], truncated: false } });
  expect(connection.value).toBe('live');
  vi.advanceTimersByTime(10_000);
  first!.send('beat', {});
  vi.advanceTimersByTime(10_000);
  expect(connection.value).toBe('live');
  expect(SilentStream.opened).toHaveLength(1);
  vi.advanceTimersByTime(2_000);
  expect(connection.value).toBe('reconnecting');
  expect(first!.readyState).toBe(2);
  expect(SilentStream.opened).toHaveLength(2);
  SilentStream.opened[1]!.send('beat', {});
  expect(connection.value).toBe('live');
  // One that connects and says nothing at all is given up as well.
  vi.advanceTimersByTime(24_000);
  expect(SilentStream.opened).toHaveLength(4);
  forgetEverything();
  vi.advanceTimersByTime(60_000);
  expect(SilentStream.opened).toHaveLength(4);
});
