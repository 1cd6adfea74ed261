import { expect, it } from 'vitest';
import { cursorOf, pageOf } from '../../../src/control/http/query.js';
import { InvalidRequest } from '../../../src/control/http/validation.js';

const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }));

it.each([1, 2, 3, 4, 5])('pages of %i show every row once, and only the last has no next', (limit) => {
  const shown: string[] = [];
  let after: string | undefined;
  for (let pages = 1; ; pages++) {
    const page = pageOf(rows, { limit, after });
    shown.push(...page.rows.map(({ id }) => id));
    if (page.next === null) {
      expect(pages).toBe(Math.ceil(rows.length / limit));
      break;
    }
    after = page.next;
  }
  expect(shown).toEqual(['a', 'b', 'c', 'd']);
});

it('an unknown cursor is refused, not read as the first page', () => {
  expect(() => pageOf(rows, { limit: 2, after: 'x' })).toThrow(InvalidRequest);
  expect(() => pageOf([], { limit: 2, after: 'a' })).toThrow(InvalidRequest);
  expect(pageOf([], { limit: 2 })).toEqual({ rows: [], next: null });
});

it('the older name of a cursor counts, beside the new one it is refused', () => {
  expect(cursorOf({ before: 'a' })).toEqual({ id: 'a', path: 'before' });
  expect(cursorOf({ after: 'a' })).toEqual({ id: 'a', path: 'after' });
  expect(cursorOf({})).toEqual({ id: undefined, path: 'after' });
  expect(() => cursorOf({ after: 'a', before: 'a' })).toThrow(InvalidRequest);
});
