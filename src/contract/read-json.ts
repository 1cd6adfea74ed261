import type { z } from 'zod';

/**
 * What a store or a channel gave, read by its schema. Undefined when there is nothing, or nothing that can be read: another
 * release may have written it.
 */
export function readJson<Schema extends z.ZodType>(
  schema: Schema,
  json: string | null | undefined,
): z.output<Schema> | undefined {
  if (json === null || json === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
