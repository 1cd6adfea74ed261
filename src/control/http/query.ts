import { z } from 'zod';
import { readPhoneNumber } from '../trunks/phone-number.js';

/** Types of query parameters: text on the wire, described and checked as what it stands for. */

/** A whole number within the range. */
export const wholeNumber = (minimum: number, maximum: number) => {
  const error = `Must be a whole number, ${minimum} to ${maximum}`;
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
  .datetime({ offset: true, error: 'Must be ISO 8601 with a zone, as 2026-11-20T15:04:05Z' })
  .meta({ examples: ['2026-11-20T15:04:05Z'] })
  .transform((text) => new Date(text));

/** Its digits without plus. */
export const phoneNumber = z
  .string()
  .meta({ examples: ['+14155550100'] })
  .transform((text, context) => {
    const digits = readPhoneNumber(text);
    if (digits !== undefined) return digits;
    context.addIssue({ code: 'custom', message: 'Must be an E.164 number, as +14155550100' });
    return z.NEVER;
  });

/** How many entries a page of a list has at most. */
export const pageLimit = (maximum: number, usual: number) =>
  wholeNumber(1, maximum)
    .default(usual)
    .meta({ description: `Most entries of the page. Default ${usual}, range 1–${maximum}.` });
