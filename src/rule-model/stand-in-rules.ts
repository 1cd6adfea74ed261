import type { z } from 'zod';
import type { rulesSchema } from './rules.js';

const note =
  'Stand-in: this answer comes from a rule, no model has judged. Set DEMARC_LLM_URL for a real result.';

/** A judge's question that asks for this path by its name in brackets. */
const asks = (path: string) => ({ system: '^You judge a test', last: `^Question: [^\\n]*\\[${path}\\]` });

/**
 * What the stand-in answers where no language model is configured: enough to try the agent tests, and every answer says that it
 * is none of a model.
 */
export const standInRules: z.input<typeof rulesSchema> = {
  rules: [
    // The simulated caller states its task, then says goodbye.
    {
      when: { system: '^You play the caller.*?Your role:\\n([^\\n]{1,300})', turn: 1 },
      answer: { say: 'Hello, I am the stand-in caller. My task: $1', hang_up: false },
    },
    {
      when: { system: '^You play the caller', turn: 2 },
      answer: { say: 'I see. Anything else?', hang_up: false },
    },
    { when: { system: '^You play the caller' }, answer: { say: 'Thank you, goodbye.', hang_up: true } },
    // A persona greets and repeats.
    {
      when: { system: '^You are the agent in a telephone.*Answer with JSON', turn: 1 },
      answer: { say: 'Hello, this is the stand-in agent. How can I help you?', hang_up: false },
    },
    {
      when: { system: '^You are the agent in a telephone.*Answer with JSON' },
      answer: { say: 'You said: $0', hang_up: false },
    },
    // A pathway speaks the name and the prompt of its step, so that a text of the prompt can be asserted, and takes the first edge.
    {
      when: { system: 'Now you are at the step "([^"\\n]{1,200})":\\n([^\\n]{1,300})' },
      answer: 'This is the step "$1" of the stand-in agent. Its prompt: $2',
    },
    { when: { system: '^You decide how a telephone' }, fill: true },
    { when: { system: '^You rate how natural' }, fill: true, answer: { issues: [note] } },
    { when: { system: '^You improve telephone agents' }, fill: true, answer: { root_cause: note } },
    {
      when: { system: '^You turn a recorded telephone conversation' },
      fill: true,
      answer: {
        name: 'From a call (stand-in)',
        description: note,
        tester_persona_name: 'Caller',
        tester_persona_prompt: 'You say what the caller of the recording said.',
        category: 'CUSTOM',
      },
    },
    // Every way in which a judgement can end, for assertions that ask for it.
    { when: asks('fail'), fill: true, answer: { reasoning: note, verdict: false } },
    { when: asks('flaky'), every: 2, fill: true, answer: { reasoning: note, verdict: false } },
    { when: asks('garbage'), answer: 'It went rather well.' },
    { when: asks('refuse'), refusal: 'The stand-in refuses to judge.' },
    { when: asks('hang'), hang: true },
    { when: asks('429'), status: 429, retry_after: 1 },
    { when: {}, fill: true, answer: { reasoning: note } },
  ],
};
