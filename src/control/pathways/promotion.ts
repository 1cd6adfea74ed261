import type { Kysely, Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import { askGates, type PromotionGate, type PromotionSubject } from '../area.js';
import type { Database } from '../database/tables.js';
import { eventId } from '../events/event.js';
import { queueEvents } from '../events/queue-events.js';
import { lockPathway, type PathwayVersionRow, readPathway } from './pathway-storage.js';
import { versionSummaryView } from './pathway-view.js';
import { readPathwayVersion } from './version-storage.js';

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
  { database, gates }: PathwayPromotionDeps,
  { organizationId, keyId }: { readonly organizationId: string; readonly keyId: string },
  id: string,
  versionNumber: number | undefined,
): Promise<'live' | 'testing'> {
  const { pathway, draft } = await readPathway(database, organizationId, id);
  const number = versionNumber ?? draft?.version_number;
  if (number === undefined) throw new DemarcError('NO_DRAFT_VERSION');
  const asked = await readPathwayVersion(database, organizationId, id, number);
  if (asked.state === 'production')
    throw new DemarcError('NO_DRAFT_VERSION', `version ${number} is live already`);
  const subject = {
    ...{ organizationId, keyId, kind: 'pathway' as const },
    id: pathway.id,
    versionId: asked.id,
    versionNumber: number,
    revision: asked.revision,
  };
  if ((await askGates(gates, subject)) === 'testing') return 'testing';
  await database.transaction().execute((transaction) => makePathwayVersionLive(transaction, subject));
  return 'live';
}

/** Throws `DemarcError` `NOT_FOUND`, or `PATHWAY_CHANGED` without any change. */
export async function makePathwayVersionLive(
  transaction: Transaction<Database>,
  { organizationId, keyId, id, versionId, versionNumber, revision }: PromotionSubject,
): Promise<void> {
  const pathway = await lockPathway(transaction, organizationId, id);
  const present = await readPathwayVersion(transaction, organizationId, id, versionNumber);
  if (present.id !== versionId || present.revision !== revision || present.state === 'production')
    throw new DemarcError('PATHWAY_CHANGED');
  const now = new Date();
  await transaction
    .updateTable('pathway_versions')
    .set({ state: 'archived', updated_at: now })
    .where('organization_id', '=', organizationId)
    .where('pathway_id', '=', pathway.id)
    .where('state', '=', 'production')
    .execute();
  const live = await transaction
    .updateTable('pathway_versions')
    .set({ state: 'production', updated_at: now, promoted_at: now, promoted_by: keyId })
    .where('id', '=', present.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await queueEvents(transaction, [promotedEvent(live)]);
}

function promotedEvent(version: PathwayVersionRow) {
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
