import type { Selectable, Transaction } from 'kysely';
import type { Database } from '../database/tables.js';
import type { PortNumbersTable, PortRequestsTable } from './tables.js';

export type PortRequest = Selectable<PortRequestsTable>;
export type PortNumber = Selectable<PortNumbersTable>;

/** Locks a request until the end of the transaction. */
export const lockRequest = (
  transaction: Transaction<Database>,
  requestId: string,
): Promise<PortRequest | undefined> =>
  transaction
    .selectFrom('port_requests')
    .selectAll()
    .where('id', '=', requestId)
    .forUpdate()
    .executeTakeFirst();

export const numbersOf = (
  database: Pick<Transaction<Database>, 'selectFrom'>,
  requestId: string,
): Promise<PortNumber[]> =>
  database
    .selectFrom('port_numbers')
    .selectAll()
    .where('request_id', '=', requestId)
    .orderBy('position')
    .execute();
