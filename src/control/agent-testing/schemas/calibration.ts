import { z } from 'zod';
import { assertionResultSchema, assertionTypes } from './assertion.js';
import { modelUsageSchema } from './run.js';

const assertionId = z.uuid().meta({ description: 'Id of the assertion.' });
const note = z.string().trim().max(2_000);

/** Body of PUT /v1/agent-testing/runs/{id}/labels. */
export const labelInput = z.strictObject({
  labels: z
    .array(
      z.strictObject({
        assertion_id: assertionId,
        passed: z
          .boolean()
          .nullable()
          .meta({ description: 'Whether it passes in your opinion; null removes the label.' }),
        note: note
          .nullish()
          .transform((text) => (text === undefined || text === '' ? null : text))
          .meta({ description: 'Why; null: no note.' }),
      }),
    )
    .min(1)
    .max(50)
    .meta({ description: 'Labels to set, 1–50. Others stay.' }),
});
export type LabelInput = z.output<typeof labelInput>['labels'][number];

const labelSchema = z
  .object({
    assertion_id: z.string().meta({ description: 'Id of the assertion.' }),
    passed: z.boolean().meta({ description: 'Whether it passes in the opinion of a person.' }),
    note: z.string().nullable().meta({ description: 'Why; null: no note.' }),
    labelled_by: z.string().meta({ description: 'Name of the person or key.' }),
    labelled_at: z.iso.datetime().meta({ description: 'When, ISO 8601 in UTC.' }),
  })
  .meta({ id: 'TestLabel' });

export const judgementSchema = z
  .object({
    status: z.enum(['PASSED', 'FAILED', 'ERROR']).meta({ description: 'What the run would be now.' }),
    overall_score: z
      .number()
      .nullable()
      .meta({ description: 'Weighted mean of the scores of the assertions, 0–1; null: none.' }),
    reasoning: z.string().meta({ description: 'Result in plain words.' }),
    assertion_results: z.array(assertionResultSchema).meta({ description: 'Result of each assertion.' }),
    judge_model: z.string().nullable().meta({ description: 'Model that judged; null: none.' }),
    is_stand_in: z
      .boolean()
      .meta({ description: 'True: the stand-in that answers by rules judged. It says nothing.' }),
    usage: modelUsageSchema.meta({ description: 'Requests to models, their tokens and cost.' }),
    judged_at: z.iso.datetime().meta({ description: 'When, ISO 8601 in UTC.' }),
  })
  .meta({ id: 'TestJudgement' });
export type Judgement = z.output<typeof judgementSchema>;

export const reviewSchema = z
  .object({
    labels: z.array(labelSchema).meta({ description: 'What people say of the assertions.' }),
    judgement: judgementSchema
      .nullable()
      .meta({ description: 'Result of the last time that the run was judged again; null: never.' }),
  })
  .meta({ id: 'TestReview' });
export type Review = z.output<typeof reviewSchema>;

const agreementSchema = z
  .object({
    compared: z.int().meta({ description: 'Runs with a label and a verdict.' }),
    errors: z.int().meta({ description: 'Runs with a label that could not be judged; not compared.' }),
    both_passed: z.int().meta({ description: 'Both say that it passes.' }),
    both_failed: z.int().meta({ description: 'Both say that it fails.' }),
    only_judge_passed: z
      .int()
      .meta({ description: 'The judge is too lenient: the person says that it fails.' }),
    only_person_passed: z
      .int()
      .meta({ description: 'The judge is too strict: the person says that it passes.' }),
    agreement: z
      .number()
      .nullable()
      .meta({ description: 'Share of equal verdicts, 0–1; null: none compared.' }),
    kappa: z.number().nullable().meta({
      description:
        'Cohen’s kappa: agreement beyond chance, at most 1; 0 is chance. Null: none compared, or both gave the same one verdict throughout.',
    }),
    kappa_interval: z
      .object({
        lower: z.number().meta({ description: 'Lower end.' }),
        upper: z.number().meta({ description: 'Upper end.' }),
      })
      .nullable()
      .meta({ description: 'Its 95 % interval; null: no kappa.' }),
  })
  .meta({ id: 'TestAgreement' });
export type Agreement = z.output<typeof agreementSchema>;

export const calibrationSchema = z
  .object({
    assertions: z
      .array(
        z.object({
          assertion_id: z.string().meta({ description: 'Id of the assertion.' }),
          type: z.enum(assertionTypes).meta({ description: 'Type of the assertion.' }),
          name: z.string().nullable().meta({ description: 'Name of the assertion; null: none.' }),
          run: agreementSchema.meta({ description: 'Labels and the verdicts of the runs.' }),
          judged_again: agreementSchema.meta({
            description: 'Labels and the verdicts of runs that were judged again.',
          }),
        }),
      )
      .meta({ description: 'Assertions of the scenario that have labels.' }),
    labelled_run_ids: z
      .array(z.string())
      .meta({ description: 'Runs with labels, the last labelled first; at most 500.' }),
  })
  .meta({ id: 'TestCalibration' });
export type Calibration = z.output<typeof calibrationSchema>;
