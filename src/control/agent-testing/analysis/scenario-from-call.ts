import type { Kysely } from 'kysely';
import { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import { readRequestData } from '../../calls/index.js';
import { readCallTranscript } from '../../contacts/index.js';
import type { Database } from '../../database/tables.js';
import type { Models } from '../../models/models.js';
import { type WorkerPool, workerFile } from '../../workers/worker-pool.js';
import { quotedConversation } from '../assertions/quoted-conversation.js';
import { MeteredModel } from '../conversation/metered-model.js';
import { ModelMeter } from '../conversation/model-meter.js';
import { throwUnavailable } from '../conversation/model-unavailable.js';
import { unsavedAssertions } from '../scenarios/unsaved-assertions.js';
import { categories } from '../schemas/scenario.js';
import type { scenarioDraftSchema, scenarioFromCall } from '../schemas/template.js';
import { maximumLines } from './replay-of-call.js';
import { withoutPersonalText } from './strip-personal.js';
import type { CallWords } from './strip-worker.js';

export interface GenerateDeps {
  readonly database: Kysely<Database>;
  readonly models: Models;
  readonly workers: Pick<WorkerPool, 'run'>;
}

const stripWorker = workerFile<CallWords, CallWords>('./strip-worker', import.meta.url);

const answerSchema = z.strictObject({
  name: z.string().min(1).max(200),
  description: z.string().max(2_000),
  category: z.enum(categories),
  tester_persona_name: z.string().max(200),
  tester_persona_prompt: z.string().min(1).max(20_000),
  assertion_prompts: z.array(z.string().min(1).max(2_000)).max(10),
});

const instructions = `You turn a recorded telephone conversation into a test for the agent. Write tester_persona_prompt so that another model can play a caller like the one of the recording: its goal, its facts, its mood and its way of speaking, in the second person. Do not copy phone numbers, addresses on the web or keys. assertion_prompts: one to three yes-or-no questions that a good agent's conversation answers with yes. category: the kind of caller.`;

const patienceMilliseconds = 120_000;

/**
 * Drafts a scenario from what was said in a call. Nothing is stored. Throws `DemarcError` `NOT_FOUND` for a call, `NO_TRANSCRIPT`
 * or `MODEL_UNAVAILABLE`.
 */
export async function scenarioOfCall(
  { database, models, workers }: GenerateDeps,
  organizationId: string,
  order: z.output<typeof scenarioFromCall>,
): Promise<z.output<typeof scenarioDraftSchema>> {
  const ordered = await readRequestData(database, organizationId, order.call_id);
  if (ordered === undefined) throw new DemarcError('NOT_FOUND', 'Call not found');
  const said = order.transcript ?? (await readCallTranscript(database, organizationId, order.call_id));
  if (said.length === 0) throw new DemarcError('NO_TRANSCRIPT');
  const { chat, requestData } = await workers.run(stripWorker, organizationId, {
    chat: said,
    requestData: ordered,
  });
  const { judge } = models;
  if (judge === undefined) throw new DemarcError('MODEL_UNAVAILABLE', 'none is configured');
  const model = new MeteredModel(judge, organizationId, new ModelMeter());
  const { rules, quoted } = quotedConversation({
    chat,
    variables: {},
    nodesVisited: [],
    webhooks: [],
  });
  const read = await model
    .answer(
      {
        messages: [
          { role: 'system', content: `${instructions}\n\n${rules}\n\nAnswer with JSON.` },
          { role: 'user', content: `Write the test.\n\n${quoted}` },
        ],
        temperature: 0,
      },
      'scenario',
      answerSchema,
      AbortSignal.timeout(patienceMilliseconds),
    )
    .catch(throwUnavailable);
  const { assertion_prompts: prompts, ...draft } = read;
  return {
    ...draft,
    tester_persona_prompt: withoutPersonalText(draft.tester_persona_prompt),
    pathway_id: order.pathway_id ?? null,
    persona_id: order.persona_id ?? null,
    start_node_id: null,
    request_data: requestData,
    input_messages: chat.slice(0, maximumLines),
    assertions: unsavedAssertions(prompts.map((prompt) => ({ type: 'LLM_JUDGE', config: { prompt } }))),
    generated_by: model.name,
  };
}
