import { describe, expect, it } from 'vitest';
import { silentSides } from '../../../src/dashboard/pages/call/silence.js';

const side = (packets: number) => ({
  packets_received: packets,
  octets_received: packets * 172,
  packets_sent: 0,
  octets_sent: 0,
  errors: 0,
});
const [silent, heard] = [side(0), side(50)];

describe('silent sides of a call', () => {
  it.each([
    ['an ended call', { isEnded: true, talked: 2_000 }],
    ['an active call', { isEnded: false, talked: 3_000 }],
  ])('are named for %s', (_, talk) => {
    expect(silentSides({ trunk: silent, agent: heard }, talk)).toBe('trunk');
    expect(silentSides({ trunk: heard, agent: silent }, talk)).toBe('agent');
    expect(silentSides({ trunk: silent, agent: silent }, talk)).toBe('both');
    expect(silentSides({ trunk: heard, agent: heard }, talk)).toBeUndefined();
  });

  it.each([
    ['no party answered', { isEnded: true, talked: 0 }],
    ['it was over at once', { isEnded: true, talked: 900 }],
    ['it has only just been answered', { isEnded: false, talked: 2_900 }],
  ])('are not named when %s', (_, talk) => {
    expect(silentSides({ trunk: silent, agent: null }, talk)).toBeUndefined();
    expect(silentSides({ trunk: silent, agent: silent }, talk)).toBeUndefined();
  });
});
