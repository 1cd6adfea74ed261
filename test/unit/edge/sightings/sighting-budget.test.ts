import { describe, expect, it } from 'vitest';
import { SightingBudget } from '../../../../src/edge/sightings/sighting-budget.js';

describe('what is published of PBXs', () => {
  it('is one of the same in five seconds, and each that differs', () => {
    let now = 0;
    const budget = new SightingBudget(10, () => now);
    expect(budget.take('203.0.113.5', 'OPTIONS 200')).toBe(true);
    now = 4_999;
    expect(budget.take('203.0.113.5', 'OPTIONS 200')).toBe(false);
    expect(budget.take('203.0.113.5', 'INVITE 403')).toBe(true);
    expect(budget.take('203.0.113.6', 'OPTIONS 200')).toBe(true);
    now = 5_000;
    expect(budget.take('203.0.113.5', 'OPTIONS 200')).toBe(true);
  });

  it('leaves other sources their share in a flood that never repeats itself', () => {
    const budget = new SightingBudget(10, () => 0);
    let published = 0;
    for (let sent = 0; sent < 5_000; sent += 1)
      if (budget.take('198.51.100.1', `INVITE ${sent}`)) published += 1;
    expect(published).toBeLessThanOrEqual(20);
    expect(budget.take('203.0.113.5', 'OPTIONS 200')).toBe(true);
  });

  it('is bounded for a flood from many sources', () => {
    const budget = new SightingBudget(10, () => 0);
    let published = 0;
    for (let source = 0; source < 5_000; source += 1)
      if (budget.take(`source ${source}`, 'INVITE')) published += 1;
    expect(published).toBeLessThanOrEqual(100);
  });

  it('forgets the oldest sources, so that a flood from many does not fill the memory', () => {
    const budget = new SightingBudget(100_000, () => 0);
    expect(budget.take('203.0.113.5', 'OPTIONS 200')).toBe(true);
    for (let source = 0; source < 5_000; source += 1) budget.take(`source ${source}`, 'INVITE');
    // Within five seconds, it is published again only because it was forgotten.
    expect(budget.take('203.0.113.5', 'OPTIONS 200')).toBe(true);
    expect(budget.take('source 4999', 'INVITE')).toBe(false);
  });
});
