import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import { InvalidRequest } from '../../http/validation.js';
import { readPassages } from '../../knowledge/index.js';
import type { Models } from '../../models/models.js';
import { personas } from '../../personas/index.js';
import { type WorkerPool, workerFile } from '../../workers/worker-pool.js';
import { MeteredModel } from '../conversation/metered-model.js';
import { ModelMeter } from '../conversation/model-meter.js';
import { throwUnavailable } from '../conversation/model-unavailable.js';
import type { PersonaSuite, suiteFromPersona } from '../schemas/suite.js';
import { shareCovered } from '../statistics/share-covered.js';
import { passageKey, type StatementDraft, suiteOf, testedQuotes } from './drafts.js';
import { draftsOfAnswer, readable, suiteAnswerSchema, suiteMessages } from './model-scenarios.js';
import { ruleScenarios } from './rule-scenarios.js';
import type { PersonaTexts, Statement } from './statements.js';

export interface PersonaSuiteDeps {
  readonly database: Kysely<Database>;
  readonly models: Models;
  readonly workers: Pick<WorkerPool, 'run'>;
}

const statementsWorker = workerFile<PersonaTexts, Statement[]>('./statements-worker', import.meta.url);

const mostPassages = 500;
/** How long a person waits for a suite. */
const patienceMilliseconds = 120_000;

/**
 * Scenarios for what the prompts of a persona promise and its knowledge holds, as far as no scenario of it tests that yet. Nothing is
 * stored. Throws `DemarcError` `NOT_FOUND` or `MODEL_UNAVAILABLE`, or `InvalidRequest`.
 */
export async function suiteOfPersona(
  { database, models, workers }: PersonaSuiteDeps,
  organizationId: string,
  {
    persona_id: personaId,
    version_number: wanted,
    maximum_scenarios: most,
  }: z.output<typeof suiteFromPersona>,
): Promise<PersonaSuite> {
  const version = await personas.versionForTest(database, organizationId, personaId, wanted);
  const statements = await workers.run(statementsWorker, organizationId, {
    orchestration: version.orchestration_prompt,
    personality: version.personality_prompt,
    passages: await readPassages(database, organizationId, version.kb_ids, mostPassages),
  });
  if (statements.length === 0)
    throw InvalidRequest.at(
      'persona_id',
      'The persona has neither a prompt nor a learned knowledge base with whole sentences.',
    );
  const scenarios = await database
    .selectFrom('agent_test_scenarios')
    .select(['name', 'description'])
    .where('organization_id', '=', organizationId)
    .where('persona_id', '=', personaId)
    .where('deleted_at', 'is', null)
    .execute();
  const { untested, prompts, knowledge } = untestedOf(
    statements,
    testedQuotes(scenarios.map(({ description }) => description)),
  );
  const written = await writeDrafts(models, organizationId, untested, most);
  return {
    persona_id: personaId,
    version_number: version.version_number,
    generated_by: written.by,
    prompts,
    knowledge,
    scenarios: suiteOf(
      personaId,
      written.drafts,
      scenarios.map(({ name }) => name),
    ),
  };
}

/** The statements that no scenario tests, without the other statements of passages that one does. */
export function untestedOf(
  statements: readonly Statement[],
  tested: ReadonlySet<string>,
): Pick<PersonaSuite, 'prompts' | 'knowledge'> & { readonly untested: readonly Statement[] } {
  const passages = new Set<string>();
  const testedPassages = new Set<string>();
  for (const { passage, text } of statements) {
    if (passage === undefined) continue;
    passages.add(passageKey(passage));
    if (tested.has(text)) testedPassages.add(passageKey(passage));
  }
  const promised = statements.filter(({ passage }) => passage === undefined);
  return {
    prompts: shareCovered(promised.length, promised.filter(({ text }) => tested.has(text)).length),
    knowledge: shareCovered(passages.size, testedPassages.size),
    untested: statements.filter(({ passage, text }) =>
      passage === undefined ? !tested.has(text) : !testedPassages.has(passageKey(passage)),
    ),
  };
}

/** By the judging model, or by rules where none is configured that understands texts. Throws `DemarcError` `MODEL_UNAVAILABLE`. */
export async function writeDrafts(
  { judge, isStandIn }: Pick<Models, 'judge' | 'isStandIn'>,
  organizationId: string,
  statements: readonly Statement[],
  most: number,
  signal = AbortSignal.timeout(patienceMilliseconds),
): Promise<{ readonly drafts: readonly StatementDraft[]; readonly by: string | null }> {
  if (judge === undefined || isStandIn) return { drafts: ruleScenarios(statements, most), by: null };
  if (statements.length === 0) return { drafts: [], by: judge.name };
  const model = new MeteredModel(judge, organizationId, new ModelMeter());
  const read = readable(statements);
  const answer = await model
    .answer({ messages: suiteMessages(read, most), temperature: 0 }, 'suite', suiteAnswerSchema, signal)
    .catch(throwUnavailable);
  const drafts = draftsOfAnswer(answer, read, most);
  if (drafts.length === 0)
    throw new DemarcError('MODEL_UNAVAILABLE', 'no scenario of its answer is based on a statement');
  return { drafts, by: model.name };
}
