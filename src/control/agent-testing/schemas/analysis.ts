import { z } from 'zod';

export const suggestionTypes = ['prompt_change', 'node_config', 'flow_change', 'tone_improvement'] as const;

const suggestionSchema = z
  .object({
    type: z.enum(suggestionTypes).meta({ description: 'Kind of change.' }),
    target_node_id: z
      .string()
      .nullable()
      .meta({ description: 'Node to change; null: the agent as a whole.' }),
    target_node_name: z.string().nullable().meta({ description: 'Name of the node; null: none.' }),
    description: z.string().meta({ description: 'What to change, and why.' }),
    suggested_change: z.string().meta({ description: 'New text or setting.' }),
    confidence: z.number().min(0).max(1).meta({ description: 'How sure the model is, 0–1.' }),
  })
  .meta({ id: 'TestSuggestion' });
export type Suggestion = z.output<typeof suggestionSchema>;

export const analysisSchema = z
  .object({
    root_cause: z.string().meta({ description: 'Why the run failed.' }),
    suggestions: z.array(suggestionSchema).meta({ description: 'Changes, the most promising first.' }),
    node_id_to_name: z
      .record(z.string(), z.string())
      .meta({ description: 'Names of the nodes of the pathway.' }),
    analyzed_by: z.string().meta({ description: 'Model that analyzed the run.' }),
    is_stand_in: z.boolean().meta({
      description:
        'True: the stand-in that answers by rules wrote it, because no language model is configured.',
    }),
  })
  .meta({ id: 'TestAnalysis' });
export type Analysis = z.output<typeof analysisSchema>;
