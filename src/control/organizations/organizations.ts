import type { Kysely, Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/database.js';
import { newId } from './identifiers.js';

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly sipEnabled: boolean;
  /** null: the service's first region. */
  readonly region: string | null;
  /** null: the service's. */
  readonly callRetentionDays: number | null;
  /** null: those of the edges' settings. */
  readonly concurrentCalls: number | null;
  readonly callsPerSecond: number | null;
  readonly createdAt: Date;
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly sip_enabled: boolean;
  readonly region: string | null;
  readonly call_retention_days: number | null;
  readonly concurrent_calls: number | null;
  readonly calls_per_second: number | null;
  readonly minutes_per_month: number | null;
  readonly created_at: Date;
}

const columns = [
  'id',
  'name',
  'sip_enabled',
  'region',
  'call_retention_days',
  'concurrent_calls',
  'calls_per_second',
  'minutes_per_month',
  'created_at',
] as const;

const read = (row: Row): Organization => ({
  id: row.id,
  name: row.name,
  sipEnabled: row.sip_enabled,
  region: row.region,
  callRetentionDays: row.call_retention_days,
  concurrentCalls: row.concurrent_calls,
  callsPerSecond: row.calls_per_second,
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

/** By id or by name. Throws `DemarcError` `NOT_FOUND`. */
export async function organizationOf(database: Kysely<Database>, idOrName: string): Promise<Organization> {
  const found = await findOrganization(database, idOrName);
  if (found === undefined) throw new DemarcError('NOT_FOUND', `organization ${idOrName}`);
  return found;
}

/** Gives or takes the SIP entitlement; numbers that are attached stay as they are. Throws `DemarcError` `NOT_FOUND`. */
export const setEntitlement = (
  database: Kysely<Database>,
  idOrName: string,
  sipEnabled: boolean,
): Promise<Organization> => changeOrganization(database, idOrName, { sip_enabled: sipEnabled });

/** @param days null: as long as the service keeps calls. Throws `DemarcError` `NOT_FOUND`. */
export const setCallRetention = (
  database: Kysely<Database>,
  idOrName: string,
  days: number | null,
): Promise<Organization> => changeOrganization(database, idOrName, { call_retention_days: days });

/** Days that calls of the organization are kept; 0: forever. @param serviceDays of all organizations, 0: forever */
export async function callRetentionOf(
  database: Kysely<Database>,
  organizationId: string,
  serviceDays: number,
): Promise<number> {
  const found = await database
    .selectFrom('organizations')
    .select('call_retention_days')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  return shorterRetention(found?.call_retention_days ?? null, serviceDays);
}

/** Days; 0: forever. @param own null: as long as the service keeps calls */
export const shorterRetention = (own: number | null, serviceDays: number): number =>
  own === null || own === 0 || serviceDays === 0
    ? Math.max(own ?? 0, serviceDays)
    : Math.min(own, serviceDays);

export type OrganizationChanges = Partial<
  Pick<
    Row,
    'sip_enabled' | 'call_retention_days' | 'concurrent_calls' | 'calls_per_second' | 'minutes_per_month'
  >
>;

/**
 * Changes at least one field. The edges learn of limits once the documents of its numbers are written again.
 * Throws `DemarcError` `NOT_FOUND`.
 */
export async function changeOrganization(
  database: Kysely<Database> | Transaction<Database>,
  idOrName: string,
  fields: OrganizationChanges,
): Promise<Organization> {
  const updated = await database
    .updateTable('organizations')
    .set(fields)
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
