import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import { lockForOrganization } from '../database/lock.js';
import type { Database } from '../database/tables.js';
import { isUuid } from '../database/uuid.js';
import { latestPromotions, type PromotionRow } from '../promotions/promotions.js';
import type { PersonasTable, PersonaVersionsTable } from './tables.js';

export type PersonaRow = Selectable<PersonasTable>;
export type VersionRow = Selectable<PersonaVersionsTable>;

/** What describes a persona; changes take effect at once and reach no call. */
export interface Description {
  readonly name?: string | undefined;
  readonly role?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

/** What calls get; changes land on the draft. */
export interface Content {
  readonly orchestration_prompt?: string | null | undefined;
  readonly personality_prompt?: string | null | undefined;
  readonly kb_ids?: readonly string[] | undefined;
}

export interface Persona {
  readonly persona: PersonaRow;
  readonly draft: VersionRow | undefined;
  readonly production: VersionRow | undefined;
  /** The latest that required tests. */
  readonly promotion: PromotionRow | undefined;
  /** E.164 digits without plus, in order. */
  readonly numbers: readonly string[];
}

/** Of one organization: a script must not fill the table. */
export const maximumPersonas = 1_000;

export const unknownPersona = (id: string): DemarcError =>
  new DemarcError('NOT_FOUND', `Persona ${id.slice(0, 64)} not found`);

const descriptionColumns = ({ tags, metadata, ...rest }: Description) => ({
  ...rest,
  ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
  ...(metadata === undefined ? {} : { metadata: metadata === null ? null : JSON.stringify(metadata) }),
});

/**
 * Stores a persona with its first draft, once for an id. Throws `DemarcError` `TOO_MANY_PERSONAS`.
 */
export async function createPersona(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  values: Description & { readonly name: string } & Content,
): Promise<void> {
  const { orchestration_prompt, personality_prompt, kb_ids = [], ...description } = values;
  await database.transaction().execute(async (transaction) => {
    await lockForOrganization(transaction, 'personas', organizationId);
    const { count } = await transaction
      .selectFrom('personas')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
      // Stored by an earlier attempt at the same request, it is not one more.
      .where('id', '<>', id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maximumPersonas) throw new DemarcError('TOO_MANY_PERSONAS');
    const { numInsertedOrUpdatedRows: inserted } = await transaction
      .insertInto('personas')
      .values({
        tags: '[]',
        ...descriptionColumns(description),
        organization_id: organizationId,
        id,
        name: values.name,
      })
      // Already stored by an earlier attempt at the same request.
      .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doNothing())
      .executeTakeFirstOrThrow();
    if (inserted === 0n) return;
    await insertDraft(transaction, { organization_id: organizationId, id }, 1, {
      orchestration_prompt: orchestration_prompt ?? null,
      personality_prompt: personality_prompt ?? null,
      kb_ids,
    });
  });
}

type WholeContent = { readonly [Field in keyof Content]-?: Exclude<Content[Field], undefined> };

async function insertDraft(
  transaction: Transaction<Database>,
  { organization_id, id }: Pick<PersonaRow, 'organization_id' | 'id'>,
  versionNumber: number,
  { kb_ids, ...content }: WholeContent,
): Promise<void> {
  await transaction
    .insertInto('persona_versions')
    .values({
      ...content,
      organization_id,
      persona_id: id,
      id: randomUUID(),
      version_number: versionNumber,
      state: 'draft',
      kb_ids: JSON.stringify(kb_ids),
    })
    .execute();
}

/** The persona, which no other change has until the end of the transaction. Throws `DemarcError` `NOT_FOUND`. */
export async function lockPersona(
  transaction: Transaction<Database>,
  organizationId: string,
  id: string,
): Promise<PersonaRow> {
  if (!isUuid(id)) throw unknownPersona(id);
  const row = await transaction
    .selectFrom('personas')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw unknownPersona(id);
  return row;
}

/** Its draft and its live version. */
export async function presentVersions(
  database: Kysely<Database>,
  { organization_id, id }: Pick<PersonaRow, 'organization_id' | 'id'>,
): Promise<Pick<Persona, 'draft' | 'production'>> {
  const rows = await database
    .selectFrom('persona_versions')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('persona_id', '=', id)
    .where('state', 'in', ['draft', 'production'])
    .execute();
  return {
    draft: rows.find(({ state }) => state === 'draft'),
    production: rows.find(({ state }) => state === 'production'),
  };
}

/** Changes the description at once and the draft, which is made from the live version if there is none. Throws `DemarcError` `NOT_FOUND`. */
export async function changePersona(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  { description, content }: { readonly description: Description; readonly content: Content },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const persona = await lockPersona(transaction, organizationId, id);
    await transaction
      .updateTable('personas')
      .set({ ...descriptionColumns(description), updated_at: new Date() })
      .where('organization_id', '=', organizationId)
      .where('id', '=', persona.id)
      .execute();
    const { draft, production } = await presentVersions(transaction, persona);
    const present = draft ?? production!;
    const changed = { ...contentOf(present), ...definedOf(content) };
    if (JSON.stringify(changed) === JSON.stringify(contentOf(present))) return;
    if (draft === undefined) {
      await insertDraft(transaction, persona, present.version_number + 1, changed);
      return;
    }
    const { kb_ids, ...prompts } = changed;
    await transaction
      .updateTable('persona_versions')
      .set(({ eb }) => ({
        ...prompts,
        kb_ids: JSON.stringify(kb_ids),
        revision: eb('revision', '+', 1),
        updated_at: new Date(),
      }))
      .where('id', '=', draft.id)
      .execute();
  });
}

const contentOf = ({ orchestration_prompt, personality_prompt, kb_ids }: VersionRow): WholeContent => ({
  orchestration_prompt,
  personality_prompt,
  kb_ids,
});

const definedOf = (content: Content): Partial<WholeContent> =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));

/** Throws `DemarcError` `NOT_FOUND`, or `PERSONA_IN_USE` while numbers are attached. Its versions stay for calls that are ordered. */
export async function deletePersona(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const persona = await lockPersona(transaction, organizationId, id);
    const numbers = (await numbersOf(transaction, organizationId, [persona.id])).get(persona.id) ?? [];
    if (numbers.length > 0) {
      throw new DemarcError('PERSONA_IN_USE', numbers.map((number) => `+${number}`).join(', '));
    }
    await transaction
      .updateTable('personas')
      .set({ deleted_at: new Date(), updated_at: new Date() })
      .where('organization_id', '=', organizationId)
      .where('id', '=', persona.id)
      .execute();
  });
}

async function numbersOf(
  database: Kysely<Database>,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const rows = await database
    .selectFrom('numbers')
    .select(['persona_id', 'number'])
    .where('organization_id', '=', organizationId)
    .where('persona_id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('number')
    .execute();
  const numbers = new Map<string, string[]>();
  for (const { persona_id, number } of rows) {
    numbers.set(persona_id!, [...(numbers.get(persona_id!) ?? []), number]);
  }
  return numbers;
}

/** The personas with what belongs to them, in the given order. */
async function complete(
  database: Kysely<Database>,
  organizationId: string,
  rows: readonly PersonaRow[],
): Promise<Persona[]> {
  const ids = rows.map(({ id }) => id);
  const versions = await database
    .selectFrom('persona_versions')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('persona_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('state', 'in', ['draft', 'production'])
    .execute();
  const numbers = await numbersOf(database, organizationId, ids);
  const promotions = await latestPromotions(database, organizationId, 'persona', ids);
  const versionOf = (id: string, state: VersionRow['state']) =>
    versions.find((version) => version.persona_id === id && version.state === state);
  return rows.map((persona) => ({
    persona,
    draft: versionOf(persona.id, 'draft'),
    production: versionOf(persona.id, 'production'),
    promotion: promotions.get(persona.id),
    numbers: numbers.get(persona.id) ?? [],
  }));
}

/** Throws `DemarcError` `NOT_FOUND`. */
export async function readPersona(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<Persona> {
  const row = isUuid(id)
    ? await database
        .selectFrom('personas')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw unknownPersona(id);
  return (await complete(database, organizationId, [row]))[0]!;
}

/** Newest first. `after`: id of the last entry of the previous page. Undefined: unknown id. */
export async function readPersonas(
  database: Kysely<Database>,
  organizationId: string,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly personas: Persona[]; readonly hasMore: boolean } | undefined> {
  let query = database
    .selectFrom('personas')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null);
  if (after !== undefined) {
    if (!isUuid(after)) return undefined;
    const last = await database
      .selectFrom('personas')
      .select('created_at')
      .where('organization_id', '=', organizationId)
      .where('id', '=', after)
      .executeTakeFirst();
    if (last === undefined) return undefined;
    query = query.where(sql<boolean>`(created_at, id) < (${last.created_at}, ${after}::uuid)`);
  }
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return {
    personas: await complete(database, organizationId, rows.slice(0, limit)),
    hasMore: rows.length > limit,
  };
}

/** Newest first; `below`: only versions with smaller numbers. */
export function readVersions(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  { limit, below = 2_147_483_647 }: { readonly limit: number; readonly below?: number | undefined },
): Promise<VersionRow[]> {
  return database
    .selectFrom('persona_versions')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('persona_id', '=', id)
    .where('version_number', '<', below)
    .orderBy('version_number', 'desc')
    .limit(limit)
    .execute();
}

/** Throws `DemarcError` `NOT_FOUND`; also versions of a deleted persona, whose calls may still be active. */
export async function readVersion(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  versionNumber: number,
): Promise<VersionRow> {
  const row = isUuid(id)
    ? await database
        .selectFrom('persona_versions')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('persona_id', '=', id)
        .where('version_number', '=', versionNumber)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw new DemarcError('NOT_FOUND', `Version ${versionNumber} not found`);
  return row;
}

/**
 * The version that a test uses. Throws `DemarcError` `NOT_FOUND`.
 * @param versionNumber undefined: the draft if there is one, else the live version
 */
export async function loadPersonaVersion(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  versionNumber?: number | undefined,
): Promise<VersionRow> {
  if (versionNumber !== undefined) return readVersion(database, organizationId, id, versionNumber);
  const { production, draft } = await readPersona(database, organizationId, id);
  const version = draft ?? production;
  if (version === undefined) throw unknownPersona(id);
  return version;
}
