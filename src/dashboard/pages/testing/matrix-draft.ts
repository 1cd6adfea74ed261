import type * as api from '../../../../clients/typescript/src/index.js';

type Matrix = NonNullable<api.StartSimulationSetBody['matrix']>;

/** Reads one value as it is typed; undefined: it is none. */
type Reader = (text: string) => unknown;
/** Writes a value as it is typed; undefined: it cannot be typed so. */
type Writer = (value: unknown) => string | undefined;

const number: Reader = (text) => (Number.isFinite(Number(text)) ? Number(text) : undefined);
const share: Reader = (text) => (Number.isFinite(Number(text)) ? Number(text) / 100 : undefined);
const words: Reader = (text) => text;

/** JSON; other text counts as text. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `none`, `street`, or `street -30` with its level. */
function noise(text: string): unknown {
  if (text === 'none') return null;
  const [, kind, level] = /^(babble|street|office)(?:\s+(-\d+(?:\.\d+)?))?$/.exec(text) ?? [];
  if (kind === undefined) return undefined;
  return level === undefined ? { kind } : { kind, level_dbov: Number(level) };
}

const plain: Writer = (value) => (value === null ? undefined : String(value));
const hundredfold: Writer = (value) =>
  typeof value === 'number' ? `${Number((value * 100).toPrecision(12))}` : undefined;

const noiseText: Writer = (value) => {
  if (value === null) return 'none';
  const { kind, level_dbov: level } = value as { kind?: string; level_dbov?: number };
  return level === undefined ? kind : `${kind} ${level}`;
};

interface VariedField {
  /** In the API; empty: the user names it. */
  readonly path: string;
  readonly title: string;
  readonly read: Reader;
  /** Default: the value as text. */
  readonly write?: Writer;
  readonly placeholder: string;
}

export const variedFields: readonly VariedField[] = [
  { path: 'voice.language', title: 'Language', read: words, placeholder: 'en-US\nen-GB' },
  { path: 'voice.speaker', title: 'Voice', read: words, placeholder: 'en-GB-scotland\n+f3' },
  { path: 'voice.speed', title: 'Speed, 1 is usual', read: number, placeholder: '0.8\n1\n1.4' },
  { path: 'voice.conditions.gain_db', title: 'Gain, decibels', read: number, placeholder: '-15\n0' },
  {
    path: 'voice.conditions.noise',
    title: 'Noise',
    read: noise,
    write: noiseText,
    placeholder: 'none\nbabble\nstreet -30',
  },
  {
    path: 'voice.conditions.loss_share',
    title: 'Lost packets, per cent',
    read: share,
    write: hundredfold,
    placeholder: '0\n2\n5',
  },
  { path: 'voice.conditions.jitter_ms', title: 'Jitter, milliseconds', read: number, placeholder: '0\n60' },
  { path: 'max_turns', title: 'Most turns of the caller', read: number, placeholder: '4\n20' },
  { path: 'first_speaker', title: 'Who speaks first', read: words, placeholder: 'agent\ncaller' },
  {
    path: 'tester_persona_prompt',
    title: 'Role of the caller',
    read: words,
    placeholder: 'You are in a hurry.\nYou are hard of hearing.',
  },
  { path: '', title: 'Another field', read: json, placeholder: '"Berlin"\n"Graz"' },
];

const fieldOf = (path: string): VariedField =>
  variedFields.find((field) => field.path === path) ?? variedFields.at(-1)!;

/** A varied field while it is edited. */
export interface MatrixRow {
  /** Stays the same while rows before it are removed. */
  readonly key: string;
  /** One of `variedFields`. */
  readonly path: string;
  /** Of another field, such as `request_data.city`. */
  readonly otherPath: string;
  /** One a line. */
  readonly values: string;
}

export interface MatrixDraft {
  readonly rows: readonly MatrixRow[];
  /** Undefined: all combinations are run. */
  readonly sample: number | undefined;
  readonly seed: number;
}

export const emptyMatrix: MatrixDraft = { rows: [], sample: undefined, seed: 1 };

let lastKey = 0;
/** A row for the first field that is not varied yet. */
export const newRow = (rows: readonly MatrixRow[]): MatrixRow => ({
  key: `row ${++lastKey}`,
  path: variedFields.find(({ path }) => !rows.some((row) => row.path === path))?.path ?? '',
  otherPath: '',
  values: '',
});

export const placeholderOf = ({ path }: MatrixRow): string => fieldOf(path).placeholder;

/** The draft of a stored matrix. A field with values that its own row does not take is a row for another field. */
export function draftOf(matrix: Matrix | null): MatrixDraft {
  if (matrix === null) return emptyMatrix;
  const rows = Object.entries(matrix.fields).map(([path, values]): MatrixRow => {
    const key = `row ${++lastKey}`;
    const own = variedFields.find((field) => field.path === path);
    const texts = own && values.map((value) => typed(own, value));
    if (texts === undefined || texts.includes(undefined))
      return {
        key,
        path: '',
        otherPath: path,
        values: values.map((value) => JSON.stringify(value)).join('\n'),
      };
    return { key, path, otherPath: '', values: texts.join('\n') };
  });
  return { rows, sample: matrix.sample, seed: matrix.seed ?? emptyMatrix.seed };
}

/** Undefined: it would not be read as the same value. */
function typed({ read, write = plain }: VariedField, value: unknown): string | undefined {
  const text = write(value);
  const isSame =
    text !== undefined &&
    lines(text).length === 1 &&
    text.trim() === text &&
    JSON.stringify(read(text)) === JSON.stringify(value);
  return isSame ? text : undefined;
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const pathOf = ({ path, otherPath }: MatrixRow): string => (path === '' ? otherPath.trim() : path);

/** How many combinations are run; 1: nothing is varied. */
export function combinationsOf({ rows, sample }: MatrixDraft): number {
  const all = rows.reduce((product, { values }) => product * Math.max(1, lines(values).length), 1);
  return Math.min(all, sample ?? all);
}

export type ReadMatrix =
  | { readonly matrix: Matrix | undefined; readonly problem?: undefined }
  | { readonly problem: string };

/** What the API takes; without rows, nothing is varied. */
export function readMatrix({ rows, sample, seed }: MatrixDraft): ReadMatrix {
  if (rows.length === 0) return { matrix: undefined };
  const fields: Record<string, unknown[]> = {};
  for (const row of rows) {
    const { title, read } = fieldOf(row.path);
    const path = pathOf(row);
    if (path === '') return { problem: 'Name the other field, such as request_data.city.' };
    if (Object.hasOwn(fields, path)) return { problem: `${path} is varied twice.` };
    const texts = lines(row.values);
    if (texts.length === 0) return { problem: `${title} needs a value.` };
    const values = texts.map(read);
    const unread = values.indexOf(undefined);
    if (unread >= 0) return { problem: `${title} cannot be “${texts[unread]}”.` };
    fields[path] = values;
  }
  return { matrix: { fields, seed, ...(sample === undefined ? {} : { sample }) } };
}
