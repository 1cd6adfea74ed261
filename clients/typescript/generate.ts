import {
  type FoundOperation,
  type OpenApiDocument,
  operationsOf,
  type Schema,
} from '../../src/control/http/open-api.js';
import { resources } from '../resources.js';

const heading = '/* Generated from the description of the API: npm run client:typescript. Do not edit. */';

/**
 * The TypeScript of `src/generated.ts`: a type for every component, the types of every operation, and a method for each. Ours,
 * because the usual generators stand on the compiler's programming interface, which the compiler in use does not have.
 */

/** @param document as `readApiDocument` gives it */
export function clientSource(document: OpenApiDocument): string {
  const operations = operationsOf(document).toSorted((left, right) => (idOf(left) < idOf(right) ? -1 : 1));
  const components = Object.entries(document.components.schemas).toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  return [
    heading,
    "import { type CallOptions, Requests } from './requests.js';",
    ...components.map(
      ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')};`,
    ),
    ...operations.flatMap(operationTypes),
    notificationTypes(document),
    `/** The API, a method for each operation. Methods reject with \`DemarcError\`. */\nexport class Operations extends Requests {\n${operations.map(methodOf).join('\n\n')}\n}`,
    '',
  ].join('\n\n');
}

/** The TypeScript of `src/resources.ts`: the operations by resource. */
export function resourcesSource(): string {
  const fields = Object.entries(resources).map(([name, methods]) => {
    const lines = Object.entries(methods).map(([method, id]) => `    ${method}: this.${id}.bind(this),`);
    return `  readonly ${name} = {\n${lines.join('\n')}\n  };`;
  });
  return [
    heading,
    "import { type LiveEvent, type LiveEventOptions, liveEvents } from './events.js';\nimport { Operations, type StreamEventsQuery } from './generated.js';",
    [
      '/** The API by resource (`demarc.calls.create`); each operation is also a method under its `operationId`. Methods reject with `DemarcError`. */',
      'export class Demarc extends Operations {',
      fields.join('\n\n'),
      '',
      '  /** Live events; continues after interruptions. */',
      '  events(query: StreamEventsQuery = {}, options: LiveEventOptions = {}): AsyncGenerator<LiveEvent> {',
      "    return liveEvents((asked, request) => this.raw('GET', '/v1/noc/events', { query: asked, ...request }), query, options);",
      '  }',
      '}',
    ].join('\n'),
    '',
  ].join('\n\n');
}

/** The bodies of webhooks, discriminated by `event`. */
function notificationTypes({ webhooks = {} }: OpenApiDocument): string {
  const kinds = Object.entries(webhooks).map(([event, { post }]) => {
    const schema = post.requestBody!.content['application/json']!.schema!;
    const own = schema.allOf?.[1]?.properties ?? {};
    const data = own.data === undefined ? 'Record<string, unknown>' : typeOf(own.data, '');
    return `  | (Omit<WebhookEvent, 'event' | 'data'> & { event: ${JSON.stringify(event)}; data: ${data} })`;
  });
  return `/** The body of a webhook, by its \`event\`. */\nexport type WebhookNotification =\n${kinds.join('\n')};`;
}

const idOf = ({ operation }: FoundOperation): string => operation.operationId!;

const capitalized = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

function comment(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return '';
  return `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`;
}

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** The type of a schema, with its fields a step further in than `indent`. */
function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return union(variants.map((variant) => typeOf(variant, indent)));
  if (schema.allOf !== undefined) return schema.allOf.map((part) => typeOf(part, indent)).join(' & ');
  if (Array.isArray(schema.type))
    return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return arrayOf(schema.items ?? {}, indent);
    case 'object':
      return objectOf(schema, indent);
    default:
      return 'unknown';
  }
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

/** An object's own fields may be unions; only a union of the whole items needs parentheses. */
function arrayOf(items: Schema, indent: string): string {
  const type = typeOf(items, indent);
  const isJoined =
    items.anyOf !== undefined ||
    items.oneOf !== undefined ||
    items.allOf !== undefined ||
    !type.startsWith('{');
  return isJoined && /[|&]/.test(type) ? `(${type})[]` : `${type}[]`;
}

function objectOf({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  const fields = Object.entries(properties ?? {});
  if (fields.length === 0) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown';
    return additionalProperties === false ? 'Record<string, never>' : `Record<string, ${value}>`;
  }
  const inner = `${indent}  `;
  const lines = fields.map(([name, field]) => {
    const isOptional = !required.includes(name);
    const type = typeOf(field, inner);
    return `${comment(field.description, inner)}${inner}${keyOf(name)}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/** Parameters of one place as the object that a caller gives. */
function parametersType({ operation }: FoundOperation, place: 'path' | 'query'): Schema | undefined {
  const found = (operation.parameters ?? []).filter((parameter) => parameter.in === place);
  if (found.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(
      found.map(({ name, description, schema }) => [
        name,
        { ...schema, ...(description === undefined ? {} : { description }) },
      ]),
    ),
    required: found.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

const bodyOf = ({ operation: { requestBody } }: FoundOperation): Schema | undefined =>
  (requestBody?.content['application/json'] ?? requestBody?.content['multipart/form-data'])?.schema;

/** Undefined: the answer is no JSON, and is handed on as it comes. */
const answerOf = ({ operation }: FoundOperation): Schema | undefined =>
  operation.responses[200]?.content?.['application/json']?.schema;

function operationTypes(found: FoundOperation): string[] {
  const name = capitalized(idOf(found));
  const typed = (what: string, schema: Schema | undefined): string[] =>
    // A component may have the name already.
    schema === undefined || schema.$ref?.endsWith(`/${name}${what}`) === true
      ? []
      : [`export type ${name}${what} = ${typeOf(schema, '')};`];
  return [
    ...typed('Path', parametersType(found, 'path')),
    ...typed('Query', parametersType(found, 'query')),
    ...typed('Body', bodyOf(found)),
    ...typed('Answer', answerOf(found)),
  ];
}

function methodOf(found: FoundOperation): string {
  const { method, path, operation } = found;
  const name = capitalized(idOf(found));
  const query = parametersType(found, 'query');
  const body = bodyOf(found);
  const isOptional = (schema: Schema): boolean => (schema.required ?? []).length === 0;
  const parameters = [
    ...(parametersType(found, 'path') === undefined ? [] : [`path: ${name}Path`]),
    ...(body === undefined ? [] : [`body: ${name}Body${isOptional(body) ? ' = {}' : ''}`]),
    ...(query === undefined ? [] : [`query: ${name}Query${isOptional(query) ? ' = {}' : ''}`]),
    'options: CallOptions = {}',
  ];
  const given = [
    ...(path.includes('{') ? ['path'] : []),
    ...(body === undefined ? [] : ['body']),
    ...(query === undefined ? [] : ['query']),
    '...options',
  ];
  const hasJson = answerOf(found) !== undefined;
  const call = hasJson ? 'json' : 'raw';
  return [
    comment([operation.summary, operation.description].filter(Boolean).join('. '), '  ').trimEnd(),
    `  ${idOf(found)}(${parameters.join(', ')}): Promise<${hasJson ? `${name}Answer` : 'Response'}> {`,
    `    return this.${call}('${method.toUpperCase()}', '${path}', { ${given.join(', ')} });`,
    '  }',
  ].join('\n');
}
