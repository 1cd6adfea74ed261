import type { Generated } from 'kysely';

/** One row: tells this database from any other that may have filled Redis before. */
export interface ProjectionIdentityTable {
  id: Generated<string>;
}

declare module '../database/tables.js' {
  interface Database {
    projection_identity: ProjectionIdentityTable;
  }
}
