import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import type { ControlDeps } from '../../http/api-server.js';
import { configurationsOf } from '../../numbers/number-access.js';
import type { Resealed } from '../../secrets/secret-rotation.js';
import { inboundWarnings } from '../admitted-sources.js';
import { claimNumber } from '../attach.js';
import { type Attached, attachEach } from '../attach-each.js';
import type { DirectionRequest } from '../direction-schema.js';
import { requireProof } from '../proof.js';
import { requireSymmetricDirections } from '../symmetric-rtp.js';
import { readDirections } from '../wanted-directions.js';
import { applyTrunk, type TrunkContent } from './apply-trunk.js';
import type { StoredSections, TrunksTable } from './tables.js';
import { opened, resealed, sealed, trunkPlace, withPresentPasswords } from './trunk-passwords.js';

export type TrunkRow = Selectable<TrunksTable>;

export interface TrunkWithCount {
  readonly trunk: TrunkRow;
  readonly numberCount: number;
}

export interface TrunkValues {
  readonly name: string;
  /** With readable passwords. */
  readonly directions: readonly DirectionRequest[];
  readonly inbound: StoredSections;
  readonly outbound: StoredSections;
}

export type TrunkChanges = { readonly [Field in keyof TrunkValues]?: TrunkValues[Field] | undefined };

export const unknownTrunk = (): DemarcError => new DemarcError('NOT_FOUND', 'Trunk not found');

/** What numbers get. Throws as `attachNumbers` does for directions that contradict each other. */
function contentOf(
  deps: ControlDeps,
  organizationId: string,
  id: string,
  { directions, inbound, outbound }: Pick<TrunkValues, 'directions' | 'inbound' | 'outbound'>,
): TrunkContent {
  return {
    id,
    organizationId,
    wanted: readDirections(deps, organizationId, directions),
    inbound,
    outbound,
  };
}

/** The password that the customer's PBX uses towards us; null without a registration. */
const passwordForPbx = ({ wanted }: TrunkContent): string | null =>
  wanted.find(({ pbxPassword }) => pbxPassword !== undefined)?.pbxPassword ?? null;

/**
 * Stores a trunk, once for an id. Throws `InvalidRequest`, or `DemarcError` `SECRET_KEY_MISSING`.
 */
export async function createTrunk(
  deps: ControlDeps,
  organizationId: string,
  id: string,
  values: TrunkValues,
): Promise<{ readonly trunk: TrunkRow; readonly newPassword: string | null }> {
  const content = contentOf(deps, organizationId, id, values);
  await requireSymmetricDirections(deps, values.directions);
  const trunk = await deps.database
    .insertInto('trunks')
    .values({
      id,
      organization_id: organizationId,
      name: values.name,
      directions: JSON.stringify(sealed(deps.secrets, trunkPlace(organizationId, id), values.directions)),
      inbound: JSON.stringify(values.inbound),
      outbound: JSON.stringify(values.outbound),
    })
    // Already stored by an earlier attempt at the same request.
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ updated_at: new Date() }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return { trunk, newPassword: passwordForPbx(content) };
}

/**
 * Changes a trunk and every number that uses it, all or nothing: the numbers' documents are projected again after the commit.
 * Throws `InvalidRequest`, or `DemarcError` `NOT_FOUND` or `SECRET_KEY_MISSING`.
 */
export async function changeTrunk(
  deps: ControlDeps,
  organizationId: string,
  id: string,
  { name, directions, inbound, outbound }: TrunkChanges,
): Promise<TrunkWithCount & { readonly newPassword: string | null }> {
  await requireSymmetricDirections(deps, directions ?? []);
  return deps.database.transaction().execute(async (transaction) => {
    const before = await lockTrunk(transaction, organizationId, id, 'update');
    const current = opened(deps.secrets, before);
    const changed = {
      name: name ?? before.name,
      directions: directions === undefined ? current : withPresentPasswords(directions, current),
      inbound: { ...before.inbound, ...inbound },
      outbound: { ...before.outbound, ...outbound },
    };
    const content = contentOf(deps, organizationId, id, changed);
    const trunk = await transaction
      .updateTable('trunks')
      .set({
        name: changed.name,
        directions: JSON.stringify(sealed(deps.secrets, trunkPlace(organizationId, id), changed.directions)),
        inbound: JSON.stringify(changed.inbound),
        outbound: JSON.stringify(changed.outbound),
        updated_at: new Date(),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const numbers = await transaction
      .selectFrom('numbers')
      .select('number')
      .where('trunk_id', '=', id)
      .orderBy('number')
      .forUpdate()
      .execute();
    const isOfNumbers = [directions, inbound, outbound].some((part) => part !== undefined);
    if (isOfNumbers) {
      await applyTrunk(
        transaction,
        deps.secrets,
        content,
        numbers.map(({ number }) => number),
      );
    }
    const password = passwordForPbx(content);
    const isNew =
      password !== null &&
      password !== passwordForPbx(contentOf(deps, organizationId, id, { ...changed, directions: current }));
    return { trunk, numberCount: numbers.length, newPassword: isNew ? password : null };
  });
}

async function lockTrunk(
  transaction: Transaction<Database>,
  organizationId: string,
  id: string,
  strength: 'update' | 'share',
): Promise<TrunkRow> {
  const query = transaction
    .selectFrom('trunks')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId);
  const row = await (strength === 'update' ? query.forUpdate() : query.forShare()).executeTakeFirst();
  if (row === undefined) throw unknownTrunk();
  return row;
}

/**
 * Attaches numbers to a trunk, each in a separate transaction; its own configuration, or another trunk's, is
 * replaced. Throws `DemarcError` `NOT_FOUND`, and what the database throws when no number could be attached for it.
 */
export async function attachToTrunk(
  deps: ControlDeps,
  organizationId: string,
  id: string,
  phoneNumbers: readonly string[],
): Promise<Attached> {
  const { database, secrets, settings } = deps;
  if ((await readTrunk(database, organizationId, id)) === undefined) throw unknownTrunk();
  const attached = await attachEach(phoneNumbers, (number) =>
    database.transaction().execute(async (transaction) => {
      // Trunk first, then number: updates of the trunk lock in this order too.
      const trunk = await lockTrunk(transaction, organizationId, id, 'share');
      if (settings.numberProof === 'required') await requireProof(transaction, organizationId, number);
      await claimNumber(transaction, organizationId, number);
      const directions = opened(secrets, trunk);
      const content = contentOf(deps, organizationId, id, { ...trunk, directions });
      await applyTrunk(transaction, secrets, content, [number]);
      const existing = await configurationsOf(transaction, number);
      const asksForInbound = directions.some(({ type }) => type === 'inbound');
      const warnings = asksForInbound ? inboundWarnings(number, existing, settings.sourcePolicy) : [];
      return { warnings, newPassword: undefined };
    }),
  );
  return attached;
}

/** Throws `DemarcError` `NOT_FOUND`, or `TRUNK_IN_USE` while numbers use it. */
export function deleteTrunk(database: Kysely<Database>, organizationId: string, id: string): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    await lockTrunk(transaction, organizationId, id, 'update');
    const count = (await countNumbers(transaction, [id])).get(id) ?? 0;
    if (count > 0) throw new DemarcError('TRUNK_IN_USE', `${count} ${count === 1 ? 'number' : 'numbers'}`);
    await transaction.deleteFrom('trunks').where('id', '=', id).execute();
  });
}

async function countNumbers(
  database: Kysely<Database>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await database
    .selectFrom('numbers')
    .select(({ fn }) => ['trunk_id', fn.countAll<string>().as('count')])
    .where('trunk_id', '=', sql<string>`any(${[...ids]}::text[])`)
    .groupBy('trunk_id')
    .execute();
  return new Map(rows.map(({ trunk_id, count }) => [trunk_id ?? '', Number(count)]));
}

export async function readTrunk(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<TrunkWithCount | undefined> {
  const trunk = await database
    .selectFrom('trunks')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return trunk && { trunk, numberCount: (await countNumbers(database, [id])).get(id) ?? 0 };
}

/** Newest first. `after`: id of the last entry of the previous page. Undefined: unknown id. */
export async function readTrunks(
  database: Kysely<Database>,
  organizationId: string,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly rows: TrunkWithCount[]; readonly hasMore: boolean } | undefined> {
  let query = database.selectFrom('trunks').selectAll().where('organization_id', '=', organizationId);
  if (after !== undefined) {
    const last = await readTrunk(database, organizationId, after);
    if (last === undefined) return undefined;
    query = query.where(sql<boolean>`(created_at, id) < (${last.trunk.created_at}, ${after})`);
  }
  const found = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = found.slice(0, limit);
  const counts = await countNumbers(
    database,
    page.map(({ id }) => id),
  );
  return {
    rows: page.map((trunk) => ({ trunk, numberCount: counts.get(trunk.id) ?? 0 })),
    hasMore: found.length > limit,
  };
}

/** Digits of the trunk's numbers in order, beginning after `after`. */
export async function readNumbersOf(
  database: Kysely<Database>,
  id: string,
  { limit, after = '' }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly numbers: string[]; readonly hasMore: boolean }> {
  const rows = await database
    .selectFrom('numbers')
    .select('number')
    .where('trunk_id', '=', id)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit + 1)
    .execute();
  const numbers = rows.map(({ number }) => number);
  return { numbers: numbers.slice(0, limit), hasMore: numbers.length > limit };
}

/** Re-seals trunk passwords that an earlier key sealed, or that are not bound to their trunk. Passwords that no key opens stay unchanged. */
export async function resealTrunks({
  database,
  secrets,
}: Pick<ControlDeps, 'database' | 'secrets'>): Promise<Resealed> {
  const counts = { resealed: 0, unreadable: 0 };
  for (const { id } of await database.selectFrom('trunks').select('id').execute()) {
    await database.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('trunks')
        .select(['organization_id', 'directions'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (row === undefined) return;
      const place = trunkPlace(row.organization_id, id);
      const { directions, isChanged, isUnreadable } = resealed(secrets, place, row.directions);
      if (isUnreadable) counts.unreadable += 1;
      if (!isChanged) return;
      counts.resealed += 1;
      const text = JSON.stringify(directions);
      await transaction.updateTable('trunks').set({ directions: text }).where('id', '=', id).execute();
    });
  }
  return counts;
}
