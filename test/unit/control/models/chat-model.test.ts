import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ChatModel, type ToolRequest } from '../../../../src/control/models/chat-model.js';
import { EmbeddingModel } from '../../../../src/control/models/embedding-model.js';
import type { Asking, EndpointClient } from '../../../../src/control/models/endpoint-client.js';
import { ModelNonsense, ModelUnavailable } from '../../../../src/control/models/model-failure.js';
import { costOf, spentOn } from '../../../../src/control/models/token-count.js';
import { toolCallsSchema } from '../../../../src/control/models/tool-call.js';

const { signal } = new AbortController();
const request: ToolRequest = { organizationId: 'acme', messages: [{ role: 'user', content: 'Hello' }] };

/** An endpoint whose answers have passed the transport. */
function endpoint(...answers: unknown[]) {
  const asked: Asking[] = [];
  const client = {
    model: 'm1',
    ask: async (asking: Asking, schema: z.ZodType) => {
      asked.push(asking);
      return schema.parse(answers.shift());
    },
    nonsense: (problem: string, facts: object = {}) => new ModelNonsense(problem, { remedy: '', ...facts }),
  } as unknown as EndpointClient;
  return { client, asked };
}
const limits = { concurrency: 1, timeoutMilliseconds: 1_000 };
const completion = (message: object, finish_reason: string | null = 'stop', usage?: object) => ({
  choices: [{ message, finish_reason }],
  ...(usage === undefined ? {} : { usage }),
});
const chat = (...answers: unknown[]) => {
  const { client, asked } = endpoint(...answers);
  return { model: new ChatModel(client, limits), asked };
};

describe('an answer of a chat model', () => {
  it('has its words and what they took', async () => {
    const { model, asked } = chat(
      completion({ content: 'Hi.' }, 'stop', { prompt_tokens: 7, completion_tokens: 2 }),
    );
    expect(await model.complete(request as never, signal)).toEqual({
      content: 'Hi.',
      usage: { promptTokens: 7, completionTokens: 2 },
    });
    expect(asked[0]).toMatchObject({
      path: '/chat/completions',
      body: { model: 'm1', messages: request.messages },
    });
    expect(asked[0]!.body).not.toHaveProperty('temperature');
    expect(asked[0]!.body).not.toHaveProperty('max_tokens');
  });

  it('is asked for with what the request sets', async () => {
    const { model, asked } = chat(completion({ content: 'Hi.' }));
    await model.complete({ ...request, model: 'm2', temperature: 0, maximumTokens: 50 } as never, signal);
    expect(asked[0]!.body).toMatchObject({ model: 'm2', temperature: 0, max_tokens: 50 });
  });

  it.each([
    [completion({ content: '' }), 'it is empty'],
    [completion({ content: null }), 'it is empty'],
    [completion({ content: 'I can', refusal: 'No.' }), 'it refused to answer'],
    [completion({ content: 'Half an ans' }, 'length'), 'it was cut off at the maximum length'],
  ])('is none: %j', async (answer, problem) => {
    await expect(chat(answer).model.complete(request as never, signal)).rejects.toThrow(problem);
  });

  it('says what it took when it is unusable', async () => {
    const { model } = chat(completion({ content: '' }, 'stop', { prompt_tokens: 7, completion_tokens: 0 }));
    const error = await model.complete(request as never, signal).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ usage: { promptTokens: 7, completionTokens: 0 } });
  });

  it('has a price where the settings have one for the configured model', async () => {
    const prices = { prompt: 1, completion: 2, currency: 'USD' };
    const model = new ChatModel(endpoint().client, { ...limits, prices });
    expect(await model.priceOf({ organizationId: 'acme' })).toBe(prices);
    expect(await model.priceOf({ organizationId: 'acme', model: 'm1' })).toBe(prices);
    expect(await model.priceOf({ organizationId: 'acme', model: 'm2' })).toBeUndefined();
  });

  it('is not waited for behind others for ever', async () => {
    const hanging = { model: 'm1', ask: () => new Promise(() => {}) } as unknown as EndpointClient;
    const model = new ChatModel(hanging, { concurrency: 1, timeoutMilliseconds: 5 });
    void model.complete(request as never, signal);
    await expect(model.complete(request as never, signal)).rejects.toThrow(ModelUnavailable);
  });
});

describe('an answer in JSON', () => {
  const schema = z.strictObject({ day: z.string(), slots: z.array(z.number()) });
  const read = (content: string) =>
    chat(completion({ content })).model.completeAs(request as never, 'slots', schema, signal);

  it.each([
    '{"day":"Monday","slots":[9]}',
    '  {"day":"Monday","slots":[9]}\n\n',
    '```json\n{"day":"Monday","slots":[9]}\n```',
    '```\n{"day":"Monday","slots":[9]}\n```',
  ])('is read from %j', async (content) => {
    expect((await read(content)).content).toEqual({ day: 'Monday', slots: [9] });
  });

  it.each([
    ['Monday at nine', 'it is not the JSON that was asked for'],
    ['{"day":"Monday","slots":["nine"]}', 'slots.0: '],
    ['[]', 'the answer: '],
  ])('is not read from %j', async (content, problem) => {
    await expect(read(content)).rejects.toThrow(problem);
  });

  it('is asked for by its schema', async () => {
    const { model, asked } = chat(completion({ content: '{"day":"x","slots":[]}' }));
    await model.completeAs(request as never, 'slots', schema, signal);
    expect(asked[0]!.body).toMatchObject({
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'slots', strict: true, schema: { required: ['day', 'slots'] } },
      },
    });
  });
});

describe('an answer with tool calls', () => {
  const call = { id: 'x', function: { name: 'book', arguments: '{"day":"Monday"}' } };
  const converse = (message: object, reason: string | null = 'stop') =>
    chat(completion(message, reason)).model.converse(request, signal);

  it.each<[string, object, string | null, boolean]>([
    ['asks for them', { content: 'One moment.', tool_calls: [call] }, 'tool_calls', true],
    ['asks for them with another reason', { content: ' ', tool_calls: [call] }, 'stop', true],
    ['only reports them', { content: 'Booked.', tool_calls: [call] }, 'stop', false],
    ['has no words', { content: null, tool_calls: [call] }, null, true],
  ])('%s', async (_, message, reason, isWaiting) => {
    expect(await converse(message, reason)).toMatchObject({ isWaiting, toolCalls: [{ id: 'x' }] });
  });

  it.each([
    [undefined, 'Hello.'],
    [null, 'Hello.'],
    [[], 'Hello.'],
  ])('is words alone when they are %j', async (calls, content) => {
    expect(await converse({ content, tool_calls: calls })).toMatchObject({
      content,
      toolCalls: [],
      isWaiting: false,
    });
  });

  it('without words and calls is none', async () => {
    await expect(converse({ content: '' })).rejects.toThrow('it is empty');
  });

  it('names the field of a call that is none', async () => {
    await expect(converse({ content: '', tool_calls: [{ function: { name: '' } }] })).rejects.toThrow(
      'tool_calls.0.function.name: ',
    );
  });

  it.each<[object, object]>([
    [{ function: { name: 'a' } }, { id: 'call_1', function: { name: 'a', arguments: '{}' } }],
    [
      { id: '', function: { name: 'a', arguments: null } },
      { id: 'call_1', function: { name: 'a', arguments: '{}' } },
    ],
    [
      { id: 'x', function: { name: 'a', arguments: { b: 1 } } },
      { id: 'x', function: { name: 'a', arguments: '{"b":1}' } },
    ],
    [
      { id: 'x', function: { name: 'a', arguments: '' } },
      { id: 'x', function: { name: 'a', arguments: '' } },
    ],
  ])('%j is read as %j', (given, read) => {
    expect(toolCallsSchema.parse([given])).toEqual([{ type: 'function', ...read }]);
  });

  it('has 64 calls at most', () => {
    expect(toolCallsSchema.safeParse(Array.from({ length: 64 }, () => call)).success).toBe(true);
    expect(toolCallsSchema.safeParse(Array.from({ length: 65 }, () => call)).success).toBe(false);
  });
});

describe('what a request took', () => {
  const messages = [{ role: 'user' as const, content: 'x'.repeat(41) }];
  const price = { prompt: 2, completion: 10, currency: 'USD' };

  it.each([
    [{ promptTokens: 100, completionTokens: 20 }, 120, 0.0004],
    [{ promptTokens: 100, completionTokens: undefined }, 103, 0.00023],
    [{ promptTokens: undefined, completionTokens: 20 }, 31, 0.000222],
    [undefined, 14, 0.000052],
  ])('is by %j %d tokens for %d', (usage, tokens, cost) => {
    const spent = spentOn({ messages }, usage, 'y'.repeat(9), price);
    expect(spent.tokens).toBe(tokens);
    expect(spent.cost).toBeCloseTo(cost, 12);
  });

  it('has no cost without a price', () => {
    expect(spentOn({ messages }, undefined, '', undefined)).toEqual({ tokens: 11, cost: null });
    expect(costOf(price, 1_000_000, 500_000)).toBe(7);
  });
});

describe('embeddings', () => {
  const embed = (data: object[], texts = ['a', 'b']) =>
    new EmbeddingModel(endpoint({ data }).client).embed(texts, signal);
  const vector = (index: number, ...embedding: number[]) => ({ index, embedding });

  it('have length 1, in the order of the texts', async () => {
    const vectors = await embed([vector(1, 0, 2), vector(0, 3, 4)]);
    expect(vectors.map((each) => Array.from(each, (value) => Math.round(value * 100) / 100))).toEqual([
      [0.6, 0.8],
      [0, 1],
    ]);
  });

  it('of zero stay zero', async () => {
    expect(Array.from((await embed([vector(0, 0, 0)], ['a']))[0]!)).toEqual([0, 0]);
  });

  it.each<[string, object[]]>([
    ['too few', [vector(0, 1)]],
    ['too many', [vector(0, 1), vector(1, 1), vector(2, 1)]],
    ['one twice', [vector(0, 1), vector(0, 1)]],
    ['of different lengths', [vector(0, 1), vector(1, 1, 0)]],
    ['of another text', [vector(0, 1), vector(2, 1)]],
  ])('are refused when they are %s', async (_, data) => {
    await expect(embed(data)).rejects.toThrow(ModelNonsense);
  });

  it('may be as large as the texts are many', async () => {
    const { client, asked } = endpoint({ data: [vector(0, 1), vector(1, 1)] });
    await new EmbeddingModel(client).embed(['a', 'b'], signal, { retries: 0, timeoutMilliseconds: 50 });
    expect(asked[0]).toMatchObject({
      path: '/embeddings',
      body: { model: 'm1', input: ['a', 'b'], encoding_format: 'float' },
      maximumAnswerOctets: 2 * 384 * 1024,
      retries: 0,
      timeoutMilliseconds: 50,
    });
  });
});
