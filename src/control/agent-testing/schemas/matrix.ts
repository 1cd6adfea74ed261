import { z } from 'zod';

/** Fields of a scenario that a set may vary; values within them are named with dots. */
export const variedFields = [
  'advanced_instructions',
  'first_speaker',
  'max_turns',
  'request_data',
  'start_node_id',
  'tester_persona_name',
  'tester_persona_prompt',
  'voice',
] as const;
export type VariedField = (typeof variedFields)[number];

const fieldPath = new RegExp(`^(${variedFields.join('|')})(\\.[A-Za-z_][A-Za-z0-9_]{0,63}){0,4}$`);
/** `{}.__proto__` is no field. */
const notField = /(^|\.)(__proto__|constructor|prototype)(\.|$)/;

const maximumFields = 8;
const maximumValues = 20;
/** Of one matrix; more are drawn from with `sample`. */
const maximumCombinations = 100_000;

/** How many combinations the values have. */
export const allCombinations = (fields: Readonly<Record<string, readonly unknown[]>>): number =>
  Object.values(fields).reduce((product, values) => product * values.length, 1);

export const matrixSchema = z
  .strictObject({
    fields: z
      .record(
        z
          .string()
          .regex(fieldPath, `Must be ${variedFields.join(', ')} or a field within one, with dots`)
          .refine((path) => !notField.test(path), 'Must be a field'),
        z.array(z.unknown()).min(1).max(maximumValues),
      )
      .refine((fields) => Object.keys(fields).length >= 1 && Object.keys(fields).length <= maximumFields, {
        error: `1 to ${maximumFields} fields`,
      })
      .meta({
        description: `Values by field, at most ${maximumFields} fields with ${maximumValues} values each; every combination is run. Fields: ${variedFields.join(', ')}, and fields within them; null within voice: its default.`,
        examples: [{ 'voice.speed': [0.8, 1.3], 'voice.conditions.noise.kind': ['babble', 'street'] }],
      }),
    sample: z.int().min(1).max(1_000).optional().meta({
      description: 'Runs only so many combinations, drawn by seed. Default: all.',
    }),
    seed: z.int().min(0).max(900_000).default(1).meta({
      description:
        'The same seed draws the same combinations, and gives the same noise, losses and delays to the same repetition of calls with conditions. Default 1.',
    }),
  })
  .refine(({ fields }) => allCombinations(fields) <= maximumCombinations, {
    error: `At most ${maximumCombinations} combinations`,
    path: ['fields'],
  });
export type Matrix = z.output<typeof matrixSchema>;

/** Values by field. */
export type Variation = Readonly<Record<string, unknown>>;

export const variationSchema = z.record(z.string(), z.unknown());

/** How many combinations are run. */
export const combinationsOf = ({ fields, sample }: Matrix): number =>
  Math.min(sample ?? Number.POSITIVE_INFINITY, allCombinations(fields));
