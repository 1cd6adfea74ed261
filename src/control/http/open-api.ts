/** The parts of an OpenAPI 3.1 document that we read and change. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  /** What the text holds, as JSON. */
  contentSchema?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  [keyword: string]: unknown;
}

export interface Media {
  schema?: Schema;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  deprecated?: boolean;
  schema: Schema;
}

export interface Response {
  description: string;
  headers?: Record<string, { description?: string; schema: Schema }>;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

export interface OpenApiDocument {
  openapi: string;
  info: Record<string, unknown>;
  servers?: { url: string; description?: string }[];
  tags?: { name: string; description: string }[];
  paths: Record<string, Partial<Record<Method, Operation>>>;
  webhooks?: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema>; securitySchemes?: Record<string, unknown> };
  security?: unknown[];
}

export interface FoundOperation {
  readonly method: Method;
  readonly path: string;
  readonly operation: Operation;
}

/** Every operation of the paths, in the order of the document. */
export const operationsOf = ({ paths }: Pick<OpenApiDocument, 'paths'>): FoundOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, operation }];
    }),
  );

/** The schema and all within it, each with the name of the property that it is, or that lists it. */
export function* schemasWithin(schema: Schema, name?: string): Generator<{ schema: Schema; name?: string }> {
  yield { schema, ...(name === undefined ? {} : { name }) };
  for (const [property, inner] of Object.entries(schema.properties ?? {})) {
    yield* schemasWithin(inner, property);
  }
  if (typeof schema.additionalProperties === 'object')
    yield* schemasWithin(schema.additionalProperties, name);
  if (schema.items !== undefined) yield* schemasWithin(schema.items, name);
  if (schema.contentSchema !== undefined) yield* schemasWithin(schema.contentSchema, name);
  for (const variants of [schema.anyOf, schema.oneOf, schema.allOf]) {
    for (const variant of variants ?? []) yield* schemasWithin(variant, name);
  }
}

const mediaSchemas = (content: Record<string, Media> | undefined): Schema[] =>
  Object.values(content ?? {}).flatMap(({ schema }) => (schema === undefined ? [] : [schema]));

/** The schemas that an operation's request and answers begin with. */
export const schemasOf = ({ parameters, requestBody, responses }: Operation): Schema[] => [
  ...(parameters ?? []).map(({ schema }) => schema),
  ...mediaSchemas(requestBody?.content),
  ...Object.values(responses).flatMap(({ content }) => mediaSchemas(content)),
];

/** The root schemas of a document: those of its operations, its webhooks and its components. */
export const rootSchemas = (document: OpenApiDocument): Schema[] => [
  ...operationsOf(document).flatMap(({ operation }) => schemasOf(operation)),
  ...Object.values(document.webhooks ?? {}).flatMap(({ post }) => schemasOf(post)),
  ...Object.values(document.components.schemas),
];
