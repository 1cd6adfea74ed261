import { describe, expect, it } from 'vitest';
import { codePointOf, splitHidden } from '../../../src/contract/hidden-characters.js';
import { filterOf } from '../../../src/dashboard/pages/calls/search.js';
import { bucketTime, clockTime, dateTime, zone } from '../../../src/dashboard/parts/format.js';

describe('text of peers', () => {
  it('cannot pass for other text by characters that turn it around or have no shape', () => {
    expect(splitHidden('\u202egnp.exe')).toEqual(['', '\u202e', 'gnp.exe']);
    expect(splitHidden('a\u200bb\u0000')).toEqual(['a', '\u200b', 'b', '\u0000', '']);
    expect(splitHidden('Zoë\t\r\n 日本')).toEqual(['Zoë\t\r\n 日本']);
    expect(codePointOf('\u202e')).toBe('U+202E');
  });
});

describe('times', () => {
  it('are those of UTC on request, with the day wherever it may be another one', () => {
    const moment = '2026-01-31T23:30:15.000Z';
    zone.value = 'utc';
    expect(clockTime(moment)).toBe('23:30:15');
    expect(dateTime(moment)).toMatch(/^31 Jan( 2026)? 23:30:15$/);
    expect(bucketTime(moment, 60)).toBe('31 Jan 23:30');
    // Today's hours too, in a plot of several days.
    expect(bucketTime(new Date().toISOString(), 7_200)).toMatch(/^\d+ \w+ \d\d:\d\d$/);
    zone.value = 'local';
  });
});

describe('the address of a list of calls', () => {
  const now = Date.parse('2026-11-20T12:34:56Z');
  const minute = '2026-11-20T12:30:00.000Z';

  it('asks for the whole minutes that the figures count', () => {
    expect(filterOf({ span: '5m' }, now, 'organization').ended_after).toBe(minute);
    expect(filterOf({ span: 'x' }, now, 'organization').ended_after).toBeUndefined();
    const bar = { ended_after: minute, ended_before: '2026-11-20T12:31:00.000Z' };
    expect(filterOf(bar, now, 'fleet')).toMatchObject({ ...bar, scope: 'fleet' });
  });

  it('distinguishes outcomes of a call from problems', () => {
    expect(filterOf({ outcome: 'refused' }, now, 'organization')).toMatchObject({
      outcome: 'refused',
      problem: undefined,
    });
    expect(filterOf({ outcome: 'bad_audio' }, now, 'organization')).toMatchObject({
      outcome: undefined,
      problem: 'audio',
    });
  });
});
