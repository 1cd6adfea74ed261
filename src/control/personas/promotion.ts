import type { Kysely, Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { PromotionGate } from '../area.js';
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
 * draft that changed meanwhile is not promoted. Throws `DemarcError` `NOT_FOUND`, `NO_DRAFT_VERSION`, `PROMOTION_REFUSED` or
 * `PERSONA_CHANGED`.
 * @param keyId who promotes it
 */
export async function promoteDraft(
  { database, gates }: PromotionDeps,
  { organizationId, keyId }: { readonly organizationId: string; readonly keyId: string },
  id: string,
): Promise<void> {
  const { persona, draft: asked } = await readPersona(database, organizationId, id);
  if (asked === undefined) throw new DemarcError('NO_DRAFT_VERSION');
  const subject = {
    organizationId,
    personaId: persona.id,
    versionId: asked.id,
    versionNumber: asked.version_number,
  };
  const refusals = (await Promise.all(gates.map((gate) => gate(subject)))).flat();
  if (refusals.length > 0) throw new DemarcError('PROMOTION_REFUSED', refusals.join('; '));
  await database.transaction().execute(async (transaction) => {
    const locked = await lockPersona(transaction, organizationId, id);
    const { draft, production } = await presentVersions(transaction, locked);
    if (draft === undefined) throw new DemarcError('NO_DRAFT_VERSION');
    if (draft.id !== asked.id || draft.revision !== asked.revision) throw new DemarcError('PERSONA_CHANGED');
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
  });
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
