import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { browserOperations, resources } from '../../../clients/resources.js';
import { clientSource, resourcesSource } from '../../../clients/typescript/generate.js';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type CreateTestScenarioBody,
  Demarc,
  DemarcError,
  entries,
  InvalidRequestError,
  type LiveEvent,
  RateLimitError,
  ServiceError,
  verifyWebhook,
  version,
  WebhookSignatureError,
} from '../../../clients/typescript/src/index.js';
import { operationsOf } from '../../../src/control/http/open-api.js';
import { apiDocument } from '../../support/api-document.js';

/** A fetch that gives these answers in turn, and notes what it was asked. */
function answering(...answers: (Response | Error)[]) {
  const asked: { url: string; init: RequestInit; key: string | null }[] = [];
  const fetch = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    asked.push({ url: String(url), init, key: new Headers(init.headers).get('idempotency-key') });
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const demarc = new Demarc({
    baseUrl: 'https://demarc.example/',
    apiKey: 'sk',
    fetch: fetch as typeof globalThis.fetch,
  });
  return { demarc, asked };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });
const unavailable = (): Response =>
  json(
    503,
    { data: null, errors: [{ error: 'SERVICE_UNAVAILABLE', message: 'Away' }] },
    { 'retry-after': '0' },
  );

describe('the TypeScript client', () => {
  it('matches the API description; otherwise run npm run client:typescript', async () => {
    const written = readFileSync('clients/typescript/src/generated.ts', 'utf8');
    expect(written === clientSource(await apiDocument())).toBe(true);
    expect(readFileSync('clients/typescript/src/resources.ts', 'utf8') === resourcesSource()).toBe(true);
  });

  it('has every operation in one resource, except those of people with a browser', async () => {
    const all = operationsOf(await apiDocument()).map(({ operation }) => operation.operationId!);
    const inResources = Object.values(resources).flatMap((methods) => Object.values(methods));
    expect(inResources.toSorted()).toEqual(all.filter((id) => !browserOperations.has(id)).toSorted());
  });

  it('has the version of its package, and what a package needs', () => {
    const described = JSON.parse(readFileSync('clients/typescript/package.json', 'utf8'));
    expect(described).toMatchObject({ version, license: 'Apache-2.0', files: ['dist', 'CHANGELOG.md'] });
    expect(described.private).toBeUndefined();
    expect(readFileSync('clients/typescript/CHANGELOG.md', 'utf8')).toContain(`## ${version}`);
    expect(readFileSync('clients/typescript/LICENSE', 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
  });

  it('has a list of objects of several kinds as one array of all kinds', () => {
    type Assertions = NonNullable<CreateTestScenarioBody['assertions']>;
    expectTypeOf<{ type: 'SERVICE_TONE'; config: object }>().toExtend<Assertions[number]>();
    expectTypeOf<{ type: 'SERVICE_TONE'; config: object }>().not.toExtend<Assertions>();
  });

  it('sends a POST again with the key of the first try, so that it is carried out once', async () => {
    const order = { status: 'success', message: '', call_id: 'one', batch_id: null };
    const { demarc, asked } = answering(new TypeError('fetch failed'), unavailable(), json(200, order));
    const { call_id: id } = await demarc.createCall({ phone_number: '+1', from: '+2', task: 'Say hello.' });
    expect(id).toBe('one');
    expect(asked).toHaveLength(3);
    expect(asked[0]!.key).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
  });

  it('does not send again what may have been carried out, or cannot succeed', async () => {
    const patch = answering(unavailable());
    await expect(patch.demarc.updateAlertContacts({ emails: [] })).rejects.toMatchObject({ status: 503 });
    expect(patch.asked).toHaveLength(1);
    const refused = answering(
      json(400, { data: null, errors: [{ error: 'VALIDATION_ERROR', message: 'Required', path: 'task' }] }),
    );
    const failure = await refused.demarc
      .createCall({ phone_number: '+1', from: '+2', task: '' })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DemarcError);
    expect(failure).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', message: 'task: Required' });
    expect((failure as DemarcError).at('task')).toBe('Required');
    expect(refused.asked).toHaveLength(1);
  });

  it('reads lists to their end, escapes paths, and writes nested parameters', async () => {
    const page = (ids: string[], next: string | null): Response =>
      json(200, {
        data: { calls: ids.map((call_id) => ({ call_id })), has_more: next !== null },
        errors: null,
        has_more: next !== null,
        next,
      });
    const { demarc, asked } = answering(page(['a', 'b'], 'b'), page(['c'], null), json(200, { data: {} }));
    const seen: string[] = [];
    const list = (after: string | undefined) =>
      demarc.listCallRecords({ metadata: { campaign: 'spring' }, limit: 2, after });
    for await (const call of entries(list)) seen.push(call.call_id);
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(decodeURIComponent(asked[1]!.url)).toBe(
      'https://demarc.example/v1/sip/calls?metadata[campaign]=spring&limit=2&after=b',
    );
    await demarc.getCallRecord({ call_id: 'a/b c' });
    expect(asked[2]!.url).toBe('https://demarc.example/v1/sip/calls/a%2Fb%20c');
  });

  it('offers operations by resource', async () => {
    const order = { status: 'success', message: '', call_id: 'one', batch_id: null };
    const { demarc, asked } = answering(json(200, order));
    const answer = await demarc.calls.create({ phone_number: '+1', from: '+2', task: 'Say hello.' });
    expectTypeOf(answer.call_id).toEqualTypeOf<string>();
    expect(answer.call_id).toBe('one');
    expect(asked[0]!.url).toBe('https://demarc.example/v1/calls');
  });

  it('waits for the first try of the same key instead of reporting it as a conflict', async () => {
    const busy = json(
      409,
      { data: null, errors: [{ error: 'IDEMPOTENCY_KEY_IN_USE', message: 'In progress' }] },
      { 'retry-after': '0' },
    );
    const order = { status: 'success', message: '', call_id: 'one', batch_id: null };
    const { demarc, asked } = answering(new TypeError('connection reset'), busy, json(200, order));
    const { call_id: id } = await demarc.calls.create({ phone_number: '+1', from: '+2', task: 'Hi.' });
    expect(id).toBe('one');
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
  });

  it('gives up a silent service after timeoutSeconds, while it answers and while it sends the answer', async () => {
    const silent = new Demarc({
      baseUrl: 'https://demarc.example',
      retries: 0,
      timeoutSeconds: 0.05,
      fetch: (_url, init) =>
        new Promise((_resolve, reject) => {
          init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason));
        }),
    });
    const failure = await silent.getUsage().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ status: 0, code: 'TIMEOUT' });
    const slow = new Demarc({
      baseUrl: 'https://demarc.example',
      retries: 0,
      fetch: async (_url, init) => {
        const body = new ReadableStream({
          start: (controller) =>
            init!.signal!.addEventListener('abort', () => controller.error(new Error('x'))),
        });
        return new Response(body, { status: 200 });
      },
    });
    await expect(slow.getUsage({}, { timeoutSeconds: 0.05 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('rejects with the reason of the signal that a caller passed, not with a failure of the service', async () => {
    const caller = new AbortController();
    const demarc = new Demarc({
      baseUrl: 'https://demarc.example',
      fetch: (_url, init) =>
        new Promise((_resolve, reject) => {
          init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason));
        }),
    });
    const asked = demarc.getUsage({}, { signal: caller.signal });
    caller.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });

  it.each([
    [400, InvalidRequestError],
    [401, AuthenticationError],
    [409, ConflictError],
    [412, ConflictError],
    [429, RateLimitError],
    [500, ServiceError],
  ])('names the kind of a failure: %i', async (status, kind) => {
    const { demarc } = answering(
      ...[1, 2, 3].map(() =>
        json(status, { data: null, errors: [{ error: 'NOT_FOUND', message: '' }] }, { 'retry-after': '0' }),
      ),
    );
    const failure = await demarc.getUsage().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(kind);
    expect((failure as Error).name).toBe(kind.name);
  });

  it('takes URL and key from the environment, and says in Node.js which client it is', async () => {
    process.env.DEMARC_URL = 'https://other.example/';
    process.env.DEMARC_API_KEY = 'sk_environment';
    try {
      const asked: { url: string; headers: Headers }[] = [];
      const demarc = new Demarc({
        fetch: async (url, init) => {
          asked.push({ url: String(url), headers: new Headers(init!.headers) });
          return json(200, { data: {} });
        },
      });
      await demarc.getUsage();
      expect(asked[0]!.url).toBe('https://other.example/v1/usage');
      expect(asked[0]!.headers.get('authorization')).toBe('Bearer sk_environment');
      expect(asked[0]!.headers.get('user-agent')).toBe(
        `demarc-client/${version} node/${process.versions.node}`,
      );
    } finally {
      delete process.env.DEMARC_URL;
      delete process.env.DEMARC_API_KEY;
    }
    expect(() => new Demarc()).toThrow('DEMARC_URL');
  });

  describe('live events', () => {
    const stream = (...parts: string[]): Response =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
            controller.close();
          },
        }),
        { status: 200, headers: { 'content-type': 'text/event-stream' } },
      );

    it('continue after an interruption where they ended, without the beats', async () => {
      const { demarc, asked } = answering(
        stream('retry: 1000\n\nevent: snapshot\nid: 7-1\nda', 'ta: {"a":"ü"}\n\nevent: beat\ndata: {}\n\n'),
        stream('event: call\nid: 7-2\ndata: {"b":2}\n\nevent: end\ndata: {"reason":"session"}\n\n'),
      );
      const seen: LiveEvent[] = [];
      for await (const event of demarc.events()) seen.push(event);
      expect(seen).toEqual([
        { event: 'snapshot', id: '7-1', data: { a: 'ü' } },
        { event: 'call', id: '7-2', data: { b: 2 } },
      ]);
      expect(new Headers(asked[1]!.init.headers).get('last-event-id')).toBe('7-1');
    });

    it('end with the error when the key is refused', async () => {
      const refused = json(401, { data: null, errors: [{ error: 'UNAUTHORIZED', message: 'No key' }] });
      const { demarc } = answering(refused);
      await expect(demarc.events().next()).rejects.toBeInstanceOf(AuthenticationError);
    });
  });

  describe('a webhook', () => {
    const body = JSON.stringify({ event: 'call.completed', event_id: 'evt_1', data: { call_id: 'one' } });
    const now = 1_763_800_000;
    const signatureOf = (secret: string, time = now): string =>
      `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;

    it('is read once its signature is right, also by the former secret', async () => {
      const event = await verifyWebhook({ body, signature: signatureOf('old'), secret: ['new', 'old'], now });
      expect(event.event === 'call.completed' && event.data.call_id).toBe('one');
    });

    it.each([
      ['of another secret', signatureOf('other')],
      ['that is too old', signatureOf('right', now - 301)],
      ['that is absent', undefined],
      ['that is not hexadecimal', `t=${now},v1=zz`],
    ])('is refused with a signature %s', async (_what, signature) => {
      await expect(verifyWebhook({ body, signature, secret: 'right', now })).rejects.toBeInstanceOf(
        WebhookSignatureError,
      );
    });
  });
});
