import { z } from 'zod';
import { oneLine } from '../../http/one-line.js';
import { ownOrderFields, scheduledAtSchema, sharedOrderFields } from '../orders/order.js';

export const maximumBatchCalls = 1_000;

/** `POST /v1/calls/batch`: defaults for all calls, and each call with its overrides. */
export const batchOrderSchema = z.strictObject({
  from: z.string().max(64).meta({ description: 'One of your numbers, with an outbound direction' }),
  name: oneLine(200).default('').meta({ description: 'Free text, at most 200 characters' }),
  scheduled_at: scheduledAtSchema.optional(),
  until: z.iso
    .datetime({ offset: true, error: 'Must be ISO 8601 with a time zone, such as 2026-11-20T15:04:05Z' })
    .transform((text) => new Date(text))
    .optional()
    .meta({
      description:
        'Calls not dialled by then are given up. Default 24 hours after the start, at most 7 days after it',
      examples: ['2026-11-20T18:00:00Z'],
    }),
  ...sharedOrderFields,
  task: sharedOrderFields.task.optional(),
  calls: z
    .array(
      z.strictObject({
        ...ownOrderFields,
        task: sharedOrderFields.task.optional(),
        tools: sharedOrderFields.tools,
        persona_id: sharedOrderFields.persona_id,
        pathway_id: sharedOrderFields.pathway_id,
        pathway_version: sharedOrderFields.pathway_version,
        voice: sharedOrderFields.voice,
        agent: sharedOrderFields.agent,
      }),
    )
    .min(1)
    .max(maximumBatchCalls)
    .meta({ description: `The calls in dialling order, 1 to ${maximumBatchCalls}` }),
});
export type BatchOrder = z.infer<typeof batchOrderSchema>;
