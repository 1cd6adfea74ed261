import type { Kysely } from 'kysely';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import { type WorkerPool, workerFile } from '../../workers/worker-pool.js';
import { readRun } from '../runs/run-storage.js';
import {
  createScenario,
  readScenario,
  type Scenario,
  type ScenarioStorageDeps,
} from '../scenarios/scenario-storage.js';
import { assertionView } from '../scenarios/scenario-view.js';
import { assertionInputs } from '../schemas/assertion.js';
import { scenarioCreation } from '../schemas/scenario.js';
import { replayOf } from './replay-of-call.js';
import type { CallWords } from './strip-worker.js';

export interface FromRunDeps extends ScenarioStorageDeps {
  readonly database: Kysely<Database>;
  readonly workers: Pick<WorkerPool, 'run'>;
}

const stripWorker = workerFile<CallWords, CallWords>('./strip-worker', import.meta.url);

/**
 * Stores a scenario whose caller says what the caller of a judged call said, to the same agent and with the same assertions, once for an
 * id. Throws `DemarcError` `NOT_FOUND` for a run, `CALL_NOT_JUDGED` when it judges no real call, and as `createScenario`.
 */
export async function scenarioOfRun(
  deps: FromRunDeps,
  organizationId: string,
  id: string,
  runId: string,
): Promise<Scenario> {
  const { database, workers } = deps;
  const { run, conversation } = await readRun(database, organizationId, runId);
  if (run.call_id === null) throw new DemarcError('CALL_NOT_JUDGED');
  const { row, assertions } = await readScenario(database, organizationId, run.scenario_id);
  const words = await workers.run(stripWorker, organizationId, {
    chat: conversation.chat_history,
    requestData: conversation.request_data,
  });
  const { agent } = row;
  return createScenario(
    deps,
    organizationId,
    id,
    scenarioCreation.parse({
      ...replayOf(run.call_id, words),
      description: `What the caller of call ${run.call_id} said, judged as in ${row.name}.`.slice(0, 2_000),
      pathway_id: row.pathway_id,
      persona_id: row.persona_id,
      // Keys are sealed for their scenario: an agent that needs one gets it set again.
      agent: agent && {
        ...(agent.url === null ? {} : { url: agent.url, model: agent.model }),
        ...(agent.sip_uri === null ? {} : { sip_uri: agent.sip_uri }),
      },
      channel: row.channel,
      voice: row.voice,
      assertions: assertionInputs.parse(
        assertions.map(assertionView).map(({ type, name, config, is_required, weight }) => ({
          type,
          ...(name === null ? {} : { name }),
          config,
          is_required,
          weight,
        })),
      ),
    }),
  );
}
