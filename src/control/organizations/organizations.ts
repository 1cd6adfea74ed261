import type { Kysely } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/database.js';
import { newId } from './identifiers.js';

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly sipEnabled: boolean;
  /** null: the service's first region. */
  readonly region: string | null;
  readonly createdAt: Date;
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly sip_enabled: boolean;
  readonly region: string | null;
  readonly created_at: Date;
}

const columns = ['id', 'name', 'sip_enabled', 'region', 'created_at'] as const;

const read = (row: Row): Organization => ({
  id: row.id,
  name: row.name,
  sipEnabled: row.sip_enabled,
  region: row.region,
  createdAt: row.created_at,
});

export interface NewOrganization {
  readonly name: string;
  readonly sipEnabled: boolean;
  readonly region?: string;
}

/** Throws `DemarcError` `VALIDATION_ERROR` when the name is taken. */
export async function createOrganization(
  database: Kysely<Database>,
  { name, sipEnabled, region }: NewOrganization,
): Promise<Organization> {
  const created = await database
    .insertInto('organizations')
    .values({ id: newId('org'), name, sip_enabled: sipEnabled, region: region ?? null })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning(columns)
    .executeTakeFirst();
  if (created === undefined) throw new DemarcError('VALIDATION_ERROR', `organization ${name} already exists`);
  return read(created);
}

/** By id or by name. */
export async function findOrganization(
  database: Kysely<Database>,
  idOrName: string,
): Promise<Organization | undefined> {
  const found = await database
    .selectFrom('organizations')
    .select(columns)
    .where((expression) =>
      expression.or([expression('id', '=', idOrName), expression('name', '=', idOrName)]),
    )
    .executeTakeFirst();
  return found && read(found);
}

/** Gives or takes the SIP entitlement; numbers that are attached stay as they are. Throws `DemarcError` `NOT_FOUND`. */
export async function setEntitlement(
  database: Kysely<Database>,
  idOrName: string,
  sipEnabled: boolean,
): Promise<Organization> {
  const updated = await database
    .updateTable('organizations')
    .set({ sip_enabled: sipEnabled })
    .where((expression) =>
      expression.or([expression('id', '=', idOrName), expression('name', '=', idOrName)]),
    )
    .returning(columns)
    .executeTakeFirst();
  if (updated === undefined) throw new DemarcError('NOT_FOUND', `organization ${idOrName}`);
  return read(updated);
}

export async function listOrganizations(database: Kysely<Database>): Promise<Organization[]> {
  const rows = await database.selectFrom('organizations').select(columns).orderBy('name').execute();
  return rows.map(read);
}
