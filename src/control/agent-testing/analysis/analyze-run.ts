import type { Kysely } from 'kysely';
import { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import { storableJson } from '../../database/storable.js';
import type { Database } from '../../database/tables.js';
import type { Models } from '../../models/models.js';
import { pathways, withoutLayout } from '../../pathways/index.js';
import { personas } from '../../personas/index.js';
import { quotedConversation } from '../assertions/quoted-conversation.js';
import { MeteredModel } from '../conversation/metered-model.js';
import { ModelMeter } from '../conversation/model-meter.js';
import { throwUnavailable } from '../conversation/model-unavailable.js';
import { readRun, type WholeRun } from '../runs/run-storage.js';
import { type Analysis, analysisSchema, suggestionTypes } from '../schemas/analysis.js';

export interface AnalyzeDeps {
  readonly database: Kysely<Database>;
  readonly models: Models;
}

const answerSchema = z.strictObject({
  root_cause: z.string().min(1).max(5_000),
  suggestions: z
    .array(
      z.strictObject({
        type: z.enum(suggestionTypes),
        target_node_id: z.string().max(200).nullable(),
        description: z.string().min(1).max(5_000),
        suggested_change: z.string().min(1).max(20_000),
        confidence: z.number().min(0).max(1),
      }),
    )
    .max(20),
});

const instructions = `You improve telephone agents. You get a failed test: the instructions of the agent, the conversation, and the assertions that failed. Find the one root cause in the agent, and suggest changes that would make the test pass without breaking other conversations. suggestions, the most promising first: type is prompt_change (another prompt), node_config (another setting of a node), flow_change (other edges) or tone_improvement; target_node_id is the id of the node to change, or null for the agent as a whole; suggested_change is the new text itself; confidence is 0 to 1.`;

/** How long a person waits for an analysis. */
const patienceMilliseconds = 120_000;

/**
 * Why a run failed and what to change. The model is asked once for a run. Throws `DemarcError` `NOT_FOUND`, `RUN_NOT_FAILED` or
 * `MODEL_UNAVAILABLE`.
 */
export async function analyzeRun(
  { database, models }: AnalyzeDeps,
  organizationId: string,
  runId: string,
  signal = AbortSignal.timeout(patienceMilliseconds),
): Promise<Analysis> {
  const whole = await readRun(database, organizationId, runId);
  const { run, conversation } = whole;
  if (run.status !== 'FAILED' && run.status !== 'ERROR')
    throw new DemarcError('RUN_NOT_FAILED', `it is ${run.status}`);
  const stored = analysisSchema.safeParse(conversation.analysis);
  if (stored.success) return stored.data;
  const { judge } = models;
  if (judge === undefined) throw new DemarcError('MODEL_UNAVAILABLE', 'none is configured');
  const model = new MeteredModel(judge, organizationId, new ModelMeter());
  const read = await model
    .answer(
      { messages: await messagesFor(database, whole), temperature: 0 },
      'analysis',
      answerSchema,
      signal,
    )
    .catch(throwUnavailable);
  const names = conversation.node_names;
  const analysis: Analysis = {
    root_cause: read.root_cause,
    suggestions: read.suggestions.map((suggestion) => {
      // A node that the model made up is none.
      const isKnown = suggestion.target_node_id !== null && Object.hasOwn(names, suggestion.target_node_id);
      const nodeId = isKnown ? suggestion.target_node_id : null;
      return {
        ...suggestion,
        target_node_id: nodeId,
        target_node_name: nodeId === null ? null : names[nodeId]!,
      };
    }),
    node_id_to_name: names,
    analyzed_by: model.name,
    is_stand_in: models.isStandIn,
  };
  await database
    .updateTable('agent_test_conversations')
    .set({ analysis: storableJson(analysis) })
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', run.id)
    .execute();
  return analysis;
}

async function messagesFor(database: Kysely<Database>, { run, conversation, results }: WholeRun) {
  const failed = results
    .filter(({ status }) => status !== 'PASSED')
    .map(({ result: { type, name, reasoning, expected, actual } }) => ({
      type,
      name,
      reasoning,
      expected,
      actual,
    }));
  // The results quote what was said as well.
  const { chat_history: chat, variables, webhooks } = conversation;
  const { rules, quoted } = quotedConversation(
    { chat, variables, webhooks, nodesVisited: run.nodes_visited },
    { assertions_not_passed: failed },
  );
  const content = [
    `The agent:\n${await agentOf(database, run)}`,
    ...(run.error_message === null ? [] : [`Error of the run: ${run.error_message}`]),
    quoted,
  ].join('\n\n');
  return [
    { role: 'system' as const, content: `${instructions}\n\n${rules}\n\nAnswer with JSON.` },
    { role: 'user' as const, content },
  ];
}

const maximumAgentCharacters = 60_000;

/** The instructions of the agent, as JSON. */
async function agentOf(database: Kysely<Database>, run: WholeRun['run']): Promise<string> {
  const {
    organization_id: organization,
    pathway_id: pathway,
    persona_id: persona,
    version_number: version,
  } = run;
  if (pathway !== null) {
    const { document } = await pathways.versionForTest(database, organization, pathway, version ?? undefined);
    return JSON.stringify(withoutLayout(document)).slice(0, maximumAgentCharacters);
  }
  if (persona !== null) {
    const row = await personas.versionForTest(database, organization, persona, version ?? undefined);
    const { orchestration_prompt, personality_prompt } = row;
    return JSON.stringify({ orchestration_prompt, personality_prompt });
  }
  return 'An agent at its own address, whose instructions are not known.';
}
