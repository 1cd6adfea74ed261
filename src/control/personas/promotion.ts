import type { Kysely, Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import { queueEvents } from '../deliveries/queue-events.js';
import { eventId } from '../events/event.js';
import { markNumbersChanged } from '../numbers/outbox.js';
import { noteFollower } from '../pathways/index.js';
import type { PromotionGate, PromotionSubject } from '../promotions/promotion-gate.js';
import type { Promoter } from '../versions/versioned-subjects.js';
import { personas, type VersionRow } from './persona-storage.js';
import { versionView } from './persona-view.js';

export interface PromotionDeps {
  readonly database: Kysely<Database>;
  readonly gates: readonly PromotionGate[];
}

/**
 * Makes the draft live: calls that begin from now on get it. All gates are asked first, without a lock, because they may take long; a
 * draft that changed meanwhile is not promoted. Throws `DemarcError` `NOT_FOUND`, `NO_DRAFT_VERSION`, `PROMOTION_REFUSED`,
 * `PROMOTION_RUNNING` or `PERSONA_CHANGED`.
 * @returns `testing`: a gate makes it live when its tests pass
 */
export async function promoteDraft(
  deps: PromotionDeps,
  promoter: Promoter,
  id: string,
): Promise<'live' | 'testing'> {
  const { subject, draft } = await personas.read(deps.database, promoter.organizationId, id);
  if (draft === undefined) throw new DemarcError('NO_DRAFT_VERSION');
  return personas.promote(deps, promoter, { subject, version: draft }, makeDraftLive);
}

/** Throws `DemarcError` `NOT_FOUND`, or `NO_DRAFT_VERSION` or `PERSONA_CHANGED` without any change. */
export async function makeDraftLive(
  transaction: Transaction<Database>,
  promotion: PromotionSubject,
): Promise<void> {
  const { organizationId, id } = promotion;
  const locked = await personas.lock(transaction, organizationId, id);
  const { draft } = await personas.presentVersions(transaction, locked);
  if (draft === undefined) throw new DemarcError('NO_DRAFT_VERSION');
  const live = await personas.makeLive(transaction, promotion);
  const { pathway_id: pathway, pathway_version: version } = live;
  await noteFollower(
    transaction,
    organizationId,
    locked.id,
    pathway === null ? null : { id: pathway, version },
  );
  await renewNumbers(transaction, organizationId, locked.id);
  await queueEvents(transaction, [promotedEvent(live)]);
}

/** The documents of its numbers are projected again after the commit. */
async function renewNumbers(
  transaction: Transaction<Database>,
  organizationId: string,
  personaId: string,
): Promise<void> {
  const rows = await transaction
    .updateTable('numbers')
    .set({ updated_at: new Date() })
    .where('organization_id', '=', organizationId)
    .where('persona_id', '=', personaId)
    .returning('number')
    .execute();
  await markNumbersChanged(
    transaction,
    rows.map(({ number }) => number),
  );
}

/** Of a version that became live. */
export function promotedEvent(version: VersionRow) {
  return {
    organizationId: version.organization_id,
    subject: version.persona_id,
    event_id: eventId('persona.promoted', version.id),
    event: 'persona.promoted' as const,
    occurred_at: version.promoted_at!.toISOString(),
    sequence: version.version_number,
    data: versionView(version),
  };
}
