/** Undo and redo of the editor's text. Pure: each function returns a new history. */

export interface EditHistory {
  readonly past: readonly string[];
  readonly text: string;
  /** The next one first. */
  readonly future: readonly string[];
  /** Field of the last change; changes of one field are one step. Undefined: the next change is a step. */
  readonly field: string | undefined;
}

/** Documents have up to a megabyte. */
const mostSteps = 100;
const mostCharacters = 20_000_000;

export const begin = (text: string): EditHistory => ({ past: [], text, future: [], field: undefined });

/** @param field whose changes in a row are one step; undefined: this change is always a step */
export function change(history: EditHistory, text: string, field?: string): EditHistory {
  if (text === history.text) return history;
  const isContinued = field !== undefined && field === history.field;
  const past = isContinued ? history.past : bounded([...history.past, history.text]);
  return { past, text, future: [], field };
}

function bounded(past: readonly string[]): readonly string[] {
  const kept = past.slice(-mostSteps);
  let characters = kept.reduce((sum, text) => sum + text.length, 0);
  while (kept.length > 1 && characters > mostCharacters) characters -= kept.shift()!.length;
  return kept;
}

export function undo({ past, text, future }: EditHistory): EditHistory {
  const before = past.at(-1);
  if (before === undefined) return { past, text, future, field: undefined };
  return { past: past.slice(0, -1), text: before, future: [text, ...future], field: undefined };
}

export function redo({ past, text, future }: EditHistory): EditHistory {
  const [next, ...rest] = future;
  if (next === undefined) return { past, text, future, field: undefined };
  return { past: [...past, text], text: next, future: rest, field: undefined };
}

/** Path of the only text or number that differs; undefined: more differs, or nothing. */
export function changedField(before: unknown, after: unknown): string | undefined {
  const paths: string[] = [];
  const compare = (left: unknown, right: unknown, path: string): void => {
    if (left === right || paths.length > 1) return;
    if (!isObject(left) || !isObject(right)) {
      paths.push(path);
      // An object that comes or goes is more than a text.
      if (isObject(left) || isObject(right)) paths.push(path);
      return;
    }
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
      compare(left[key], right[key], `${path}.${key}`);
  };
  compare(before, after, '');
  return paths.length === 1 ? paths[0] : undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
