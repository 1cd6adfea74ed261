/**
 * Every table by its name. Each layer and area adds its own in its `tables.ts` by `declare module '../database/tables.js'`, so that
 * this file knows none of them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the areas.
export interface Database {}
