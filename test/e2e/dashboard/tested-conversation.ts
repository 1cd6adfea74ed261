import type { RuleModel } from '../../../src/rule-model/rule-model.js';

/** What the models of a test say: caller, agent, pathway, judge and analyzer, recognized by their system prompts. */
export const testedConversation: Parameters<typeof RuleModel.start>[0]['rules'] = [
  { when: { system: 'You play the caller.*think for ever' }, hang: true },
  { when: { system: 'You are the agent.*Name the PRICE' }, answer: 'A lesson costs five euro.' },
  {
    when: { system: '^You improve the pathway' },
    // Long enough to see the results of the iteration before its changes.
    latency_ms: 1_500,
    answer: {
      fixes: [
        {
          type: 'prompt_edit',
          path: 'nodes.greeting.prompt',
          value: 'Name the PRICE of a lesson.',
          description: 'The prompt does not say that the agent names the price.',
        },
      ],
    },
  },
  {
    when: { system: '^You turn a recorded' },
    answer: {
      name: 'Moves a delivery',
      description: 'A caller who wants Friday.',
      category: 'HAPPY_PATH',
      tester_persona_name: 'Jane',
      tester_persona_prompt: 'You want your delivery on Friday.',
      assertion_prompts: ['Does the agent confirm Friday?'],
    },
  },
  {
    when: { system: 'You judge a test', last: 'How CLEAR' },
    every: 3,
    answer: { reasoning: 'The agent mumbled.', verdict: 0.2 },
  },
  {
    when: { system: 'You judge a test', last: 'How CLEAR' },
    answer: { reasoning: 'The agent was clear.', verdict: 0.9 },
  },
  {
    when: { system: 'You play the caller' },
    answer: { say: 'I need help.', hang_up: false },
    latency_ms: 300,
  },
  {
    when: { system: 'You decide how' },
    answer: { extracted: { request: 'help' }, condition_met: true, edge: 'answered' },
  },
  { when: { system: 'You are the agent' }, answer: 'Good morning, how can I help you?' },
  {
    when: { system: 'You judge a test' },
    answer: { reasoning: 'The agent showed no sympathy.', verdict: false },
  },
  {
    when: { system: 'You improve telephone agents' },
    answer: {
      root_cause: 'No prompt asks for sympathy.',
      suggestions: [
        {
          type: 'prompt_change',
          target_node_id: 'greeting',
          confidence: 0.8,
          description: 'Show sympathy first.',
          suggested_change: 'Say that you are sorry.',
        },
      ],
    },
  },
];
