import { describe, expect, it } from 'vitest';
import {
  identifiersIn,
  mergedMetadata,
  requireContactNumber,
} from '../../../../src/control/contacts/contact-input.js';
import {
  changed,
  maximumEntries,
  maximumOctets,
  type Remembered,
  united,
} from '../../../../src/control/contacts/memory-changes.js';
import type { MemoryBody } from '../../../../src/control/contacts/memory-input.js';

const now = '2026-11-22T10:00:00.000Z';
const before = '2026-11-20T10:00:00.000Z';

const memory = (fields: Partial<Remembered> = {}): Remembered => ({
  summary: '',
  facts: {},
  open_items: [],
  entities: [],
  ...fields,
});
const change = (current: Remembered, body: object): Remembered => changed(current, body as MemoryBody, now);
const entity = (id: string, fields: object = {}) =>
  ({
    entity_type: 'order',
    entity_id: id,
    facts: {},
    status: '',
    last_discussed_at: before,
    notes: null,
    ...fields,
  }) as Remembered['entities'][number];
const item = (description: string, created_at = before) =>
  ({ type: 'task', description, created_at }) as unknown as Remembered['open_items'][number];

describe('a change of a memory', () => {
  it('keeps what it does not name', () => {
    const current = memory({
      summary: 's',
      facts: { a: 1 },
      open_items: [item('x')],
      entities: [entity('1')],
    });
    expect(change(current, {})).toEqual(current);
    expect(change(current, { summary: '' }).summary).toBe('');
  });

  it('merges facts; null removes one', () => {
    const current = memory({ facts: { a: 1, b: 2 } });
    expect(change(current, { facts: { b: null, c: false } }).facts).toEqual({ a: 1, c: false });
  });

  it('keeps the time of an open item, unless a new one is given', () => {
    const current = memory({ open_items: [item('x')] });
    const same = { type: 'task', description: 'x' };
    expect(change(current, { open_items: [same] }).open_items).toEqual([item('x')]);
    expect(change(current, { open_items: [{ ...same, description: 'y' }] }).open_items).toEqual([
      item('x'),
      item('y', now),
    ]);
    expect(change(current, { open_items: [{ ...same, created_at: now }] }).open_items).toEqual([
      item('x', now),
    ]);
  });

  it('closes items after it has opened others', () => {
    const closed = { closed_items: [{ type: 'task', description: 'x' }] };
    expect(change(memory({ open_items: [item('x')] }), closed).open_items).toEqual([]);
    expect(
      change(memory(), { ...closed, open_items: [{ type: 'task', description: 'x' }] }).open_items,
    ).toEqual([]);
    expect(change(memory({ open_items: [item('z')] }), closed).open_items).toHaveLength(1);
  });

  it('updates an entity field by field', () => {
    const current = memory({ entities: [entity('1', { facts: { a: 1 }, status: 'open', notes: 'n' })] });
    const id = { entity_type: 'order', entity_id: '1' };
    expect(change(current, { entities: [{ ...id, facts: { b: 2 } }] }).entities).toEqual([
      entity('1', { facts: { a: 1, b: 2 }, status: 'open', notes: 'n', last_discussed_at: now }),
    ]);
    expect(change(current, { entities: [{ ...id, notes: null, status: 'done' }] }).entities[0]).toMatchObject(
      {
        notes: null,
        status: 'done',
      },
    );
    expect(
      change(current, { entities: [{ ...id, last_discussed_at: before }] }).entities[0]?.last_discussed_at,
    ).toBe(before);
    expect(change(memory(), { entities: [id] }).entities).toEqual([entity('1', { last_discussed_at: now })]);
    expect(change(current, { removed_entities: [id] }).entities).toEqual([]);
  });

  it('is refused beyond the number of entries, and its size', () => {
    const facts = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]));
    expect(Object.keys(change(memory(), { facts: facts(maximumEntries) }).facts)).toHaveLength(
      maximumEntries,
    );
    expect(() => change(memory(), { facts: facts(maximumEntries + 1) })).toThrow(
      'the memory would have 101 facts and the limit is 100; set some to null.',
    );
    const text = 'x'.repeat(maximumOctets.facts - '{"a":""}'.length);
    expect(change(memory(), { facts: { a: text } }).facts).toEqual({ a: text });
    expect(() => change(memory(), { facts: { a: `${text}x` } })).toThrow('facts would have 16385 octets');
  });
});

describe('two memories in one', () => {
  it('have both summaries, and the kept one decides on facts', () => {
    const memories = united(
      memory({ summary: 'a', facts: { x: 1 } }),
      memory({ summary: 'b', facts: { x: 2, y: 3 } }),
    );
    expect(memories).toMatchObject({ summary: 'a\n\nb', facts: { x: 1, y: 3 } });
    expect(united(memory({ summary: 'a' }), memory()).summary).toBe('a');
  });

  it('have each entity once, with the later time and the notes that there are', () => {
    const kept = entity('1', { facts: { a: 1 }, last_discussed_at: before });
    const added = entity('1', { facts: { a: 2, b: 2 }, notes: 'n', last_discussed_at: now });
    expect(united(memory({ entities: [kept] }), memory({ entities: [added] })).entities).toEqual([
      entity('1', { facts: { a: 1, b: 2 }, notes: 'n', last_discussed_at: now }),
    ]);
    const later = { ...kept, last_discussed_at: now };
    const earlier = { ...added, last_discussed_at: before };
    expect(
      united(memory({ entities: [later] }), memory({ entities: [earlier] })).entities[0]?.last_discussed_at,
    ).toBe(now);
  });

  it('drop the oldest items when there are too many', () => {
    const items = (count: number, time: string, name: string) =>
      Array.from({ length: count }, (_, index) => item(`${name}${index}`, time));
    const { open_items } = united(
      memory({ open_items: items(60, before, 'old') }),
      memory({ open_items: items(60, now, 'new') }),
    );
    expect(open_items).toHaveLength(maximumEntries);
    expect(open_items.filter(({ created_at }) => created_at === now)).toHaveLength(60);
    expect(open_items[0]?.created_at).toBe(now);
  });
});

describe('what names a contact', () => {
  it('is in order of weight, in one spelling', () => {
    expect(
      identifiersIn({ external_id: 'X', email: 'Ada@Example.com', phone_number: '+1 415 555 0100' }),
    ).toEqual([
      { type: 'phone_number', value: '+14155550100' },
      { type: 'email', value: 'ada@example.com' },
      { type: 'external_id', value: 'X' },
    ]);
    expect(identifiersIn({})).toEqual([]);
  });

  it('is refused when it is no number', () => {
    expect(() => requireContactNumber('415', 'contacts.0')).toThrow();
    expect(requireContactNumber(' +14155550100 ')).toBe('+14155550100');
  });

  it('has metadata that is merged, within a size', () => {
    expect(mergedMetadata({ a: 1, b: 2 }, { b: null, c: 0 })).toEqual({ a: 1, c: 0 });
    expect(() => mergedMetadata({}, { a: 'x'.repeat(100_000) })).toThrow('remove fields with null');
  });
});
