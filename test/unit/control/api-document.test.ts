import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { fromJSONSchema } from 'zod';
import { eventTypes } from '../../../src/control/events/event-types.js';
import {
  type OpenApiDocument,
  operationsOf,
  rootSchemas,
  schemasWithin,
} from '../../../src/control/http/open-api.js';
import { tags } from '../../../src/control/http/tags.js';
import { apiDocument } from '../../support/api-document.js';

/** Problems as `severity rule: message (where)`, errors and warnings alike. */
async function lint(document: OpenApiDocument): Promise<string[]> {
  // Its own comparison of the examples takes four times as long as all its other rules; a test below compares them.
  const config = await createConfig({
    extends: ['recommended'],
    rules: { 'no-invalid-media-type-examples': 'off' },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map(
    ({ severity, ruleId, message, location: [place] }) =>
      `${severity} ${ruleId}: ${message} (${place?.pointer})`,
  );
}

describe('the description of the API', () => {
  let document: OpenApiDocument;
  beforeAll(async () => {
    document = await apiDocument();
  });

  it('names each JSON answer, and shows one that fits its schema', () => {
    for (const { operation } of operationsOf(document)) {
      const media = operation.responses[200]?.content?.['application/json'];
      if (media === undefined) continue;
      expect(media.schema?.$ref, operation.operationId).toMatch(/^#\/components\/schemas\/\w+$/);
      // The next test compares it with the schema.
      expect(media.examples?.example?.value, operation.operationId).toBeDefined();
    }
  });

  it('shows no example that its schema refuses', () => {
    const definitionsOf = (schemas: object): object =>
      JSON.parse(JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/$defs/'));
    const shown = [
      ...operationsOf(document).flatMap(({ operation: { operationId, requestBody, responses } }) =>
        [requestBody, ...Object.values(responses)].flatMap((part) =>
          Object.values(part?.content ?? {}).map((media) => ({ name: operationId, ...media })),
        ),
      ),
      ...Object.entries(document.webhooks ?? {}).flatMap(([name, { post }]) =>
        Object.values(post.requestBody?.content ?? {}).map((media) => ({ name, ...media })),
      ),
    ].flatMap(({ name, schema, examples }) =>
      Object.values(examples ?? {}).map(({ value }) => ({ name, schema: schema!, value })),
    );
    expect(shown.length).toBeGreaterThan(300);
    // As one schema, the definitions are read once.
    const schema = fromJSONSchema({
      type: 'object',
      properties: definitionsOf({ ...shown.map((each) => each.schema) }),
      $defs: definitionsOf(document.components.schemas),
    } as Parameters<typeof fromJSONSchema>[0]);
    const problemsOf = (values: readonly unknown[]): string[] =>
      (schema.safeParse({ ...values }).error?.issues ?? []).map(
        ({ path: [index, ...path], message }) =>
          `${shown[Number(index)]?.name} ${path.join('.')}: ${message}`,
      );
    const values = shown.map(({ value }) => value);
    expect(problemsOf(values)).toEqual([]);
    const at = shown.findIndex(({ name }) => name === 'attachNumbers');
    expect(problemsOf(values.with(at, { ...(values[at] as object), unknown_field: 1 }))).toEqual([
      expect.stringContaining('unknown_field'),
    ]);
  });

  it('has no error and no warning by the recommended rules', async () => {
    // The rules are on: they find the fault made here. Linting twice would take too long.
    const faulty = structuredClone(document);
    delete faulty.paths['/v1/sip/numbers']!.get!.operationId;
    expect(await lint(faulty)).toEqual([expect.stringMatching(/operation-operationId.*sip~1numbers/)]);
  });

  it('names and describes every operation', () => {
    const found = operationsOf(document);
    const ids = found.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const names = tags.map(({ name }) => name as string);
    const lacking = found.flatMap(({ method, path, operation }) => {
      const problems = [
        ...(/^[a-z][A-Za-z]+$/.test(operation.operationId ?? '') ? [] : ['operationId']),
        ...(operation.tags?.length === 1 && names.includes(operation.tags[0]!) ? [] : ['one known tag']),
        ...(operation.summary ? [] : ['summary']),
        ...(operation.description ? [] : ['description']),
        ...(Object.keys(operation.responses).every((status) => /^\d{3}$/.test(status))
          ? []
          : ['answers by status']),
      ];
      return problems.map((problem) => `${method} ${path} lacks ${problem}`);
    });
    expect(lacking).toEqual([]);
  });

  it('has an example for every body', () => {
    const lacking = operationsOf(document).flatMap(({ operation: { operationId, requestBody } }) => {
      const media = Object.values(requestBody?.content ?? {});
      return media.every(({ examples }) => examples !== undefined) ? [] : [operationId];
    });
    expect(lacking).toEqual([]);
  });

  it('describes every field and every parameter', () => {
    const fields = rootSchemas(document).flatMap((root) =>
      [...schemasWithin(root)].flatMap(({ schema, name: parent }) =>
        Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
          field.description ? [] : [`${parent ?? ''}.${name}`],
        ),
      ),
    );
    const parameters = operationsOf(document).flatMap(({ operation }) =>
      (operation.parameters ?? []).flatMap(({ name, description }) =>
        description ? [] : [`${operation.operationId} ?${name}`],
      ),
    );
    // Add them at the schema, or to the vocabulary.
    expect([...new Set([...fields, ...parameters])]).toEqual([]);
  });

  it('types numbers of the query as numbers, with their range', () => {
    const limits = operationsOf(document).flatMap(({ operation }) =>
      (operation.parameters ?? []).filter(({ name }) => ['limit', 'length', 'sip_code'].includes(name)),
    );
    expect(limits.length).toBeGreaterThan(5);
    for (const { schema } of limits) {
      expect(schema).toMatchObject({
        type: 'integer',
        minimum: expect.any(Number),
        maximum: expect.any(Number),
      });
    }
  });

  it('documents webhook payloads', () => {
    expect(Object.keys(document.webhooks ?? {})).toEqual([...eventTypes]);
    const media = document.webhooks?.['call.answered']?.post.requestBody?.content['application/json'];
    expect(JSON.stringify(media?.schema)).toContain('#/components/schemas/WebhookEvent');
  });

  it('lists the codes of failures', () => {
    expect(document.components.schemas.ErrorCode?.enum).toContain('VALIDATION_ERROR');
    expect(document.components.schemas.ErrorCode?.enum).not.toContain('draining');
    expect(document.paths['/v1/calls']?.post?.responses[429]?.description).toContain('NUMBER_QUEUE_FULL');
  });

  it('describes the endpoints of calls, and the body of an order', () => {
    const { paths } = document;
    expect(Object.keys(paths).filter((path) => path.startsWith('/v1/calls'))).toEqual([
      '/v1/calls',
      '/v1/calls/{call_id}',
      '/v1/calls/{call_id}/transfer',
      '/v1/calls/{call_id}/stop',
      '/v1/calls/{call_id}/dtmf',
      '/v1/calls/{call_id}/hold',
      '/v1/calls/{call_id}/resume',
      '/v1/calls/{call_id}/play',
      '/v1/calls/{call_id}/agent-metadata',
      '/v1/calls/{call_id}/warm-transfer',
      '/v1/calls/{call_id}/warm-transfer/complete',
      '/v1/calls/{call_id}/warm-transfer/cancel',
      '/v1/calls/{call_id}/audio',
      '/v1/calls/batch',
    ]);
    expect(paths['/v1/calls']?.post?.requestBody?.content['application/json']?.schema).toMatchObject({
      required: ['phone_number', 'from', 'task'],
      additionalProperties: false,
    });
  });

  it('marks answers that announce the end of what was asked', () => {
    const headersIn = (path: string) => Object.keys(document.paths[path]!.get!.responses['200']!.headers!);
    expect(headersIn('/v1/sip/calls')).toEqual(expect.arrayContaining(['deprecation', 'sunset', 'link']));
    expect(headersIn('/v1/sip/numbers')).not.toContain('deprecation');
  });

  it('names the Idempotency-Key where requests take it', () => {
    const names = (path: string) => (document.paths[path]!.post!.parameters ?? []).map(({ name }) => name);
    expect(names('/v1/sip/port/document')).not.toContain('Idempotency-Key');
    expect(names('/v1/sip/port/initiate')).toContain('Idempotency-Key');
  });
});
