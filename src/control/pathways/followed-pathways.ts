import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { FollowedPathway } from '../../contract/number.js';
import type { Database } from '../database/tables.js';
import { isUuid } from '../database/uuid.js';
import { InvalidRequest } from '../http/validation.js';
import { changeNumbers } from '../numbers/inbound-numbers.js';

/** Fields of a request that names the pathway of calls. */
export const pathwayFields = {
  pathway_id: z.uuid({ error: 'Must be the id of a pathway, a UUID' }).optional().meta({
    description:
      'Pathway that the calls follow, which needs a live version unless `pathway_version` names one. Default: that of the persona',
  }),
  pathway_version: z.int().min(1).max(999_999_999).optional().meta({
    description:
      'Number of its version, also of a draft or fork, which no gate has tested. Default: the version that is live when the call begins',
  }),
};

/** What names a pathway: a number, a persona or an order. */
export interface PathwayReference {
  readonly organizationId: string;
  readonly id: string;
  /** Null: the live one. */
  readonly version: number | null;
}

/** The version that calls get. */
export type PathwayToFollow = FollowedPathway & {
  /** Of all its nodes, once each. */
  readonly knowledgeIds: readonly string[];
};

/**
 * The versions that are named, in their order; undefined for one that does not exist or has no live version. A deleted pathway keeps its
 * versions for calls that are ordered.
 */
export async function readFollowed(
  database: Kysely<Database> | Transaction<Database>,
  references: readonly PathwayReference[],
): Promise<(PathwayToFollow | undefined)[]> {
  const keyOf = ({ organizationId, id, version }: PathwayReference): string =>
    `${organizationId} ${id.toLowerCase()} ${version ?? 'live'}`;
  const asked = [
    ...new Map(
      references.filter(({ id }) => isUuid(id)).map((reference) => [keyOf(reference), reference]),
    ).values(),
  ];
  if (asked.length === 0) return references.map(() => undefined);
  const { rows } = await sql<{ place: number; id: string; version: number; knowledge: string[] }>`
    select place::int, version.pathway_id as id, version.version_number as version,
      jsonb_path_query_array(version.document::jsonb, '$.nodes[*].kb_ids[*]') as knowledge
    from unnest(
      ${asked.map(({ organizationId }) => organizationId)}::text[], ${asked.map(({ id }) => id)}::uuid[],
      ${asked.map(({ version }) => version)}::integer[]
    ) with ordinality as asked (organization_id, pathway_id, version_number, place)
    join pathway_versions as version
      on version.organization_id = asked.organization_id and version.pathway_id = asked.pathway_id
      and case when asked.version_number is null then version.state = 'production'
        else version.version_number = asked.version_number end`.execute(database);
  const found = new Map(
    rows.map(({ place, id, version, knowledge }) => [
      keyOf(asked[place - 1]!),
      { id, version, knowledgeIds: [...new Set(knowledge)] },
    ]),
  );
  return references.map((reference) => found.get(keyOf(reference)));
}

/** A pathway that a request names, with the path of its fields, which ends with a dot; empty: the request itself. */
export interface AskedPathway {
  readonly id: string | undefined;
  readonly version: number | undefined;
  readonly path: string;
}

/**
 * Knowledge bases of the nodes of each pathway; none where none is named. Throws `InvalidRequest` for a pathway that does not exist, is
 * deleted or was never promoted, and for a version that does not exist.
 */
export async function checkPathways(
  database: Kysely<Database>,
  organizationId: string,
  asked: readonly AskedPathway[],
): Promise<(readonly string[])[]> {
  const named = asked.flatMap(({ id, version = null }) =>
    id === undefined ? [] : [{ organizationId, id: id.toLowerCase(), version }],
  );
  for (const { id, version, path } of asked)
    if (id === undefined && version !== undefined)
      throw InvalidRequest.at(`${path}pathway_version`, 'pathway_version needs pathway_id.');
  if (named.length === 0) return asked.map(() => []);
  const existing = await existingPathways(
    database,
    organizationId,
    named.map(({ id }) => id),
  );
  const found = (await readFollowed(database, named)).values();
  return asked.map(({ id, version, path }) => {
    if (id === undefined) return [];
    const followed = found.next().value;
    return knowledgeOf({ id, version, path }, existing.has(id.toLowerCase()), followed);
  });
}

/** Throws `InvalidRequest` for a pathway or version that calls cannot follow. */
export function knowledgeOf(
  { id, version, path }: Omit<AskedPathway, 'id'> & { readonly id: string },
  exists: boolean,
  followed: PathwayToFollow | undefined,
): readonly string[] {
  if (!exists)
    throw InvalidRequest.at(`${path}pathway_id`, `${id} is not one of your pathways, or is deleted.`);
  if (followed !== undefined) return followed.knowledgeIds;
  if (version !== undefined)
    throw InvalidRequest.at(`${path}pathway_version`, `The pathway ${id} has no version ${version}.`);
  const advice = `promote one first (POST /v1/pathways/${id}/versions/promote), or name a version.`;
  throw InvalidRequest.at(`${path}pathway_id`, `The pathway ${id} has no live version: ${advice}`);
}

async function existingPathways(
  database: Kysely<Database>,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await database
    .selectFrom('pathways')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`any(${[...new Set(ids)]}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The pathways that the numbers name themselves, by number. */
export async function readNumberPathways(
  database: Kysely<Database> | Transaction<Database>,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, PathwayToFollow>> {
  if (numbers.length === 0) return new Map();
  const rows = await database
    .selectFrom('numbers')
    .select(['number', 'organization_id', 'pathway_id', 'pathway_version'])
    .where('number', 'in', numbers)
    .where('pathway_id', 'is not', null)
    .execute();
  const followed = await readFollowed(
    database,
    rows.map(({ organization_id: organizationId, pathway_id: id, pathway_version: version }) => ({
      organizationId,
      id: id!,
      version,
    })),
  );
  return new Map(
    rows.flatMap(({ number }, index) => (followed[index] === undefined ? [] : [[number, followed[index]]])),
  );
}

/** The documents of the numbers that follow the pathway, themselves or through a persona, are projected again after the commit. */
export async function renewFollowers(
  transaction: Transaction<Database>,
  organizationId: string,
  pathwayId: string,
): Promise<void> {
  await changeNumbers(
    transaction,
    organizationId,
    {},
    sql<boolean>`(pathway_id = ${pathwayId}::uuid or persona_id in (
      select persona_id from pathway_followers
      where pathway_followers.organization_id = ${organizationId} and pathway_followers.pathway_id = ${pathwayId}::uuid
    ))`,
  );
}
