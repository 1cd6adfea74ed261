import { z } from 'zod';

/** Names and other texts of one line: without control characters, which would begin new lines in mails, logs and headers. */
export const oneLine = (maximum: number) =>
  z
    .string()
    .trim()
    .max(maximum)
    .regex(/^[^\x00-\x1f\x7f-\x9f]*$/, 'must not contain control characters.');

/** As `oneLine`, with at least one character. */
export const nameOf = (maximum: number) => oneLine(maximum).min(1);
