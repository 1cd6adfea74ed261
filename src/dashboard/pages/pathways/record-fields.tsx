import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { definedFields, type Fields } from './document-edits.js';
import { cannotRead, jsonOf, jsonText, valueFromText, valueText } from './field-texts.js';

/** One field of an object in the document, and the control that edits it. */
export interface FieldShape {
  readonly field: string;
  readonly label: string;
  readonly kind: 'line' | 'words' | 'lines' | 'number' | 'choice' | 'value' | 'json' | 'rows';
  /** Of `choice`. */
  readonly options?: readonly (readonly [value: string, words: string])[];
  /** Of `rows`: the fields of each, a new one, and what a row is called. */
  readonly row?: { readonly shapes: readonly FieldShape[]; readonly added: Fields; readonly noun: string };
  /** What an empty control stands for. Default: the field is absent. */
  readonly empty?: '' | null;
  /** Absent: always. */
  readonly isUsed?: (record: Fields) => boolean;
}

interface RecordFieldsProps {
  readonly shapes: readonly FieldShape[];
  readonly record: Fields;
  /** @param change fields to set; undefined removes the field */
  readonly onChange: (change: Fields) => void;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A control for each field of the object. */
export function RecordFields({ shapes, record, onChange }: RecordFieldsProps): JSX.Element {
  return (
    <>
      {shapes
        .filter(({ isUsed }) => isUsed?.(record) ?? true)
        .map((shape) => (
          <Field
            key={shape.field}
            shape={shape}
            record={record}
            onChange={(value) => onChange({ [shape.field]: value })}
          />
        ))}
    </>
  );
}

interface FieldProps {
  readonly shape: FieldShape;
  readonly record: Fields;
  readonly onChange: (value: unknown) => void;
}

function Field(props: FieldProps): JSX.Element {
  const { shape, record, onChange } = props;
  const value = record[shape.field];
  const empty = 'empty' in shape ? shape.empty : undefined;
  if (shape.kind === 'rows') return <Rows {...props} />;
  if (shape.kind === 'json') return <JsonField label={shape.label} value={value} onChange={onChange} />;
  if (shape.kind === 'choice') {
    return (
      <label>
        {shape.label}
        <select value={textOf(value)} onChange={({ currentTarget: { value: chosen } }) => onChange(chosen)}>
          {shape.options!.map(([option, words]) => (
            <option value={option} key={option}>
              {words}
            </option>
          ))}
        </select>
      </label>
    );
  }
  if (shape.kind === 'words' || shape.kind === 'lines') {
    const lines = shape.kind === 'lines';
    return (
      <label>
        {shape.label}
        <textarea
          rows={lines ? 2 : 4}
          value={lines ? listOf(value).join('\n') : textOf(value)}
          onInput={({ currentTarget: { value: text } }) =>
            onChange(lines ? (text === '' ? [] : text.split('\n')) : text === '' ? empty : text)
          }
        />
      </label>
    );
  }
  if (shape.kind === 'number') {
    return (
      <label>
        {shape.label}
        <input
          type="number"
          value={typeof value === 'number' ? value : ''}
          onInput={({ currentTarget: { value: text } }) => onChange(text === '' ? undefined : Number(text))}
        />
      </label>
    );
  }
  const isValue = shape.kind === 'value';
  return (
    <label>
      {shape.label}
      <input
        value={isValue ? valueText(value) : textOf(value)}
        onInput={({ currentTarget: { value: text } }) =>
          onChange(isValue ? valueFromText(text, record.type) : text === '' ? empty : text)
        }
      />
    </label>
  );
}

function Rows({ shape: { label, row, field }, record, onChange }: FieldProps): JSX.Element {
  const { shapes, added, noun } = row!;
  const rows = listOf(record[field]) as readonly Fields[];
  return (
    <fieldset class="stacked rows">
      <legend>{label}</legend>
      {rows.map((item, at) => (
        <div class="edge-form" key={at}>
          <RecordFields
            shapes={shapes}
            record={item}
            onChange={(change) =>
              onChange(rows.map((row, index) => (index === at ? definedFields({ ...row, ...change }) : row)))
            }
          />
          <button
            type="button"
            class="small"
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          >
            Remove
            <span class="unseen">
              {' '}
              {noun} {at + 1}
            </span>
          </button>
        </div>
      ))}
      <div class="buttons">
        <button type="button" class="small" onClick={() => onChange([...rows, added])}>
          Add {noun}
        </button>
      </div>
    </fieldset>
  );
}

/** An object as JSON. While the text cannot be read, the document keeps the last one that could. */
function JsonField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
}): JSX.Element {
  const [typed, setTyped] = useState(() => jsonText(value));
  const read = jsonOf(typed);
  const isUnread = read === cannotRead;
  // After undo the document has another value than was typed.
  const text = isUnread || JSON.stringify(read) === JSON.stringify(value) ? typed : jsonText(value);
  return (
    <label>
      {label}
      <textarea
        rows={4}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget: { value: next } }) => {
          setTyped(next);
          const found = jsonOf(next);
          if (found !== cannotRead) onChange(found);
        }}
      />
      {isUnread && <span class="field-problem">Not a JSON object: the last readable body is kept.</span>}
    </label>
  );
}
