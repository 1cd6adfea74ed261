import { describe, expect, it } from 'vitest';
import type { LineConditions } from '../../../src/contract/voice-call.js';
import { samplesPerPacket } from '../../../src/rtp/g711.js';
import { levelOf } from '../../../src/rtp/speech-detector.js';
import { CallerLine } from '../../../src/test-caller/line-conditions.js';

const plain: LineConditions = {
  gainDecibels: 0,
  noise: null,
  lossShare: 0,
  jitterMilliseconds: 0,
  seed: 1,
};
const silence = new Int16Array(samplesPerPacket);

/** What goes out in so many seconds of silence. */
function sound(conditions: Partial<LineConditions>, seconds: number): Int16Array {
  const line = new CallerLine({ ...plain, ...conditions });
  const samples = new Int16Array(seconds * 8_000);
  for (let at = 0; at < samples.length; at += samplesPerPacket) samples.set(line.sound(silence), at);
  return samples;
}

describe('the line of a caller', () => {
  it('changes nothing without conditions', () => {
    const frame = new Int16Array(samplesPerPacket).fill(1_234);
    const line = new CallerLine(plain);
    expect(line.sound(frame)).toBe(frame);
    expect(line.delay()).toBe(0);
  });

  it('makes the voice louder or quieter, up to full scale', () => {
    const frame = new Int16Array(samplesPerPacket).fill(1_000);
    expect(new CallerLine({ ...plain, gainDecibels: -20 }).sound(frame)[0]).toBe(100);
    expect(new CallerLine({ ...plain, gainDecibels: 20 }).sound(frame)[0]).toBe(10_000);
    const loud = new Int16Array(samplesPerPacket).fill(-20_000);
    expect(new CallerLine({ ...plain, gainDecibels: 20 }).sound(loud)[0]).toBe(-32_768);
  });

  it.each(['babble', 'street', 'office'] as const)(
    'has %s of the wanted level, the same for a seed',
    (kind) => {
      const noise = { kind, levelDecibels: -35 };
      const first = sound({ noise }, 12);
      const level = levelOf(first);
      expect(level).toBeGreaterThan(-37.5);
      expect(level).toBeLessThan(-32.5);
      expect(Buffer.from(sound({ noise }, 12).buffer).equals(Buffer.from(first.buffer))).toBe(true);
      expect(Buffer.from(sound({ noise, seed: 2 }, 12).buffer).equals(Buffer.from(first.buffer))).toBe(false);
    },
  );

  it('loses and delays as many packets as it should, the same for a seed', () => {
    const delays = (conditions: Partial<LineConditions>) => {
      const line = new CallerLine({ ...plain, ...conditions });
      return Array.from({ length: 10_000 }, () => line.delay());
    };
    const conditions = { lossShare: 0.1, jitterMilliseconds: 40 };
    const found = delays(conditions);
    const lost = found.filter((delay) => delay === undefined).length;
    expect(lost).toBeGreaterThan(900);
    expect(lost).toBeLessThan(1_100);
    const kept = found.filter((delay) => delay !== undefined);
    expect([Math.min(...kept), Math.max(...kept)]).toEqual([0, 40]);
    expect(delays(conditions)).toEqual(found);
    // The noise changes no loss.
    expect(delays({ ...conditions, noise: { kind: 'street', levelDecibels: -40 } })).toEqual(found);
  });
});
