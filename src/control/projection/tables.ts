import type { ColumnType, Generated } from 'kysely';

/** `int8` is read as text by `pg`: revisions are compared as numbers, and stay far below 2^53. */
type BigInteger = ColumnType<string, number, number>;

/** How often a number's configuration was changed; the row outlives the configuration. */
export interface NumberRevisionsTable {
  /** E.164 digits without plus. */
  number: string;
  revision: BigInteger;
}

/** Numbers with committed changes that are not in Redis yet. */
export interface ProjectionOutboxTable {
  id: Generated<string>;
  number: string;
}

/** One row: tells this database from any other that may have filled Redis before. */
export interface ProjectionIdentityTable {
  id: Generated<string>;
}

declare module '../database/tables.js' {
  interface Database {
    number_revisions: NumberRevisionsTable;
    projection_outbox: ProjectionOutboxTable;
    projection_identity: ProjectionIdentityTable;
  }
}
