import { type Kysely, sql, type Transaction } from 'kysely';
import type { Logger } from '../../../base/log.js';
import { DemarcError } from '../../../errors.js';
import { storableJson } from '../../database/storable.js';
import type { Database } from '../../database/tables.js';
import { SweepService } from '../../jobs/sweep-service.js';
import { makePathwayVersionLive } from '../../pathways/index.js';
import { makeDraftLive } from '../../personas/index.js';
import type { PromotionSubject } from '../../promotions/promotion-gate.js';
import type { PromotionRow } from '../../promotions/promotions.js';
import type { Runs } from '../runs/run-order.js';
import { readGateRuns } from './gate-runs.js';
import { hasEnded, longestMinutes, verdictOn } from './refusals.js';

interface Deps {
  readonly database: Kysely<Database>;
  readonly runs: Pick<Runs, 'cancel' | 'extendBatch' | 'wake'>;
  /** Sends what promotions announce. */
  readonly wakeDeliveries: () => void;
  readonly log: Logger;
}

const intervalMilliseconds = 1_000;
const promotionsAtOnce = 50;

/**
 * Decides promotions whose required scenarios have ended. The decision, the version that becomes live and its announcement are one
 * transaction, so that it is made once, whichever processes are killed meanwhile.
 */
export class PromotionSweep extends SweepService {
  constructor(private readonly deps: Deps) {
    super('promotions', 'deciding promotions whose tests have ended', {
      everyMilliseconds: intervalMilliseconds,
      failed: (error) => deps.log.warn({ error: error.message }, 'Deciding promotions failed; retrying.'),
    });
  }

  async sweep(): Promise<void> {
    const { rows } = await sql<{ organization_id: string; id: string; is_late: boolean }>`
      select organization_id, id, created_at < now() - make_interval(mins => ${longestMinutes}) as is_late
      from promotions
      where status = 'RUNNING' and (created_at < now() - make_interval(mins => ${longestMinutes}) or not exists (
        select from agent_test_runs as run
        where run.organization_id = promotions.organization_id and run.batch_id = promotions.batch_id
          and run.completed_at is null
      ))
      order by created_at limit ${promotionsAtOnce}`.execute(this.deps.database);
    for (const { organization_id: organizationId, id, is_late: isLate } of rows) {
      if (this.task.isStopped) return;
      await this.decide(organizationId, id, isLate);
    }
  }

  private async decide(organizationId: string, id: string, isLate: boolean): Promise<void> {
    const { database, runs, wakeDeliveries, log } = this.deps;
    const unfinished: string[] = [];
    await database.transaction().execute(async (transaction) => {
      const promotion = await transaction
        .selectFrom('promotions')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('status', '=', 'RUNNING')
        .forUpdate()
        // Another process decides it.
        .skipLocked()
        .executeTakeFirst();
      if (promotion === undefined) return;
      const found = await readGateRuns(transaction, promotion, promotion.batch_id);
      const waiting = found.filter(({ isCurrent, status }) => isCurrent && !hasEnded(status));
      // Another process has looked meanwhile and started further runs.
      if (waiting.length > 0 && !isLate) return;
      unfinished.push(...waiting.map((run) => run.id));
      const { reasons: refusals, missing } = verdictOn(found);
      const reasons = [...refusals];
      if (missing.length > 0) {
        const problem = await this.extend(transaction, promotion, missing);
        if (problem === undefined) return;
        reasons.push(problem);
      }
      if (reasons.length === 0) reasons.push(...(await makeLive(transaction, promotion)));
      await transaction
        .updateTable('promotions')
        .set({
          status: reasons.length === 0 ? 'PROMOTED' : 'REFUSED',
          reasons: storableJson(reasons),
          is_stand_in: found.some(({ isCurrent, isStandIn }) => isCurrent && isStandIn),
          completed_at: new Date(),
        })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute();
      log.info(
        { promotion: id, organization: organizationId, reasons: reasons.length },
        'Decided a promotion.',
      );
    });
    if (unfinished.length > 0) await runs.cancel(organizationId, unfinished);
    runs.wake();
    wakeDeliveries();
  }

  /** Runs that are still needed to decide. @returns why they cannot be started */
  private async extend(
    transaction: Transaction<Database>,
    { organization_id: organizationId, batch_id: id, version_number: versionNumber }: PromotionRow,
    scenarioIds: readonly string[],
  ): Promise<string | undefined> {
    try {
      await this.deps.runs.extendBatch(
        { id, organizationId, scenarioIds, versionNumber, origin: 'gate' },
        transaction,
      );
      return undefined;
    } catch (error) {
      if (!(error instanceof DemarcError)) throw error;
      return `The scenarios could not be run often enough: ${error.message}.`;
    }
  }
}

/** @returns why it did not become live; empty: it did */
async function makeLive(transaction: Transaction<Database>, promotion: PromotionRow): Promise<string[]> {
  const subject: PromotionSubject = {
    organizationId: promotion.organization_id,
    kind: promotion.kind,
    id: promotion.subject_id,
    versionId: promotion.version_id,
    versionNumber: promotion.version_number,
    revision: promotion.revision,
    keyId: promotion.requested_by,
  };
  try {
    if (promotion.kind === 'pathway') await makePathwayVersionLive(transaction, subject);
    else await makeDraftLive(transaction, subject);
    return [];
  } catch (error) {
    // It was deleted, changed or promoted meanwhile; nothing was written.
    if (error instanceof DemarcError) return [`All scenarios passed, but: ${error.message}.`];
    throw error;
  }
}
