import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { EngineFrames, type LibraryWire } from '../../../../src/edge/sip/engine-frames.js';
import { Stopwatch } from '../../../support/stopwatch.js';

function reader() {
  const wire = Object.assign(new EventEmitter(), { reconnectVars: {} }) as unknown as LibraryWire;
  const frames: string[] = [];
  wire.on('msg', (_socket, payload: string) => frames.push(payload));
  let isDestroyed = false;
  const socket = Object.assign(new EventEmitter(), {
    destroy: () => {
      isDestroyed = true;
    },
  });
  EngineFrames.readFor(wire, () => {});
  (wire as EventEmitter).emit('connect', socket as unknown as Socket);
  return {
    frames,
    push: (text: string) => socket.emit('data', Buffer.from(text)),
    isDestroyed: () => isDestroyed,
  };
}

describe('frames of the engine', () => {
  it('are read wherever they are split', () => {
    const { frames, push, isDestroyed } = reader();
    for (const octet of '3#a|b13#sip|é-é-é-1#x') push(octet);
    expect(frames).toEqual(['a|b', 'sip|é-é-é-', 'x']);
    expect(isDestroyed()).toBe(false);
  });

  it.each(['1e1#', '0x3#', '+3#', ' 3#', '3.0#', '-3#', '#', '0#', '99999999#', '999999999#', 'abc'])(
    'with the length %j end the connection',
    (text) => {
      const { frames, push, isDestroyed } = reader();
      push(`${text}abcdefghijk`);
      expect(isDestroyed()).toBe(true);
      expect(frames).toEqual([]);
    },
  );

  it('without the end of their length are not collected', () => {
    const { push, isDestroyed } = reader();
    for (let digits = 0; digits < 9 && !isDestroyed(); digits++) push('1');
    expect(isDestroyed()).toBe(true);
  });

  it('in many segments take time in proportion', () => {
    const { frames, push } = reader();
    const segment = 'x'.repeat(1_000);
    const watch = Stopwatch.start();
    push('30000000#');
    for (let sent = 0; sent < 30_000; sent++) push(segment);
    expect(frames[0]).toHaveLength(30_000_000);
    expect(watch.milliseconds).toBeLessThan(watch.bound(5_000));
  });
});
