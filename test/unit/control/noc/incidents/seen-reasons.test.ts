import { describe, expect, it } from 'vitest';
import type { Reason } from '../../../../../src/control/noc/incidents/reasons.js';
import {
  firstSeenAt,
  mergedReasons,
  recoveryOf,
  seenReasons,
} from '../../../../../src/control/noc/incidents/seen-reasons.js';
import type { StoredReason } from '../../../../../src/control/noc/incidents/tables.js';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 20, 12, 0, seconds));
const reason = (key: string, fields: Partial<Reason> = {}): Reason => ({
  key,
  kind: 'component',
  text: `${key}: down`,
  cause: null,
  advice: null,
  phone_number: null,
  end_reason: null,
  sip_status: null,
  ...fields,
});
const stored = (key: string, first: number, last: number): StoredReason => ({
  ...reason(key),
  first_seen_at: at(first).toISOString(),
  last_seen_at: at(last).toISOString(),
});

describe('the reasons of a look', () => {
  it('keep the time at which an earlier look saw them first', () => {
    const before = [{ ...reason('a'), since: at(0) }];
    expect(seenReasons([reason('b'), reason('a', { text: 'changed' })], before, at(5))).toEqual([
      { ...reason('b'), since: at(5) },
      { ...reason('a'), text: 'changed', since: at(0) },
    ]);
    expect(seenReasons([], before, at(5))).toEqual([]);
  });

  it('turned the verdict red when the first of them was seen', () => {
    const seen = [
      { ...reason('a'), since: at(7) },
      { ...reason('b'), since: at(3) },
      { ...reason('c'), since: at(9) },
    ];
    expect(firstSeenAt(seen)).toEqual(at(3));
  });
});

describe('the recovery of an incident', () => {
  it('begins when the verdict is no longer red, and is over after a minute', () => {
    expect(recoveryOf(null, at(0))).toEqual({ clearSince: at(0), isOver: false });
    expect(recoveryOf(at(0), at(59))).toEqual({ clearSince: at(0), isOver: false });
    expect(recoveryOf(at(0), new Date(at(60).getTime() - 1)).isOver).toBe(false);
    expect(recoveryOf(at(0), at(60))).toEqual({ clearSince: at(0), isOver: true });
  });
});

describe('the reasons of an incident', () => {
  const merged = (before: StoredReason[], found: [string, number][], now = 30) =>
    mergedReasons(
      before,
      found.map(([key, since]) => ({ ...reason(key), since: at(since) })),
      at(now),
    );

  it('begin with those that opened it', () => {
    expect(merged([], [['a', 20]])).toEqual([stored('a', 20, 30)]);
    expect(merged([], [['a', 20]]).some((each) => 'since' in each)).toBe(false);
  });

  it('continue with the time at which each was seen first, in their order, and the words of now', () => {
    const before = [stored('a', 0, 10), stored('b', 5, 10)];
    const now = mergedReasons(
      before,
      [
        { ...reason('c'), since: at(25) },
        { ...reason('b', { text: 'worse' }), since: at(28) },
      ],
      at(30),
    );
    expect(now).toEqual([stored('a', 0, 10), { ...stored('b', 5, 30), text: 'worse' }, stored('c', 25, 30)]);
    expect(now.some((each) => 'since' in each)).toBe(false);
  });

  it('are twenty at most: the first, and those that were seen last', () => {
    const before = Array.from({ length: 20 }, (_, index) => stored(`r${index}`, 0, 20 - index));
    expect(merged(before, []).map(({ key }) => key)).toHaveLength(20);
    const keys = merged(before, [['new', 30]]).map(({ key }) => key);
    expect(keys).toHaveLength(20);
    expect([keys[0], keys.at(-1)]).toEqual(['r0', 'new']);
    expect(keys).not.toContain('r19');
    expect(keys).toContain('r18');
  });

  it('keep the first one, however long ago it was seen', () => {
    const before = [
      stored('first', 0, 0),
      ...Array.from({ length: 19 }, (_, index) => stored(`r${index}`, 0, 10)),
    ];
    const keys = merged(before, [['new', 30]]).map(({ key }) => key);
    expect(keys[0]).toBe('first');
    expect(keys).toContain('new');
  });
});
