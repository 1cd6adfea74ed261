import { describe, expect, it } from 'vitest';
import { FrameReader } from '../../../../src/edge/sip/frame-reader.js';
import { Stopwatch } from '../../../support/stopwatch.js';

function reader() {
  const frames: string[] = [];
  let isUsable = true;
  const read = new FrameReader((frame, payloadStart) => frames.push(frame.toString('utf8', payloadStart)));
  return {
    frames,
    push: (text: string) => {
      isUsable = read.push(Buffer.from(text));
    },
    isOver: () => !isUsable,
  };
}

describe('frames of the engine', () => {
  it('are read wherever they are split', () => {
    const { frames, push, isOver } = reader();
    for (const octet of '3#a|b13#sip|é-é-é-1#x') push(octet);
    expect(frames).toEqual(['a|b', 'sip|é-é-é-', 'x']);
    expect(isOver()).toBe(false);
  });

  it.each(['1e1#', '0x3#', '+3#', ' 3#', '3.0#', '-3#', '#', '0#', '99999999#', '999999999#', 'abc'])(
    'with the length %j end the connection',
    (text) => {
      const { frames, push, isOver } = reader();
      push(`${text}abcdefghijk`);
      expect(isOver()).toBe(true);
      expect(frames).toEqual([]);
    },
  );

  it('without the end of their length are not collected', () => {
    const { push, isOver } = reader();
    for (let digits = 0; digits < 9 && !isOver(); digits++) push('1');
    expect(isOver()).toBe(true);
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
