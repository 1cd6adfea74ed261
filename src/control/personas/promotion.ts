import type { Kysely, Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import { askGates, type PromotionGate, type PromotionSubject } from '../area.js';
import type { Database } from '../database/tables.js';
import { eventId } from '../events/event.js';
import { queueEvents } from '../events/queue-events.js';
import { markNumbersChanged } from '../projection/outbox.js';
import { lockPersona, presentVersions, readPersona, type VersionRow } from './persona-storage.js';
import { versionView } from './persona-view.js';

export interface PromotionDeps {
  readonly database: Kysely<Database>;
  readonly gates: readonly PromotionGate[];
}

/**
 * Makes the draft live: calls that begin from now on get it. All gates are asked first, without a lock, because they may take long; a
 * draft that changed meanwhile is not promoted. Throws `DemarcError` `NOT_FOUND`, `NO_DRAFT_VERSION`, `PROMOTION_REFUSED`,
 * `PROMOTION_RUNNING` or `PERSONA_CHANGED`.
 * @param keyId who promotes it
 * @returns `testing`: a gate makes it live when its tests pass
 */
export async function promoteDraft(
  { database, gates }: PromotionDeps,
  { organizationId, keyId }: { readonly organizationId: string; readonly keyId: string },
  id: string,
): Promise<'live' | 'testing'> {
  const { persona, draft: asked } = await readPersona(database, organizationId, id);
  if (asked === undefined) throw new DemarcError('NO_DRAFT_VERSION');
  const subject = {
    ...{ organizationId, keyId, kind: 'persona' as const },
    id: persona.id,
    versionId: asked.id,
    versionNumber: asked.version_number,
    revision: asked.revision,
  };
  if ((await askGates(gates, subject)) === 'testing') return 'testing';
  await database.transaction().execute((transaction) => makeDraftLive(transaction, subject));
  return 'live';
}

/** Throws `DemarcError` `NOT_FOUND`, or `NO_DRAFT_VERSION` or `PERSONA_CHANGED` without any change. */
export async function makeDraftLive(
  transaction: Transaction<Database>,
  { organizationId, keyId, id, versionId, revision }: PromotionSubject,
): Promise<void> {
  const locked = await lockPersona(transaction, organizationId, id);
  const { draft, production } = await presentVersions(transaction, locked);
  if (draft === undefined) throw new DemarcError('NO_DRAFT_VERSION');
  if (draft.id !== versionId || draft.revision !== revision) throw new DemarcError('PERSONA_CHANGED');
  const now = new Date();
  if (production !== undefined) {
    await transaction
      .updateTable('persona_versions')
      .set({ state: 'archived', updated_at: now })
      .where('id', '=', production.id)
      .execute();
  }
  const live = await transaction
    .updateTable('persona_versions')
    .set({ state: 'production', updated_at: now, promoted_at: now, promoted_by: keyId })
    .where('id', '=', draft.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await renewNumbers(transaction, organizationId, locked.id);
  await queueEvents(transaction, [promotedEvent(live)]);
}

/** The documents of its numbers are written anew after the commit. */
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

function promotedEvent(version: VersionRow) {
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
