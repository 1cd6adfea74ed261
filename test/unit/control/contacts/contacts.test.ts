import { describe, expect, it } from 'vitest';
import { isErasedCall } from '../../../../src/control/contacts/call-contact.js';
import {
  identifiersIn,
  mergedMetadata,
  requireContactNumber,
} from '../../../../src/control/contacts/contact-input.js';
import { memoryView, summaryView } from '../../../../src/control/contacts/contact-view.js';
import { changedColumns, cursorOf, placeOf } from '../../../../src/control/contacts/contacts.js';
import { timed } from '../../../../src/control/contacts/memory.js';
import { unitedMetadata } from '../../../../src/control/contacts/merge.js';
import { maximumMetadataOctets } from '../../../../src/control/http/metadata.js';
import { InvalidRequest } from '../../../../src/control/http/validation.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 27, 9, minute));

const faultOf = (act: () => unknown): InvalidRequest['faults'][number] | undefined => {
  try {
    act();
  } catch (error) {
    if (error instanceof InvalidRequest) return error.faults[0];
    throw error;
  }
  return undefined;
};

describe('the identifiers of a request', () => {
  it('are in order of weight, whatever is given', () => {
    expect(
      identifiersIn({ external_id: 'C-7', email: 'Ada@Acme.Example', phone_number: '+1 415 555 0100' }),
    ).toEqual([
      { type: 'phone_number', value: '+14155550100' },
      { type: 'email', value: 'ada@acme.example' },
      { type: 'external_id', value: 'C-7' },
    ]);
    expect(identifiersIn({ external_id: 'C-7' })).toEqual([{ type: 'external_id', value: 'C-7' }]);
    expect(identifiersIn({})).toEqual([]);
  });

  it('must be a number where they say so', () => {
    expect(faultOf(() => requireContactNumber('reception'))).toMatchObject({ path: 'phone_number' });
    expect(faultOf(() => requireContactNumber('4155550100', 'called'))?.path).toBe(undefined);
    expect(faultOf(() => requireContactNumber('100', 'called'))?.path).toBe('called');
  });
});

describe('metadata', () => {
  it('is merged by name, and null removes a field', () => {
    expect(mergedMetadata({ a: 1, b: 2, c: null }, { b: null, d: { e: null } })).toEqual({
      a: 1,
      d: { e: null },
    });
  });

  /** `{"a":"…"}` is eight octets longer than its text. */
  const filling = (octets: number) => 'x'.repeat(octets - 8);

  it('has a maximum size in octets', () => {
    expect(mergedMetadata({}, { a: filling(maximumMetadataOctets) })).toHaveProperty('a');
    expect(faultOf(() => mergedMetadata({}, { a: filling(maximumMetadataOctets + 1) }))).toMatchObject({
      path: 'metadata',
      message: `metadata would have ${maximumMetadataOctets + 1} octets and the limit is ${maximumMetadataOctets}; remove fields with null`,
    });
    expect(faultOf(() => mergedMetadata({}, { a: `ü${filling(maximumMetadataOctets - 1)}` }))).toBeDefined();
  });

  it('may be too large for a moment while a field is replaced', () => {
    const present = { a: filling(maximumMetadataOctets) };
    expect(mergedMetadata(present, { a: null, b: filling(maximumMetadataOctets) })).toHaveProperty('b');
  });

  it('of two contacts keeps the primary’s, and adds what it lacks', () => {
    expect(unitedMetadata({ a: 'other', b: 2 }, { a: 'own' })).toEqual({ a: 'own', b: 2 });
    expect(unitedMetadata({ toString: 'x' }, {})).toEqual({ toString: 'x' });
  });

  it('of two contacts leaves out what does not fit', () => {
    const kept = { a: filling(maximumMetadataOctets - 20) };
    expect(Object.keys(unitedMetadata({ b: 1, c: filling(100), d: 2 }, kept))).toEqual(['a', 'b']);
  });
});

describe('a change of a contact', () => {
  const existing = { name: 'Ada', metadata: { a: 1 } };
  const unnamed = { name: '', metadata: {} };

  it.each([
    [existing, { name: 'Bob' }, false, { name: 'Bob' }],
    [existing, { name: 'Bob' }, true, {}],
    [unnamed, { name: 'Bob' }, true, { name: 'Bob' }],
    [unnamed, { name: 'Bob' }, false, { name: 'Bob' }],
    [existing, { name: '' }, false, { name: '' }],
    [existing, {}, false, {}],
    [existing, { metadata: { b: 2 } }, true, { metadata: '{"a":1,"b":2}' }],
    [existing, { metadata: { a: null } }, false, { metadata: '{}' }],
  ])('%j with %j, keeping its name: %s, sets %j', (row, change, keepsName, columns) => {
    expect(changedColumns(row, change, { keepsName })).toEqual(columns);
  });
});

describe('the place of a contact in the list', () => {
  const id = '3f2a1b0c-1111-4222-8333-444455556666';

  it('is read as it was written', () => {
    const place = placeOf({ created_at: at(5), id });
    expect(place).toBe(`${at(5).getTime()}_${id}`);
    expect(cursorOf(place)).toEqual({ createdAt: at(5), id });
  });

  it.each([
    '',
    id,
    `_${id}`,
    `17_${id.toUpperCase()}`,
    `17_${id}0`,
    `1${'0'.repeat(15)}_${id}`,
    `-17_${id}`,
    `17_${id.replaceAll('-', '')}`,
  ])('is not %j', (after) => {
    expect(faultOf(() => cursorOf(after))).toEqual({
      error: 'VALIDATION_ERROR',
      path: 'after',
      message: 'after must be the next of an earlier page.',
    });
  });
});

describe('a call of a deleted contact', () => {
  const erasure = { erased_at: at(10), call_ids: ['under-way'] };

  it.each([
    ['began before', 'c1', at(9), true],
    ['began at that moment', 'c1', at(10), true],
    ['began afterwards', 'c1', at(11), false],
    ['has no record yet', 'c1', undefined, false],
    ['has no record yet, and was active then', 'under-way', undefined, true],
    ['was active then, whatever its record says', 'under-way', at(11), true],
  ])('is erased only if it began before the deletion: it %s', (_, callId, startedAt, erased) => {
    expect(isErasedCall(erasure, callId, startedAt)).toBe(erased);
  });
});

describe('messages without a time', () => {
  const message = { role: 'user', content: 'Hello', channel: 'call' } as const;

  it('keep their order', () => {
    const timestamp = '2026-11-20T08:00:00.000Z';
    expect(timed([message, { ...message, timestamp }, message], at(0))).toEqual([
      { ...message, sent_at: at(0) },
      { ...message, sent_at: new Date(timestamp) },
      { ...message, sent_at: new Date(at(0).getTime() + 2) },
    ]);
  });
});

describe('a contact in the API', () => {
  const row = {
    id: 'c1',
    organization_id: 'acme',
    name: 'Ada',
    metadata: { site: 1 },
    created_at: at(0),
    updated_at: at(1),
  };
  const identifier = (id: string, contact: string, type = 'phone_number') => ({
    id,
    organization_id: 'acme',
    contact_id: contact,
    identifier_type: type as 'phone_number',
    identifier_value: `value of ${id}`,
    is_primary: id === 'i1',
    created_at: at(0),
  });

  it('has its own identifiers among those of the page', () => {
    expect(
      summaryView(row, [identifier('i1', 'c1'), identifier('i2', 'c2'), identifier('i3', 'c1', 'email')]),
    ).toEqual({
      id: 'c1',
      org_id: 'acme',
      name: 'Ada',
      metadata: { site: 1 },
      created_at: '2026-11-27T09:00:00.000Z',
      updated_at: '2026-11-27T09:01:00.000Z',
      identifiers: [
        {
          id: 'i1',
          contact_id: 'c1',
          identifier_type: 'phone_number',
          identifier_value: 'value of i1',
          is_primary: true,
        },
        {
          id: 'i3',
          contact_id: 'c1',
          identifier_type: 'email',
          identifier_value: 'value of i3',
          is_primary: false,
        },
      ],
    });
  });

  it('has memories with their messages, the oldest first', () => {
    const said = (content: string, sent_at: string) =>
      ({ role: 'user', content, channel: 'call', sent_at }) as const;
    const memory = {
      id: 'm1',
      organization_id: 'acme',
      contact_id: 'c1',
      persona_id: '',
      agent_number: '+14155550100',
      summary: 'Booked.',
      facts: { plan: 'gold' },
      open_items: [],
      entities: [],
      created_at: at(0),
      updated_at: at(1),
      messages: [said('second', '2026-11-27T10:00:01+01:00'), said('first', '2026-11-27T10:00:00+01:00')],
    };
    expect(memoryView(memory as Parameters<typeof memoryView>[0])).toEqual({
      id: 'm1',
      contact_id: 'c1',
      persona_id: '',
      agent_number: '+14155550100',
      summary: 'Booked.',
      facts: { plan: 'gold' },
      recent_messages: [
        { role: 'user', content: 'first', channel: 'call', timestamp: '2026-11-27T09:00:00.000Z' },
        { role: 'user', content: 'second', channel: 'call', timestamp: '2026-11-27T09:00:01.000Z' },
      ],
      open_items: [],
      entities: [],
    });
  });
});
