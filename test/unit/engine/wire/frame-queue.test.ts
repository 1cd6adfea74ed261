import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FrameQueue } from '../../../../src/engine/wire/frame-queue.js';
import { Stopwatch } from '../../../support/stopwatch.js';

function queue() {
  const writes: string[] = [];
  const traceFrame = (entries: string): string => `<${entries}>`;
  return { writes, frames: new FrameQueue((bytes) => writes.push(bytes), traceFrame) };
}

/** The end of this turn of the event loop. */
const turn = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const pause = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('frames towards an application', () => {
  test('of one turn leave in one write', async () => {
    const { writes, frames } = queue();
    for (const frame of ['a', 'b', 'c']) frames.add(frame, 'a-call', 'plain', 'now');
    frames.add('d', 'a-call', 'follows', 'now');
    await turn();
    expect(writes).toEqual(['abcd']);
  });

  test('are written later, in order, when they follow an opening frame', async () => {
    const { writes, frames } = queue();
    frames.add('reply', 'a-call', 'opens', 'now');
    frames.add('response', 'a-call', 'follows', 'now');
    frames.add('other', 'a-call', 'plain', 'now');
    await turn();
    expect(writes).toEqual(['reply']);
    await pause(20);
    expect(writes).toEqual(['reply', 'responseother']);
  });

  test('other calls do not wait for it', async () => {
    const { writes, frames } = queue();
    frames.add('reply', 'a-call', 'opens', 'now');
    frames.add('response', 'a-call', 'follows', 'now');
    frames.add('BYE', 'another', 'follows', 'now');
    frames.add('OK', '', 'plain', 'now');
    await turn();
    expect(writes).toEqual(['replyBYEOK']);
    frames.add('INVITE', 'third', 'plain', 'now');
    await turn();
    expect(writes).toEqual(['replyBYEOK', 'INVITE']);
    await pause(20);
    expect(writes).toEqual(['replyBYEOK', 'INVITE', 'response']);
  });

  test('a thousand calls at once take no longer than their own gaps', async () => {
    const { writes, frames } = queue();
    const watch = Stopwatch.start();
    for (let call = 0; call < 1_000; call++) {
      frames.add('r', `call-${call}`, 'opens', 'now');
      frames.add('2', `call-${call}`, 'follows-and-opens', 'now');
      frames.add('b', `call-${call}`, 'follows', 'now');
    }
    while (writes.join('').length < 3_000) await pause(1);
    expect(watch.milliseconds).toBeLessThan(watch.bound(500));
    expect(writes.join('')).toBe('r'.repeat(1_000) + '2'.repeat(1_000) + 'b'.repeat(1_000));
  });

  test('are written later also when they come in a later turn, but soon after', async () => {
    const { writes, frames } = queue();
    frames.add('reply', 'a-call', 'opens', 'now');
    await turn();
    const start = performance.now();
    frames.add('200', 'a-call', 'follows-and-opens', 'now');
    frames.add('BYE', 'a-call', 'follows', 'now');
    while (writes.length < 2) await pause(1);
    expect(performance.now() - start).toBeGreaterThan(1);
    expect(writes).toEqual(['reply', '200']);
    await pause(20);
    expect(writes).toEqual(['reply', '200', 'BYE']);
  });

  test('unawaited frames are sent with the next write, or soon without one', async () => {
    const { writes, frames } = queue();
    frames.add('a', 'a-call', 'plain', 'soon');
    await turn();
    expect(writes).toEqual([]);
    frames.add('b', 'a-call', 'plain', 'now');
    await turn();
    expect(writes).toEqual(['ab']);
    frames.add('c', 'a-call', 'plain', 'soon');
    await pause(30);
    expect(writes).toEqual(['ab', 'c']);
  });

  test('the end of the connection writes everything at once', () => {
    const { writes, frames } = queue();
    frames.add('a', 'a-call', 'opens', 'now');
    frames.add('b', 'a-call', 'follows', 'now');
    frames.finish();
    expect(writes).toEqual(['ab']);
  });

  test('are written together when it can take them together', async () => {
    const { writes, frames } = queue();
    frames.isAdjacent = true;
    frames.add('reply', 'a-call', 'opens', 'now');
    frames.add('response', 'a-call', 'follows', 'now');
    await turn();
    expect(writes).toEqual(['replyresponse']);
  });

  test('take the traces of all calls with them, which cause no separate write for 30 ms', async () => {
    const { writes, frames } = queue();
    frames.addTrace('t1');
    frames.add('a', 'a-call', 'plain', 'now');
    frames.addTrace('t2');
    await turn();
    expect(writes).toEqual(['<t1t2>a']);
    frames.addTrace('t3');
    await pause(29);
    expect(writes).toHaveLength(1);
    await pause(2);
    expect(writes[1]).toBe('<t3>');
    frames.addTrace('t4');
    frames.finish();
    expect(writes[2]).toBe('<t4>');
  });
});
