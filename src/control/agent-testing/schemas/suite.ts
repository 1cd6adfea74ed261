import { z } from 'zod';
import { readPhoneNumber } from '../../http/phone-number.js';
import { coveredSchema } from './coverage.js';
import { versionNumber } from './run.js';
import { categories, chatLineSchema, runChannels, scenarioTypes } from './scenario.js';
import { unsavedAssertionSchema } from './template.js';

const largestSuite = 50;
const maximumScenarios = z
  .int()
  .min(1)
  .max(largestSuite)
  .default(10)
  .meta({ description: `Most scenarios of the suite. Default 10, range 1–${largestSuite}.` });

/** Body of POST /v1/agent-testing/scenarios/generate-from-persona. */
export const suiteFromPersona = z.strictObject({
  persona_id: z.uuid().meta({ description: 'Persona whose prompts and knowledge are tested.' }),
  version_number: versionNumber,
  maximum_scenarios: maximumScenarios,
});

const longestPeriodDays = 90;

/** Body of POST /v1/agent-testing/scenarios/generate-from-calls. */
export const suiteFromCalls = z
  .strictObject({
    number: z
      .string()
      .max(32)
      .refine((text) => readPhoneNumber(text) !== undefined, 'Must be an E.164 number, such as +14155550100')
      .optional()
      .meta({
        description:
          'Number of yours whose answered calls are read, newest first. Default: the numbers of persona_id.',
      }),
    call_ids: z
      .array(z.string().min(1).max(64))
      .min(1)
      .max(largestSuite)
      .optional()
      .meta({ description: `Calls that are read in place of those of a number, at most ${largestSuite}.` }),
    pathway_id: z
      .uuid()
      .nullish()
      .meta({ description: 'Pathway that the scenarios test. Default: not chosen.' }),
    persona_id: z
      .uuid()
      .nullish()
      .meta({ description: 'Persona that the scenarios test. Default: not chosen.' }),
    days: z
      .int()
      .min(1)
      .max(longestPeriodDays)
      .default(7)
      .meta({
        description: `Days back from now in which the calls ended. Default 7, range 1–${longestPeriodDays}.`,
      }),
    maximum_scenarios: maximumScenarios,
  })
  .superRefine(({ number, call_ids: callIds, pathway_id: pathway, persona_id: persona }, context) => {
    const issue = (path: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    if (pathway && persona) issue('persona_id', 'pathway_id and persona_id exclude each other: send one.');
    if (number !== undefined && callIds !== undefined)
      issue('call_ids', 'number and call_ids exclude each other: send one.');
    if (number === undefined && callIds === undefined && !persona)
      issue('number', 'One of number, call_ids and persona_id is required.');
  });

const suggestedScenarioSchema = z
  .object({
    name: z.string(),
    description: z.string().meta({ description: 'What it tests.' }),
    pathway_id: z.string().nullable().meta({ description: 'Pathway under test; null: not chosen.' }),
    persona_id: z.string().nullable().meta({ description: 'Persona under test; null: not chosen.' }),
    category: z.enum(categories).meta({ description: 'Kind of caller.' }),
    scenario_type: z.enum(scenarioTypes).meta({ description: "Where the caller's words come from." }),
    channel: z.enum(runChannels).meta({ description: 'How it is run unless the run says otherwise.' }),
    tester_persona_prompt: z
      .string()
      .meta({ description: 'How the simulated caller behaves and what it wants; empty with REPLAY.' }),
    tester_persona_name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the simulated caller; null: none.' }),
    max_turns: z.int().meta({ description: 'Most turns of the caller.' }),
    request_data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Variables that the conversation begins with.' }),
    input_messages: z.array(chatLineSchema).meta({ description: 'What is said with REPLAY.' }),
    assertions: z
      .array(unsavedAssertionSchema)
      .meta({ description: 'What must hold after the conversation.' }),
  })
  .meta({ id: 'SuiteScenario' });

export const evidenceSources = [
  'orchestration_prompt',
  'personality_prompt',
  'knowledge',
  'transcript',
  'call_record',
  'agent_report',
] as const;

const evidenceSchema = z
  .object({
    assertion: z.int().meta({ description: 'Position of the assertion in the scenario, from 0.' }),
    source: z.enum(evidenceSources).meta({
      description:
        'Where the quote is from: a prompt of the persona, its knowledge, what was said in the call, its record, or what its agent reported of itself.',
    }),
    quote: z.string().meta({ description: 'What the assertion is based on, word for word.' }),
    kb_id: z.string().nullable().meta({ description: 'Knowledge base of the quote; null: another source.' }),
    kb_name: z.string().nullable().meta({ description: 'Name of the knowledge base; null: another source.' }),
    call_id: z.string().nullable().meta({ description: 'Call of the quote; null: another source.' }),
  })
  .meta({ id: 'SuiteEvidence' });

const suiteScenarioSchema = z
  .object({
    scenario: suggestedScenarioSchema.meta({
      description: 'Not stored: `POST /v1/agent-testing/scenarios` takes it as it is once it has a target.',
    }),
    evidence: z.array(evidenceSchema).meta({ description: 'What its assertions are based on.' }),
  })
  .meta({ id: 'GeneratedTestScenario' });
export type SuiteScenario = z.output<typeof suiteScenarioSchema>;
export type SuiteEvidence = z.output<typeof evidenceSchema>;

const coveredMeaning = 'Those that the present scenarios of the persona quote in their description.';

export const personaSuiteSchema = z
  .object({
    persona_id: z.string(),
    version_number: z.int().meta({ description: 'Version whose texts were read.' }),
    generated_by: z.string().nullable().meta({
      description:
        'Model that wrote the scenarios; null: rules, because no model or the stand-in is configured.',
    }),
    prompts: coveredSchema('prompts', 'Statements in the prompts.', coveredMeaning),
    knowledge: coveredSchema(
      'knowledge',
      'Passages of the knowledge bases with a statement: all of them up to 500, of more passages every n-th.',
      coveredMeaning,
    ),
    scenarios: z.array(suiteScenarioSchema).meta({ description: 'Scenarios that test what is not covered.' }),
  })
  .meta({ id: 'PersonaTestSuite' });
export type PersonaSuite = z.output<typeof personaSuiteSchema>;

export const callSuiteSchema = z
  .object({
    examined_calls: z.int().meta({ description: 'Calls that were read.' }),
    unheard_calls: z
      .int()
      .meta({ description: 'Calls among them of which the agent stored no messages of a caller.' }),
    similar_calls: z.int().meta({
      description: 'Calls left out because their caller says nearly what that of another one says.',
    }),
    scenarios: z.array(suiteScenarioSchema).meta({ description: 'One scenario for each other call.' }),
  })
  .meta({ id: 'CallTestSuite' });
export type CallSuite = z.output<typeof callSuiteSchema>;
