import { describe, expect, it } from 'vitest';
import { JitterBuffer } from '../../../src/rtp/jitter-buffer.js';

const source = 7;

/** Feeds packets of 20 ms by their arrival, and takes a frame every 20 ms. */
class Line {
  readonly buffer = new JitterBuffer('PCMU');
  readonly heard: string[] = [];
  /** The number that each voice frame begins with. */
  readonly numbers: number[] = [];
  private readonly frame = new Uint8Array(160);

  run(
    arrivals: readonly { readonly at: number; readonly number: number; readonly length?: number }[],
    until: number,
  ): void {
    const waiting = [...arrivals].sort((a, b) => a.at - b.at);
    for (let now = 0; now <= until; now += 20) {
      while (waiting.length > 0 && waiting[0]!.at <= now) {
        const { at, number } = waiting.shift()!;
        this.buffer.put(
          number & 0xffff,
          (number * 160) >>> 0,
          source,
          new Uint8Array(160).fill(1 + (number % 100)),
          at,
        );
      }
      this.take(now);
      if (this.buffer.catchesUp()) this.take(now);
    }
  }

  private take(now: number): void {
    const kind = this.buffer.take(this.frame, now);
    this.heard.push(kind);
    if (kind === 'voice') this.numbers.push(this.frame[0]! - 1);
  }
}

const steady = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ at: (from + index) * 20 + 3, number: from + index }));

describe('a jitter buffer', () => {
  it('passes a steady stream on in order with two frames of delay', () => {
    const line = new Line();
    line.run(steady(50), 1_100);
    expect(line.numbers).toEqual(Array.from({ length: 50 }, (_, index) => index));
    expect(line.heard.indexOf('voice')).toBeLessThanOrEqual(4);
    expect(line.buffer.counts).toMatchObject({ received: 50, lost: 0, late: 0, duplicate: 0 });
  });

  it.each([1, 5, 10, 15, 19])('delays a steady stream by 40 ms at most, %i ms after the tick', (after) => {
    const buffer = new JitterBuffer('PCMU');
    const frame = new Uint8Array(160);
    const delays: number[] = [];
    const take = (now: number): void => {
      if (buffer.take(frame, now) === 'voice') delays.push(now - (frame[0]! * 20 + after));
    };
    for (let number = 0; number < 120; number++) {
      const now = number * 20;
      take(now);
      if (buffer.catchesUp()) take(now);
      buffer.put(number, number * 160, source, new Uint8Array(160).fill(number), now + after);
    }
    // The first second is more careful.
    expect(Math.max(...delays.slice(0, 40))).toBe(60 - after);
    expect(Math.max(...delays.slice(60))).toBe(40 - after);
    expect(buffer.counts.late).toBe(0);
  });

  it('puts packets that overtake each other in order, and drops doubled ones', () => {
    const line = new Line();
    const packets = steady(20);
    line.run(
      [...packets.map((each, index) => ({ ...each, at: each.at + (index % 2) * 30 })), packets[5]!],
      600,
    );
    expect(line.numbers).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(line.buffer.counts).toMatchObject({ lost: 0, duplicate: 1 });
  });

  it('conceals a lost packet, and counts it as lost', () => {
    const line = new Line();
    line.run(
      steady(20).filter(({ number }) => number !== 10),
      500,
    );
    expect(line.numbers).not.toContain(10);
    expect(line.numbers).toHaveLength(19);
    expect(line.heard.slice(line.heard.indexOf('voice')).indexOf('concealed')).toBe(10);
    expect(line.buffer.counts.lost).toBe(1);
  });

  it('does not take a pause of the sender for loss', () => {
    const line = new Line();
    const later = Array.from({ length: 10 }, (_, index) => ({
      at: (60 + index) * 20 + 3,
      number: 60 + index,
    }));
    const buffer = line.buffer;
    const frame = new Uint8Array(160);
    // The same sequence numbers, with timestamps that have gone ahead (RFC 3551 §4.1).
    let sequence = 0;
    for (let now = 0; now < 1_500; now += 20) {
      const number = now / 20;
      if (number < 20 || later.some((each) => each.number === number))
        buffer.put(sequence++, number * 160, source, new Uint8Array(160).fill(9), now);
      buffer.take(frame, now);
    }
    expect(buffer.counts.lost).toBe(0);
    expect(buffer.counts.late).toBe(0);
  });

  it('is as long as late packets need, and short again when they no longer come', () => {
    const line = new Line();
    // From packet 50 to 100 every fifth is 90 ms late.
    const packets = steady(400).map((each) =>
      each.number >= 50 && each.number < 100 && each.number % 5 === 0 ? { ...each, at: each.at + 90 } : each,
    );
    line.run(packets, 8_200);
    const lateOnes = line.buffer.counts.late;
    expect(lateOnes).toBeLessThan(5);
    expect(line.numbers.length).toBeGreaterThan(390);
    expect(line.buffer.delayMilliseconds).toBeLessThanOrEqual(80);
  });

  /** A packet each 20 ms on a line with that delay: how long each heard one had waited since its time to be sent, by its number. */
  function waits(delay: (number: number) => number, count: number) {
    const buffer = new JitterBuffer('PCMU');
    const frame = new Uint8Array(160);
    const arrivals = Array.from({ length: count }, (_, number) => ({
      number,
      at: number * 20 + 3 + delay(number),
    })).sort((left, right) => left.at - right.at);
    const heard = new Map<number, number>();
    let largestDelay = 0;
    for (let now = 0; now < count * 20 + 1_200; now += 20) {
      for (let [packet] = arrivals; packet !== undefined && packet.at <= now; [packet] = arrivals) {
        const { number, at } = packet;
        const payload = new Uint8Array(160);
        payload.set([number >> 8, number & 0xff]);
        buffer.put(number, number * 160, source, payload, at);
        arrivals.shift();
      }
      largestDelay = Math.max(largestDelay, buffer.delayMilliseconds);
      do
        if (buffer.take(frame, now) === 'voice') {
          const number = frame[0]! * 256 + frame[1]!;
          heard.set(number, now - number * 20);
        }
      while (buffer.catchesUp());
    }
    return { heard, largestDelay, counts: buffer.counts };
  }

  it.each([190, 250, 350, 600])(
    'delays the caller by 200 ms at most, although packets are %i ms late',
    (late) => {
      const isLate = (number: number): boolean => number >= 50 && number < 500 && number % 5 === 0;
      const { heard, largestDelay, counts } = waits((number) => (isLate(number) ? late : 0), 800);
      expect(Math.max(...heard.values())).toBeLessThanOrEqual(200);
      expect(largestDelay).toBeLessThanOrEqual(200);
      // What comes later still is dropped, and the others are heard.
      if (late === 190) expect(heard.size).toBeGreaterThan(790);
      else expect(counts.late).toBeGreaterThanOrEqual(85);
      expect([...heard.keys()].filter((number) => !isLate(number)).length).toBeGreaterThanOrEqual(705);
      // A packet beyond 384 ms does not tell how late it is.
      if (late < 384) expect(largestDelay).toBe(200);
      expect(heard.get(799)).toBeLessThanOrEqual(60);
      expect(counts.lost).toBe(0);
    },
  );

  it.each([100, 250, 380, 700])('follows a way that is longer by %i ms from one packet on', (longer) => {
    const { heard } = waits((number) => (number < 100 ? 0 : longer), 400);
    const numbers = [...heard.keys()];
    expect(numbers.filter((number) => number >= 100 && number < 130).length).toBeGreaterThan(5);
    expect(numbers.filter((number) => number >= 200)).toHaveLength(200);
    expect(heard.get(399)).toBeLessThanOrEqual(longer + 100);
  });

  it('loses the delay that a stall has left within a few seconds', () => {
    const line = new Line();
    // Nothing for 150 ms, then all at once.
    const packets = steady(300).map((each) =>
      each.at > 1_000 && each.at < 1_150 ? { ...each, at: 1_150 } : each,
    );
    line.run(packets, 6_100);
    // The last packet came at 5,983 ms, and is heard by 6,100.
    expect(line.numbers.at(-1)).toBe(299 % 100);
    expect(line.buffer.delayMilliseconds).toBeLessThan(60);
  });

  it('follows another source, and a jump of timestamps, at once', () => {
    const { buffer } = new Line();
    const frame = new Uint8Array(160);
    let voices = 0;
    for (let index = 0; index < 30; index++) {
      buffer.put(index, index * 160, 1, new Uint8Array(160).fill(3), index * 20);
      buffer.take(frame, index * 20);
    }
    for (let index = 30; index < 60; index++) {
      buffer.put(index + 500, 4_000_000_000 + index * 160, 2, new Uint8Array(160).fill(4), index * 20);
      if (buffer.take(frame, index * 20) === 'voice' && frame[0] === 4) voices++;
    }
    expect(voices).toBeGreaterThan(25);
  });

  it('makes frames of 20 ms of packets of 10, 30 and 60 ms', () => {
    for (const length of [80, 240, 480]) {
      const buffer = new JitterBuffer('PCMU');
      const frame = new Uint8Array(160);
      const heard: number[] = [];
      let sent = 0;
      for (let now = 0; now < 2_000; now += 20) {
        while (sent * (length / 8) <= now && sent * length < 8_000) {
          const payload = Uint8Array.from({ length }, (_, index) => 1 + ((sent * length + index) % 97));
          buffer.put(sent, sent * length, source, payload, sent * (length / 8));
          sent++;
        }
        if (buffer.take(frame, now) === 'voice') heard.push(...frame);
      }
      const voice = heard.slice(heard.findIndex((octet) => octet !== 0xff)).filter((octet) => octet !== 0xff);
      const expected = Array.from({ length: voice.length }, (_, index) => 1 + (index % 97));
      expect(voice).toEqual(expected);
      expect(voice.length).toBeGreaterThan(7_500);
    }
  });
});
