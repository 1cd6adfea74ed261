import { expect, it } from 'vitest';
import { longestFrame, MaskedFrames } from '../../../../src/media-stream/bot/masked-frame.js';

/** The payload of a frame of a client (RFC 6455 section 5.2). */
function unmasked(frame: Buffer): Buffer {
  const isShort = (frame[1]! & 0x7f) < 126;
  const length = isShort ? frame[1]! & 0x7f : frame.readUInt16BE(2);
  const start = isShort ? 6 : 8;
  expect(frame[1]! & 0x80).toBe(0x80);
  expect(frame.length).toBe(start + length);
  const mask = frame.subarray(start - 4, start);
  return Buffer.from(frame.subarray(start).map((octet, index) => octet ^ mask[index % 4]!));
}

it.each([0, 1, 2, 3, 125, 126, 127, 333, longestFrame])('masks a text of %i octets', (length) => {
  const text = 'abcdefg'.repeat(length / 7 + 1).slice(0, length);
  const frame = new MaskedFrames().of(Buffer.from(text), true, true);
  expect(frame[0]).toBe(0x81);
  expect(unmasked(frame).toString('latin1')).toBe(text);
});

it('copies the octets of a binary frame', () => {
  const octets = Buffer.from([1, 2, 3, 4, 5]);
  const frame = new MaskedFrames().of(octets, false, true);
  octets.fill(0);
  expect(frame[0]).toBe(0x82);
  expect(unmasked(frame)).toEqual(Buffer.from([1, 2, 3, 4, 5]));
});

it('uses the memory of a frame again once the connection has taken it', () => {
  const frames = new MaskedFrames();
  const first = frames.of(Buffer.from('the first one'), true, true);
  const second = frames.of(Buffer.from('the other one'), true, true);
  expect(second.buffer).toBe(first.buffer);
  expect(unmasked(second).toString()).toBe('the other one');
  expect(unmasked(frames.of(Buffer.from('a longer third one'), true, true)).toString()).toBe(
    'a longer third one',
  );
});

it('leaves frames alone that wait for a slow server', () => {
  const frames = new MaskedFrames();
  const waiting = [
    frames.of(Buffer.from('frame 1'), true, true),
    frames.of(Buffer.from('frame 2'), true, false),
    frames.of(Buffer.from('frame 3'), true, false),
  ];
  expect(waiting.map((frame) => unmasked(frame).toString())).toEqual(['frame 1', 'frame 2', 'frame 3']);
});

it('keeps no pool in memory while a frame waits', () => {
  const frames = new MaskedFrames();
  for (const isTaken of [true, false]) {
    const frame = frames.of(Buffer.from('x'.repeat(333)), true, isTaken);
    expect(frame.buffer.byteLength).toBeLessThan(frame.length + 4);
  }
});

it('draws another mask for each frame', () => {
  const frames = new MaskedFrames();
  const masks = Array.from({ length: 5_000 }, () =>
    frames.of(Buffer.alloc(160), false, true).readUInt32BE(4),
  );
  expect(new Set(masks).size).toBeGreaterThan(4_990);
});
