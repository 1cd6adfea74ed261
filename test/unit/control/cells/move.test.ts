import { describe, expect, it } from 'vitest';
import { readDocument, registeringOf } from '../../../../src/control/cells/move.js';
import { movedTables } from '../../../../src/control/cells/moved-tables.js';

const tables = Object.fromEntries(movedTables.map(({ name }) => [name, []]));
const document = { format: 'demarc-organization-1', steps: ['0001'], organization: 'org_1', tables };

describe('the document of an organization that moves', () => {
  it('is read as it was exported', () => expect(readDocument(JSON.stringify(document))).toEqual(document));

  it.each<[string, string, RegExp]>([
    ['no JSON', 'x', /^not a document of demarc cell export: : /],
    ['another format', JSON.stringify({ ...document, format: 'demarc-organization-2' }), /: format: /],
    ['no steps', JSON.stringify({ ...document, steps: undefined }), /: steps: /],
    [
      'a table less',
      JSON.stringify({ ...document, tables: { ...tables, numbers: undefined } }),
      /: tables\.numbers: /,
    ],
    [
      'a row that is none',
      JSON.stringify({ ...document, tables: { ...tables, numbers: [1] } }),
      /: tables\.numbers\.0: /,
    ],
  ])('is refused with %s', (_, text, problem) =>
    expect(() => readDocument(text)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', detail: expect.stringMatching(problem) }),
    ),
  );
});

describe('the tables that move', () => {
  it('are each named once, with the organization in their condition, parents first', () => {
    const names = movedTables.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(movedTables.every(({ of }) => of.split('$1').length === 2)).toBe(true);
    for (const [parent, child] of [
      ['organizations', 'numbers'],
      ['trunks', 'numbers'],
      ['personas', 'persona_versions'],
      ['numbers', 'configurations'],
      ['numbers', 'direction_settings'],
    ] as const)
      expect(names.indexOf(parent)).toBeLessThan(names.indexOf(child));
  });

  it('have no key of an operator', () =>
    expect(movedTables.find(({ name }) => name === 'api_keys')!.of).toContain('not is_operator'));
});

describe('the directions that register at a PBX', () => {
  const inbound = (fields: object = {}) => ({
    number: '1',
    direction: 'inbound',
    register_username: 'pbx',
    registrar: null,
    ...fields,
  });
  const outbound = { number: '1', direction: 'outbound', register_username: null, registrar: null };

  it('do so at their registrar, or at a server of their number', () => {
    expect(registeringOf([inbound({ registrar: 'reg.example.com' })])).toBe(1);
    expect(registeringOf([inbound(), outbound])).toBe(1);
    expect(registeringOf([inbound(), inbound({ registrar: 'reg.example.com' }), outbound])).toBe(2);
  });

  it('are none without a user, or without a place to register', () => {
    expect(registeringOf([inbound()])).toBe(0);
    expect(registeringOf([inbound({ number: '2' }), outbound])).toBe(0);
    expect(registeringOf([inbound({ register_username: null, registrar: 'x' }), outbound])).toBe(0);
    expect(registeringOf([])).toBe(0);
  });
});
