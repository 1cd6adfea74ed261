import { type Kysely, sql, type Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import { e164 } from '../http/phone-number.js';
import { changeNumbers, digitsOf, lockInboundNumbers } from '../numbers/inbound-numbers.js';
import { type PathwayRow, pathways } from './pathway-storage.js';
import { type FollowingNumber, pathwayView } from './pathway-view.js';

/**
 * Lets calls to these numbers follow the pathway, all or none; another pathway's number moves to this one. Throws `DemarcError`
 * `NOT_FOUND`, or `InvalidRequest` that names every number that is not the organization's or has no inbound direction.
 * @param version undefined: the live one
 */
export async function attachNumbers(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  phoneNumbers: readonly string[],
  version: number | undefined,
): Promise<void> {
  const numbers = digitsOf(phoneNumbers);
  await database.transaction().execute(async (transaction) => {
    const pathway = await pathways.lock(transaction, organizationId, id);
    if (version !== undefined) await pathways.version(transaction, organizationId, id, version);
    await lockInboundNumbers(transaction, organizationId, numbers);
    await changeNumbers(
      transaction,
      organizationId,
      { pathway_id: pathway.id, pathway_version: version ?? null },
      sql<boolean>`number = any(${numbers}::text[])
        and (pathway_id, pathway_version) is distinct from (${pathway.id}::uuid, ${version ?? null}::integer)`,
    );
  });
}

/** Numbers that do not follow the pathway are no error. Throws `DemarcError` `NOT_FOUND`, or `InvalidRequest` for what is no number. */
export async function detachNumbers(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  phoneNumbers: readonly string[],
): Promise<void> {
  const numbers = digitsOf(phoneNumbers);
  await database.transaction().execute(async (transaction) => {
    const pathway = await pathways.lock(transaction, organizationId, id);
    await changeNumbers(
      transaction,
      organizationId,
      { pathway_id: null, pathway_version: null },
      sql<boolean>`number = any(${numbers}::text[]) and pathway_id = ${pathway.id}::uuid`,
    );
  });
}

/** The pathway as the API shows it. Throws `DemarcError` `NOT_FOUND`. */
export async function shownPathway(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<ReturnType<typeof pathwayView>> {
  const pathway = await pathways.read(database, organizationId, id);
  const { subject } = pathway;
  const numbers = await readFollowingNumbers(database, organizationId, [subject.id]);
  return pathwayView(pathway, numbers.get(subject.id) ?? []);
}

/** The numbers that name the pathways themselves, by pathway and in order. */
export async function readFollowingNumbers(
  database: Kysely<Database>,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly FollowingNumber[]>> {
  const rows = await database
    .selectFrom('numbers')
    .select(['pathway_id', 'number', 'pathway_version'])
    .where('organization_id', '=', organizationId)
    .where('pathway_id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('number')
    .execute();
  const found = new Map<string, FollowingNumber[]>();
  for (const { pathway_id: id, number, pathway_version: version } of rows)
    found.set(id!, [...(found.get(id!) ?? []), { number, version }]);
  return found;
}

/**
 * Notes the pathway that the live version of a persona names.
 * @param pathway null: none
 */
export async function noteFollower(
  transaction: Transaction<Database>,
  organizationId: string,
  personaId: string,
  pathway: { readonly id: string; readonly version: number | null } | null,
): Promise<void> {
  await transaction
    .deleteFrom('pathway_followers')
    .where('organization_id', '=', organizationId)
    .where('persona_id', '=', personaId)
    .execute();
  if (pathway === null) return;
  await transaction
    .insertInto('pathway_followers')
    .values({
      organization_id: organizationId,
      pathway_id: pathway.id,
      persona_id: personaId,
      version_number: pathway.version,
    })
    .execute();
}

/**
 * Throws `DemarcError` `PATHWAY_IN_USE` while numbers or live personas name the pathway.
 * @param version absent: whichever version they name
 */
export async function requireUnused(
  transaction: Transaction<Database>,
  { organization_id: organizationId, id }: Pick<PathwayRow, 'organization_id' | 'id'>,
  version?: number,
): Promise<void> {
  const numbers = (await readFollowingNumbers(transaction, organizationId, [id])).get(id) ?? [];
  const personas = await transaction
    .selectFrom('pathway_followers')
    .select(['persona_id', 'version_number'])
    .where('organization_id', '=', organizationId)
    .where('pathway_id', '=', id)
    .execute();
  const users = usersOf(
    numbers,
    personas.map((persona) => ({ id: persona.persona_id, version: persona.version_number })),
    version,
  );
  if (users.length > 0) throw new DemarcError('PATHWAY_IN_USE', users.slice(0, 20).join(', '));
}

/**
 * What names the pathway, in words.
 * @param version undefined: whichever version they name
 */
export function usersOf(
  numbers: readonly FollowingNumber[],
  personas: readonly { readonly id: string; readonly version: number | null }[],
  version: number | undefined,
): string[] {
  const isNamed = (user: { readonly version: number | null }): boolean =>
    version === undefined || user.version === version;
  return [
    ...numbers.filter(isNamed).map(({ number }) => e164(number)),
    ...personas.filter(isNamed).map(({ id }) => `persona ${id}`),
  ];
}
