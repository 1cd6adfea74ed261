import type { z } from 'zod';
import { assertionInputs } from '../schemas/assertion.js';
import type { unsavedAssertionSchema } from '../schemas/template.js';

/** Assertions of a scenario that is not stored, with the defaults of their types, in their order. */
export const unsavedAssertions = (
  inputs: z.input<typeof assertionInputs>,
): z.output<typeof unsavedAssertionSchema>[] =>
  assertionInputs.parse(inputs).map((assertion, order) => ({ ...assertion, order }));
