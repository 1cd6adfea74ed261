import { describe, expect, it } from 'vitest';
import { DigitReader, DigitWriter } from '../../../src/rtp/digits.js';

describe('digits that a peer presses', () => {
  it('are read once for each event, by its timestamp', () => {
    const reader = new DigitReader();
    const event = (code: number, end = 0): Buffer => Buffer.from([code, end | 10, 0, 160]);
    expect(reader.read(event(5), 1_000)).toBe('5');
    expect(reader.read(event(5), 1_000)).toBeUndefined();
    expect(reader.read(event(5, 0x80), 1_000)).toBeUndefined();
    // The same key again, of which the first packets are lost.
    expect(reader.read(event(5, 0x80), 3_000)).toBe('5');
    expect(reader.read(event(11, 0x80), 3_000)).toBeUndefined();
    expect(reader.read(event(11), 5_000)).toBe('#');
    expect(reader.read(event(10), 7_000)).toBe('*');
  });

  it('are none for flash, other events, and payloads that are too short', () => {
    const reader = new DigitReader();
    expect(reader.read(Buffer.from([16, 10, 0, 160]), 1)).toBeUndefined();
    expect(reader.read(Buffer.from([5, 10]), 2)).toBeUndefined();
  });
});

describe('digits that are sent', () => {
  it('have one mark, a growing duration, and three packets at their end (RFC 4733 §2.5)', () => {
    const writer = new DigitWriter();
    writer.write('7', 80);
    const packets = Array.from({ length: 6 }, () => writer.next());
    expect(packets.map((packet) => [...packet!.payload])).toEqual([
      [7, 10, 0, 160],
      [7, 10, 1, 64],
      [7, 10, 1, 224],
      [7, 0x8a, 2, 128],
      [7, 0x8a, 2, 128],
      [7, 0x8a, 2, 128],
    ]);
    expect(packets.map((packet) => packet!.isMarked)).toEqual([true, false, false, false, false, false]);
    expect(packets.map((packet) => packet!.offset)).toEqual([0, 160, 320, 480, 640, 800]);
  });

  it('come one after another with 80 ms between, and pauses of a second', () => {
    const writer = new DigitWriter();
    writer.write('1w#', 40);
    expect(writer.isBusy).toBe(true);
    const codes: (number | undefined)[] = [];
    while (writer.isBusy) codes.push(writer.next()?.payload[0]);
    const [digit, hash] = [codes.lastIndexOf(1), codes.indexOf(11)];
    expect(codes.filter((code) => code === 1)).toHaveLength(4);
    expect(codes.filter((code) => code === 11)).toHaveLength(4);
    expect(hash - digit - 1).toBe(54);
  });
});
