import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import { InvalidRequest } from '../../http/validation.js';
import type { PromotionGate, PromotionSubject } from '../../promotions/promotion-gate.js';
import type { TestBudget } from '../budget/test-budget.js';
import type { Runs } from '../runs/run-order.js';
import { readGateRuns } from './gate-runs.js';
import { settledRefusals } from './refusals.js';

export interface GateDeps {
  readonly database: Kysely<Database>;
  readonly runs: Pick<Runs, 'startBatch' | 'wake'>;
  readonly budget: Pick<TestBudget, 'admit'>;
}

/**
 * The gate of promotions: starts the required scenarios of the pathway or persona, each several times. `PromotionSweep` makes the version
 * live when all have passed often enough. Scenarios that cannot be started, or could not fail, close the gate, with the reason.
 */
export const promotionGate =
  ({ database, runs, budget }: GateDeps): PromotionGate =>
  async (subject) => {
    const scenarios = await requiredScenarios(database, subject);
    if (scenarios.length === 0) return [];
    const unable = unableRefusals(scenarios);
    if (unable.length > 0) return unable;
    const version = {
      organization_id: subject.organizationId,
      version_id: subject.versionId,
      revision: subject.revision,
    };
    const settled = settledRefusals(await readGateRuns(database, version, null));
    if (settled.length > 0) return settled;
    const scenarioIds = scenarios.flatMap(({ id, promotionRuns }) => Array<string>(promotionRuns).fill(id));
    const batchId = randomUUID();
    const { organizationId, versionNumber } = subject;
    try {
      await budget.admit(organizationId);
      await database.transaction().execute(async (transaction) => {
        const { numInsertedOrUpdatedRows: inserted } = await transaction
          .insertInto('promotions')
          .values({
            organization_id: organizationId,
            id: randomUUID(),
            kind: subject.kind,
            subject_id: subject.id,
            version_id: subject.versionId,
            version_number: versionNumber,
            revision: subject.revision,
            requested_by: subject.keyId,
            batch_id: batchId,
          })
          .onConflict((conflict) =>
            conflict
              .columns(['organization_id', 'kind', 'subject_id'])
              .where('status', '=', 'RUNNING')
              .doNothing(),
          )
          .executeTakeFirstOrThrow();
        if (inserted === 0n) throw new DemarcError('PROMOTION_RUNNING');
        await runs.startBatch(
          { id: batchId, organizationId, scenarioIds, versionNumber, origin: 'gate', publishOnPass: true },
          transaction,
        );
      });
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      return [`The required scenarios cannot run: ${reason}`];
    }
    runs.wake();
    return 'testing';
  };

/** Why scenarios cannot be started, for the customer; undefined: it is another failure. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof InvalidRequest) return error.faults.map(({ message }) => message).join(' ');
  if (!(error instanceof DemarcError) || error.code === 'PROMOTION_RUNNING') return undefined;
  return error.message;
}

/** Of scenarios of which no run can fail: they would open the gate to anything. */
export const unableRefusals = (
  scenarios: readonly Pick<RequiredScenario, 'name' | 'assertions'>[],
): string[] =>
  scenarios
    .filter(({ assertions }) => assertions === 0)
    .map(({ name }) => `Scenario “${name}” has no required assertion, so that no run of it can fail.`);

interface RequiredScenario {
  readonly id: string;
  readonly name: string;
  readonly promotionRuns: number;
  /** Required ones. */
  readonly assertions: number;
}

function requiredScenarios(
  database: Kysely<Database>,
  { organizationId, kind, id }: PromotionSubject,
): Promise<RequiredScenario[]> {
  return database
    .selectFrom('agent_test_scenarios')
    .select(['id', 'name', 'promotion_runs as promotionRuns'])
    .select(
      sql<number>`(select count(*)::int from agent_test_assertions as assertion
        where assertion.organization_id = agent_test_scenarios.organization_id
          and assertion.scenario_id = agent_test_scenarios.id and assertion.is_required)`.as('assertions'),
    )
    .where('organization_id', '=', organizationId)
    .where(kind === 'pathway' ? 'pathway_id' : 'persona_id', '=', sql<string>`${id}::uuid`)
    .where('is_required_for_promotion', '=', true)
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}
