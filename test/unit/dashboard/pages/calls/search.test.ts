import { describe, expect, it } from 'vitest';
import {
  filterOf,
  isFiltered,
  type Search,
  searchOf,
} from '../../../../../src/dashboard/pages/calls/search.js';

const now = Date.parse('2026-11-22T12:34:56.789Z');
/** The filters that are set. */
const filter = (search: Search, scope?: 'fleet') =>
  Object.fromEntries(Object.entries(filterOf(search, now, scope)).filter(([, value]) => value !== undefined));

describe('the filter of an address', () => {
  it('is none without a search', () => {
    expect(filter({})).toEqual({});
    expect(filter({ before: 'c1' })).toEqual({});
  });

  it.each<[Search, object]>([
    [{ q: 'ada' }, { q: 'ada' }],
    [{ number: '+1415' }, { phone_number: '+1415' }],
    [{ direction: 'inbound' }, { direction: 'inbound' }],
    [{ organization: 'o1' }, { organization_id: 'o1' }],
    [{ end_reason: 'agent_lost' }, { end_reason: 'agent_lost' }],
    [{ code: '486' }, { sip_code: 486 }],
    [{ header: 'X-Tenant: acme' }, { header: 'X-Tenant: acme' }],
    [{ outcome: 'refused' }, { outcome: 'refused' }],
    [{ outcome: 'unsuccessful' }, { problem: 'any' }],
    [{ outcome: 'bad_audio' }, { problem: 'audio' }],
    [
      { ended_after: '2026-11-20T00:00:00Z', ended_before: '2026-11-20T01:00:00Z' },
      { ended_after: '2026-11-20T00:00:00Z', ended_before: '2026-11-20T01:00:00Z' },
    ],
    [{ q: '', number: '', direction: '', outcome: '', code: '', end_reason: '', organization: '' }, {}],
  ])('of %j is %j', (search, expected) => expect(filter(search)).toEqual(expected));

  it.each([
    ['5m', '2026-11-22T12:30:00.000Z'],
    ['1h', '2026-11-22T11:35:00.000Z'],
    ['24h', '2026-11-21T12:35:00.000Z'],
    ['7d', '2026-11-15T12:35:00.000Z'],
    ['30d', '2026-10-23T12:35:00.000Z'],
  ])('of the span %s begins with the whole minute %s', (span, ended_after) => {
    expect(filter({ span })).toEqual({ ended_after });
  });

  it('of a bar does not move with the time', () => {
    expect(filter({ span: '5m', ended_after: '2026-11-20T00:00:00Z' })).toEqual({
      ended_after: '2026-11-20T00:00:00Z',
    });
  });

  it('is that of the scope of the page, not of the address', () => {
    expect(filter({ scope: 'fleet' })).toEqual({});
    expect(filter({}, 'fleet')).toEqual({ scope: 'fleet' });
  });

  it.each(['2y', 'toString', 'constructor', '__proto__'])('ignores the unknown span %s', (span) => {
    expect(filter({ span })).toEqual({});
  });

  it.each(['constructor', 'valueOf'])('leaves the unknown outcome %s to the API', (outcome) => {
    expect(filter({ outcome })).toEqual({ outcome });
  });
});

it('a field of spaces alone is no search', () => {
  const search = searchOf({}, [
    ['q', '   '],
    ['number', '\t'],
  ]);
  expect(search).toEqual({});
  expect(isFiltered(search)).toBe(false);
});
