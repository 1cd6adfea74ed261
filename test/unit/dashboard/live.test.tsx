import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signInAs } from './visitor.js';

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

it('a stream that falls silent is not called live: within nine seconds the page says so and opens another', async () => {
  const { connection, forgetEverything, startListening } = await import('../../../src/dashboard/api/live.js');
  startListening();
  const [first] = SilentStream.opened;
  first!.send('snapshot', { summary: {}, live: { calls: [], unlisted: [] } });
  expect(connection.value).toBe('live');
  vi.advanceTimersByTime(8_000);
  first!.send('beat', {});
  vi.advanceTimersByTime(8_000);
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

it('a stream that connects again is live at once where the page has what it showed before', async () => {
  const { connection, forgetEverything, startListening } = await import('../../../src/dashboard/api/live.js');
  forgetEverything();
  startListening();
  const [stream] = SilentStream.opened;
  stream!.dispatchEvent(new Event('open'));
  expect(connection.value).toBe('connecting');
  stream!.send('snapshot', { summary: {}, live: { calls: [], unlisted: [] } });
  stream!.dispatchEvent(new Event('error'));
  expect(connection.value).toBe('reconnecting');
  stream!.dispatchEvent(new Event('open'));
  expect(connection.value).toBe('live');
  forgetEverything();
});

const call = (id: string, state: string, number = '+1') => ({
  call_id: id,
  state,
  started_at: id,
  answered_at: state === 'answered' ? id : null,
  organization_id: 'acme',
  phone_number: number,
  edge_id: `edge ${id}`,
});

it('counts all active calls by the list that every panel shows', async () => {
  const { activeByNumber, countActive, forgetEverything, isTruncated, startListening } = await import(
    '../../../src/dashboard/api/live.js'
  );
  expect(countActive()).toBeUndefined();
  expect(activeByNumber.value).toBeUndefined();
  startListening();
  const [stream] = SilentStream.opened;
  const calls = [call('1', 'answered'), call('2', 'ringing', '+2'), call('3', 'answered')];
  stream!.send('snapshot', { summary: {}, live: { calls, unlisted: [] } });
  expect(countActive()).toEqual({ active: 2, ringing: 1 });
  expect(countActive(({ edge_id }) => edge_id === 'edge 2')).toEqual({ active: 0, ringing: 1 });
  expect(activeByNumber.value).toEqual(
    new Map([
      ['+1', 2],
      ['+2', 1],
    ]),
  );
  stream!.send('call', { change: 'ended', call: calls[0] });
  vi.advanceTimersByTime(200);
  expect(countActive()).toEqual({ active: 1, ringing: 1 });
  expect(isTruncated.value).toBe(false);
  forgetEverything();
});

it('counts the calls beyond those that are listed, as events change them', async () => {
  const { activeByNumber, countActive, forgetEverything, isTruncated, liveCalls, startListening } =
    await import('../../../src/dashboard/api/live.js');
  startListening();
  const [stream] = SilentStream.opened;
  const send = (change: string, changed: ReturnType<typeof call>): void => {
    stream!.send('call', { change, call: { ...changed, edge_id: 'edge' } });
    vi.advanceTimersByTime(200);
  };
  const group = { organization_id: 'acme', phone_number: '+1', edge_id: 'edge', active: 2, ringing: 1 };
  stream!.send('snapshot', { summary: {}, live: { calls: [call('9', 'answered')], unlisted: [group] } });
  expect(countActive()).toEqual({ active: 3, ringing: 1 });
  expect(countActive(({ phone_number }) => phone_number === '+2')).toEqual({ active: 0, ringing: 0 });
  expect(activeByNumber.value?.get('+1')).toBe(4);
  send('ended', call('1', 'answered'));
  expect(countActive()).toEqual({ active: 2, ringing: 1 });
  // It rang and was not listed; now it is.
  send('answered', call('2', 'answered'));
  expect(countActive()).toEqual({ active: 3, ringing: 0 });
  expect(liveCalls.value).toHaveLength(2);
  send('began', call('a', 'setup'));
  expect(countActive()).toEqual({ active: 3, ringing: 1 });
  expect(isTruncated.value).toBe(true);
  send('ended', call('3', 'answered'));
  expect(isTruncated.value).toBe(false);
  expect(countActive()).toEqual({ active: 2, ringing: 1 });
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

it('listens again where the session of a stream that ended was replaced, and not where it has ended', async () => {
  const { forgetEverything, startListening } = await import('../../../src/dashboard/api/live.js');
  const { session } = await import('../../../src/dashboard/api/session.js');
  signInAs();
  let status = 200;
  const data = { organization: { id: 'o1' } };
  vi.stubGlobal('fetch', async () => Response.json({ data, errors: null }, { status }));
  startListening();
  for (const count of [2, 3]) {
    SilentStream.opened.at(-1)!.send('end', { reason: 'session' });
    await vi.waitFor(() => expect(SilentStream.opened).toHaveLength(count));
  }
  status = 401;
  SilentStream.opened.at(-1)!.send('end', { reason: 'session' });
  await vi.waitFor(() => expect(session.value).toBeNull());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(SilentStream.opened).toHaveLength(3);
  forgetEverything();
  session.value = undefined;
});
