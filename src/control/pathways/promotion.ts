import type { Kysely, Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import { queueEvents } from '../deliveries/queue-events.js';
import { eventId } from '../events/event.js';
import type { PromotionGate, PromotionSubject } from '../promotions/promotion-gate.js';
import type { Promoter } from '../versions/versioned-subjects.js';
import { renewFollowers } from './followed-pathways.js';
import { type PathwayVersionRow, pathways } from './pathway-storage.js';
import { versionSummaryView } from './pathway-view.js';

export interface PathwayPromotionDeps {
  readonly database: Kysely<Database>;
  readonly gates: readonly PromotionGate[];
}

/**
 * Makes a version live: the draft, a fork, or an archived version again. All gates are asked first, without a lock, because they may
 * take long; a version that changed meanwhile is not promoted. Throws `DemarcError` `NOT_FOUND`, `NO_DRAFT_VERSION`,
 * `PROMOTION_REFUSED`, `PROMOTION_RUNNING` or `PATHWAY_CHANGED`.
 * @param versionNumber undefined: the draft
 * @returns `testing`: a gate makes it live when its tests pass
 */
export async function promotePathwayVersion(
  deps: PathwayPromotionDeps,
  promoter: Promoter,
  id: string,
  versionNumber: number | undefined,
): Promise<'live' | 'testing'> {
  const { database } = deps;
  const { organizationId } = promoter;
  const { subject, draft } = await pathways.read(database, organizationId, id);
  const number = versionNumber ?? draft?.version_number;
  if (number === undefined) throw new DemarcError('NO_DRAFT_VERSION');
  const version = await pathways.version(database, organizationId, id, number);
  if (version.state === 'production')
    throw new DemarcError('NO_DRAFT_VERSION', `version ${number} is live already`);
  return pathways.promote(deps, promoter, { subject, version }, makePathwayVersionLive);
}

/** Throws `DemarcError` `NOT_FOUND`, or `PATHWAY_CHANGED` without any change. */
export async function makePathwayVersionLive(
  transaction: Transaction<Database>,
  promotion: PromotionSubject,
): Promise<void> {
  await pathways.lock(transaction, promotion.organizationId, promotion.id);
  const live = await pathways.makeLive(transaction, promotion);
  await renewFollowers(transaction, promotion.organizationId, live.pathway_id);
  await queueEvents(transaction, [promotedEvent(live)]);
}

/** Of a version that became live. */
export function promotedEvent(version: PathwayVersionRow) {
  const occurredAt = version.promoted_at!.toISOString();
  return {
    organizationId: version.organization_id,
    subject: version.pathway_id,
    event_id: eventId('pathway.promoted', version.id, occurredAt),
    event: 'pathway.promoted' as const,
    occurred_at: occurredAt,
    // A version can become live again, so its number is no order.
    sequence: version.promoted_at!.getTime(),
    data: versionSummaryView(version),
  };
}
