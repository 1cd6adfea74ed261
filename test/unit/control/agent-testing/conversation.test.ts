import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  withoutPersonal,
  withoutPersonalText,
} from '../../../../src/control/agent-testing/analysis/strip-personal.js';
import { AgentConversation } from '../../../../src/control/agent-testing/conversation/agent-conversation.js';
import type { TestSubject } from '../../../../src/control/agent-testing/conversation/channel.js';
import { holds } from '../../../../src/control/agent-testing/conversation/comparison.js';
import {
  type EndReason,
  holdConversation,
} from '../../../../src/control/agent-testing/conversation/hold-conversation.js';
import type { MeteredModel } from '../../../../src/control/agent-testing/conversation/metered-model.js';
import { ModelMeter } from '../../../../src/control/agent-testing/conversation/model-meter.js';
import { PathwayConversation } from '../../../../src/control/agent-testing/conversation/pathway-conversation.js';
import { callWebhook } from '../../../../src/control/agent-testing/conversation/pathway-webhook.js';
import { keptArguments } from '../../../../src/control/agent-testing/conversation/webhook-arguments.js';
import { mockFor } from '../../../../src/control/agent-testing/conversation/webhook-mock.js';
import { endingOf } from '../../../../src/control/agent-testing/runs/ending.js';
import type { ChatModel } from '../../../../src/control/models/chat-model.js';
import { JsonPoster } from '../../../../src/control/models/post-json.js';
import { type Comparison, pathwayDocumentSchema } from '../../../../src/control/pathways/index.js';
import { EgressPolicy } from '../../../../src/naming/egress.js';
import { fillSchema } from '../../../../src/rule-model/fill-schema.js';

type Webhook = Parameters<typeof keptArguments>[0];

describe('a comparison of a variable', () => {
  const variables = { city: 'Graz', guests: 4, text: '10', none: null, empty: '' };
  it.each<[Comparison['operator'], string, Comparison['value'], boolean]>([
    ['equals', 'city', ' graz', true],
    ['equals', 'guests', '4.0', true],
    ['equals', 'missing', '', false],
    ['not_equals', 'missing', 'x', true],
    ['not_equals', 'city', 'Graz', false],
    ['contains', 'city', 'RA', true],
    ['greater_than', 'text', 9, true],
    ['less_than', 'text', 9, false],
    ['greater_than', 'city', 1, false],
    ['is_set', 'none', undefined, false],
    ['is_set', 'empty', undefined, false],
    ['is_not_set', 'missing', undefined, true],
    ['is_set', 'toString', undefined, false],
  ])('%s %s %s: %s', (operator, variable, value, expected) => {
    expect(holds({ operator, variable, value }, variables)).toBe(expected);
  });
});

describe('data of a call for a scenario', () => {
  it('has no phone numbers, URLs and keys, also in nested values', () => {
    const data = {
      first_name: 'Ada',
      phoneNumber: '+14155550100',
      callback_url: 'https://example.com/x',
      api_key: 'sk-123',
      date: '2026-11-20',
      order: { number: 'A-17', contact: '(415) 555-0100', notes: ['mail me', 'https://x.example.com/y?k=1'] },
      crm: { authorization: 'Bearer x', id: 17, ani: 'anonymous', dial: 14155550100 },
      text: 'Ring +1 415 555 0100 or see http://a.example.com.',
      token_like: 'eyJhbGciOiJIUzI1NiJ9.payload',
    };
    expect(withoutPersonal(data)).toEqual({
      first_name: 'Ada',
      date: '2026-11-20',
      order: { number: 'A-17', notes: ['mail me'] },
      crm: { id: 17 },
      text: 'Ring [removed] or see [removed]',
    });
    expect(withoutPersonalText('At 9:30 on 2026-11-20, table 4')).toBe('At 9:30 on 2026-11-20, table 4');
  });
});

describe('the webhook of a pathway', () => {
  it('never reaches a private address where the operator does not allow it', async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests++;
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const call = (host: string, allowPrivate: boolean) =>
      callWebhook(
        new JsonPoster(new EgressPolicy({ allowPrivate })),
        {
          id: 'book',
          name: 'Book',
          type: 'webhook',
          webhook: {
            url: `http://${host}:${port}/`,
            method: 'POST',
            timeout_ms: 2_000,
            response_variables: [],
          },
        },
        {},
        undefined,
        AbortSignal.timeout(5_000),
      );
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]']) {
      const { call: refused, variables } = await call(host, false);
      expect(refused).toMatchObject({ status: null, error: expect.stringContaining('does not send') });
      expect(variables).toEqual({ webhook_status: 0 });
    }
    expect(requests).toBe(0);
    expect((await call('127.0.0.1', true)).call).toMatchObject({ status: 200, error: null });
    server.closeAllConnections();
    server.close();
  });
});

describe('the arguments of a webhook in results', () => {
  const called = (webhook: object, variables: Record<string, unknown> = {}) =>
    keptArguments({ url: 'https://example.com/', method: 'POST', ...webhook } as Webhook, variables);

  it('are its body with variables, without what is or looks like a secret', () => {
    const body = {
      day: '{{day}}',
      api_key: 'k-1',
      auth: { accessToken: 'abc', user: 'ada' },
      list: [{ password: '{{pin}}' }],
      header: 'Bearer abcdef123456',
      note: 'use sk-live_abcdefghijklmnop now',
      id: '0d3c6c9e-6a55-4a2e-9c1e-2f7b1f1a9d10',
    };
    expect(called({ body }, { day: 'Tuesday', pin: '1234' })).toEqual({
      day: 'Tuesday',
      api_key: '[masked]',
      auth: { accessToken: '[masked]', user: 'ada' },
      list: [{ password: '[masked]' }],
      header: 'Bearer [masked]',
      note: 'use [masked] now',
      id: '0d3c6c9e-6a55-4a2e-9c1e-2f7b1f1a9d10',
    });
  });

  it('are the parameters of the query that hold variables, with GET', () => {
    const url = 'https://example.com/{{city}}?code=secret&day={{day}}&q=at+{{hour}}#{{x}}';
    expect(called({ url, method: 'GET' }, { day: 'Tuesday', hour: 15, city: 'Graz' })).toEqual({
      day: 'Tuesday',
      q: 'at 15',
    });
    expect(called({ url: 'https://example.com/', method: 'GET' })).toEqual({});
  });

  it('are not kept beyond their limit', () => {
    expect(called({ body: { text: '{{text}}' } }, { text: 'x'.repeat(10_001) })).toBeNull();
  });
});

describe('answers in place of webhooks', () => {
  const at = (call: number, turn: number, nodeId = 'book') =>
    mockFor(
      [
        { node_id: 'book', status: 200 },
        { node_id: 'book', status: 201 },
        { node_id: 'book', status: 409, from_call: 2 },
        { node_id: 'book', status: 503, from_call: 2, from_turn: 3 },
        { node_id: 'late', status: 200, from_turn: 2 },
      ],
      { nodeId, call, turn },
    )?.status;

  it('are the latest that applies to the call and the turn, and the first of equal ones', () => {
    expect([at(1, 0), at(1, 5), at(2, 1), at(3, 2), at(2, 3)]).toEqual([200, 200, 409, 409, 503]);
    expect([at(1, 1, 'late'), at(1, 2, 'late'), at(1, 2, 'other')]).toEqual([undefined, 200, undefined]);
  });
});

describe('the ending of a conversation', () => {
  const ended = (reason: EndReason, hungUpBy?: 'agent' | 'test', transferredTo?: string | null) =>
    endingOf(reason, { transferredTo }, hungUpBy);

  it.each([
    ['agent_ended', undefined, 'agent'],
    ['caller_ended', undefined, 'caller'],
    ['max_turns', undefined, 'test'],
    ['agent_ended', 'agent', 'agent'],
    ['agent_ended', 'test', 'test'],
    ['caller_ended', 'agent', 'agent'],
    ['caller_ended', 'test', 'caller'],
    ['replay_ended', 'test', 'test'],
  ] as const)('%s, hung up by %s: %s', (reason, hungUpBy, side) => {
    expect(ended(reason, hungUpBy).ended_by).toBe(side);
  });

  it('has the target of a transfer, and says when it is not known', () => {
    expect(ended('agent_ended', undefined, '+14155550100')).toMatchObject({
      transfer: 'transferred',
      transferred_to: '+14155550100',
    });
    expect(ended('agent_ended', undefined, null)).toMatchObject({ transfer: 'none', transferred_to: null });
    expect(ended('agent_ended')).toMatchObject({ transfer: 'unknown', transferred_to: null });
  });
});

describe('what others send into a conversation', () => {
  it('sets no variable that would fill the prompts and the table', async () => {
    const { variables } = await callWebhook(
      new JsonPoster(new EgressPolicy({ allowPrivate: false })),
      {
        id: 'book',
        name: 'Book',
        type: 'webhook',
        webhook: {
          url: 'https://example.com/',
          method: 'POST',
          timeout_ms: 2_000,
          response_variables: [
            { name: 'slot', path: 'slots.0' },
            { name: 'all', path: 'slots' },
          ],
        },
      },
      {},
      { node_id: 'book', status: 200, body: { slots: ['noon', 'x'.repeat(10_000)] } },
      AbortSignal.timeout(5_000),
    );
    expect(variables).toEqual({ webhook_status: 200, slot: 'noon' });
  });

  it('does not grow with an agent that answers megabytes', async () => {
    const sent: number[] = [];
    const model = {
      name: 'endless',
      converse: async ({ messages }: { messages: readonly { content: string }[] }) => {
        sent.push(messages.reduce((sum, { content }) => sum + content.length, 0));
        return { content: 'y'.repeat(3_000_000), usage: {}, toolCalls: [], isWaiting: false };
      },
    };
    const subject = {
      organizationId: 'org',
      meter: new ModelMeter(),
      requestData: {},
      definition: { webhook_mocks: [] },
    };
    const conversation = new AgentConversation(
      model as unknown as ChatModel,
      subject as unknown as TestSubject,
    );
    for (let turn = 0; turn < 3; turn++) await conversation.say('Hello', AbortSignal.timeout(5_000));
    expect(sent).toEqual([5, 20_010, 40_015]);
  });
});

describe('the last line of a caller who hangs up', () => {
  it('is read by the pathway, which takes its edge and says nothing', async () => {
    const asked: string[] = [];
    const model = {
      name: 'rules',
      say: async () => 'How can I help?',
      answer: async ({ messages }: { messages: readonly { content: string }[] }) => {
        asked.push(messages.at(-1)!.content);
        return { extracted: { mood: 'happy' }, condition_met: true, edge: 'bye' };
      },
    };
    const document = pathwayDocumentSchema.parse({
      start_node_id: 'greeting',
      nodes: [
        {
          id: 'greeting',
          name: 'Greeting',
          type: 'default',
          prompt: 'Greet.',
          extract: [{ name: 'mood', type: 'string', description: 'How the caller feels.' }],
        },
        { id: 'goodbye', name: 'Goodbye', type: 'end', text: 'Goodbye.' },
      ],
      edges: [{ id: 'bye', source: 'greeting', target: 'goodbye', label: 'The caller says goodbye' }],
    });
    const conversation = new PathwayConversation({
      document,
      model: model as unknown as MeteredModel,
      poster: undefined as never,
      startNodeId: null,
      mocks: [],
      requestData: {},
      knowledgeOn: async () => '',
    });
    const { state, reason } = await holdConversation({
      conversation,
      caller: { next: async () => ({ text: 'Thank you, goodbye.', hangsUp: true }) },
      isCallerFirst: false,
      maximumTurns: 5,
      changed: async () => {},
      signal: AbortSignal.timeout(5_000),
    });
    expect(reason).toBe('caller_ended');
    expect(asked).toEqual([expect.stringContaining('Thank you, goodbye.')]);
    expect(state.progress).toMatchObject({
      nodesVisited: ['greeting', 'goodbye'],
      currentNodeId: 'goodbye',
      variables: { mood: 'happy' },
    });
    expect(state.chat.map(({ content }) => content)).toEqual(['How can I help?', 'Thank you, goodbye.']);
  });
});

describe('the stand-in', () => {
  it('fills a schema with the least that it allows', () => {
    const schema = {
      type: 'object',
      properties: {
        extracted: { type: 'object', properties: { day: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
        condition_met: { type: 'boolean' },
        edge: { type: 'string', enum: ['none', 'e1'] },
        score: { type: 'number', minimum: 0, maximum: 1 },
        list: { type: 'array', items: {} },
      },
    };
    expect(fillSchema(schema, { edge: 'unknown', other: 1, list: ['a'] })).toEqual({
      extracted: { day: null },
      condition_met: true,
      edge: 'e1',
      score: 0.5,
      list: ['a'],
    });
  });
});
