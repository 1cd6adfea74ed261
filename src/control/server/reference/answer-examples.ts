import { type OpenApiDocument, operationsOf, type Schema } from '../../http/open-api.js';

const exampleId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

/** Values by field, for fields whose schema alone would give an example that says nothing. */
const samples: Readonly<Record<string, unknown>> = {
  phone_number: '+14155550100',
  phone_numbers: ['+14155550100'],
  from: '+14155550142',
  to: '+14155550100',
  caller: '+14155550142',
  agent: 'sip:agent@agents.example.com;transport=tcp',
  sip_endpoint: 'sip:pbx.example.com:5061;transport=tls',
  server: 'sip:pbx.example.com:5061;transport=tls',
  endpoint: 'sip:pbx.example.com:5061;transport=tls',
  host: 'pbx.example.com',
  hostname: 'pbx.example.com',
  port: 5061,
  transport: 'tls',
  address: '203.0.113.10',
  ip: '203.0.113.10',
  source_ip: '203.0.113.10',
  sip_call_id: '3848276298220188511@pbx.example.com',
  sip_code: 200,
  sip_status: 200,
  code: 200,
  reason: 'OK',
  state: 'completed',
  status: 'completed',
  direction: 'outbound',
  end_reason: 'callee_hung_up',
  side: 'trunk',
  call_length: 42,
  corrected_duration: '42',
  max_duration: 1800,
  max_duration_seconds: 1800,
  on_hold: false,
  task: 'Remind Ada of her appointment.',
  target: '+14155550199',
  message: 'The call is ordered.',
  description: 'Answers calls of the shop',
  text: 'The shop is open from nine to five.',
  prompt: 'You answer the phone of a flower shop.',
  username: 'demarc',
  email: 'ada@example.com',
  emails: ['ada@example.com'],
  url: 'https://example.com/hooks',
  name: 'Front desk',
  title: 'Front desk',
  codec: 'PCMU',
  currency: 'USD',
  time_zone: 'America/New_York',
  request_id: exampleId,
  duration_seconds: 42,
  limit: 20,
  next: null,
  errors: null,
  has_more: false,
  id: exampleId,
  organization_id: '16fd2706-8baf-433b-82eb-8c7fada847da',
};

/** For fields with a pattern; a test checks that each example fits its schema. */
const patterned = [exampleId, '+14155550100', 'example', '15:04'];
const moment = '2026-11-20T15:04:05.678Z';
const deepest = 8;

/** Adds an example response to each operation, made from its schema, so that readers see the response without a request. */
export function addAnswerExamples(document: OpenApiDocument): void {
  for (const { operation } of operationsOf(document)) {
    const media = operation.responses[200]?.content?.['application/json'];
    if (media?.schema === undefined || media.examples !== undefined) continue;
    const value = new ExampleOf(document).value(media.schema, undefined, 0);
    media.examples = { example: { summary: operation.summary ?? '', value } };
  }
}

class ExampleOf {
  constructor(private readonly document: OpenApiDocument) {}

  value(schema: Schema, name: string | undefined, depth: number): unknown {
    if (schema.$ref !== undefined) {
      const target = this.document.components.schemas[schema.$ref.split('/').at(-1)!];
      return target === undefined ? null : this.value(target, name, depth + 1);
    }
    if (schema.const !== undefined) return schema.const;
    const sample = name === undefined ? undefined : samples[name];
    if (sample !== undefined && this.fits(sample, schema)) return sample;
    if (schema.examples?.[0] !== undefined) return schema.examples[0];
    if (schema.enum !== undefined) return schema.enum[0];
    if (schema.allOf !== undefined)
      return Object.assign({}, ...schema.allOf.map((part) => this.value(part, name, depth)));
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants !== undefined) return this.variant(variants, name, depth);
    if (name?.endsWith('_id') === true && this.fits(exampleId, schema)) return exampleId;
    const isOptional =
      Array.isArray(schema.type) && schema.type.includes('null') && schema.type.some(isScalar);
    if (isOptional) return null;
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
    switch (type) {
      case 'string':
        return textOf(schema, name);
      case 'integer':
      case 'number':
        return numberOf(schema);
      case 'boolean':
        return schema.default ?? true;
      case 'array':
        return this.list(schema, name, depth);
      case 'object':
        return this.object(schema, depth);
      default:
        return type === undefined ? {} : null;
    }
  }

  private variant(variants: readonly Schema[], name: string | undefined, depth: number): unknown {
    const isNull = ({ type }: Schema): boolean => type === 'null';
    const nonNull = variants.filter((each) => !isNull(each));
    if (name?.endsWith('_id') === true && this.fits(exampleId, { anyOf: [...nonNull] })) return exampleId;
    // Null says more than an invented text or number.
    const isPlain = nonNull.every(
      ({ $ref, type, examples }) => $ref === undefined && examples === undefined && isScalar(type),
    );
    const chosen = depth > deepest || isPlain ? variants.find(isNull) : undefined;
    return this.value(chosen ?? nonNull[0] ?? variants[0]!, name, depth);
  }

  private list({ items = {}, minItems }: Schema, name: string | undefined, depth: number): unknown[] {
    if (depth > deepest && minItems === undefined) return [];
    // `phone_numbers` are like `phone_number`.
    return [this.value(items, name?.replace(/s$/, ''), depth + 1)];
  }

  private object({ properties = {}, additionalProperties, required = [] }: Schema, depth: number): unknown {
    const wanted = Object.entries(properties).filter(
      ([field]) => depth <= deepest || required.includes(field),
    );
    const fields = wanted.map(([field, inner]) => [field, this.value(inner, field, depth + 1)] as const);
    if (fields.length > 0 || typeof additionalProperties !== 'object') return Object.fromEntries(fields);
    return { example: this.value(additionalProperties, undefined, depth + 1) };
  }

  /** Whether the schema takes a sample of that name. */
  private fits(sample: unknown, schema: Schema): boolean {
    if (schema.$ref !== undefined) return false;
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants !== undefined) return variants.some((variant) => this.fits(sample, variant));
    if (schema.enum !== undefined) return schema.enum.includes(sample);
    if (schema.const !== undefined) return schema.const === sample;
    if (schema.format === 'uuid' && !/^[0-9a-f]{8}-/.test(String(sample))) return false;
    if (schema.format === 'date-time') return false;
    if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern, 'u').test(String(sample)))
      return false;
    const types = Array.isArray(schema.type) ? schema.type : [schema.type];
    const isArray = Array.isArray(sample);
    return types.some((type) =>
      type === 'integer' || type === 'number'
        ? typeof sample === 'number'
        : type === 'null'
          ? sample === null
          : type === 'array'
            ? isArray && this.fits(sample[0], schema.items ?? {})
            : typeof sample === type && !isArray && sample !== null,
    );
  }
}

const isScalar = (type: Schema['type']): boolean =>
  type === 'string' || type === 'integer' || type === 'number' || type === 'boolean';

function numberOf({ minimum, exclusiveMinimum, maximum, default: preset }: Schema): number {
  if (typeof preset === 'number') return preset;
  const least = Number(minimum ?? (exclusiveMinimum === undefined ? 0 : Number(exclusiveMinimum) + 1));
  return Math.min(Math.max(least, 1), Number(maximum ?? 1));
}

function textOf({ format, pattern, default: preset }: Schema, name: string | undefined): string {
  if (typeof preset === 'string') return preset;
  switch (format) {
    case 'date-time':
      return moment;
    case 'date':
      return moment.slice(0, 10);
    case 'time':
      return '15:04:05';
    case 'uuid':
      return exampleId;
    case 'uri':
      return 'https://example.com';
    case 'email':
      return 'ada@example.com';
    default:
  }
  if (pattern !== undefined) {
    const expression = new RegExp(String(pattern), 'u');
    return patterned.find((candidate) => expression.test(candidate)) ?? '';
  }
  if (name === undefined) return 'text';
  if (/(^|_)at$|^since$|_until$|_after$|_before$/.test(name)) return moment;
  if (name.endsWith('_id')) return exampleId;
  if (name.endsWith('_url')) return 'https://example.com';
  return name.replaceAll('_', ' ');
}
