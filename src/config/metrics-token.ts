import { z } from 'zod';

/** Sixteen characters are not guessed, and fit into a header as they are. */
export const isMetricsToken = (text: string): boolean => /^[\x21-\x7e]{16,200}$/.test(text);

export const metricsTokenRule = 'must be 16 to 200 printable ASCII characters without spaces';

export const metricsToken = z.string().refine(isMetricsToken, metricsTokenRule);
