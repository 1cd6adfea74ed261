import { describe, expect, it } from 'vitest';
import { detachSchema, directionsOf, divided } from '../../../../src/control/trunks/detach.js';

const rows = [
  { id: 'a', direction: 'inbound' as const },
  { id: 'b', direction: 'outbound' as const },
  { id: 'c', direction: 'outbound' as const },
];
const ids = (wanted: { type: 'inbound' | 'outbound'; id?: string }[]): [string, string] => {
  const { going, staying } = divided(rows, wanted);
  return [going.map(({ id }) => id).join(''), staying.map(({ id }) => id).join('')];
};

describe('the configurations that a request removes', () => {
  it.each<[Parameters<typeof ids>[0], string, string]>([
    [[{ type: 'inbound' }], 'a', 'bc'],
    [[{ type: 'outbound' }], 'bc', 'a'],
    [[{ type: 'outbound', id: 'c' }], 'c', 'ab'],
    [[{ type: 'inbound', id: 'c' }], '', 'abc'],
    [[{ type: 'outbound', id: 'x' }], '', 'abc'],
    [[{ type: 'inbound' }, { type: 'outbound', id: 'b' }], 'ab', 'c'],
    [[{ type: 'inbound' }, { type: 'outbound' }], 'abc', ''],
  ])('by %j are "%s", and "%s" stay', (wanted, going, staying) =>
    expect(ids(wanted)).toEqual([going, staying]),
  );
});

describe('the directions of configurations', () => {
  it('are each named once, inbound first', () => {
    expect(directionsOf(rows)).toEqual(['inbound', 'outbound']);
    expect(directionsOf([...rows].reverse())).toEqual(['inbound', 'outbound']);
    expect(directionsOf(rows.slice(1))).toEqual(['outbound']);
    expect(directionsOf([])).toEqual([]);
  });
});

describe('the request to remove them', () => {
  const isTaken = (fields: object): boolean =>
    detachSchema.safeParse({ phone_number: '+14155550100', directions: [{ type: 'inbound' }], ...fields })
      .success;

  it.each<[boolean, object]>([
    [true, {}],
    [true, { service: 'sip' }],
    [true, { directions: Array(10).fill({ type: 'inbound' }) }],
    [true, { directions: [{ type: 'outbound', id: 'x'.repeat(64) }] }],
    [false, { directions: [] }],
    [false, { directions: Array(11).fill({ type: 'inbound' }) }],
    [false, { directions: [{ type: 'both' }] }],
    [false, { directions: [{ type: 'outbound', id: 'x'.repeat(65) }] }],
    [false, { service: 'voice' }],
    [false, { phone_number: '' }],
  ])('is accepted (%s) with %j', (isAccepted, fields) => expect(isTaken(fields)).toBe(isAccepted));
});
