/** The value at `slots.0.time`, names and positions with dots; undefined: there is none. */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
}
