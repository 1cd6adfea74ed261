import { z } from 'zod';

const limit = (period: string) =>
  z
    .int()
    .min(1)
    .max(1_000_000_000_000)
    .nullable()
    .meta({ description: `Tokens per ${period} in UTC; null: no limit of your own.` });

/** Body of PUT /v1/agent-testing/budget. */
export const budgetUpdate = z.strictObject({
  tokens_per_day: limit('day'),
  tokens_per_month: limit('month'),
});

const effective = (period: string) =>
  z
    .int()
    .nullable()
    .meta({ description: `Limit per ${period}: the lower of yours and the service's; null: none.` });

export const budgetSchema = z
  .object({
    ...budgetUpdate.shape,
    limit_per_day: effective('day'),
    limit_per_month: effective('month'),
    used_today: z.int().meta({ description: 'Tokens used since 0:00 UTC.' }),
    used_this_month: z.int().meta({ description: 'Tokens used since the first of the month, UTC.' }),
    day_ends_at: z.iso.datetime().meta({ description: 'When the next day begins.' }),
    month_ends_at: z.iso.datetime().meta({ description: 'When the next month begins.' }),
    is_used_up: z.boolean().meta({ description: 'True: a limit is reached, and no run is started.' }),
  })
  .meta({ id: 'TestTokenBudget' });
