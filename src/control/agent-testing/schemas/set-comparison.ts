import { z } from 'zod';
import { passRateFields } from './simulation.js';

const sideSchema = z.object(passRateFields).meta({ id: 'ComparedSide' });

const verdictSchema = z.enum(['better', 'worse', 'not_shown', 'no_runs']).meta({
  description:
    'Whether the set passes more often than the other one: better, worse; not_shown: the difference may be chance; no_runs: one side has none that ended.',
});

const comparedSetSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the set.' }),
    versions: z.array(z.int()).meta({ description: 'Versions of the pathway or persona that ran.' }),
    agent_models: z.array(z.string()).meta({ description: 'Models that spoke for the agent.' }),
    is_stand_in: z.boolean().meta({ description: 'Whether the stand-in took part.' }),
  })
  .meta({ id: 'ComparedSet' });

export const setComparisonSchema = z
  .object({
    set: comparedSetSchema.meta({ description: 'The set.' }),
    other: comparedSetSchema.meta({ description: 'The one that it is compared with.' }),
    scenarios: z
      .array(
        z.object({
          scenario_id: z.string(),
          scenario_name: z.string().meta({ description: 'Name of the scenario.' }),
          set: sideSchema.meta({ description: 'Runs of the set.' }),
          other: sideSchema.meta({ description: 'Runs of the other set.' }),
          p_value: z.number().nullable().meta({
            description:
              'Chance of such a difference if both pass alike: Fisher’s exact test, two-sided, corrected by Holm for the number of scenarios; null: a side has no runs.',
          }),
          verdict: verdictSchema,
        }),
      )
      .meta({ description: 'Scenarios that both sets have.' }),
    only_set: z.array(z.string()).meta({ description: 'Scenarios that the other set lacks.' }),
    only_other: z.array(z.string()).meta({ description: 'Scenarios that only the other set has.' }),
    verdict: verdictSchema.meta({
      description:
        'Over all common scenarios: better, if at least one is better and none worse; worse, if one is worse; else not_shown, or no_runs.',
    }),
  })
  .meta({ id: 'SetComparison' });
