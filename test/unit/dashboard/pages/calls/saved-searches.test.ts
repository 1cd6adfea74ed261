import { describe, expect, it } from 'vitest';
import {
  mostSaved,
  readSaved,
  totalText,
  withoutSaved,
  withSaved,
} from '../../../../../src/dashboard/pages/calls/saved-searches.js';

describe('saved searches', () => {
  it('are the newest first, each name once, without the page of the list', () => {
    const first = withSaved([], ' Refused ', { outcome: 'refused', before: 'c1' });
    expect(first).toEqual([{ name: 'Refused', search: { outcome: 'refused' } }]);
    const both = withSaved(first, 'Bad audio', { outcome: 'bad_audio' });
    const replaced = withSaved(both, 'Refused', { outcome: 'refused', span: '1h' });
    expect(replaced.map(({ name, search }) => [name, search.span])).toEqual([
      ['Refused', '1h'],
      ['Bad audio', undefined],
    ]);
    expect(withoutSaved(replaced, 'Refused').map(({ name }) => name)).toEqual(['Bad audio']);
    expect(withSaved(both, '  ', { q: 'x' })).toBe(both);
  });

  it('are bounded', () => {
    let saved = withSaved([], 'first', { q: 'a' });
    for (let at = 0; at < mostSaved; at++) saved = withSaved(saved, `search ${at}`, { q: 'b' });
    expect(saved).toHaveLength(mostSaved);
    expect(saved.some(({ name }) => name === 'first')).toBe(false);
  });

  it('are read from storage, and none from what another program wrote', () => {
    const saved = withSaved([], 'Refused', { outcome: 'refused' });
    expect(readSaved(JSON.stringify(saved))).toEqual(saved);
    for (const text of [null, '', '{', '"text"', '[null,{"name":1},{"name":"a","search":{"q":5}}]']) {
      expect(readSaved(text)).toEqual([]);
    }
  });
});

describe('the total of a list', () => {
  it.each([
    [{ calls: 1, is_complete: true }, '1 call'],
    [{ calls: 1_204, is_complete: true }, '1,204 calls'],
    [{ calls: 10_000, is_complete: false }, 'more than 10,000 calls'],
  ])('of %j is %s', (total, text) => {
    expect(totalText(total)).toBe(text);
  });
});
