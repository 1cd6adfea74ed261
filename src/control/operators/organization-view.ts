import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/tables.js';

const moment = z.iso.datetime();

export const organizationSchema = z
  .object({
    organization_id: z.string().meta({ examples: ['org_4f2b8c1d9e0a7b6c5d4e3f2a'] }),
    name: z.string().meta({ description: 'Name of the organization.' }),
    sip_enabled: z.boolean().meta({ description: 'Has the SIP entitlement.' }),
    region: z.string().nullable().meta({ description: 'Key of `DEMARC_REGIONS`; null: the first region.' }),
    limits: z
      .object({
        concurrent_calls: z.int().nullable().meta({
          description: 'Concurrent calls on all edges together; null: `DEMARC_ORGANIZATION_MAX_CALLS`.',
        }),
        calls_per_second: z.int().nullable().meta({
          description: 'New calls per second; null: `DEMARC_ORGANIZATION_CALLS_PER_SECOND`.',
        }),
        call_retention_days: z.int().nullable().meta({
          description: 'Days that call records are kept; null: `DEMARC_CALL_RETENTION_DAYS`.',
        }),
        minutes_per_month: z.int().nullable().meta({
          description:
            'Minutes of answered calls a calendar month (UTC); above it calls continue. Null: none.',
        }),
      })
      .meta({ description: 'Limits of this organization, which replace those of the service.' }),
    numbers: z.int().meta({ description: 'Phone numbers.' }),
    members: z.int().meta({ description: 'People.' }),
    owners: z.int().meta({ description: 'Of these, owners.' }),
    keys: z.int().meta({ description: 'API keys that are neither revoked nor expired.' }),
    created_at: moment.meta({ description: 'When it was created.' }),
  })
  .meta({ id: 'ManagedOrganization' });

export type OrganizationView = z.infer<typeof organizationSchema>;

interface Filter {
  /** Part of the name, or the id. */
  readonly q?: string | undefined;
  readonly id?: string | undefined;
  readonly limit: number;
  /** Id of the last organization of the page before. */
  readonly after?: string | undefined;
}

/** By name. Reads one more than `limit`, where there is one. */
export async function readOrganizations(
  database: Kysely<Database>,
  { q, id, limit, after }: Filter,
): Promise<OrganizationView[]> {
  let query = database
    .selectFrom('organizations')
    .selectAll('organizations')
    .select(({ selectFrom }) => [
      selectFrom('numbers')
        .whereRef('numbers.organization_id', '=', 'organizations.id')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .as('numbers'),
      selectFrom('members')
        .whereRef('members.organization_id', '=', 'organizations.id')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .as('members'),
      selectFrom('members')
        .whereRef('members.organization_id', '=', 'organizations.id')
        .where('members.role', '=', 'owner')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .as('owners'),
      selectFrom('api_keys')
        .whereRef('api_keys.organization_id', '=', 'organizations.id')
        .where('revoked_at', 'is', null)
        .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', new Date())]))
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .as('keys'),
    ])
    .orderBy('organizations.name')
    .orderBy('organizations.id')
    .limit(limit + 1);
  if (id !== undefined) query = query.where('organizations.id', '=', id);
  if (q !== undefined) {
    const part = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(({ eb, or }) =>
      or([eb('organizations.name', 'ilike', part), eb('organizations.id', '=', q)]),
    );
  }
  if (after !== undefined) {
    query = query.where(
      sql<boolean>`(organizations.name, organizations.id) > (select name, id from organizations where id = ${after})`,
    );
  }
  return (await query.execute()).map((row) => ({
    organization_id: row.id,
    name: row.name,
    sip_enabled: row.sip_enabled,
    region: row.region,
    limits: {
      concurrent_calls: row.concurrent_calls,
      calls_per_second: row.calls_per_second,
      call_retention_days: row.call_retention_days,
      minutes_per_month: row.minutes_per_month,
    },
    numbers: Number(row.numbers),
    members: Number(row.members),
    owners: Number(row.owners),
    keys: Number(row.keys),
    created_at: row.created_at.toISOString(),
  }));
}
