interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * The least value that a JSON schema allows: null where it may be null, else true, the middle of a range, an empty list, the
 * first word of an enumeration that is not `none`.
 * @param given fields that replace those of the value at the same place, if the schema has them
 */
export function fillSchema(schema: unknown, given: unknown): unknown {
  const {
    type,
    enum: words,
    const: only,
    anyOf,
    properties,
    minimum = 0,
    maximum = 1,
  } = (schema ?? {}) as Schema;
  if (type === 'object' || properties !== undefined) {
    const fields = (given ?? {}) as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, field]) => [name, fillSchema(field, fields[name])]),
    );
  }
  if (only !== undefined) return only;
  if (words !== undefined)
    return words.includes(given) ? given : (words.find((word) => word !== 'none') ?? words[0]);
  if (given !== undefined && fits(type, given)) return given;
  if (anyOf !== undefined)
    return anyOf.some(({ type }) => type === 'null') ? null : fillSchema(anyOf[0], given);
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return (minimum + maximum) / 2;
  if (type === 'array') return [];
  if (type === 'string') return 'Answered by a rule.';
  return null;
}

function fits(type: string | undefined, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return typeof value === 'number';
  return typeof value === type;
}
