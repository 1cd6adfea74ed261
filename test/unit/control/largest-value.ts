import { z } from 'zod';

/** JSON Schema as zod writes it. */
interface Schema {
  readonly [keyword: string]: unknown;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
}

const sentence = 'Good morning, 你好. ';
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
const deepest = 8;

/**
 * A value of a request's body that is as large as the schema and the octets allow: the longest texts, the longest lists, all fields. It
 * need not be valid, because an invalid body takes as long to read.
 */
export function largestValue(schema: z.ZodType, octets: number): unknown {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  return sampleOf(root, root, octets, 0);
}

function sampleOf(root: Schema, schema: Schema, octets: number, depth: number): unknown {
  if (depth > deepest) return null;
  const within = (inner: Schema, share = octets): unknown => sampleOf(root, inner, share, depth + 1);
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!;
    return within(schema.$ref === '#' ? root : (root.$defs?.[name] ?? {}));
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined)
    return options.map((option) => within(option)).reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((part) => within(part)));
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return objectOf(schema, octets, within);
    case 'array': {
      const item = within(schema.items ?? {}, octets / 2);
      const most = Math.min(Number(schema.maxItems ?? 100_000), Math.floor(octets / (sizeOf(item) + 1)));
      return Array.from({ length: Math.max(1, most) }, () => item);
    }
    case 'string': {
      const isFree = schema.pattern === undefined && schema.format === undefined;
      if (!isFree && schema.examples !== undefined) return schema.examples[0];
      const length = Math.min(Number(schema.maxLength ?? octets), octets / 2);
      return sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length);
    }
    case 'integer':
    case 'number':
      return Number(schema.maximum ?? 1);
    case 'boolean':
      return true;
    default:
      return schema.examples?.[0] ?? { text: sentence.repeat(Math.floor(octets / 2 / sentence.length)) };
  }
}

function objectOf(
  { properties = {}, additionalProperties }: Schema,
  octets: number,
  within: (schema: Schema, octets: number) => unknown,
): Record<string, unknown> {
  const names = Object.keys(properties);
  const share = octets / (names.length + 1);
  const fields = names.map((name) => [name, within(properties[name]!, share)] as const);
  if (typeof additionalProperties !== 'object') return Object.fromEntries(fields);
  const value = within(additionalProperties, Math.min(share, 1_000));
  const most = Math.min(1_000, Math.floor(share / (sizeOf(value) + 10)));
  const further = Array.from({ length: most }, (_, index) => [`name_${index}`, value] as const);
  return Object.fromEntries([...fields, ...further]);
}
