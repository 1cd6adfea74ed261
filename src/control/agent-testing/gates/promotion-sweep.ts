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
import { type GateRun, hasEnded, longestMinutes, refusals } from './refusals.js';

interface Deps {
  readonly database: Kysely<Database>;
  readonly runs: Pick<Runs, 'cancel'>;
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
    for (const { organization_id: organizationId, id } of rows) {
      if (this.task.isStopped) return;
      await this.decide(organizationId, id);
    }
  }

  private async decide(organizationId: string, id: string): Promise<void> {
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
      const found = await gateRuns(transaction, promotion);
      unfinished.push(...found.filter(({ status }) => !hasEnded(status)).map((run) => run.id));
      const reasons = refusals(found);
      if (reasons.length === 0) reasons.push(...(await makeLive(transaction, promotion)));
      await transaction
        .updateTable('promotions')
        .set({
          status: reasons.length === 0 ? 'PROMOTED' : 'REFUSED',
          reasons: storableJson(reasons),
          is_stand_in: found.some(({ isStandIn }) => isStandIn),
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
    wakeDeliveries();
  }
}

async function gateRuns(transaction: Transaction<Database>, promotion: PromotionRow): Promise<GateRun[]> {
  const { rows } = await sql<GateRun>`
    select run.id, scenario.name, run.status, run.error_message as error, run.is_stand_in as "isStandIn",
      coalesce((
        select json_agg(coalesce(result.name, result.type) order by result.position)
        from agent_test_results as result
        where result.organization_id = run.organization_id and result.run_id = run.id
          and result.is_required and result.status <> 'PASSED'
      ), '[]') as failures
    from agent_test_runs as run
    join agent_test_scenarios as scenario
      on scenario.organization_id = run.organization_id and scenario.id = run.scenario_id
    where run.organization_id = ${promotion.organization_id} and run.batch_id = ${promotion.batch_id}
    order by scenario.name, run.id`.execute(transaction);
  return rows;
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
