import { describe, expect, it } from 'vitest';
import { groups, isWithin } from '../../../../src/dashboard/app/places.js';

const places = groups.flatMap((group) => group.places);

describe('the navigation', () => {
  it('has each page once, and as many in the bar of a phone as its width holds', () => {
    expect(new Set(places.map(({ path }) => path)).size).toBe(places.length);
    expect(new Set(places.map(({ icon }) => icon)).size).toBe(places.length);
    expect(places.filter(({ isInBar }) => isInBar).length).toBe(4);
  });

  it('marks one place at most as current, and the parent place for a page below it', () => {
    const current = (path: string): string[] =>
      places.filter((place) => isWithin(path, place.path)).map(({ name }) => name);
    expect(current('/')).toEqual(['Overview']);
    expect(current('/calls/018f')).toEqual(['Calls']);
    expect(current('/callsign')).toEqual([]);
    expect(current('/setup/pbx')).toEqual(['Setup']);
  });
});
