import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import type { StoredAgent } from '../numbers/agent-streams.js';
import { noteFollower } from '../pathways/index.js';
import { type VersionedSubject, VersionedSubjects } from '../versions/versioned-subjects.js';
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

/** How an agent is stored beside the one that the version had; its secrets are sealed. */
export type SealAgent = (present: StoredAgent | null) => StoredAgent;

/** What calls get; changes land on the draft. */
export interface Content {
  readonly agent?: SealAgent | null | undefined;
  readonly orchestration_prompt?: string | null | undefined;
  readonly personality_prompt?: string | null | undefined;
  readonly kb_ids?: readonly string[] | undefined;
  readonly pathway_id?: string | null | undefined;
  readonly pathway_version?: number | null | undefined;
  readonly voice?: string | null | undefined;
}

export interface Persona extends VersionedSubject<PersonaRow, VersionRow> {
  /** E.164 digits without plus, in order. */
  readonly numbers: readonly string[];
}

/** Of one organization. */
export const maximumPersonas = 1_000;

export const personas = new VersionedSubjects<PersonaRow, VersionRow>({
  kind: 'persona',
  name: 'Persona',
  table: 'personas',
  versionTable: 'persona_versions',
  reference: 'persona_id',
  maximum: maximumPersonas,
  tooMany: 'TOO_MANY_PERSONAS',
  changed: 'PERSONA_CHANGED',
});

/** Lists and objects as columns of JSON take them. */
export const descriptionColumns = ({ tags, metadata, ...rest }: Description) => ({
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
  const {
    orchestration_prompt,
    personality_prompt,
    kb_ids = [],
    agent,
    pathway_id,
    pathway_version,
    voice,
    ...description
  } = values;
  await personas.create(database, organizationId, id, async (transaction) => {
    await transaction
      .insertInto('personas')
      .values({
        tags: '[]',
        ...descriptionColumns(description),
        organization_id: organizationId,
        id,
        name: values.name,
      })
      .execute();
    await insertDraft(
      transaction,
      { organization_id: organizationId, id },
      {
        orchestration_prompt: orchestration_prompt ?? null,
        personality_prompt: personality_prompt ?? null,
        kb_ids,
        agent: agent?.(null) ?? null,
        pathway_id: pathway_id ?? null,
        pathway_version: pathway_version ?? null,
        voice: voice ?? null,
      },
    );
  });
}

/** Everything that calls get of a version. */
export type WholeContent = Pick<
  VersionRow,
  'orchestration_prompt' | 'personality_prompt' | 'agent' | 'pathway_id' | 'pathway_version' | 'voice'
> & {
  readonly kb_ids: readonly string[];
};

async function insertDraft(
  transaction: Transaction<Database>,
  { organization_id, id }: Pick<PersonaRow, 'organization_id' | 'id'>,
  { kb_ids, agent, ...content }: WholeContent,
): Promise<void> {
  await transaction
    .insertInto('persona_versions')
    .values({
      ...content,
      organization_id,
      persona_id: id,
      id: randomUUID(),
      version_number: await personas.nextNumber(transaction, { organization_id, id }),
      state: 'draft',
      kb_ids: JSON.stringify(kb_ids),
      agent: agent && JSON.stringify(agent),
    })
    .execute();
}

/** Changes the description at once and the draft, which is made from the live version if there is none. Throws `DemarcError` `NOT_FOUND`. */
export async function changePersona(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  { description, content }: { readonly description: Description; readonly content: Content },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const persona = await personas.lock(transaction, organizationId, id);
    await transaction
      .updateTable('personas')
      .set({ ...descriptionColumns(description), updated_at: new Date() })
      .where('organization_id', '=', organizationId)
      .where('id', '=', persona.id)
      .execute();
    const { draft, production } = await personas.presentVersions(transaction, persona);
    const current = draft ?? production!;
    const changed = changedContent(contentOf(current), content);
    if (JSON.stringify(changed) === JSON.stringify(contentOf(current))) return;
    if (draft === undefined) {
      await insertDraft(transaction, persona, changed);
      return;
    }
    const { kb_ids, agent, ...prompts } = changed;
    await transaction
      .updateTable('persona_versions')
      .set(({ eb }) => ({
        ...prompts,
        kb_ids: JSON.stringify(kb_ids),
        agent: agent && JSON.stringify(agent),
        revision: eb('revision', '+', 1),
        updated_at: new Date(),
      }))
      .where('id', '=', draft.id)
      .execute();
  });
}

const contentOf = (row: VersionRow): WholeContent => ({
  orchestration_prompt: row.orchestration_prompt,
  personality_prompt: row.personality_prompt,
  kb_ids: row.kb_ids,
  agent: row.agent,
  pathway_id: row.pathway_id,
  pathway_version: row.pathway_version,
  voice: row.voice,
});

/** Omitted fields keep their value. */
export function changedContent(present: WholeContent, { agent, ...content }: Content): WholeContent {
  const defined = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));
  return {
    ...present,
    // The version of another pathway is none of this one.
    ...(content.pathway_id === undefined ? {} : { pathway_version: null }),
    ...defined,
    ...(agent === undefined ? {} : { agent: agent?.(present.agent) ?? null }),
  };
}

/** Throws `DemarcError` `NOT_FOUND`, or `PERSONA_IN_USE` while numbers are attached. Its versions stay for calls that are ordered. */
export async function deletePersona(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<void> {
  await personas.delete(database, organizationId, id, async (transaction, persona) => {
    const numbers = (await numbersOf(transaction, organizationId, [persona.id])).get(persona.id) ?? [];
    if (numbers.length > 0)
      throw new DemarcError('PERSONA_IN_USE', numbers.map((number) => `+${number}`).join(', '));
    await noteFollower(transaction, organizationId, persona.id, null);
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

/** Throws `DemarcError` `NOT_FOUND`. */
export async function readPersona(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<Persona> {
  const persona = await personas.read(database, organizationId, id);
  return (await withNumbers(database, organizationId, [persona]))[0]!;
}

/** Newest first. `after`: id of the last entry of the previous page. Undefined: unknown id. */
export async function readPersonas(
  database: Kysely<Database>,
  organizationId: string,
  query: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly personas: Persona[]; readonly next: string | null } | undefined> {
  const page = await personas.page(database, organizationId, query);
  return page && { personas: await withNumbers(database, organizationId, page.subjects), next: page.next };
}

async function withNumbers(
  database: Kysely<Database>,
  organizationId: string,
  found: readonly VersionedSubject<PersonaRow, VersionRow>[],
): Promise<Persona[]> {
  const ids = found.map(({ subject }) => subject.id);
  const numbers = await numbersOf(database, organizationId, ids);
  return found.map((persona) => ({ ...persona, numbers: numbers.get(persona.subject.id) ?? [] }));
}
