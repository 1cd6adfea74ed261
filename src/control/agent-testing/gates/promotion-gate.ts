import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import { InvalidRequest } from '../../http/validation.js';
import type { PromotionGate, PromotionSubject } from '../../promotions/promotion-gate.js';
import type { TokenBudget } from '../budget/token-budget.js';
import type { Runs } from '../runs/run-order.js';

export interface GateDeps {
  readonly database: Kysely<Database>;
  readonly runs: Pick<Runs, 'startBatch' | 'wake'>;
  readonly budget: Pick<TokenBudget, 'admit'>;
}

/**
 * The gate of promotions: starts the required scenarios of the pathway or persona. `PromotionSweep` makes the version live when all
 * have passed. Scenarios that cannot be started close the gate, with the reason.
 */
export const promotionGate =
  ({ database, runs, budget }: GateDeps): PromotionGate =>
  async (subject) => {
    const scenarioIds = await requiredScenarios(database, subject);
    if (scenarioIds.length === 0) return [];
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
function reasonOf(error: unknown): string | undefined {
  if (error instanceof InvalidRequest) return error.faults.map(({ message }) => message).join(' ');
  if (!(error instanceof DemarcError) || error.code === 'PROMOTION_RUNNING') return undefined;
  return error.message;
}

async function requiredScenarios(
  database: Kysely<Database>,
  { organizationId, kind, id }: PromotionSubject,
): Promise<string[]> {
  const rows = await database
    .selectFrom('agent_test_scenarios')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(kind === 'pathway' ? 'pathway_id' : 'persona_id', '=', sql<string>`${id}::uuid`)
    .where('is_required_for_promotion', '=', true)
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}
