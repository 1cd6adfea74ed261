import { describe, expect, test } from 'vitest';
import { encodeFrame, FrameDecoder, FrameError } from '../../../../src/engine/wire/frame.js';

const limit = 100_000;

describe('frames', () => {
  test('split at every octet they come out the same', () => {
    const payloads = ['1|ping', `2|sip||\r\n${'x'.repeat(300)}#12#`, Buffer.from('3|€').toString('latin1')];
    const bytes = Buffer.from(payloads.map(encodeFrame).join(''), 'latin1');
    for (let at = 0; at <= bytes.length; at++) {
      const decoder = new FrameDecoder(limit);
      const found = [...decoder.push(bytes.subarray(0, at)), ...decoder.push(bytes.subarray(at))];
      expect(found).toEqual(payloads);
    }
    const decoder = new FrameDecoder(limit);
    expect([...bytes].flatMap((octet) => decoder.push(Buffer.of(octet)))).toEqual(payloads);
  });

  test('many in one segment', () => {
    const payloads = Array.from({ length: 50 }, (_, i) => `${i}|ping`);
    expect(new FrameDecoder(limit).push(Buffer.from(payloads.map(encodeFrame).join('')))).toEqual(payloads);
  });

  test.each(['#', 'x5#hello', '5x#hello', '-5#hello', '0#', '123456789#', '100001#x', ' 5#hello'])(
    '%s is refused',
    (text) => {
      expect(() => new FrameDecoder(limit).push(Buffer.from(text))).toThrow(FrameError);
    },
  );

  test('the limit itself is allowed', () => {
    const payload = 'y'.repeat(limit);
    expect(new FrameDecoder(limit).push(Buffer.from(encodeFrame(payload)))).toEqual([payload]);
  });
});
