import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { quotedConversation } from '../../../src/control/agent-testing/assertions/quoted-conversation.js';
import { scenarioCreation } from '../../../src/control/agent-testing/schemas/scenario.js';
import { batchOrderSchema } from '../../../src/control/calls/batches/batch-order.js';
import { refuseUnstorableText } from '../../../src/control/http/validation.js';
import { searchText } from '../../../src/control/knowledge/language.js';

const longest = 50;
/** Nanoseconds of CPU of this thread: load of the machine and collection of garbage in other threads do not count. */
const threadTime = (): number => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]);

const text = (length: number): string => 'Good morning. '.repeat(Math.ceil(length / 14)).slice(0, length);
const hostile = '.{0,999}'.repeat(120);
const scenario = {
  name: 'x',
  scenario_type: 'HISTORICAL',
  tester_persona_prompt: text(20_000),
  agent: { url: 'https://agent.example.com/v1' },
  input_messages: Array.from({ length: 8 }, () => ({ role: 'assistant', content: text(20_000) })),
  assertions: Array.from({ length: 50 }, () => ({ type: 'REGEX_MATCH', config: { pattern: hostile } })),
};
const evidence = {
  chat: Array.from({ length: 100 }, () => ({ role: 'user' as const, content: text(20_000) })),
  variables: {},
  nodesVisited: [],
  nodeNames: {},
  webhooks: [],
  tone: null,
  voice: null,
};
const batch = {
  from: '+14155550100',
  calls: Array.from({ length: 1_000 }, (_, index) => ({
    phone_number: `+1415555${1_000 + index}`,
    task: text(1_000),
  })),
};

describe.skipIf(process.platform !== 'linux')('work on the event loop', () => {
  it.each<[string, () => unknown]>([
    ['a scenario with fifty patterns', () => scenarioCreation.parse(scenario)],
    ['a batch of 1,000 calls', () => batchOrderSchema.parse(batch)],
    ['a megabyte of text', () => refuseUnstorableText({ body: { text: text(1_048_576) } } as never)],
    ['a conversation that is judged', () => JSON.stringify(quotedConversation(evidence))],
    ['a question to a knowledge base', () => searchText('中'.repeat(2_000))],
  ])(`takes less than ${longest} ms of CPU: %s`, (_what, work) => {
    // Compiled code, as in a process that runs.
    for (let warm = 0; warm < 3; warm++) work();
    const begun = threadTime();
    work();
    expect((threadTime() - begun) / 1_000_000).toBeLessThan(longest);
  });
});
