import type { ComponentChildren } from 'preact';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  At,
  CheckField,
  FieldsOf,
  LinesField,
  NumberField,
  SecretField,
  SelectField,
  TextField,
} from '../../../../src/dashboard/forms/fields.js';
import { OrderedList } from '../../../../src/dashboard/forms/ordered-list.js';
import type { FormState } from '../../../../src/dashboard/forms/use-form.js';
import { MediaField } from '../../../../src/dashboard/pages/trunks/edit/connection-fields.js';
import { type Rendered, rendered } from '../rendered.js';

let values: Record<string, unknown>;
let problems: Record<string, string>;
let set: [name: string, value: unknown][];
beforeEach(() => {
  values = {};
  problems = {};
  set = [];
});

const inForm = (children: ComponentChildren): Rendered =>
  rendered(
    <FieldsOf
      form={
        {
          value: (name: string) => values[name],
          problemAt: (name: string) => problems[name],
          set: (name: string, value: unknown) => set.push([name, value]),
        } as unknown as FormState
      }
    >
      {children}
    </FieldsOf>,
  );
const typed = (value: string) => ({ currentTarget: { value } });

describe('a field', () => {
  it('has the name of the API below the paths around it', () => {
    values['outbound.options.port'] = 5061;
    const { elements } = inForm(
      <At path="outbound">
        <At path="options">
          <TextField path="port" label="Port" />
        </At>
      </At>,
    );
    expect(elements('input')[0]).toMatchObject({ name: 'outbound.options.port', value: '5061' });
    elements('input')[0]!.onInput(typed('  x '));
    expect(set).toEqual([['outbound.options.port', 'x ']]);
  });

  it('outside of a form is a fault', () => {
    expect(() => rendered(<TextField path="a" label="A" />)).toThrow('A field outside of a form');
  });

  it('is described by its note and its problem, where there are any', () => {
    const described = (note?: string): string | undefined =>
      inForm(<TextField path="a" label="A" note={note} />).elements('input')[0]!['aria-describedby'] as
        | string
        | undefined;
    expect(described()).toBeUndefined();
    expect(described('n')).toMatch(/^\S+-note$/);
    problems.a = 'a is required.';
    expect(described()).toMatch(/^\S+-problem$/);
    expect(described('n')).toMatch(/^\S+-note \S+-problem$/);
    const shown = inForm(<TextField path="a" label="A" note="n" />);
    expect(shown.all('.field-problem')).toEqual(['a is required.']);
    expect(shown.elements('input')[0]!['aria-invalid']).toBe('true');
    expect(inForm(<TextField path="b" label="B" />).elements('input')[0]!['aria-invalid']).toBeUndefined();
  });

  it('shows nothing for nothing', () => {
    for (const nothing of [undefined, null]) {
      values.a = nothing;
      expect(inForm(<TextField path="a" label="A" />).elements('input')[0]!.value).toBe('');
    }
    values.a = 0;
    expect(inForm(<TextField path="a" label="A" />).elements('input')[0]!.value).toBe('0');
  });
});

describe('a field with a number or a choice', () => {
  it('is not set when it is empty', () => {
    const number = inForm(<NumberField path="a" label="A" least={1} most={9} unit="s" />);
    expect(number.text).toBe('A s');
    number.elements('input')[0]!.onInput(typed(''));
    number.elements('input')[0]!.onInput(typed('7'));
    const select = inForm(
      <SelectField
        path="b"
        label="B"
        options={[
          ['', 'Any'],
          ['x', 'X'],
        ]}
      />,
    );
    select.elements('select')[0]!.onChange(typed(''));
    select.elements('select')[0]!.onChange(typed('x'));
    expect(set).toEqual([
      ['a', undefined],
      ['a', 7],
      ['b', undefined],
      ['b', 'x'],
    ]);
  });

  it('is checked as it is stored, else by default', () => {
    const isChecked = (byDefault?: boolean): unknown =>
      inForm(<CheckField path="a" label="A" {...(byDefault === undefined ? {} : { byDefault })} />).elements(
        'input',
      )[0]!.checked;
    expect([isChecked(), isChecked(true)]).toEqual([false, true]);
    values.a = false;
    expect(isChecked(true)).toBe(false);
    values.a = true;
    expect(isChecked()).toBe(true);
  });
});

describe('a field with lines', () => {
  it('takes blanks, commas and semicolons as ends of an entry', () => {
    const { elements } = inForm(<LinesField path="a" label="A" />);
    elements('textarea')[0]!.onInput(typed('192.0.2.1, 192.0.2.2;\n\n 192.0.2.3 '));
    expect(set).toEqual([['a', ['192.0.2.1', '192.0.2.2', '192.0.2.3']]]);
  });

  it('shows the list that is stored', () => {
    values.a = ['x', 'y'];
    expect(inForm(<LinesField path="a" label="A" />).elements('textarea')[0]!.value).toBe('x\ny');
    values.a = 'x';
    expect(inForm(<LinesField path="a" label="A" />).elements('textarea')[0]!.value).toBe('');
  });
});

describe('a field with a secret', () => {
  it('hides it, and says that one is stored', () => {
    const stored = inForm(<SecretField path="a" label="Password" isStored />);
    expect(stored.elements('input')[0]).toMatchObject({
      type: 'password',
      placeholder: 'Stored; type to replace it',
    });
    expect(
      inForm(<SecretField path="a" label="Password" isStored={false} />).elements('input')[0]!.placeholder,
    ).toBe(undefined);
  });

  it('makes one where it can', async () => {
    expect(inForm(<SecretField path="a" label="P" isStored={false} />).all('button')).toHaveLength(1);
    const { elements } = inForm(
      <SecretField path="a" label="P" isStored={false} generate={async () => 'made'} />,
    );
    elements('button')[1]!.onClick();
    await Promise.resolve();
    expect(set).toEqual([['a', 'made']]);
  });
});

describe('a list that is put in order', () => {
  const list = (ordered: string[][]): Rendered =>
    rendered(
      <OrderedList
        label="Codecs"
        items={['a', 'b', 'c']}
        keyOf={(item) => item}
        nameOf={(item) => item.toUpperCase()}
        onOrder={(items) => ordered.push([...items])}
      >
        {(item, at) => `${item}${at}`}
      </OrderedList>,
    );

  it('numbers its items', () => {
    expect(list([]).all('.position')).toEqual(['1', '2', '3']);
    expect(list([]).all('.ordered-item')).toEqual(['a0', 'b1', 'c2']);
  });

  it.each<[string, number, string[] | undefined]>([
    ['ArrowUp', 1, ['b', 'a', 'c']],
    ['ArrowDown', 1, ['a', 'c', 'b']],
    ['Home', 2, ['c', 'a', 'b']],
    ['End', 0, ['b', 'c', 'a']],
    ['ArrowUp', 0, undefined],
    ['ArrowDown', 2, undefined],
    ['Enter', 1, undefined],
  ])('moves by %s on item %d', (key, at, expected) => {
    const ordered: string[][] = [];
    let isPrevented = false;
    list(ordered)
      .elements('button')
      [at]!.onKeyDown({
        key,
        preventDefault: () => {
          isPrevented = true;
        },
      });
    expect(ordered).toEqual(expected === undefined ? [] : [expected]);
    // Other keys keep their meaning.
    expect(isPrevented).toBe(key !== 'Enter');
  });
});

describe('the media of a connection', () => {
  it.each([
    [undefined, 'srtp', 'calls without it are refused'],
    [true, 'srtp', 'calls without it are refused'],
    [false, 'rtp', 'not encrypted'],
  ])('with secure_media %s is %s', (stored, chosen, note) => {
    values['options.secure_media'] = stored;
    const { elements, text } = inForm(<MediaField />);
    const options = elements('input');
    expect(options.find(({ checked }) => checked)?.value).toBe(chosen);
    expect(text).toContain(note);
    for (const { value, onChange } of options) if (value !== chosen) onChange(typed(String(value)));
    expect(set).toEqual([['options.secure_media', chosen === 'srtp' ? false : undefined]]);
  });
});
