import { describe, expect, it } from 'vitest';
import { expectedOf, kinds } from '../../../dev/verdicts/kinds.js';
import { type Expected, type Look, noticeOf, problemsOf } from '../../../dev/verdicts/notice.js';
import { endReasons } from '../../../src/contract/call-record.js';

const look = (at: number, tone: Look['tone'], ...texts: string[]): Look => ({ at, tone, words: tone, texts });
const expected: Expected = { tone: 'bad', words: ['Agent unreachable'] };

describe('the notice that a page gives of a failure', () => {
  it('counts from the failure to the first look that is not green, and to the first that names the cause', () => {
    const looks = [
      look(0, 'good'),
      look(3_000, 'warn', '1 of 1 call failed: Agent unreachable'),
      look(5_000, 'bad', '9 of 9 calls failed: Agent unreachable'),
    ];
    const notice = noticeOf(looks, expected, 1_000, 9_000);
    expect(notice).toEqual({
      notGreenAfter: 2_000,
      namedAfter: 4_000,
      says: '9 of 9 calls failed: Agent unreachable',
      green: 2_000,
      greenAgain: 0,
    });
    expect(problemsOf(notice)).toEqual([]);
  });

  it('finds a page that stays green, or says that there is nothing to judge', () => {
    for (const tone of ['good', 'idle'] as const) {
      const notice = noticeOf([look(0, tone)], expected, 1_000, 9_000);
      expect(notice.green).toBe(8_000);
      expect(problemsOf(notice)).toEqual([`never noticed: ${tone}`]);
    }
  });

  it('finds a page that is green for more than ten seconds, or green again', () => {
    const looks = [look(0, 'good'), look(12_000, 'bad', 'Agent unreachable'), look(13_000, 'good')];
    expect(problemsOf(noticeOf(looks, expected, 1_000, 14_000))).toEqual([
      'green for 12.0 s',
      'green again for 1.0 s',
      'names the cause after 11.0 s',
    ]);
  });

  it('finds a cause that is not that of the calls', () => {
    const looks = [look(0, 'good'), look(2_000, 'bad', '9 of 9 calls failed: Limit exceeded')];
    expect(problemsOf(noticeOf(looks, expected, 1_000, 9_000))).toEqual([
      'names another cause: 9 of 9 calls failed: Limit exceeded',
    ]);
  });
});

describe('the kinds of calls', () => {
  it('end for known reasons, of which the page has words', () => {
    for (const kind of kinds) {
      if (kind.ends === undefined) continue;
      expect(endReasons).toContain(kind.ends.reason);
      expect(expectedOf(kind, 'Acme').words).toHaveLength(2);
    }
  });
});
