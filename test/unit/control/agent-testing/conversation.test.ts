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
import { holdConversation } from '../../../../src/control/agent-testing/conversation/hold-conversation.js';
import type { MeteredModel } from '../../../../src/control/agent-testing/conversation/metered-model.js';
import { ModelMeter } from '../../../../src/control/agent-testing/conversation/model-meter.js';
import { PathwayConversation } from '../../../../src/control/agent-testing/conversation/pathway-conversation.js';
import { callWebhook } from '../../../../src/control/agent-testing/conversation/pathway-webhook.js';
import type { ChatModel } from '../../../../src/control/models/chat-model.js';
import { JsonPoster } from '../../../../src/control/models/post-json.js';
import { type Comparison, pathwayDocumentSchema } from '../../../../src/control/pathways/index.js';
import { EgressPolicy } from '../../../../src/naming/egress.js';
import { fillSchema } from '../../../../src/rule-model/fill-schema.js';

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
      prices: undefined,
      complete: async ({ messages }: { messages: readonly { content: string }[] }) => {
        sent.push(messages.reduce((sum, { content }) => sum + content.length, 0));
        return { content: 'y'.repeat(3_000_000), usage: {} };
      },
    };
    const subject = { organizationId: 'org', meter: new ModelMeter(), requestData: {} };
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
