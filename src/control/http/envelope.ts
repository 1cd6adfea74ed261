import { z } from 'zod';
import { type ErrorCode, errors, warnings } from '../../errors.js';

/** One error of a request. */
export interface Fault {
  readonly error: ErrorCode;
  readonly message: string;
  /** What is wrong, as `directions.0.options.port`; only with `VALIDATION_ERROR`. */
  readonly path?: string;
}

/** The envelope of every successful response. */
export const envelope = <Data extends z.ZodType>(data: Data) => z.object({ data, errors: z.null() });

/** The HTTP error codes; lower-case codes belong to calls. Warnings have been in this enumeration, and no value leaves it within `/v1`. */
const httpCodes = [
  ...Object.keys(errors).filter((code) => /^[A-Z]/.test(code)),
  ...Object.keys(warnings),
] as [ErrorCode, ...ErrorCode[]];

export const errorCodeSchema = z
  .enum(httpCodes)
  .meta({ id: 'ErrorCode', description: 'Stable error code; see docs/errors.md.' });

/** The envelope of every error response. */
export const failureSchema = z
  .object({
    data: z.null(),
    errors: z
      .array(
        z.object({
          error: errorCodeSchema,
          message: z.string().meta({ description: 'The problem in plain words.' }),
          path: z
            .string()
            .optional()
            .meta({ description: 'The invalid field, such as `directions.0.options.port`.' }),
        }),
      )
      .min(1),
    request_id: z
      .string()
      .optional()
      .meta({ description: 'Identifies the request in the log; same as the header `x-request-id`.' }),
  })
  .meta({ id: 'Failure' });

/** The schemas of a route's answers. */
export const answers = <Data extends z.ZodType>(data: Data) => ({
  200: envelope(data),
  '4xx': failureSchema,
  '5xx': failureSchema,
});

/** The cursor of a list: the same two fields wherever one is. */
export const cursorFields = {
  has_more: z.boolean().meta({ description: 'True: there are more entries after this page.' }),
  next: z
    .string()
    .nullable()
    .meta({ description: 'Pass as `after` to get the next page; null on the last page.' }),
};

/** The schemas of a list's answers: `data` holds the entries of one page, `has_more` and `next` lead on. */
export const listAnswers = <Data extends z.ZodType>(data: Data) => ({
  ...answers(data),
  200: envelope(data).extend(cursorFields),
});

/** @param next `after` of the next page; null: this is the last one */
export const listed = <Data>(data: Data, next: string | null) => ({
  data,
  has_more: next !== null,
  next,
  errors: null,
});

export const success = <Data>(data: Data): { data: Data; errors: null } => ({ data, errors: null });

export interface Failure {
  readonly data: null;
  readonly errors: readonly Fault[];
  readonly request_id?: string;
}

/** @param requestId absent: the request could not be read that far */
export const failure = (faults: readonly Fault[], requestId?: string): Failure => ({
  data: null,
  errors: faults,
  ...(requestId === undefined ? {} : { request_id: requestId }),
});

/** The fault for a code; the registry's text unless there is more to say. */
export const faultOf = (code: ErrorCode, message?: string): Fault => ({
  error: code,
  message: message ?? errors[code].text,
});
