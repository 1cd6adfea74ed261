import { describe, expect, it } from 'vitest';
import type { LiveCall } from '../../../../../src/dashboard/api/noc.js';
import { matches } from '../../../../../src/dashboard/pages/calls/live-search.js';
import { isFiltered, type Search, searchOf } from '../../../../../src/dashboard/pages/calls/search.js';
import { zone } from '../../../../../src/dashboard/parts/format.js';
import { fieldOfMoment } from '../../../../../src/dashboard/parts/moment-field.js';

const call = {
  call_id: 'Ab12-cd',
  direction: 'inbound',
  phone_number: '+13125550161',
  from: '+4930123456',
  to: '+13125550161',
  from_header: '"Ada Lovelace" <sip:+4930123456@pbx.example>;tag=1',
  to_header: '<sip:+13125550161@edge.example>',
  trunk: { sip_call_id: 'Xyz@pbx.example', address: '203.0.113.7:5061' },
} as LiveCall;

describe('an active call', () => {
  it.each<[string, Search, boolean]>([
    ['no filter', {}, true],
    ['its direction', { direction: 'inbound' }, true],
    ['the other direction', { direction: 'outbound' }, false],
    ['its number', { number: '+13125550161' }, true],
    ['part of its Call-ID', { q: 'xyz@PBX.e' }, true],
    ['a part of its Call-ID that is too short', { q: 'xyz@pbx' }, false],
    ['its number as people write it', { number: '+1 (312) 555-0161' }, true],
    ['part of its number', { number: '+1312555' }, false],
    ['a number without digits', { number: '+' }, true],
    ['its number and the other direction', { number: '+13125550161', direction: 'outbound' }, false],
    ['a name, in any case', { q: 'LOVELACE' }, true],
    ['a name with spaces around', { q: '  ada ' }, true],
    ['another name', { q: 'Babbage' }, false],
    ['the host of a party', { q: 'pbx.example' }, true],
    ['part of a party as people write it', { q: '030 / 123-456' }, false],
    ['digits of a party with separators', { q: '30 123 (456)' }, true],
    ['two digits alone', { q: '9-9' }, false],
    ['three digits with separators', { q: '49-3' }, true],
    ['the call id', { q: 'AB12-CD' }, true],
    ['part of the call id', { q: 'ab12' }, false],
    ['the Call-ID of the trunk', { q: 'xyz@pbx.example' }, true],
    ['part of the Call-ID of the trunk', { q: 'xyz@' }, false],
    ['the address of the trunk', { q: '203.0.113.7' }, true],
    ['the start of the address', { q: '203.0.113' }, false],
  ])('is judged by %s', (_, search, expected) => {
    expect(matches(call, search)).toBe(expected);
  });

  it('without a number is found by none', () => {
    expect(matches({ ...call, phone_number: null } as LiveCall, { number: '+13125550161' })).toBe(false);
  });
});

describe('a submitted search', () => {
  it('has the filled fields, without spaces around', () => {
    expect(
      searchOf({}, [
        ['q', '  ada '],
        ['outcome', ''],
        ['code', '486'],
      ]),
    ).toEqual({ q: 'ada', code: '486' });
  });

  it('drops what the form was emptied of', () => {
    expect(searchOf({ q: 'ada', number: '+1312', before: 'c9' }, [['q', '']])).toEqual({});
  });

  it('takes the times of its fields, in the zone of the page, unless a time range is chosen', () => {
    const fields = [
      ['ended_after', '2026-11-24T03:07'],
      ['ended_before', ''],
    ] as const;
    zone.value = 'utc';
    try {
      expect(searchOf({}, fields)).toEqual({ ended_after: '2026-11-24T03:07:00.000Z' });
      expect(fieldOfMoment('2026-11-24T03:07:00.000Z')).toBe('2026-11-24T03:07');
    } finally {
      zone.value = 'local';
    }
    const there = searchOf({}, fields).ended_after;
    expect(Date.parse(there!)).toBe(new Date(2026, 10, 24, 3, 7).getTime());
    expect(fieldOfMoment(there)).toBe('2026-11-24T03:07');
    expect(searchOf({ ended_after: there! }, [...fields, ['span', '5m']])).toEqual({ span: '5m' });
    expect(searchOf({ ended_after: there! }, [['ended_after', '']])).toEqual({});
    expect(fieldOfMoment('nonsense')).toBe('');
  });

  it('keeps what the form has no field for', () => {
    const before = { scope: 'fleet', organization: 'o1', ended_after: 'a', ended_before: 'b' };
    expect(searchOf(before, [['q', 'ada']])).toEqual({ ...before, q: 'ada' });
  });

  it('replaces the interval of a bar by a time range', () => {
    expect(searchOf({ scope: 'fleet', ended_after: 'a', ended_before: 'b' }, [['span', '1h']])).toEqual({
      scope: 'fleet',
      span: '1h',
    });
  });
});

describe('a search', () => {
  it.each<[Search, boolean]>([
    [{}, false],
    [{ before: 'c9' }, false],
    [{ scope: 'fleet' }, false],
    [{ scope: 'fleet', q: 'ada' }, true],
    [{ ended_after: 'a' }, true],
  ])('%j narrows the list: %s', (search, expected) => {
    expect(isFiltered(search)).toBe(expected);
  });
});
