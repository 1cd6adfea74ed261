import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { AgentConversation } from '../../../../src/control/agent-testing/conversation/agent-conversation.js';
import type { TestSubject } from '../../../../src/control/agent-testing/conversation/channel.js';
import { ModelMeter } from '../../../../src/control/agent-testing/conversation/model-meter.js';
import type { WebhookMock } from '../../../../src/control/agent-testing/schemas/scenario.js';
import { ChatModel } from '../../../../src/control/models/chat-model.js';
import { EndpointClient } from '../../../../src/control/models/endpoint-client.js';
import { JsonPoster } from '../../../../src/control/models/post-json.js';
import { EgressPolicy } from '../../../../src/naming/egress.js';

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: unknown;
}

let server: Server | undefined;
afterEach(() => server?.close());
const signal = AbortSignal.timeout(50_000);

const tool = (name: string, given: unknown, id?: string) => ({
  ...(id === undefined ? {} : { id }),
  type: 'function',
  function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
});
const asks = (content: string | null, ...calls: object[]) => ({
  finish_reason: 'tool_calls',
  message: { role: 'assistant', content, tool_calls: calls },
});
const says = (content: string, ...calls: object[]) => ({
  finish_reason: 'stop',
  message: { role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) },
});

/** A conversation with an agent that gives these answers, one after the other, and then the last of them. */
async function converse(mocks: readonly WebhookMock[], ...answers: object[]) {
  const requests: Message[][] = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      requests.push((JSON.parse(body) as { messages: Message[] }).messages);
      const choice = answers[Math.min(requests.length, answers.length) - 1];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [choice], usage: { prompt_tokens: 10, completion_tokens: 5 } }));
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const client = new EndpointClient({
    what: 'agent under test',
    setting: 'agent',
    endpoint: { url, model: 'desk', key: undefined, timeoutMilliseconds: 30_000 },
    poster: new JsonPoster(new EgressPolicy({ allowPrivate: true })),
    log: pino({ level: 'silent' }) as never,
    retries: 0,
    retryMilliseconds: 1,
  });
  const meter = new ModelMeter();
  const subject = { organizationId: 'org', meter, requestData: {}, definition: { webhook_mocks: mocks } };
  const model = new ChatModel(client, { concurrency: 1, timeoutMilliseconds: 30_000 });
  const conversation = new AgentConversation(model, subject as unknown as TestSubject);
  return { conversation, requests, meter, calls: () => conversation.progress().webhooks };
}

it('answers the tools that the agent asks for as the scenario says by call and turn, and records them in order', async () => {
  const { conversation, requests, calls, meter } = await converse(
    [
      { node_id: 'find', status: 200, body: { slots: ['nine'] } },
      { node_id: 'find', status: 404, body: 'none', from_turn: 2 },
      { node_id: 'book', status: 201 },
    ],
    asks('One moment.', tool('find', { day: 'Monday', api_key: 'sk-1' }, 'a')),
    asks(null, tool('book', { at: 'nine' }, 'b'), tool('book', '{"at":', 'c')),
    says('Booked for nine.'),
    asks(null, tool('find', {}, 'd')),
    says('Nothing else is free.'),
  );
  const first = await conversation.say('On Monday, please.', signal);
  expect(first.text).toBe('One moment. Booked for nine.');
  expect(requests[2]).toEqual([
    { role: 'user', content: 'On Monday, please.' },
    expect.objectContaining({ role: 'assistant', content: 'One moment.' }),
    { role: 'tool', tool_call_id: 'a', content: '{"slots":["nine"]}' },
    expect.objectContaining({ role: 'assistant', content: null }),
    { role: 'tool', tool_call_id: 'b', content: '{"status":201}' },
    { role: 'tool', tool_call_id: 'c', content: '{"error":"The arguments are not a JSON object"}' },
  ]);
  expect((await conversation.say('And later?', signal)).text).toBe('Nothing else is free.');
  expect(requests[4]!.at(-1)).toEqual({ role: 'tool', tool_call_id: 'd', content: 'none' });
  expect(
    calls().map(({ node_id, arguments: given, status, is_mocked, turn }) => [
      node_id,
      given,
      status,
      is_mocked,
      turn,
    ]),
  ).toEqual([
    ['find', { day: 'Monday', api_key: '[masked]' }, 200, true, 1],
    ['book', { at: 'nine' }, 201, true, 1],
    ['book', {}, 400, false, 1],
    ['find', {}, 404, true, 3],
  ]);
  expect(meter).toMatchObject({ requests: 5, promptTokens: 50, completionTokens: 25 });
  // The organization has no price for the agent's model.
  expect(meter.cost).toBeNull();
});

it('records what the agent only reports beside its words, without asking it again', async () => {
  const { conversation, requests, calls } = await converse([], says('Booked.', tool('book', { at: 'nine' })));
  expect((await conversation.say('At nine.', signal)).text).toBe('Booked.');
  expect(requests).toHaveLength(1);
  expect(calls()).toMatchObject([
    { node_id: 'book', arguments: { at: 'nine' }, status: null, error: null, is_mocked: false },
  ]);
});

it('tells the agent that a tool without an answer is unavailable', async () => {
  const { conversation, requests, calls } = await converse(
    [],
    asks(null, tool('pay', '')),
    says('It is down.'),
  );
  expect((await conversation.greet(signal)).text).toBe('It is down.');
  expect(requests[1]!.at(-1)).toEqual({
    role: 'tool',
    tool_call_id: 'call_1',
    content: '{"error":"The tool is unavailable"}',
  });
  expect(calls()).toMatchObject([
    { node_id: 'pay', arguments: {}, status: null, error: expect.stringContaining('webhook_mocks'), turn: 0 },
  ]);
});

it('ends with an agent that asks for tools without end, and with one that fills its requests', async () => {
  const endless = await converse([], asks(null, tool('find', {})));
  await expect(endless.conversation.say('Hello', signal)).rejects.toThrow('10 times in a row');
  expect(endless.requests).toHaveLength(11);
  server!.close();
  const large = await converse([], asks(null, tool('find', { all: 'x'.repeat(190_000) })));
  await expect(large.conversation.say('Hello', signal)).rejects.toThrow('exceed 500000 characters');
  expect(large.calls().every(({ arguments: given }) => given === null)).toBe(true);
});

it('refuses tool calls that are none', async () => {
  const { conversation } = await converse([], asks(null, { type: 'function' }));
  await expect(conversation.say('Hello', signal)).rejects.toThrow(/tool_calls\.0\.function/);
});
