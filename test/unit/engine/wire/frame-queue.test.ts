import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { FrameQueue } from '../../../../src/engine/wire/frame-queue.js';

function queue() {
  const writes: string[] = [];
  return { writes, frames: new FrameQueue((bytes) => writes.push(bytes)) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('frames towards an application', () => {
  test('of one turn leave in one write', async () => {
    const { writes, frames } = queue();
    for (const frame of ['a', 'b', 'c']) frames.add(frame, 'plain', 'now');
    frames.add('d', 'follows', 'now');
    await turn();
    expect(writes).toEqual(['abcd']);
  });

  test('what follows upon an opening frame is written later, in order', async () => {
    const { writes, frames } = queue();
    frames.add('reply', 'opens', 'now');
    frames.add('response', 'follows', 'now');
    frames.add('other', 'plain', 'now');
    await turn();
    expect(writes).toEqual(['reply']);
    await pause(20);
    expect(writes).toEqual(['reply', 'responseother']);
  });

  test('also when it comes in a later turn, but soon after', async () => {
    const { writes, frames } = queue();
    frames.add('reply', 'opens', 'now');
    await turn();
    const start = performance.now();
    frames.add('200', 'follows-and-opens', 'now');
    frames.add('BYE', 'follows', 'now');
    while (writes.length < 2) await pause(1);
    expect(performance.now() - start).toBeGreaterThan(1);
    expect(writes).toEqual(['reply', '200']);
    await pause(20);
    expect(writes).toEqual(['reply', '200', 'BYE']);
  });

  test('what nobody waits for goes with the next write, or soon by itself', async () => {
    const { writes, frames } = queue();
    frames.add('a', 'plain', 'soon');
    await turn();
    expect(writes).toEqual([]);
    frames.add('b', 'plain', 'now');
    await turn();
    expect(writes).toEqual(['ab']);
    frames.add('c', 'plain', 'soon');
    await pause(30);
    expect(writes).toEqual(['ab', 'c']);
  });

  test('the end of the connection writes everything at once', () => {
    const { writes, frames } = queue();
    frames.add('a', 'opens', 'now');
    frames.add('b', 'follows', 'now');
    frames.finish();
    expect(writes).toEqual(['a', 'b']);
  });
});
