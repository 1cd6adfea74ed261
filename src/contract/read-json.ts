import type { z } from 'zod';

/**
 * Reads a value of a store or channel by its schema. Undefined when it is absent or unreadable: another release may have
 * written it.
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
