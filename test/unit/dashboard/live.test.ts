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

const call = (id: string, state: string) => ({ call_id: id, state, started_at: id, edge_id: `edge ${id}` });

it('counts the calls of the list, which every panel shows, unless the list holds only the newest', async () => {
  const { countListed, forgetEverything, startListening } = await import(
    '../../../src/dashboard/api/live.js'
  );
  expect(countListed()).toBeUndefined();
  startListening();
  const [stream] = SilentStream.opened;
  const calls = [call('1', 'answered'), call('2', 'ringing'), call('3', 'answered')];
  stream!.send('snapshot', { summary: {}, live: { calls, truncated: false } });
  expect(countListed()).toEqual({ active: 2, ringing: 1 });
  expect(countListed(({ edge_id }) => edge_id === 'edge 2')).toEqual({ active: 0, ringing: 1 });
  stream!.send('call', { change: 'ended', call: calls[0] });
  vi.advanceTimersByTime(200);
  expect(countListed()).toEqual({ active: 1, ringing: 1 });
  stream!.send('snapshot', { summary: {}, live: { calls, truncated: true } });
  expect(countListed()).toBeUndefined();
  forgetEverything();
});

it('shows figures that were read ahead until the stream brings newer ones, and none of an earlier session', async () => {
  const { forgetEverything, readAhead, startListening, summary } = await import(
    '../../../src/dashboard/api/live.js'
  );
  const answers: ((at: string) => void)[] = [];
  vi.stubGlobal('fetch', () => {
    const answered = new Promise<string>((resolve) => answers.push(resolve));
    return answered.then((at) => new Response(JSON.stringify({ data: { at }, errors: null })));
  });
  startListening();
  const early = readAhead();
  answers[0]!('early');
  await early;
  expect(summary.value?.at).toBe('early');
  SilentStream.opened[0]!.send('snapshot', { summary: { at: 'snapshot' }, live: { calls: [] } });
  const late = readAhead();
  answers[1]!('late');
  await late;
  expect(summary.value?.at).toBe('snapshot');
  const leaving = readAhead();
  forgetEverything();
  answers[2]!('of an earlier session');
  await leaving;
  expect(summary.value).toBeUndefined();
});
