import { describe, expect, it } from 'vitest';
import { type FieldShape, RecordFields } from '../../../../../src/dashboard/pages/pathways/record-fields.js';
import { rendered } from '../../rendered.js';

type Fields = Readonly<Record<string, unknown>>;

/** The control of one field: what it shows, and the change that a text in it makes. */
function control(shape: Omit<FieldShape, 'field' | 'label'>, record: Fields = {}, name = 'input') {
  const changes: Fields[] = [];
  const page = rendered(
    <RecordFields
      shapes={[{ ...shape, field: 'x', label: 'Field' }]}
      record={record}
      onChange={(change) => changes.push(change)}
    />,
  );
  const [element] = page.elements(name);
  return {
    page,
    element: element!,
    changeTo: (value: string): unknown => {
      const event = { currentTarget: { value } };
      (element!.onInput ?? element!.onChange)(event);
      const change = changes.at(-1)!;
      expect(Object.keys(change)).toEqual(['x']);
      return change.x;
    },
  };
}

describe('a field of a document', () => {
  it.each([
    ['line', undefined, 'input'],
    ['words', undefined, 'textarea'],
    ['value', undefined, 'input'],
    ['number', undefined, 'input'],
  ] as const)('is absent once the control of kind %s is empty', (kind, empty, name) => {
    const { element, changeTo } = control({ kind }, {}, name);
    expect(element.value).toBe('');
    expect(changeTo('')).toBe(empty);
  });

  it.each(['line', 'words'] as const)('holds the text of kind %s', (kind) => {
    const name = kind === 'line' ? 'input' : 'textarea';
    const { element, changeTo } = control({ kind }, { x: 'before' }, name);
    expect(element.value).toBe('before');
    expect(changeTo('after\nit')).toBe('after\nit');
  });

  it.each([
    ['line', '', 'input'],
    ['words', null, 'textarea'],
  ] as const)(
    'may stand for something else while the control of kind %s is empty: %j',
    (kind, empty, name) => {
      const { changeTo } = control({ kind, empty }, {}, name);
      expect(changeTo('')).toBe(empty);
      expect(changeTo('text')).toBe('text');
    },
  );

  it('keeps several lines as a list, which may be empty', () => {
    const { element, changeTo } = control({ kind: 'lines' }, { x: ['a', 'b'] }, 'textarea');
    expect([element.value, element.rows]).toEqual(['a\nb', 2]);
    expect(changeTo('a\n\nc')).toEqual(['a', '', 'c']);
    expect(changeTo('')).toEqual([]);
    expect(control({ kind: 'words' }, { x: 'a' }, 'textarea').element.rows).toBe(4);
  });

  it('holds numbers as numbers', () => {
    const { element, changeTo } = control({ kind: 'number' }, { x: 12 });
    expect([element.type, element.value]).toEqual(['number', 12]);
    expect(changeTo('12.5')).toBe(12.5);
    expect(changeTo('0')).toBe(0);
    expect(control({ kind: 'number' }, { x: '12' }).element.value).toBe('');
  });

  it.each([
    ['string', '5', '5'],
    ['number', '5', 5],
    [undefined, 'true', true],
  ])('holds a value of type %s from the text %s as %j', (type, text, value) => {
    const { changeTo } = control({ kind: 'value' }, { type, x: false });
    expect(changeTo(text)).toBe(value);
  });

  it('shows false as a value, not an empty control', () => {
    expect(control({ kind: 'value' }, { x: false }).element.value).toBe('false');
    expect(control({ kind: 'line' }, { x: 7 }).element.value).toBe('');
  });

  it('offers the options of a choice in words', () => {
    const options = [
      ['string', 'Text'],
      ['number', 'Number'],
    ] as const;
    const { page, element, changeTo } = control({ kind: 'choice', options }, { x: 'number' }, 'select');
    expect(element.value).toBe('number');
    expect(page.all('option')).toEqual(['Text', 'Number']);
    expect(changeTo('string')).toBe('string');
  });

  it('is left out of a record that does not use it', () => {
    const isUsed = (record: Fields): boolean => record.type === 'webhook';
    expect(control({ kind: 'line', isUsed }, { type: 'webhook' }).page.text).toBe('Field');
    expect(control({ kind: 'line', isUsed }, { type: 'end' }).page.html).toBe('');
  });

  it('takes only an object as JSON, and says so', () => {
    const { page, element, changeTo } = control({ kind: 'json' }, { x: { day: 1 } }, 'textarea');
    expect(element.value).toBe('{\n  "day": 1\n}');
    expect(page.text).not.toContain('Not a JSON object');
    expect(changeTo('{"day": 2}')).toEqual({ day: 2 });
    // The text cannot be read: nothing changes.
    expect(changeTo('{"day": ')).toEqual({ day: 2 });
    expect(changeTo('')).toBeUndefined();
  });
});

describe('rows of a document', () => {
  const rows: FieldShape = {
    field: 'rows',
    label: 'Variables',
    kind: 'rows',
    row: {
      noun: 'variable',
      added: { name: 'new' },
      shapes: [
        { field: 'name', label: 'Name', kind: 'line', empty: '' },
        { field: 'note', label: 'Note', kind: 'line' },
      ],
    },
  };
  const record = { rows: [{ name: 'a', note: 'first' }, { name: 'b' }] };
  const edited = (given: Fields = record) => {
    const changes: Fields[] = [];
    const page = rendered(
      <RecordFields shapes={[rows]} record={given} onChange={(change) => changes.push(change)} />,
    );
    return { page, changes };
  };

  it('are changed one at a time', () => {
    const { page, changes } = edited();
    expect(page.elements('input').map(({ value }) => value)).toEqual(['a', 'first', 'b', '']);
    page.elements('input')[2]!.onInput({ currentTarget: { value: 'c' } });
    page.elements('input')[1]!.onInput({ currentTarget: { value: '' } });
    expect(changes).toEqual([
      { rows: [{ name: 'a', note: 'first' }, { name: 'c' }] },
      { rows: [{ name: 'a' }, { name: 'b' }] },
    ]);
  });

  it('are removed one at a time, and named for screen readers', () => {
    const { page, changes } = edited();
    const removals = page
      .elements('button')
      .filter(({ class: name }) => name === 'small')
      .slice(0, 2);
    expect(page.all('.unseen')).toEqual(['variable 1', 'variable 2']);
    removals[0]!.onClick();
    expect(changes).toEqual([{ rows: [{ name: 'b' }] }]);
  });

  it('are added at the end, to a record that has none too', () => {
    for (const [given, before] of [
      [record, record.rows],
      [{}, []],
    ] as const) {
      const { page, changes } = edited(given);
      page.elements('button').at(-1)!.onClick();
      expect(changes).toEqual([{ rows: [...before, { name: 'new' }] }]);
    }
  });
});
