import { describe, expect, it } from 'vitest';
import { ago, due } from '../../../../src/dashboard/parts/format.js';

const now = Date.parse('2026-11-22T12:00:00Z');

describe('a moment', () => {
  it('formats a past time as "2 min ago"', () => {
    expect(ago(now - 2_000, now)).toBe('just now');
    expect(ago(now - 125_000, now)).toBe('2 min ago');
  });

  it('formats a future time as "in 12 s"', () => {
    expect(due(now + 12_500, now)).toBe('in 12 s');
    expect(due(now + 3 * 3_600_000, now)).toBe('in 3 h');
    expect(due(now - 1_000, now)).toBe('now');
  });
});
