import { describe, expect, it } from 'vitest';
import { mosOf } from '../../../../src/edge/media/e-model.js';

const mos = (lossPercent: number, delayMilliseconds = 0, codec: string | null = 'PCMU') =>
  mosOf({ codec, lossPercent, delayMilliseconds });

describe('the MOS of the E-model', () => {
  it('is that of ITU-T G.107 for its default values, and at least 1', () => {
    // R = 93.2 is a MOS of 4.41 (G.107 Table B.1 is for R = 90: 4.34).
    expect(mos(0)).toBe(4.4);
    expect(mos(100)).toBe(1.2);
    expect(mos(100, 5_000)).toBe(1);
  });

  it('falls with loss as the codec’s robustness says (G.113: Bpl 25.1, R = 93.2 − 95·3/28.1)', () => {
    expect(mos(3)).toBe(4.1);
    expect(mos(10)).toBe(3.4);
    expect(mos(20)).toBe(2.6);
  });

  it('counts the impairment of the codec itself', () => {
    expect(mos(0, 0, 'G729')).toBe(4.1);
    expect(mos(5, 0, 'G729')).toBeLessThan(mos(5));
    expect(mos(2, 0, 'opus')).toBe(mos(2));
    expect(mos(2, 0, null)).toBe(mos(2));
  });

  it('takes delay into account from 100 ms on (G.107 equation 7-27)', () => {
    expect(mos(0, 100)).toBe(mos(0));
    expect(mos(0, 200)).toBe(4.3);
    // R = 93.2 − 24.1, just below the 70 that most users accept.
    expect(mos(0, 400)).toBe(3.6);
    expect(mos(0, 600)).toBeLessThan(3.1);
  });
});
