import { type ComponentChildren, createContext, type JSX, type TargetedInputEvent } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import '../style/forms.css';
import type { FormState } from './use-form.js';

/** Fields of a form, each named as the API names it; what the API refuses stands at its field. */

interface Place {
  readonly form: FormState;
  /** Before the paths of all fields within: `outbound.`. */
  readonly prefix: string;
}

const PlaceContext = createContext<Place | undefined>(undefined);

export function FieldsOf({ form, children }: { form: FormState; children: ComponentChildren }): JSX.Element {
  return <PlaceContext.Provider value={{ form, prefix: '' }}>{children}</PlaceContext.Provider>;
}

/** The fields within have paths below `path`. */
export function At({ path, children }: { path: string; children: ComponentChildren }): JSX.Element {
  const { form, prefix } = usePlace();
  return (
    <PlaceContext.Provider value={{ form, prefix: `${prefix}${path}.` }}>{children}</PlaceContext.Provider>
  );
}

function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (place === undefined) throw new Error('A field outside of a form');
  return place;
}

export interface Field {
  readonly name: string;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
  readonly problem: string | undefined;
}

export function useField(path: string): Field {
  const { form, prefix } = usePlace();
  const name = prefix + path;
  return {
    name,
    value: form.value(name),
    set: (value) => form.set(name, value),
    problem: form.problemAt(name),
  };
}

export interface LabelProps {
  readonly path: string;
  readonly label: string;
  readonly note?: ComponentChildren;
}

interface ControlProps {
  readonly id: string;
  readonly name: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

interface LabelledProps {
  readonly label: string;
  readonly note: ComponentChildren;
  readonly field: Field;
  readonly children: (control: ControlProps) => ComponentChildren;
  readonly class?: string;
}

function Labelled({ label, note, field, children, class: className = '' }: LabelledProps): JSX.Element {
  const id = useId();
  const described = [
    note === undefined ? [] : [`${id}-note`],
    field.problem === undefined ? [] : [`${id}-problem`],
  ].flat();
  return (
    <div class={`field ${className}`}>
      <label for={id}>{label}</label>
      {children({
        id,
        name: field.name,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': field.problem === undefined ? undefined : 'true',
      })}
      {note !== undefined && (
        <small id={`${id}-note`} class="note">
          {note}
        </small>
      )}
      <FieldProblem id={`${id}-problem`} text={field.problem} />
    </div>
  );
}

export function FieldProblem({ id, text }: { id?: string; text: string | undefined }): JSX.Element | null {
  if (text === undefined) return null;
  return (
    <small id={id} class="field-problem" role="alert">
      {text}
    </small>
  );
}

interface TextFieldProps extends LabelProps {
  readonly placeholder?: string;
  readonly isMono?: boolean;
  readonly isWide?: boolean;
}

export function TextField({ path, label, note, placeholder, isMono, isWide }: TextFieldProps): JSX.Element {
  const field = useField(path);
  return (
    <Labelled label={label} note={note} field={field} class={isWide ? 'wide-field' : ''}>
      {(control) => (
        <input
          {...control}
          class={isMono ? 'mono' : undefined}
          value={text(field.value)}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => field.set(event.currentTarget.value.trimStart())}
        />
      )}
    </Labelled>
  );
}

/** Prose of several lines. */
export function ProseField({
  path,
  label,
  note,
  rows = 3,
}: LabelProps & { readonly rows?: number }): JSX.Element {
  const field = useField(path);
  return (
    <Labelled label={label} note={note} field={field} class="wide-field">
      {(control) => (
        <textarea
          {...control}
          rows={rows}
          value={text(field.value)}
          onInput={(event) => field.set(event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

interface SecretFieldProps extends LabelProps {
  /** A secret is stored, which no page shows again. */
  readonly isStored: boolean;
  /** Makes a new secret. */
  readonly generate?: () => Promise<string>;
}

export function SecretField({ path, label, note, isStored, generate }: SecretFieldProps): JSX.Element {
  const field = useField(path);
  const [isShown, setShown] = useState(false);
  const inputOf = (control: ControlProps) => ({
    ...control,
    class: 'mono',
    value: text(field.value),
    placeholder: isStored ? 'Stored; type to replace it' : undefined,
    autocomplete: 'new-password',
    spellcheck: false,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => field.set(currentTarget.value),
  });
  return (
    <Labelled label={label} note={note} field={field}>
      {(control) => (
        <span class="secret-field">
          {isShown ? <input {...inputOf(control)} /> : <input {...inputOf(control)} type="password" />}
          <button type="button" class="small" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            Show<span class="unseen"> {label}</span>
          </button>
          {generate !== undefined && (
            <button
              type="button"
              class="small"
              onClick={() =>
                void generate().then((made) => {
                  field.set(made);
                  setShown(true);
                })
              }
            >
              Generate
            </button>
          )}
        </span>
      )}
    </Labelled>
  );
}

interface NumberFieldProps extends LabelProps {
  readonly least: number;
  readonly most: number;
  readonly unit?: string;
  readonly step?: number | 'any';
  readonly placeholder?: string;
}

export function NumberField({
  path,
  label,
  note,
  least,
  most,
  unit,
  step = 1,
  placeholder,
}: NumberFieldProps): JSX.Element {
  const field = useField(path);
  return (
    <Labelled label={label} note={note} field={field}>
      {(control) => (
        <span class="with-unit">
          <input
            {...control}
            type="number"
            min={least}
            max={most}
            step={step}
            value={text(field.value)}
            placeholder={placeholder}
            onInput={({ currentTarget: { value } }) => field.set(value === '' ? undefined : Number(value))}
          />
          {unit !== undefined && <span>{unit}</span>}
        </span>
      )}
    </Labelled>
  );
}

interface SelectFieldProps extends LabelProps {
  /** The first one stands for "not set" when its value is empty. */
  readonly options: readonly (readonly [value: string, text: string])[];
  /** The values are numbers. */
  readonly isNumber?: boolean;
}

export function SelectField({ path, label, note, options, isNumber = false }: SelectFieldProps): JSX.Element {
  const field = useField(path);
  return (
    <Labelled label={label} note={note} field={field}>
      {(control) => (
        <select
          {...control}
          value={text(field.value)}
          onChange={({ currentTarget: { value } }) =>
            field.set(value === '' ? undefined : isNumber ? Number(value) : value)
          }
        >
          {options.map(([value, shown]) => (
            <option value={value} key={value}>
              {shown}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

interface CheckFieldProps extends LabelProps {
  /** What the API takes for a field that is not set. */
  readonly byDefault?: boolean;
}

export function CheckField({ path, label, note, byDefault = false }: CheckFieldProps): JSX.Element {
  const field = useField(path);
  const id = useId();
  const { value = byDefault } = field;
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          name={field.name}
          checked={value === true}
          aria-describedby={note === undefined ? undefined : id}
          onChange={(event) => field.set(event.currentTarget.checked)}
        />
        {label}
      </label>
      {note !== undefined && (
        <small id={id} class="note">
          {note}
        </small>
      )}
      <FieldProblem text={field.problem} />
    </div>
  );
}

interface LinesFieldProps extends LabelProps {
  readonly placeholder?: string;
  readonly rows?: number;
}

const linesOf = (value: unknown): string => (Array.isArray(value) ? value.map(String).join('\n') : '');
const listOf = (typed: string): string[] => typed.split(/[\s,;]+/).filter((line) => line !== '');

/** A list of texts, one per line. */
export function LinesField({ path, label, note, placeholder, rows = 3 }: LinesFieldProps): JSX.Element {
  const field = useField(path);
  // Blank lines are no entries, but stay while you type.
  const [typed, setTyped] = useState(() => linesOf(field.value));
  const shown = listOf(typed).join('\n') === linesOf(field.value) ? typed : linesOf(field.value);
  return (
    <Labelled label={label} note={note} field={field} class="wide-field">
      {(control) => (
        <textarea
          {...control}
          class="mono"
          rows={rows}
          value={shown}
          placeholder={placeholder}
          spellcheck={false}
          onInput={({ currentTarget: { value } }) => {
            setTyped(value);
            field.set(listOf(value));
          }}
        />
      )}
    </Labelled>
  );
}

const pairsOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, inner]) => `${name}: ${inner}`)
        .join('\n')
    : '';

/** `name: value` lines as an object; a line without a colon is a name without a value. */
export function readPairs(typed: string): Record<string, string> | undefined {
  const lines = typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [line, ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

/** Names with texts, one per line. */
export function PairsField({ path, label, note, placeholder, rows = 3 }: LinesFieldProps): JSX.Element {
  const field = useField(path);
  const [typed, setTyped] = useState(() => pairsOf(field.value));
  const shown = pairsOf(readPairs(typed)) === pairsOf(field.value) ? typed : pairsOf(field.value);
  return (
    <Labelled label={label} note={note} field={field} class="wide-field">
      {(control) => (
        <textarea
          {...control}
          class="mono"
          rows={rows}
          value={shown}
          placeholder={placeholder}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget: { value } }) => {
            setTyped(value);
            field.set(readPairs(value));
          }}
        />
      )}
    </Labelled>
  );
}
