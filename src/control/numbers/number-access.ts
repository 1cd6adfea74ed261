import type { Kysely, Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import { describeNoNumber, e164, readPhoneNumber } from '../http/phone-number.js';
import { InvalidRequest } from '../http/validation.js';
import { markNumbersChanged } from './outbox.js';
import type { Configuration, Direction } from './tables.js';

/** The digits that a caller means. Throws `InvalidRequest` (400) for what is no number. */
export function requirePhoneNumber(text: string, path = 'phone_number'): string {
  const number = readPhoneNumber(text);
  if (number === undefined) throw InvalidRequest.at(path, describeNoNumber(text));
  return number;
}

/** Error for numbers of others; does not reveal whether they exist. */
export const unknownNumber = (number: string): DemarcError =>
  new DemarcError('NOT_FOUND', `${e164(number)} has no SIP configuration`);

/** The number's configurations in order. Throws `DemarcError` `NOT_FOUND` when it is not the organization's. */
export async function readConfigurations(
  database: Kysely<Database>,
  organizationId: string,
  number: string,
): Promise<Configuration[]> {
  const rows = await database
    .selectFrom('configurations')
    .innerJoin('numbers', 'numbers.number', 'configurations.number')
    .selectAll('configurations')
    .where('numbers.number', '=', number)
    .where('organization_id', '=', organizationId)
    .orderBy('position')
    .execute();
  if (rows.length === 0) throw unknownNumber(number);
  return rows;
}

/** The entity tag (RFC 9110 §8.8.3) of all that is configured for a number: another one after every change. */
export async function entityTagOf(database: Kysely<Database>, number: string): Promise<string> {
  const found = await database
    .selectFrom('number_revisions')
    .select('revision')
    .where('number', '=', number)
    .executeTakeFirst();
  return `"${found?.revision ?? 0}"`;
}

/** What a request says and hears about the version of a number's configuration. */
export interface NumberVersion {
  /** `If-Match`; undefined: any version may be changed. */
  readonly ifMatch: string | undefined;
  /** Gets the entity tag after the change. */
  sendEntityTag(entityTag: string): void;
}

export const isMatch = (header: string, entityTag: string): boolean =>
  header.split(',').some((tag) => tag.trim() === '*' || tag.trim() === entityTag);

/**
 * Runs `change` on a number of the organization, locked until the end. When `change` returns true, the number's document
 * is projected again after the commit. Throws `DemarcError` `NOT_FOUND` or `PRECONDITION_FAILED`, and what `change` throws: nothing is changed then.
 */
export async function changeNumber<Result>(
  database: Kysely<Database>,
  organizationId: string,
  number: string,
  change: (
    transaction: Transaction<Database>,
    configurations: Configuration[],
  ) => Promise<{ readonly changed: boolean; readonly result: Result }>,
  version?: NumberVersion,
): Promise<Result> {
  return database.transaction().execute(async (transaction) => {
    const owned = await transaction
      .selectFrom('numbers')
      .select('number')
      .where('number', '=', number)
      .where('organization_id', '=', organizationId)
      .forUpdate()
      .executeTakeFirst();
    if (owned === undefined) throw unknownNumber(number);
    if (version?.ifMatch !== undefined) {
      const current = await entityTagOf(transaction, number);
      if (!isMatch(version.ifMatch, current)) {
        throw new DemarcError('PRECONDITION_FAILED', `${e164(number)} is at ${current}`);
      }
    }
    const { changed, result } = await change(transaction, await configurationsOf(transaction, number));
    if (changed) await noteChange(transaction, number);
    version?.sendEntityTag(await entityTagOf(transaction, number));
    return result;
  });
}

export function configurationsOf(transaction: Kysely<Database>, number: string): Promise<Configuration[]> {
  return transaction
    .selectFrom('configurations')
    .selectAll()
    .where('number', '=', number)
    .orderBy('position')
    .execute();
}

/** Throws `DemarcError` `NUMBER_USES_TRUNK` for a number whose configurations are those of a trunk object. */
export async function refuseSharedTrunk(transaction: Kysely<Database>, number: string): Promise<void> {
  const row = await transaction
    .selectFrom('numbers')
    .select('trunk_id')
    .where('number', '=', number)
    .executeTakeFirst();
  const trunk = row?.trunk_id ?? null;
  if (trunk !== null) throw new DemarcError('NUMBER_USES_TRUNK', trunk);
}

export async function noteChange(transaction: Transaction<Database>, number: string): Promise<void> {
  await transaction
    .updateTable('numbers')
    .set({ updated_at: new Date() })
    .where('number', '=', number)
    .execute();
  await markNumbersChanged(transaction, [number]);
}

/**
 * The one configuration of that direction, or the one with the id.
 * Throws `DemarcError` `NOT_FOUND`, or `AMBIGUOUS_CONFIGURATION` when there are several and no id.
 */
export function chooseConfiguration(
  configurations: readonly Configuration[],
  direction: Direction,
  id: string | undefined,
): Configuration {
  const candidates = configurations.filter(
    (row) => row.direction === direction && (id === undefined || row.id === id),
  );
  const [chosen] = candidates;
  if (chosen === undefined) {
    const which = id === undefined ? `${direction} configuration` : `${direction} configuration ${id}`;
    throw new DemarcError('NOT_FOUND', `the number has no ${which}`);
  }
  if (candidates.length > 1) {
    throw new DemarcError(
      'AMBIGUOUS_CONFIGURATION',
      `${candidates.length} configurations are ${direction}: pass an id`,
    );
  }
  return chosen;
}
