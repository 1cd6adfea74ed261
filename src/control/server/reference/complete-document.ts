import { type ErrorCode, errors } from '../../../errors.js';
import {
  type FoundOperation,
  type OpenApiDocument,
  operationsOf,
  type Parameter,
  type Response,
  rootSchemas,
  type Schema,
  schemasOf,
  schemasWithin,
} from '../../http/open-api.js';
import { scopeOf } from '../../http/scopes.js';
import { idempotencyParameter } from '../../idempotency/idempotency-keys.js';
import { addAnswerExamples } from './answer-examples.js';
import { fieldDescriptions } from './vocabulary.js';
import { webhookSection } from './webhook-section.js';

/** What a route says of itself beyond its schemas. */
export interface RouteNotes {
  /** Codes that it answers beside those of every route. */
  readonly errors: readonly ErrorCode[];
  /** A body that works, for people and for the test that sends it. */
  readonly example?: unknown;
  readonly isEntitled: boolean;
  /** Of a POST. */
  readonly takesIdempotencyKey: boolean;
  /** What the route needs of its area. */
  readonly access?: 'read' | 'write' | 'listen';
}

/** Codes whose answers say when to ask again. */
const retryable: ReadonlySet<number> = new Set([429, 503]);

/** Fills in what follows from the routes by rule: errors for each status, examples, texts of fields. */
export function completeDocument(
  document: OpenApiDocument,
  notesOf: (operationId: string | undefined) => RouteNotes,
): OpenApiDocument {
  for (const found of operationsOf(document)) {
    for (const parameter of found.operation.parameters ?? []) {
      parameter.description ??= fieldDescriptions[parameter.name] ?? '';
    }
    const notes = notesOf(found.operation.operationId);
    describeResponses(found, notes);
    if (notes.example === undefined) continue;
    for (const media of Object.values(found.operation.requestBody?.content ?? {})) {
      media.examples = { example: { summary: found.operation.summary ?? '', value: notes.example } };
    }
  }
  document.webhooks = webhookSection();
  describeFields(document);
  dropUnused(document);
  dropUnusedSecurity(document);
  nameInputs(document);
  nameAnswers(document);
  addAnswerExamples(document);
  return document;
}

function describeResponses({ operation, method }: FoundOperation, notes: RouteNotes): void {
  const { responses } = operation;
  const requestId = { description: 'Identifies this request in the log.', schema: { type: 'string' } };
  const success = responses[200];
  if (success !== undefined) {
    if (success.description === 'Default Response') success.description = operation.summary ?? '';
    success.headers = { ...success.headers, 'x-request-id': requestId, ...rateLimitHeaders };
    const isPartlyDeprecated = (operation.parameters ?? []).some(
      ({ deprecated, schema }) => deprecated === true || schema.deprecated === true,
    );
    if (isPartlyDeprecated) success.headers = { ...success.headers, ...deprecationHeaders };
  }
  const content = responses['4XX']?.content;
  if (content === undefined) return;
  delete responses['4XX'];
  delete responses['5XX'];
  const takesInput = operation.requestBody !== undefined || (operation.parameters ?? []).length > 0;
  const isPublic = operation.security?.length === 0;
  const takesIdempotencyKey = method === 'post' && !isPublic && notes.takesIdempotencyKey;
  if (takesIdempotencyKey) operation.parameters = [...(operation.parameters ?? []), idempotencyParameter];
  if (notes.errors.includes('PRECONDITION_FAILED')) {
    operation.parameters = [...(operation.parameters ?? []), ifMatchParameter];
  }
  const codes: ErrorCode[] = [
    ...(takesInput ? (['VALIDATION_ERROR'] as const) : []),
    ...(operation.requestBody === undefined ? [] : (['UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...(isPublic ? [] : (['UNAUTHORIZED'] as const)),
    ...(operation.security?.some((scheme) => 'callToken' in (scheme as object)) === true
      ? (['CALL_TOKEN_INVALID'] as const)
      : []),
    ...(scopeOf(method.toUpperCase(), operation.tags, notes.access) === undefined
      ? []
      : (['INSUFFICIENT_SCOPE'] as const)),
    ...(notes.isEntitled ? (['SIP_NOT_ENABLED'] as const) : []),
    ...(method === 'get' ? [] : (['FOREIGN_ORIGIN'] as const)),
    ...(['TOO_MANY_REQUESTS', 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE'] as const),
    ...(takesIdempotencyKey ? (['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_USE'] as const) : []),
    ...notes.errors,
  ];
  const statuses = [...new Set(codes.map((code) => errors[code].http))].sort((left, right) => left - right);
  for (const status of statuses) {
    const own = [...new Set(codes)].filter((code) => errors[code].http === status);
    responses[status] = failureOf(status, own, content, requestId);
  }
}

const ifMatchParameter: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'Change the number only if its `ETag` (GET /v1/sip) is still this one. Default: change it anyway.',
  schema: { type: 'string', examples: ['"7"'] },
};

/** Of every answer to an API key. */
const rateLimitHeaders = {
  'x-ratelimit-limit': { description: 'Requests of the key within a second.', schema: { type: 'integer' } },
  'x-ratelimit-remaining': {
    description: 'Remaining requests within it.',
    schema: { type: 'integer' },
  },
  'x-ratelimit-reset': {
    description: 'Seconds until the full limit is available again.',
    schema: { type: 'integer' },
  },
};

/** Of responses to requests with a deprecated parameter. */
const deprecationHeaders = {
  deprecation: {
    description: 'With a deprecated parameter: since when it is deprecated (RFC 9745).',
    schema: { type: 'string', examples: ['@1795305600'] },
  },
  sunset: {
    description: 'With a deprecated parameter whose end is known: when it ends (RFC 8594).',
    schema: { type: 'string' },
  },
  link: {
    description: 'With a deprecated parameter: the page that names its replacement, `rel="deprecation"`.',
    schema: { type: 'string' },
  },
};

function failureOf(
  status: number,
  codes: readonly ErrorCode[],
  content: NonNullable<Response['content']>,
  requestId: { description: string; schema: Schema },
): Response {
  const retryAfter = { description: 'Seconds to wait before retrying.', schema: { type: 'integer' } };
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].text}.`).join(' '),
    headers: { 'x-request-id': requestId, ...(retryable.has(status) ? { 'retry-after': retryAfter } : {}) },
    content,
  };
}

/** A field without its own description gets that of the vocabulary: one name, one meaning. */
function describeFields(document: OpenApiDocument): void {
  const parents = parentsOfComponents(document);
  for (const root of rootSchemas(document)) {
    for (const { schema, name: parent } of schemasWithin(root)) {
      const within = parent === undefined ? (parents.get(schema) ?? []) : [parent];
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        const own = within
          .map((parent) => fieldDescriptions[`${parent}.${name}`])
          .find((text) => text !== undefined);
        const text = own ?? fieldDescriptions[name];
        if (field.description === undefined && text !== undefined) field.description = text;
      }
    }
  }
}

/** The properties that hold each named schema: a field means there what it would mean written out in them. */
function parentsOfComponents(document: OpenApiDocument): ReadonlyMap<Schema, string[]> {
  const { schemas } = document.components;
  const parents = new Map<Schema, string[]>();
  for (const root of rootSchemas(document)) {
    for (const { schema, name } of schemasWithin(root)) {
      const component = schema.$ref === undefined ? undefined : schemas[schema.$ref.split('/').at(-1)!];
      // The envelope's `data` is not a field of a resource.
      if (component === undefined || name === undefined || name === 'data') continue;
      parents.set(component, [...(parents.get(component) ?? []), name]);
    }
  }
  return parents;
}

const componentPrefix = '#/components/schemas/';

/** zod emits input and output schemas; most are used as only one of them. */
function dropUnused(document: OpenApiDocument): void {
  const { schemas } = document.components;
  const used = new Set<string>();
  const waiting = [
    ...operationsOf(document).flatMap(({ operation }) => schemasOf(operation)),
    ...Object.values(document.webhooks ?? {}).flatMap(({ post }) => schemasOf(post)),
  ];
  for (let root = waiting.pop(); root !== undefined; root = waiting.pop()) {
    for (const { schema } of schemasWithin(root)) {
      const name = schema.$ref?.startsWith(componentPrefix)
        ? schema.$ref.slice(componentPrefix.length)
        : undefined;
      if (name === undefined || used.has(name)) continue;
      used.add(name);
      if (schemas[name] !== undefined) waiting.push(schemas[name]);
    }
  }
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name];
}

/** A way to authenticate that no operation accepts is not described. */
function dropUnusedSecurity(document: OpenApiDocument): void {
  const requirements = [document, ...operationsOf(document).map(({ operation }) => operation)].flatMap(
    ({ security }) => security ?? [],
  );
  const used = new Set(requirements.flatMap((requirement) => Object.keys(requirement as object)));
  const { securitySchemes = {} } = document.components;
  for (const name of Object.keys(securitySchemes)) if (!used.has(name)) delete securitySchemes[name];
}

const inputSuffix = 'Input';

/** What only requests have keeps the name that its schema was given: the library's suffix tells it from nothing. */
function nameInputs(document: OpenApiDocument): void {
  const { schemas } = document.components;
  const names = new Map<string, string>();
  for (const name of Object.keys(schemas).filter((schemaName) => schemaName.endsWith(inputSuffix))) {
    const plain = name.slice(0, -inputSuffix.length);
    if (schemas[plain] === undefined) names.set(componentPrefix + name, componentPrefix + plain);
  }
  for (const root of rootSchemas(document)) {
    for (const { schema } of schemasWithin(root)) {
      if (schema.$ref !== undefined) schema.$ref = names.get(schema.$ref) ?? schema.$ref;
    }
  }
  for (const [from, to] of names) {
    schemas[to.slice(componentPrefix.length)] = schemas[from.slice(componentPrefix.length)]!;
    delete schemas[from.slice(componentPrefix.length)];
  }
}

/** Makes each response a component: client generators name types after components, and number inline schemas. */
function nameAnswers(document: OpenApiDocument): void {
  const { schemas } = document.components;
  for (const { operation } of operationsOf(document)) {
    const media = operation.responses[200]?.content?.['application/json'];
    if (media?.schema === undefined || media.schema.$ref !== undefined) continue;
    const id = operation.operationId!;
    const name = `${id[0]!.toUpperCase()}${id.slice(1)}Answer`;
    schemas[name] = media.schema;
    media.schema = { $ref: componentPrefix + name };
  }
}
