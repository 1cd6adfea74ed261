import {
  type FoundOperation,
  type OpenApiDocument,
  operationsOf,
  type Schema,
} from '../../src/control/http/open-api.js';
import { resources } from '../resources.js';

/** The Python of `src/demarc`: types of all components and operations, and a method for each operation, plain and asynchronous. */

const heading = '# Generated from the description of the API: npm run client:python. Do not edit.';

const keywords: ReadonlySet<string> = new Set([
  'from',
  'import',
  'class',
  'global',
  'pass',
  'del',
  'in',
  'is',
  'not',
]);

const snake = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const argument = (name: string): string => {
  const plain = snake(name).replaceAll(/\W/g, '_').replace(/^_/, '');
  return keywords.has(plain) ? `${plain}_` : plain;
};
const capitalized = (text: string): string =>
  text.replaceAll(/(?:^|[_\W])(\w)/g, (_, letter: string) => letter.toUpperCase());
const text = (value: unknown): string => JSON.stringify(value);
const idOf = ({ operation }: FoundOperation): string => operation.operationId!;

/** A literal of Python. */
const literal = (value: unknown): string =>
  value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : text(value);

/** Collects the types that a document needs; nested objects get their own names. */
class Types {
  readonly definitions: string[] = [];
  readonly names = new Set<string>();

  /** @param name what an object is called if it needs a name */
  of(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!;
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants !== undefined) {
      const isOne = variants.filter((variant) => variant.type !== 'null').length === 1;
      return union(variants.map((variant, index) => this.of(variant, isOne ? name : `${name}${index + 1}`)));
    }
    // TypedDicts cannot be intersected without a name; all of them are objects.
    if (schema.allOf !== undefined) return this.of(merged(schema.allOf), name);
    if (Array.isArray(schema.type))
      return union(schema.type.map((type) => this.of({ ...schema, type }, name)));
    switch (schema.type) {
      case 'string':
        return schema.format === 'binary' ? 'FileContent' : 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array':
        return `List[${this.of(schema.items ?? {}, `${name}Item`)}]`;
      case 'object':
        return this.object(schema, name);
      default:
        return 'Any';
    }
  }

  define(name: string, schema: Schema): void {
    const type = this.of(schema, name);
    // An object has taken the name itself.
    if (type !== name) this.definitions.push(`${name} = ${quotedUnion(type)}`);
  }

  private object({ properties, required = [], additionalProperties }: Schema, name: string): string {
    const fields = Object.entries(properties ?? {});
    if (fields.length === 0) {
      const value =
        typeof additionalProperties === 'object' ? this.of(additionalProperties, `${name}Value`) : 'Any';
      return `Dict[str, ${value}]`;
    }
    if (this.names.has(name)) return this.object({ properties: properties!, required }, `${name}_`);
    this.names.add(name);
    const lines = fields.map(([field, schema]) => {
      const type = text(this.of(schema, `${name}${capitalized(field)}`));
      const comment = schema.description === undefined ? '' : `  # ${oneLine(schema.description)}`;
      return `        ${text(field)}: ${required.includes(field) ? type : `NotRequired[${type}]`},${comment}`;
    });
    this.definitions.push(`${name} = TypedDict(\n    ${text(name)},\n    {\n${lines.join('\n')}\n    },\n)`);
    return name;
  }
}

const oneLine = (value: string): string => value.replaceAll(/\s+/g, ' ');
const union = (types: readonly string[]): string => {
  const all = [...new Set(types)];
  return all.length === 1 ? all[0]! : `Union[${all.join(', ')}]`;
};
/** Names within an alias may be defined further down. */
const quotedUnion = (type: string): string => (/^[A-Z]\w*$/.test(type) ? type : `Union[${text(type)}]`);

function merged(parts: readonly Schema[]): Schema {
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})),
    required: parts.flatMap(({ required }) => required ?? []),
  };
}

const parametersOf = ({ operation }: FoundOperation, place: 'path' | 'query') =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === place);

const bodyOf = ({ operation: { requestBody } }: FoundOperation): Schema | undefined =>
  (requestBody?.content['application/json'] ?? requestBody?.content['multipart/form-data'])?.schema;

const answerOf = ({ operation }: FoundOperation): Schema | undefined =>
  operation.responses[200]?.content?.['application/json']?.schema;

/** `_types.py` */
export function typesSource(document: OpenApiDocument): string {
  const types = new Types();
  const byName = ([left]: [string, unknown], [right]: [string, unknown]): number => (left < right ? -1 : 1);
  for (const [name, schema] of Object.entries(document.components.schemas).toSorted(byName))
    types.define(name, schema);
  for (const found of sorted(document)) {
    const name = capitalized(idOf(found));
    const body = bodyOf(found);
    const answer = answerOf(found);
    if (body !== undefined) types.define(`${name}Body`, body);
    if (answer !== undefined) types.define(`${name}Answer`, answer);
  }
  return [
    `${heading}\nfrom typing import IO, Any, Dict, List, Literal, NotRequired, Tuple, TypedDict, Union`,
    'FileContent = Union[bytes, IO[bytes], Tuple[str, Union[bytes, IO[bytes]]]]',
    ...types.definitions,
    '',
  ].join('\n\n');
}

const sorted = (document: OpenApiDocument): FoundOperation[] =>
  operationsOf(document).toSorted((left, right) => (idOf(left) < idOf(right) ? -1 : 1));

/** `_operations.py` */
export function operationsSource(document: OpenApiDocument): string {
  const operations = sorted(document);
  const types = new Types();
  const classOf = (isAsync: boolean): string => {
    const [prefix, base] = isAsync ? ['Async', 'AsyncRequests'] : ['', 'Requests'];
    const methods = operations.map((found) => methodOf(found, isAsync, types)).join('\n\n');
    return `class ${prefix}Operations(${base}):\n    """The API, a method for each operation. Methods raise \`DemarcError\`."""\n\n${methods}`;
  };
  return [
    `${heading}\nfrom typing import Any, Dict, List, Literal, Optional, Union\n\nimport httpx\n\nfrom . import _types as t\nfrom ._requests import AsyncRequests, Requests`,
    classOf(false),
    classOf(true),
    '',
  ].join('\n\n\n');
}

function methodOf(found: FoundOperation, isAsync: boolean, types: Types): string {
  const { method, path, operation } = found;
  const name = capitalized(idOf(found));
  const paths = parametersOf(found, 'path');
  const queries = parametersOf(found, 'query');
  const body = bodyOf(found);
  const isBodyOptional = (body?.required ?? []).length === 0;
  const hasJson = answerOf(found) !== undefined;
  const takesIfMatch = (operation.parameters ?? []).some((parameter) => parameter.name === 'If-Match');
  const options = [...(method === 'post' ? ['idempotency_key'] : []), ...(takesIfMatch ? ['if_match'] : [])];
  const parameters = [
    'self',
    ...paths.map((parameter) => `${argument(parameter.name)}: str`),
    ...(body === undefined
      ? []
      : [isBodyOptional ? `body: Optional[t.${name}Body] = None` : `body: t.${name}Body`]),
    '*',
    ...queries
      .toSorted((left, right) => Number(right.required === true) - Number(left.required === true))
      .map(({ name: field, schema, required }) => {
        const type = types
          .of(schema, 'Any')
          .replaceAll(/\b(?=[A-Z]\w+\b)(?!Literal|List|Dict|Union|Any|None|True|False)/g, 't.');
        return required === true
          ? `${argument(field)}: ${type}`
          : `${argument(field)}: Optional[${type}] = None`;
      }),
    ...options.map((name) => `${name}: Optional[str] = None`),
    'timeout_seconds: Optional[float] = None',
  ];
  const given = [
    text(method.toUpperCase()),
    text(path),
    `values={${paths.map((parameter) => `${text(parameter.name)}: ${argument(parameter.name)}`).join(', ')}}`,
    `query={${queries.map((parameter) => `${text(parameter.name)}: ${argument(parameter.name)}`).join(', ')}}`,
    ...(body === undefined ? [] : [isBodyOptional ? 'body=body or {}' : 'body=body']),
    ...options.map((name) => `${name}=${name}`),
    'timeout_seconds=timeout_seconds',
  ];
  const documentation = [operation.summary, operation.description].filter(Boolean).join('. ');
  const answer = hasJson ? `t.${name}Answer` : 'httpx.Response';
  return [
    `    ${isAsync ? 'async ' : ''}def ${snake(idOf(found))}(`,
    ...parameters.map((parameter) => `        ${parameter},`),
    `    ) -> ${answer}:`,
    `        """${oneLine(documentation).replaceAll('\\', '\\\\').replaceAll('"""', "'''")}"""`,
    `        return ${isAsync ? 'await ' : ''}self._${hasJson ? 'json' : 'raw'}(  # type: ignore[no-any-return]`,
    ...given.map((each) => `            ${each},`),
    '        )',
  ].join('\n');
}

/** `_client.py`: the operations by resource. */
export function clientSource(): string {
  const classOf = (isAsync: boolean): string => {
    const prefix = isAsync ? 'Async' : '';
    const fields = Object.entries(resources).map(([name, methods]) => {
      const lines = Object.entries(methods).map(
        ([method, id]) => `            self.${snake(method)} = api.${snake(id)}`,
      );
      return `    class _${capitalized(name)}:\n        def __init__(self, api: ${prefix}Operations) -> None:\n${lines.join('\n')}`;
    });
    const made = Object.keys(resources).map(
      (name) => `        self.${snake(name)} = self._${capitalized(name)}(self)`,
    );
    const events = isAsync
      ? [
          '    def events(self, *, last_event_id: Optional[str] = None, **query: Any) -> AsyncIterator[LiveEvent]:',
          '        """Live events; continues after interruptions. `query`: as for `stream_events`."""',
          '        return async_live_events(self, query, last_event_id)',
        ]
      : [
          '    def events(self, *, last_event_id: Optional[str] = None, **query: Any) -> Iterator[LiveEvent]:',
          '        """Live events; continues after interruptions. `query`: as for `stream_events`."""',
          '        return live_events(self, query, last_event_id)',
        ];
    return [
      `class ${prefix}Demarc(${prefix}Operations):`,
      `    """The API by resource (\`demarc.calls.create\`); each operation is also a method (\`create_call\`)."""`,
      '',
      fields.join('\n\n'),
      '',
      '    def __init__(self, base_url: Optional[str] = None, api_key: Optional[str] = None, **settings: Any) -> None:',
      '        super().__init__(base_url, api_key, **settings)',
      ...made,
      '',
      ...events,
    ].join('\n');
  };
  return [
    `${heading}\nfrom typing import Any, AsyncIterator, Iterator, Optional\n\nfrom ._events import LiveEvent, async_live_events, live_events\nfrom ._operations import AsyncOperations, Operations`,
    classOf(false),
    classOf(true),
    '',
  ].join('\n\n\n');
}
