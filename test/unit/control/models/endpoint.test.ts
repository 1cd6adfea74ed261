import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readControlSettings } from '../../../../src/config/control-settings.js';
import { retryAfter } from '../../../../src/control/models/endpoint-client.js';
import {
  ModelNonsense,
  ModelRefusal,
  ModelUnavailable,
} from '../../../../src/control/models/model-failure.js';
import { type Models, modelsOf } from '../../../../src/control/models/models.js';
import { RuleModel } from '../../../../src/rule-model/rule-model.js';
import { Stopwatch } from '../../../support/stopwatch.js';

/** The client against our stand-in server, over real connections. */
const key = 'sk-very-secret';
let server: RuleModel;
let logged = '';
const log = pino(
  { level: 'debug' },
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      logged += chunk.toString();
      done();
    },
  }),
);
const never = new AbortController().signal;

const connect = (changes: Readonly<Record<string, string>> = {}): Models =>
  modelsOf(
    readControlSettings({
      DATABASE_URL: 'postgres://unused',
      DEMARC_LLM_URL: server.url,
      DEMARC_LLM_KEY: key,
      DEMARC_LLM_MODEL: 'rules',
      DEMARC_EMBEDDINGS_URL: server.url,
      DEMARC_EMBEDDINGS_KEY: key,
      DEMARC_EMBEDDINGS_MODEL: 'hashes',
      DEMARC_MODEL_RETRY_MS: '5',
      ...changes,
    }),
    log as never,
  );

beforeAll(async () => {
  server = await RuleModel.start({ rules: [] }, { key });
});
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
  logged = '';
});

const ask = (models: Models, text = 'Hello', signal = never) =>
  models.chat!.complete({ organizationId: 'org', messages: [{ role: 'user', content: text }] }, signal);
const failureOf = (asked: Promise<unknown>): Promise<Error> =>
  asked.then(
    () => new Error('no failure'),
    (error: Error) => error,
  );

describe('a chat model', () => {
  it('answers by the first rule that matches, with usage', async () => {
    server.setRules({
      rules: [
        { when: { last: 'open on (\\w+)', system: 'polite' }, answer: 'never' },
        { when: { last: 'open on (\\w+)' }, answer: 'Closed on $1.' },
      ],
    });
    const answer = await ask(connect(), 'Are you open on Sunday?');
    expect(answer).toEqual({
      content: 'Closed on Sunday.',
      usage: { promptTokens: 6, completionTokens: 5 },
    });
    expect(server.requests).toMatchObject([{ path: '/v1/chat/completions', body: { model: 'rules' } }]);
  });

  it('is asked again after 429 and 503, and no sooner than Retry-After says', async () => {
    server.setRules({
      rules: [{ times: 1, status: 429, retry_after: 1 }, { times: 1, status: 503 }, { answer: 'At last' }],
    });
    const begun = performance.now();
    expect((await ask(connect())).content).toBe('At last');
    expect(performance.now() - begun).toBeGreaterThan(990);
    expect(server.requests).toHaveLength(3);
  });

  it('is given up after the last retry', async () => {
    server.setRules({ rules: [{ status: 500 }] });
    const failure = await failureOf(ask(connect({ DEMARC_MODEL_RETRIES: '2' })));
    expect(failure).toBeInstanceOf(ModelUnavailable);
    expect(failure.message).toBe('The language model failed (500).');
    expect(server.requests).toHaveLength(3);
  });

  it('is not asked again after a refusal, and its key is in no message and no log', async () => {
    server.setRules({ rules: [] });
    const models = connect({ DEMARC_LLM_KEY: 'sk-wrong-key-1' });
    const failure = await failureOf(ask(models));
    expect(failure).toBeInstanceOf(ModelRefusal);
    expect(failure.message).toBe('The language model refused the key of this service (401).');
    expect((failure as ModelRefusal).remedy).toContain('Correct DEMARC_LLM_KEY');
    expect(server.requests).toHaveLength(1);
    // The stand-in repeats the key in its answer, as some endpoints do.
    expect(logged).toContain('Incorrect API key provided');
    expect(logged + JSON.stringify(failure)).not.toContain('sk-wrong-key-1');
  });

  it.each(['text', 'json'] as const)(
    'is asked again when it answers with garbage as %s, then fails',
    async (garbage) => {
      server.setRules({ rules: [{ times: 1, garbage }, { answer: 'good' }] });
      expect((await ask(connect())).content).toBe('good');
      server.setRules({ rules: [{ garbage }] });
      expect(await failureOf(ask(connect({ DEMARC_MODEL_RETRIES: '0' })))).toBeInstanceOf(ModelNonsense);
    },
  );

  it('fails by its timeout when it hangs, and at once when the caller stops', async () => {
    server.setRules({ rules: [{ hang: true }] });
    const models = connect({ DEMARC_LLM_TIMEOUT_MS: '100', DEMARC_MODEL_RETRIES: '0' });
    expect((await failureOf(ask(models))).message).toBe('The language model did not answer within 100 ms.');
    const stopping = new AbortController();
    const asked = failureOf(ask(connect(), 'Hello', stopping.signal));
    setTimeout(() => stopping.abort(), 20);
    expect((await asked).name).toBe('AbortError');
  });

  it('rejects an empty answer', async () => {
    server.setRules({ rules: [{ answer: '' }] });
    const failure = await failureOf(ask(connect({ DEMARC_MODEL_RETRIES: '0' })));
    expect(failure).toBeInstanceOf(ModelNonsense);
    expect(failure.message).toContain('it is empty');
  });

  it('gives no answer when it refuses', async () => {
    server.setRules({ rules: [{ refusal: 'I cannot help with that.' }] });
    expect((await failureOf(ask(connect({ DEMARC_MODEL_RETRIES: '0' })))).message).toContain(
      'refused to answer',
    );
  });

  it('gives JSON that matches a schema, or an error that names the field', async () => {
    const verdict = z.object({ passed: z.boolean(), score: z.number() });
    const request = { organizationId: 'org', messages: [{ role: 'user', content: 'Judge.' }] } as const;
    server.setRules({ rules: [{ answer: { passed: true, score: 0.5 } }] });
    const answer = await connect().chat!.completeAs(request, 'verdict', verdict, never);
    expect(answer.content).toEqual({ passed: true, score: 0.5 });
    expect(server.requests[0]!.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'verdict', schema: { required: ['passed', 'score'] } },
    });
    server.setRules({ rules: [{ answer: { passed: 'maybe', score: 1 } }] });
    const failure = await failureOf(connect().chat!.completeAs(request, 'verdict', verdict, never));
    expect(failure).toBeInstanceOf(ModelNonsense);
    expect(failure.message).toContain('passed');
  });

  it('gives JSON that is in a code block or followed by very many blanks', async () => {
    const verdict = z.object({ passed: z.boolean() });
    const request = { organizationId: 'org', messages: [{ role: 'user', content: 'Judge.' }] } as const;
    for (const answer of ['```json\n{"passed": true}\n```', `{"passed": true${' '.repeat(300_000)}}`]) {
      server.setRules({ rules: [{ answer }] });
      const watch = Stopwatch.start();
      const { content } = await connect().chat!.completeAs(request, 'verdict', verdict, never);
      expect(content).toEqual({ passed: true });
      expect(watch.milliseconds).toBeLessThan(watch.bound(3_000));
    }
  });

  it('gets JSON from the stand-in also when the quoted question has quotation marks', async () => {
    server.setRules({ rules: [{ answer: { passed: true, score: 1, said: '$0' } }] });
    const said = z.object({ passed: z.boolean(), score: z.number(), said: z.string() });
    const question = {
      organizationId: 'org',
      messages: [{ role: 'user' as const, content: 'The "best" one' }],
    };
    const { content } = await connect().chat!.completeAs(question, 'said', said, never);
    expect(content.said).toBe('The "best" one');
  });

  it('is asked by the organizations in turn, so that a burst of one does not delay the others', async () => {
    server.setRules({ rules: [{ latency_ms: 20, answer: '$0' }] });
    const { chat } = connect({ DEMARC_LLM_CONCURRENCY: '1' });
    const order: string[] = [];
    const send = (organizationId: string, content: string) =>
      chat!
        .complete({ organizationId, messages: [{ role: 'user', content }] }, never)
        .then((answer) => order.push(answer.content));
    await Promise.all([...['a1', 'a2', 'a3', 'a4'].map((text) => send('a', text)), send('b', 'b1')]);
    expect(order.indexOf('b1')).toBeLessThan(3);
  });
});

describe('an embedding model', () => {
  it('gives unit vectors in the order of the texts, the same for the same text', async () => {
    server.setRules({ rules: [], dimensions: 64 });
    const { embeddings } = connect();
    const [refund, refunds, ladder] = await embeddings!.embed(
      ['How do I get a refund?', 'Refunds: how to get one', 'The ladder is tall'],
      never,
    );
    expect(refund).toHaveLength(64);
    expect(Math.hypot(...refund!)).toBeCloseTo(1, 5);
    const near = (left: Float32Array, right: Float32Array): number =>
      left.reduce((sum, component, at) => sum + component * right[at]!, 0);
    expect(near(refund!, refunds!)).toBeGreaterThan(near(refund!, ladder!));
  });

  it('says without its URL that it is not reachable', async () => {
    const models = connect({ DEMARC_EMBEDDINGS_URL: 'http://127.0.0.1:9', DEMARC_MODEL_RETRIES: '0' });
    const failure = await failureOf(models.embeddings!.embed(['x'], never));
    expect(failure).toBeInstanceOf(ModelUnavailable);
    expect(failure.message).toBe('The embeddings endpoint is unreachable (ECONNREFUSED).');
  });

  it('at the address of control itself is refused', async () => {
    const port = new URL(server.url).port;
    const models = connect({ DEMARC_HTTP_PORT: port });
    expect(await failureOf(models.embeddings!.embed(['x'], never))).toBeInstanceOf(ModelRefusal);
    expect(server.requests).toHaveLength(0);
  });
});

describe('Retry-After', () => {
  it.each([
    ['2', 2_000],
    ['Thu, 01 Jan 1970 00:00:05 GMT', 5_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('%s is %s ms', (header, expected) => {
    expect(retryAfter(header, 0)).toBe(expected);
  });
});
