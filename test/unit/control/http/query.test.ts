import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  cursorOf,
  metadataFilter,
  moment,
  pageLimit,
  pageOf,
  party,
  phoneNumber,
  truth,
  wholeNumber,
  withMetadata,
} from '../../../../src/control/http/query.js';
import { InvalidRequest } from '../../../../src/control/http/validation.js';

const messages = (schema: z.ZodType, value: unknown): string[] | undefined =>
  schema.safeParse(value).error?.issues.map(({ message }) => message);

describe('a whole number in a query', () => {
  const number = wholeNumber(1, 100);

  it.each<[unknown, number]>([
    ['1', 1],
    ['100', 100],
    ['007', 7],
    [5, 5],
  ])('%j is %i', (text, value) => expect(number.parse(text)).toBe(value));

  it.each(['0', '101', '-1', '1.5', '1e2', '', ' 1', 'ten', '1234567890', 1.5, null, ['1']])(
    'is not %j',
    (text) => expect(messages(number, text)).toEqual(['Must be a whole number from 1 to 100']),
  );

  it('is as long as nine digits', () =>
    expect(wholeNumber(0, 999_999_999).parse('999999999')).toBe(999_999_999));
});

describe('the entries of a page', () => {
  it('are as many as usual unless a query says so', () => {
    expect(pageLimit(200, 50).parse(undefined)).toBe(50);
    expect(pageLimit(200, 50).parse('200')).toBe(200);
    expect(messages(pageLimit(200, 50), '201')).toEqual(['Must be a whole number from 1 to 200']);
    expect(messages(pageLimit(200, 50), '0')).toHaveLength(1);
  });
});

describe('true and false in a query', () => {
  it('are written so', () => {
    expect([truth.parse('true'), truth.parse('false'), truth.parse(true)]).toEqual([true, false, true]);
    for (const text of ['1', 'TRUE', 'yes', ''])
      expect(messages(truth, text)).toEqual(['Must be true or false']);
  });
});

describe('a time in a query', () => {
  it('is ISO 8601 with a zone', () => {
    expect(moment.parse('2026-11-20T15:04:05+02:00')).toEqual(new Date('2026-11-20T13:04:05Z'));
    for (const text of ['2026-11-20', '2026-11-20T15:04:05', 'now', '2026-13-01T00:00:00Z'])
      expect(messages(moment, text)).toHaveLength(1);
  });
});

describe('a phone number in a query', () => {
  it('is read as digits, also with a plus that became a blank', () => {
    expect(phoneNumber.parse('+1 415 555 0100')).toBe('14155550100');
    expect(phoneNumber.parse(' 14155550100')).toBe('14155550100');
    expect(messages(phoneNumber, 'reception')).toEqual(['Must be an E.164 number, such as +14155550100']);
  });
});

describe('a party in a query', () => {
  it.each<[string, string[]]>([
    ['+14155550100', ['14155550100', '+14155550100']],
    ['14155550100', ['14155550100', '+14155550100']],
    [' 14155550100', ['14155550100', '+14155550100']],
    ['reception', ['reception']],
    ['+49 (0) 30', ['+49 (0) 30']],
    ['sip:1@x', ['sip:1@x']],
  ])('%s stands for %j', (text, spellings) => expect(party.parse(text)).toEqual(spellings));

  it.each(['', 'x'.repeat(129)])('is not "%s"', (text) => expect(party.safeParse(text).success).toBe(false));
});

describe('where a page begins', () => {
  it('is named by after, or by its older name', () => {
    expect(cursorOf({})).toEqual({ id: undefined, path: 'after' });
    expect(cursorOf({ after: 'a' })).toEqual({ id: 'a', path: 'after' });
    expect(cursorOf({ before: 'b' })).toEqual({ id: 'b', path: 'before' });
  });

  it('is not named twice', () =>
    expect(() => cursorOf({ after: 'a', before: 'a' })).toThrow(
      'before: after and before are the same parameter: send only one',
    ));
});

describe('a page of a short list', () => {
  const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
  const ids = (limit: number, after?: string): [string, string | null] => {
    const page = pageOf(rows, { limit, after });
    return [page.rows.map(({ id }) => id).join(''), page.next];
  };

  it('has the entries after the last one of the page before', () => {
    expect(ids(2)).toEqual(['ab', 'b']);
    expect(ids(2, 'b')).toEqual(['cd', null]);
    expect(ids(1, 'b')).toEqual(['c', 'c']);
    expect(ids(3)).toEqual(['abc', 'c']);
    expect(ids(4)).toEqual(['abcd', null]);
    expect(ids(9)).toEqual(['abcd', null]);
    expect(ids(2, 'd')).toEqual(['', null]);
    expect(pageOf([], { limit: 5 })).toEqual({ rows: [], next: null });
  });

  it('is none after an entry that the list does not have', () =>
    expect(() => ids(2, 'x')).toThrow('after: Must be the next of an earlier page'));
});

describe('metadata in a query', () => {
  const query = withMetadata(z.strictObject({ limit: z.string().optional(), metadata: metadataFilter }));

  it('is gathered by name', () => {
    expect(query.parse({ limit: '5', 'metadata[campaign]': 'spring', 'metadata[a b]': '1' })).toEqual({
      limit: '5',
      metadata: { campaign: 'spring', 'a b': '1' },
    });
    expect(query.parse({ limit: '5' })).toEqual({ limit: '5' });
  });

  it.each([
    { 'metadata[]': 'x' },
    { metadata: 'x' },
    { 'metadata[a]': ['x', 'y'] },
    { 'metadata[a': 'x' },
    { 'metadata[a]b': 'x' },
    { 'metadata[a][b]': 'x' },
    { [`metadata[${'x'.repeat(201)}]`]: 'x' },
    { 'metadata[a]': 'x'.repeat(501) },
    { other: 'x' },
  ])('is refused: %j', (value) => expect(query.safeParse(value).success).toBe(false));
});

describe('the error of a request', () => {
  it('names every field', () => {
    const error = new InvalidRequest([
      { error: 'VALIDATION_ERROR', message: 'Required', path: 'a.b' },
      { error: 'VALIDATION_ERROR', message: 'Too long', path: 'c' },
    ]);
    expect(error.message).toBe('a.b: Required; c: Too long');
  });
});
