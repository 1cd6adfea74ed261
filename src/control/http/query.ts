import { z } from 'zod';
import { readPhoneNumber } from './phone-number.js';
import { InvalidRequest } from './validation.js';

/** Types of query parameters: text on the wire, described and checked as what it stands for. */

/** A whole number within the range. */
export const wholeNumber = (minimum: number, maximum: number) => {
  const error = `Must be a whole number from ${minimum} to ${maximum}`;
  return z.preprocess(
    (text) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text),
    z.int({ error }).min(minimum, { error }).max(maximum, { error }),
  );
};

/** `true` or `false`. */
export const truth = z.preprocess(
  (text) => (text === 'true' ? true : text === 'false' ? false : text),
  z.boolean({ error: 'Must be true or false' }),
);

/** ISO 8601 with a zone. */
export const moment = z.iso
  .datetime({ offset: true, error: 'Must be ISO 8601 with a time zone, such as 2026-11-20T15:04:05Z' })
  .meta({ examples: ['2026-11-20T15:04:05Z'] })
  .transform((text) => new Date(text));

/** Its digits without plus. */
export const phoneNumber = z
  .string()
  .meta({ examples: ['+14155550100'] })
  .transform((text, context) => {
    const digits = readPhoneNumber(text);
    if (digits !== undefined) return digits;
    context.addIssue({ code: 'custom', message: 'Must be an E.164 number, such as +14155550100' });
    return z.NEVER;
  });

/** How many entries a page of a list has at most. */
export const pageLimit = (maximum: number, usual: number) =>
  wholeNumber(1, maximum)
    .default(usual)
    .meta({ description: `Maximum entries per page. Default ${usual}, range 1–${maximum}.` });

/** Where a page of a list begins; `before` is its earlier name. */
export const pageStart = {
  after: z.string().min(1).max(300).optional().meta({ description: '`next` of the previous page.' }),
  before: z.string().min(1).max(300).optional().meta({
    description: 'Older name of `after`.',
    deprecated: true,
    'x-deprecated-since': '2026-11-22',
  }),
};

interface PageStart {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** The id that the page begins behind, and the parameter that named it. Throws `InvalidRequest` when both are given. */
export function cursorOf({ after, before }: PageStart): { id: string | undefined; path: 'after' | 'before' } {
  if (after !== undefined && before !== undefined) {
    throw InvalidRequest.at('before', 'after and before are the same parameter: send only one');
  }
  return after === undefined && before !== undefined
    ? { id: before, path: 'before' }
    : { id: after, path: 'after' };
}

/**
 * The query with `metadata[name]=value` gathered in `metadata`, as customers attached it to their calls; other fields are left
 * for the schema to check.
 */
export const withMetadata = <Query extends z.ZodType>(query: Query) =>
  z.preprocess((value) => {
    const fields: Record<string, unknown> = {};
    const metadata: Record<string, unknown> = {};
    for (const [name, text] of Object.entries(value as Record<string, unknown>)) {
      const key = /^metadata\[([^\]]{1,200})\]$/.exec(name)?.[1];
      if (key === undefined) fields[name] = text;
      else metadata[key] = text;
    }
    return Object.keys(metadata).length === 0 ? fields : { ...fields, metadata };
  }, query);

export const metadataFilter = z
  .record(z.string(), z.string({ error: 'Must be one value' }).max(500))
  .optional()
  .meta({
    description:
      'Only calls ordered with all of these values: `metadata[campaign]=spring`. Matches text, numbers, true and false.',
  });

/** A number, with or without plus, or whatever else stands for a party in the history. */
export const party = z
  .string()
  .min(1)
  .max(128)
  .transform((text) => {
    // In a query, an unescaped plus is a blank.
    const bare = text.trim().replace(/^\+/, '');
    return /^\d+$/.test(bare) ? [bare, `+${bare}`] : [text];
  });

/**
 * One page of a list that is read whole because it is short. Throws `InvalidRequest` when `after` is none of its ids.
 * @param rows all of it, in its order
 */
export function pageOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): { rows: Row[]; next: string | null } {
  const start = after === undefined ? 0 : rows.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0)
    throw InvalidRequest.at('after', 'Must be the next of an earlier page');
  const page = rows.slice(start, start + limit);
  return { rows: page, next: start + limit < rows.length ? page.at(-1)!.id : null };
}
