import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import { readAnsweredCalls, readRequestData } from '../../calls/index.js';
import type { Database } from '../../database/tables.js';
import { readPhoneNumber } from '../../http/phone-number.js';
import { type WorkerPool, workerFile } from '../../workers/worker-pool.js';
import { replayName } from '../analysis/replay-of-call.js';
import { RunFailure } from '../conversation/channel.js';
import { heardCall } from '../runs/heard-call.js';
import { numbersOfPersona, requireNumber } from '../scenarios/called-numbers.js';
import { unsavedAssertions } from '../scenarios/unsaved-assertions.js';
import type { CallSuite, SuiteScenario, suiteFromCalls } from '../schemas/suite.js';
import { type CallDraft, isSimilar, type RecordedCall } from './call-scenario.js';

export interface CallSuiteDeps {
  readonly database: Kysely<Database>;
  readonly workers: Pick<WorkerPool, 'run'>;
}

type Order = z.output<typeof suiteFromCalls>;

export interface Target {
  readonly pathwayId: string | null;
  readonly personaId: string | null;
}

const callScenarioWorker = workerFile<RecordedCall, CallDraft | undefined>(
  './call-scenario-worker',
  import.meta.url,
);

/** Of a number: each costs a few queries while a person waits. */
const mostCalls = 200;

/**
 * A scenario for each of the latest calls, with draft assertions on what the agent did. Nothing is stored. Throws `DemarcError`
 * `NOT_FOUND` for a call, or `InvalidRequest` for a number.
 */
export async function suiteOfCalls(
  { database, workers }: CallSuiteDeps,
  organizationId: string,
  order: Order,
): Promise<CallSuite> {
  const { callIds, target } = await callsOf(database, organizationId, order);
  const drafts: CallDraft[] = [];
  const counts = { examined_calls: 0, unheard_calls: 0, similar_calls: 0 };
  for (const callId of await withoutScenario(database, organizationId, target, callIds)) {
    if (drafts.length === order.maximum_scenarios) break;
    const requestData = await readRequestData(database, organizationId, callId);
    if (requestData === undefined) throw new DemarcError('NOT_FOUND', `Call ${callId} not found`);
    counts.examined_calls++;
    const heard = await heardCall(database, organizationId, callId).catch(unlessUnheard);
    const draft =
      heard &&
      (await workers.run(callScenarioWorker, organizationId, {
        callId,
        chat: heard.state.chat,
        requestData,
        variables: heard.state.progress.variables,
        tools: heard.state.progress.webhooks,
        ending: heard.ending,
      }));
    if (draft === undefined) counts.unheard_calls++;
    else if (drafts.some(({ words }) => isSimilar(words, draft.words))) counts.similar_calls++;
    else drafts.push(draft);
  }
  return { ...counts, scenarios: drafts.map((draft) => suiteScenario(draft, target)) };
}

/** Its agent stored nothing of the call. */
function unlessUnheard(error: unknown): undefined {
  if (!(error instanceof RunFailure)) throw error;
}

async function callsOf(
  database: Kysely<Database>,
  organizationId: string,
  { number: given, call_ids: callIds, pathway_id: pathwayId, persona_id: personaId, days }: Order,
): Promise<{ readonly callIds: readonly string[]; readonly target: Target }> {
  const target = { pathwayId: pathwayId ?? null, personaId: personaId ?? null };
  if (callIds !== undefined) return { callIds: [...new Set(callIds)], target };
  const number = given === undefined ? undefined : readPhoneNumber(given)!;
  const own =
    number === undefined ? undefined : await requireNumber(database, organizationId, number, given!);
  const now = Date.now();
  const calls = await readAnsweredCalls(database, organizationId, {
    numbers:
      number === undefined ? await numbersOfPersona(database, organizationId, target.personaId) : [number],
    endedAfter: new Date(now - days * 86_400_000),
    endedBefore: new Date(now),
    limit: mostCalls,
    order: 'desc',
  });
  const isChosen = target.pathwayId !== null || target.personaId !== null;
  return {
    callIds: calls.map(({ call_id: callId }) => callId),
    target: isChosen ? target : { pathwayId: null, personaId: own?.persona_id ?? null },
  };
}

/** Without those of which the target has a scenario. */
async function withoutScenario(
  database: Kysely<Database>,
  organizationId: string,
  { pathwayId, personaId }: Target,
  callIds: readonly string[],
): Promise<readonly string[]> {
  if (pathwayId === null && personaId === null) return callIds;
  const rows = await database
    .selectFrom('agent_test_scenarios')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where(({ eb }) =>
      pathwayId === null ? eb('persona_id', '=', personaId) : eb('pathway_id', '=', pathwayId),
    )
    .where('deleted_at', 'is', null)
    .execute();
  const names = new Set(rows.map(({ name }) => name));
  return callIds.filter((callId) => !names.has(replayName(callId)));
}

/** A scenario that is not stored, with what of the call each assertion is based on. */
export function suiteScenario(
  { callId, replay, description, observed, hasTools }: CallDraft,
  { pathwayId, personaId }: Target,
): SuiteScenario {
  const { name, scenario_type, max_turns, request_data, input_messages } = replay;
  return {
    scenario: {
      name,
      description,
      pathway_id: pathwayId,
      persona_id: personaId,
      category: 'CUSTOM',
      scenario_type,
      // By text, a persona has no tools.
      channel: hasTools && personaId !== null ? 'voice' : 'text',
      tester_persona_prompt: '',
      tester_persona_name: null,
      max_turns,
      request_data,
      input_messages: [...input_messages],
      assertions: unsavedAssertions(observed.map(({ assertion }) => assertion)),
    },
    evidence: observed.map(({ source, quote }, assertion) => ({
      assertion,
      source,
      quote,
      kb_id: null,
      kb_name: null,
      call_id: callId,
    })),
  };
}
