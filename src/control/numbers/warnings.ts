import { z } from 'zod';
import type { WarningCode } from '../../errors.js';

export interface Warning {
  /** Null: the warning is about all numbers of the request. */
  readonly phone_number: string | null;
  readonly warning: WarningCode;
  readonly message: string;
}

/** Of a response whose request may change numbers: `answerAfterChanges` adds to it. */
export const warningsSchema = z.array(
  z.object({
    phone_number: z
      .string()
      .nullable()
      .meta({ description: 'E.164 with +; null: the warning is about all numbers of the request' }),
    warning: z.string().meta({ description: 'A code of docs/errors.md' }),
    message: z.string(),
  }),
);
