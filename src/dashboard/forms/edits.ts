/** What a user has changed in a form: values by path, such as `options.port`, over what the API has. */
export type Edits = Readonly<Record<string, unknown>>;

type Branch = Readonly<Record<string, unknown>>;

const isBranch = (value: unknown): value is Branch => typeof value === 'object' && value !== null;

/** Undefined: not set. */
export function valueAt(from: unknown, path: string): unknown {
  let value = from;
  for (const name of path.split('.')) value = isBranch(value) ? value[name] : undefined;
  return value ?? undefined;
}

/** A copy with the values of the edits; what they do not touch is shared with `before`. */
export function withEdits<Value>(before: Value, edits: Edits): Value {
  let after: unknown = before;
  for (const [path, value] of Object.entries(edits)) after = withValue(after, path.split('.'), value);
  return after as Value;
}

function withValue(before: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(before))
    return before.map((item, at) => (String(at) === name ? withValue(item, rest, value) : item));
  const branch = isBranch(before) ? before : {};
  return { ...branch, [name]: withValue(branch[name], rest, value) };
}

/** An empty text and an empty object are equal to no value. An empty list is a value: nothing is allowed. */
function written(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return undefined;
  if (Array.isArray(value)) return value.map(written);
  if (!isBranch(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, written(inner)] as const);
  const set = entries
    .filter(([, inner]) => inner !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

/** Whether two values are the same to the API. */
export const isSame = (left: unknown, right: unknown): boolean =>
  JSON.stringify(written(left)) === JSON.stringify(written(right));

/** The value without empty texts and objects; undefined: nothing is left. */
export const withoutEmpty = <Value>(value: Value): Value | undefined => written(value) as Value | undefined;

/** The paths whose value differs from what the API has. */
export const changedPaths = (before: unknown, edits: Edits): readonly string[] =>
  Object.entries(edits)
    .filter(([path, value]) => !isSame(valueAt(before, path), value))
    .map(([path]) => path);

/** An edit of a part replaces the edits within it. */
export const edited = (edits: Edits, path: string, value: unknown): Edits => ({
  ...Object.fromEntries(Object.entries(edits).filter(([editedPath]) => !editedPath.startsWith(`${path}.`))),
  [path]: value,
});
