/**
 * Every table and view by its name. Each layer and area adds its own in its `tables.ts` by `declare module '../database/tables.js'`, so
 * that this file knows none of them. An area's tables are its own; other areas may read its views.
 */
export interface Database extends Views {}

/** What an area shows of its tables to other areas; migrations create them. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the areas.
export interface Views {}
