import { describe, expect, test } from 'vitest';
import { engineDefaults } from '../../../../src/config/engine-settings.js';
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

  test('an edge may name the dialogs of 20,000 calls when it takes them over', () => {
    const name = (dialog: number): string => `${'c'.repeat(60)}${dialog};from-tag=${'t'.repeat(24)}`;
    const payload = `id|adopt|owner\r\n${Array.from({ length: 40_000 }, (_, each) => name(each)).join('\r\n')}`;
    const decoder = new FrameDecoder(engineDefaults.maximumFrame);
    expect(decoder.push(Buffer.from(encodeFrame(payload)))).toEqual([payload]);
  });

  test('the limit itself is allowed', () => {
    const payload = 'y'.repeat(limit);
    expect(new FrameDecoder(limit).push(Buffer.from(encodeFrame(payload)))).toEqual([payload]);
  });
});
