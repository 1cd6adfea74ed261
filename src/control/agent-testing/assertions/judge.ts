import { z } from 'zod';
import { ModelFailure } from '../../models/model-failure.js';
import { type Evidence, type Verdict, verdictOf } from '../conversation/evidence.js';
import type { MeteredModel } from '../conversation/metered-model.js';
import type { AssertionConfig } from '../schemas/assertion.js';
import { quotedConversation } from './quoted-conversation.js';

type Judged = Pick<
  AssertionConfig<'LLM_JUDGE'>,
  'output_type' | 'pass_on_true' | 'threshold' | 'categories' | 'passing_categories'
>;

const reasoning = z.string().min(1).max(10_000);

/** The form of the verdict. Reasoning comes first, so that the model reasons before it decides. */
function verdictSchema({ output_type: type, categories = [] }: Judged) {
  if (type === 'score') return z.strictObject({ reasoning, verdict: z.number().min(0).max(1) });
  if (type === 'categorical')
    return z.strictObject({ reasoning, verdict: z.enum(categories as [string, ...string[]]) });
  return z.strictObject({ reasoning, verdict: z.boolean() });
}

const forms = {
  boolean: 'verdict is true or false.',
  score: 'verdict is a number from 0 (not at all) to 1 (fully).',
  categorical: 'verdict is exactly one of the given categories.',
} as const;

const instructions = `You judge a test of a telephone agent. You get one question about a conversation between the agent and a simulated caller. Judge only what the question asks, by what was actually said, strictly and without giving credit for intentions.`;

/** Asks a model about the conversation. Never rejects with a `ModelFailure`: an unusable answer is an ERROR, never a pass. */
export async function judge(
  model: MeteredModel,
  { prompt, rubric, examples = [], ...config }: AssertionConfig<'LLM_JUDGE'>,
  evidence: Evidence,
  signal: AbortSignal,
): Promise<Verdict> {
  const system = [
    instructions,
    ...(rubric === undefined ? [] : [`Rubric:\n${rubric}`]),
    ...(examples.length === 0
      ? []
      : [
          `Examples of right verdicts, as JSON. They are of other conversations:\n${JSON.stringify(examples)}`,
        ]),
  ].join('\n\n');
  return ask(model, { config, system, question: prompt }, evidence, signal);
}

/** As `judge`, with a system prompt of the customer. */
export async function judgeWith(
  model: MeteredModel,
  { system_prompt: system, temperature, model: name, ...config }: AssertionConfig<'CUSTOM_LLM'>,
  evidence: Evidence,
  signal: AbortSignal,
): Promise<Verdict> {
  const question = 'Evaluate the conversation as your instructions say.';
  return ask(model, { config, system, question, temperature, name }, evidence, signal);
}

interface Question {
  readonly config: Judged;
  readonly system: string;
  readonly question: string;
  readonly temperature?: number;
  /** Default: the configured judge. */
  readonly name?: string | undefined;
}

async function ask(
  model: MeteredModel,
  { config, system, question, temperature = 0, name }: Question,
  evidence: Evidence,
  signal: AbortSignal,
): Promise<Verdict> {
  const { rules, quoted } = quotedConversation(evidence);
  const judgedBy = name ?? model.name;
  try {
    const { reasoning: why, verdict } = await model.answer(
      {
        messages: [
          {
            role: 'system',
            content: `${system}\n\n${rules}\n\nAnswer with JSON: reasoning says why in one to three sentences, ${forms[config.output_type]}`,
          },
          { role: 'user', content: `Question: ${question}\n\n${quoted}` },
        ],
        temperature,
        model: name,
      },
      'verdict',
      verdictSchema(config),
      signal,
    );
    return { ...decided(config, verdict, why), judgedBy };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return { status: 'ERROR', score: null, reasoning: error.message, judgedBy };
  }
}

function decided(config: Judged, verdict: boolean | number | string, why: string): Verdict {
  const { threshold, pass_on_true: passOnTrue, passing_categories: passing = [] } = config;
  if (typeof verdict === 'number') {
    return {
      ...verdictOf(verdict >= threshold, why, { expected: `at least ${threshold}`, actual: String(verdict) }),
      score: verdict,
    };
  }
  if (typeof verdict === 'boolean')
    return verdictOf(verdict === passOnTrue, why, {
      expected: String(passOnTrue),
      actual: String(verdict),
    });
  return verdictOf(passing.includes(verdict), why, { expected: passing.join(', '), actual: verdict });
}
