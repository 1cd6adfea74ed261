import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenApiDocument, operationsOf } from '../../../src/control/http/open-api.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench } from './control-bench.js';

/** What the reference shows as a body is what the API takes. */
let bench: ControlBench;
let api: ApiUnderTest;
let key: string;
beforeAll(async () => {
  bench = await ControlBench.start();
  api = await startApi(bench);
  await bench.pretendEdge();
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
});
afterAll(async () => {
  await api?.stop();
  await bench?.stop();
});

/** Resources that others need are created first and removed last. */
const rank = (id: string): number =>
  ['detachNumber', 'detachNumbers', 'deleteWebhook'].includes(id) ? 2 : id === 'attachNumbers' ? 0 : 1;

/** Of these, what the example's key, password or link opens is nothing. */
const refusals: Readonly<Record<string, number>> = {
  createSession: 401,
  signIn: 401,
  switchOrganization: 403,
  changePassword: 403,
  lookUpInvitation: 410,
  acceptInvitation: 410,
  setPassword: 410,
  readSharedCall: 410,
};

/** The example's key belongs to no tenant and no operator; the call, batch or key in the path does not exist. */
const isAbout = (path: string): number[] =>
  path.startsWith('/v1/operator/')
    ? [403]
    : path.includes('{version_number}')
      ? [400]
      : path.includes('{') ||
          path.endsWith('/knowledge/chat') ||
          path.endsWith('/contacts/merge') ||
          /\/(batch-run|simulation-sets|schedules|monitors|load-tests|budget\/estimate|tornado\/start)$/.test(
            path,
          ) ||
          /\/generate-from-calls?$/.test(path)
        ? [404]
        : path.endsWith('/generate-from-persona')
          ? [400]
          : path.endsWith('/prove')
            ? [403]
            : path.endsWith('/port/initiate')
              ? [400]
              : [200];

describe('the reference', () => {
  /** To make it takes seconds of a processor: once for all tests here. */
  let described: string;
  beforeAll(async () => {
    described = (await api.get('/openapi.json', '')).text;
  });

  it('is one text, made once, under each of its addresses', async () => {
    const [document, page, yaml] = await Promise.all(
      ['/openapi.json', '/docs/json', '/docs/yaml'].map((path) => api.get(path, '')),
    );
    const typeOf = (answer = document) => answer?.headers.get('content-type');
    expect([typeOf(), typeOf(page), typeOf(yaml)]).toEqual([
      'application/json; charset=utf-8',
      'application/json; charset=utf-8',
      'application/x-yaml',
    ]);
    for (const answer of [document, page, yaml]) expect(answer?.text).toBe(described);
  });

  it('has examples that are taken as they stand', async () => {
    const document: OpenApiDocument = JSON.parse(described);
    const examples = operationsOf(document)
      .flatMap(({ method, path, operation }) => {
        const { operationId: id = '', requestBody } = operation;
        const example = requestBody?.content['application/json']?.examples?.example;
        return example === undefined ? [] : [{ id, method, path, body: example.value }];
      })
      .sort((left, right) => rank(left.id) - rank(right.id));
    expect(examples.length).toBeGreaterThan(10);
    const wrong: string[] = [];
    for (const { id, method, path, body } of examples) {
      const answer = await fetch(api.url + path.replaceAll(/\{\w+\}/g, 'unheard-of'), {
        method: method.toUpperCase(),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const expected = id in refusals ? [refusals[id]] : isAbout(path);
      if (!expected.includes(answer.status)) wrong.push(`${id}: ${answer.status} ${await answer.text()}`);
    }
    expect(wrong).toEqual([]);
  });
});
