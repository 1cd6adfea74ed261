import type { Schema } from '../../../../src/control/http/open-api.js';

/** How much an answer holds: all that its schema allows, or as little as it allows. */
export type Amount = 'full' | 'bare';

const deepest = 14;
const sample = 'text';
const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const samples: Readonly<Record<string, string>> = {
  'date-time': '2026-11-20T15:04:05.678Z',
  date: '2026-11-20',
  time: '15:04:05',
  uuid,
  uri: 'https://example.com',
  email: 'ada@example.com',
};

/** Makes an answer from its schema, always the same one. */
export class AnswerVariant {
  private made = 0;

  /** @param shift of alternatives: with 1 the second one where there are several */
  constructor(
    private readonly schemas: Readonly<Record<string, Schema>>,
    private readonly amount: Amount,
    private readonly shift = 0,
  ) {}

  /** @param example of the reference, from which texts are taken */
  of(schema: Schema, example: unknown): unknown {
    return this.value(schema, example, { name: '', item: 0, depth: 0 });
  }

  private value(schema: Schema, example: unknown, place: Place): unknown {
    const inner = { ...place, depth: place.depth + 1 };
    if (schema.$ref !== undefined) {
      const target = this.schemas[schema.$ref.split('/').at(-1)!];
      return target === undefined ? null : this.value(target, example, inner);
    }
    if (schema.const !== undefined) return schema.const;
    if (schema.allOf !== undefined)
      return Object.assign({}, ...schema.allOf.map((part) => this.value(part, example, place)));
    const isNone = this.isBare || place.depth > deepest;
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants !== undefined) {
      const meant = variants.filter(({ type }) => type !== 'null');
      if (isNone && meant.length < variants.length) return null;
      return this.value(this.chosen(meant, place.item), example, place);
    }
    const types = [schema.type ?? []].flat();
    if (isNone && types.includes('null')) return null;
    if (schema.enum !== undefined) return this.chosen(schema.enum, place.item);
    switch (types.find((type) => type !== 'null')) {
      case 'string':
        return textOf(schema, example, place);
      case 'integer':
        return this.number(schema, true, place.name);
      case 'number':
        return this.number(schema, false, place.name);
      case 'boolean':
        return !this.isBare && (place.item + this.shift) % 2 === 0;
      case 'array':
        return this.list(schema, example, place);
      case 'object':
        return this.object(schema, example, place);
      default:
        return example ?? {};
    }
  }

  private get isBare(): boolean {
    return this.amount === 'bare';
  }

  private chosen<Value>(values: readonly Value[], item: number): Value {
    return this.isBare ? values.at(-1)! : values[(item + this.shift) % values.length]!;
  }

  private list({ items = {}, minItems }: Schema, example: unknown, place: Place): unknown[] {
    const least = Number(minItems ?? 0);
    const count = this.isBare || place.depth > deepest ? least : Math.max(least, 3);
    const [first] = Array.isArray(example) ? example : [];
    return Array.from({ length: count }, (_, item) =>
      this.value(items, first, { ...place, item, depth: place.depth + 1 }),
    );
  }

  private object(
    { properties = {}, additionalProperties, required = [] }: Schema,
    example: unknown,
    { item, depth }: Place,
  ): unknown {
    const known = (example ?? {}) as Readonly<Record<string, unknown>>;
    const wanted = Object.entries(properties).filter(
      ([name]) => required.includes(name) || (!this.isBare && depth <= deepest),
    );
    const fields = wanted.map(
      ([name, inner]) => [name, this.value(inner, known[name], { name, item, depth: depth + 1 })] as const,
    );
    if (fields.length > 0 || this.isBare || typeof additionalProperties !== 'object')
      return Object.fromEntries(fields);
    return { example: this.value(additionalProperties, known.example, { name: '', item, depth: depth + 1 }) };
  }

  /** Each a different one, so that a page cannot show one in the place of another. */
  private number({ minimum, exclusiveMinimum, maximum }: Schema, isWhole: boolean, name: string): number {
    const least = Math.max(0, Number(minimum ?? exclusiveMinimum ?? 0));
    if (this.isBare) return exclusiveMinimum === undefined ? least : least + 1;
    this.made += 1;
    if (isWhole) {
      const most = Math.min(Number(maximum ?? Number.MAX_SAFE_INTEGER), least + 97);
      return Math.min(most, least + 1 + (this.made % Math.max(1, most - least)));
    }
    const most = Number(maximum ?? (isShare.test(name) ? 1 : least + 100));
    return Number((least + ((most - least) * (1 + ((this.made * 7) % 20))) / 21).toFixed(3));
  }
}

/** Where a value is: in which field, and in which item of the nearest list, as items differ. */
interface Place {
  readonly name: string;
  readonly item: number;
  readonly depth: number;
}

const isShare = /(?:^|_)(?:rate|score|share|low|high|lower|upper|probability|agreement|kappa|confidence)$/;

/** Texts that must be right for a browser to read them. */
const isExact = /zone|currency|language|(?:^|_)id$/;
const isMoment = /(?:^|_)(?:at|since|until|after|before|timestamp)$/;

function textOf({ format, pattern }: Schema, example: unknown, { name, item }: Place): string {
  const isFixed = format !== undefined || pattern !== undefined || isExact.test(name);
  if (format === undefined && isMoment.test(name)) return samples['date-time']!;
  if (name.endsWith('_time')) return `15:0${item}`;
  if (name.endsWith('currency')) return 'USD';
  if (item > 0 && example === uuid) return `${uuid.slice(0, -1)}${item + 1}`;
  if (typeof example === 'string') return item === 0 || isFixed ? example : `${example} ${item + 1}`;
  if (format !== undefined) return samples[format] ?? sample;
  return pattern === undefined ? `${sample} ${item + 1}` : '';
}
