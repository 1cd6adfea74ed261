import type { ColumnType } from 'kysely';

/** Written once as a Date or left to the database, read as a Date. */
export type CreatedAt = ColumnType<Date, Date | undefined, never>;
export type UpdatedAt = ColumnType<Date, Date | undefined, Date>;
/** JSON is written as text, because `pg` would turn arrays into PostgreSQL arrays. */
export type Json<Value> = ColumnType<Value, string, string>;
