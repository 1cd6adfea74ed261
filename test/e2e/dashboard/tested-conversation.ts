import type { RuleModel } from '../../../src/rule-model/rule-model.js';

/** What the models of a test say: caller, agent, pathway, judge and analyzer, told apart by their system prompts. */
export const testedConversation: Parameters<typeof RuleModel.start>[0]['rules'] = [
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
          ...{ type: 'prompt_change', target_node_id: 'greeting', confidence: 0.8 },
          ...{ description: 'Show sympathy first.', suggested_change: 'Say that you are sorry.' },
        },
      ],
    },
  },
];
