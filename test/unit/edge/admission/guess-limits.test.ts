import { beforeEach, describe, expect, it } from 'vitest';
import { type Guess, GuessLimits } from '../../../../src/edge/admission/guess-limits.js';
import { TokenBuckets } from '../../../../src/edge/admission/token-buckets.js';

let now: number;
beforeEach(() => {
  now = 1_000_000;
});

const guess = (fields: Partial<Guess> = {}): Guess => ({
  source: '192.0.2.1',
  organization: 'o1',
  username: 'pbx',
  callId: 'c1',
  ...fields,
});

describe('wrong digest answers', () => {
  const perMinute = 5;
  const limits = (): GuessLimits => new GuessLimits(perMinute, () => now);
  /** One wrong answer in each of so many calls. */
  const wrongCalls = (of: GuessLimits, count: number, fields: (index: number) => Partial<Guess>): void => {
    for (let index = 0; index < count; index++) of.wrong(guess({ callId: `w${index}`, ...fields(index) }));
  };

  it('are checked twice in a call', () => {
    const of = limits();
    expect(of.refusal(guess())).toBeUndefined();
    expect(of.wrong(guess())).toBe(false);
    expect(of.refusal(guess())).toBeUndefined();
    expect(of.wrong(guess())).toBe(true);
    expect(of.refusal(guess())).toBe(
      '2 wrong digest answers for "pbx" in this call: further ones are refused unchecked.',
    );
    expect(of.refusal(guess({ callId: 'c2' }))).toBeUndefined();
  });

  it('of a user from one source are bounded per minute, and leave other users alone', () => {
    const of = limits();
    wrongCalls(of, perMinute - 1, () => ({}));
    expect(of.refusal(guess({ callId: 'next' }))).toBeUndefined();
    wrongCalls(of, 1, () => ({ callId: 'last' }));
    expect(of.refusal(guess({ callId: 'next' }))).toBe(
      'More than 5 wrong digest answers per minute for "pbx" from 192.0.2.1; checked again in 12 s. Other users at that address are not affected.',
    );
    expect(of.refusal(guess({ username: 'other' }))).toBeUndefined();
    expect(of.refusal(guess({ organization: 'o2' }))).toBeUndefined();
    now += 12_000;
    expect(of.refusal(guess({ callId: 'next' }))).toBeUndefined();
  });

  it('for many users from one source are bounded; repeated ones of a user count once', () => {
    const of = limits();
    wrongCalls(of, perMinute - 1, (index) => ({ username: `u${index}` }));
    // A PBX with one mistyped password has not tried another user.
    wrongCalls(of, 3, (index) => ({ username: 'u0', callId: `again${index}` }));
    expect(of.refusal(guess({ username: 'new' }))).toBeUndefined();
    wrongCalls(of, 1, () => ({ username: 'last' }));
    expect(of.refusal(guess({ username: 'new' }))).toMatch(
      /^Wrong digest answers for more than 5 users per minute from 192\.0\.2\.1; checked again in \d+ s\.$/,
    );
    expect(of.refusal(guess({ username: 'new', source: '192.0.2.2' }))).toBeUndefined();
  });

  it('for one user from everywhere are bounded, except from sources that have answered correctly', () => {
    const of = limits();
    of.right(guess({ source: '198.51.100.1' }));
    wrongCalls(of, 3 * perMinute, (index) => ({ source: `203.0.113.${index}` }));
    expect(of.refusal(guess({ source: '192.0.2.9' }))).toMatch(
      /^More than 15 wrong .* from several sources; sources that/,
    );
    expect(of.refusal(guess({ source: '198.51.100.1' }))).toBeUndefined();
  });

  it('of a source that is known do not lock out others', () => {
    const of = limits();
    of.right(guess());
    // One address: the other counts would end it first.
    for (let minute = 0; minute < 4; minute++) {
      wrongCalls(of, perMinute - 1, (index) => ({ callId: `m${minute} ${index}` }));
      now += 48_000;
    }
    wrongCalls(of, 3 * perMinute - 1, (index) => ({ source: `203.0.113.${index}` }));
    expect(of.refusal(guess({ source: '192.0.2.9' }))).toBeUndefined();
  });

  it('count an IPv6 network of 64 bits as one source', () => {
    const of = limits();
    wrongCalls(of, perMinute, (index) => ({ source: `2001:db8::${index + 1}` }));
    expect(of.refusal(guess({ source: '2001:db8::99' }))).toContain('from 2001:db8:0:0::/64');
    expect(of.refusal(guess({ source: '2001:db8:0:1::99' }))).toBeUndefined();
  });

  it('remember the latest sixteen sources of a user', () => {
    const of = limits();
    for (let index = 0; index < 17; index++) of.right(guess({ source: `198.51.100.${index}` }));
    wrongCalls(of, 3 * perMinute, (index) => ({ source: `203.0.113.${index}` }));
    expect(of.refusal(guess({ source: '198.51.100.0' }))).toBeDefined();
    expect(of.refusal(guess({ source: '198.51.100.1' }))).toBeUndefined();
  });
});

describe('token buckets', () => {
  const rate = { perSecond: 2, burst: 3 };

  it('give a burst, then wait, and fill up no further', () => {
    const buckets = new TokenBuckets(10, () => now);
    expect([1, 2, 3].map(() => buckets.take('a', rate))).toEqual([0, 0, 0]);
    expect(buckets.take('a', rate)).toBe(0.5);
    expect(buckets.wait('a', rate)).toBe(0.5);
    now += 500;
    expect(buckets.wait('a', rate)).toBe(0);
    expect(buckets.take('a', rate)).toBe(0);
    now += 60_000;
    expect([1, 2, 3].map(() => buckets.take('a', rate))).toEqual([0, 0, 0]);
    expect(buckets.take('a', rate)).toBeGreaterThan(0);
  });

  it('store nothing for a question', () => {
    const buckets = new TokenBuckets(10, () => now);
    expect(buckets.wait('a', rate)).toBe(0);
    expect(buckets.size).toBe(0);
  });

  it('drop the least recently used key', () => {
    const buckets = new TokenBuckets(2, () => now);
    const empty = (key: string): void => [1, 2, 3].forEach(() => void buckets.take(key, rate));
    empty('a');
    empty('b');
    buckets.take('a', rate);
    empty('c');
    expect(buckets.size).toBe(2);
    expect(buckets.wait('a', rate)).toBeGreaterThan(0);
    expect(buckets.wait('b', rate)).toBe(0);
  });
});
