import { describe, expect, test } from 'vitest';
import { formatReplaces, parseReplaces } from '../../../src/sip/replaces.js';

describe('a Replaces header (RFC 3891)', () => {
  test('names a dialog by Call-ID and both tags', () => {
    const value = 'call-7@pbx.example;to-tag=a1;from-tag=b2';
    const read = { callId: 'call-7@pbx.example', toTag: 'a1', fromTag: 'b2', earlyOnly: false };
    expect(parseReplaces(value)).toEqual(read);
    expect(formatReplaces(read)).toBe(value);
    expect(parseReplaces(' call-7 ; from-tag=b2 ;to-tag=a1;early-only')).toEqual({
      callId: 'call-7',
      toTag: 'a1',
      fromTag: 'b2',
      earlyOnly: true,
    });
    expect(formatReplaces({ ...read, earlyOnly: true })).toBe(`${value};early-only`);
  });

  test.each([
    ['no Call-ID', ';to-tag=a;from-tag=b'],
    ['no parameters', 'call-7'],
    ['no to-tag', 'call-7;from-tag=b'],
    ['no from-tag', 'call-7;to-tag=a'],
    ['a Call-ID of two words', 'call 7;to-tag=a;from-tag=b'],
    ['a tag that is no token', 'call-7;to-tag="a b";from-tag=b'],
  ])('with %s names none', (_what, value) => {
    expect(parseReplaces(value)).toBeUndefined();
  });
});
