import { z } from 'zod';
import { wholeNumber } from '../../http/query.js';
import { versionMeaning } from './run.js';

export const coverageQuery = z.strictObject({
  version_number: wholeNumber(1, 999_999_999).optional().meta({ description: versionMeaning }),
  batch_id: z.uuid().optional().meta({ description: 'Only runs of this batch. Default: all runs.' }),
});

export const coveredSchema = (what: string, total: string, covered: string) =>
  z
    .object({
      total: z.int().meta({ description: total }),
      covered: z.int().meta({ description: covered }),
      percent: z.number().meta({ description: 'Share of those, 0–100; 100 if there are none.' }),
    })
    .meta({ description: `Coverage of ${what}.` });

const visited = (what: string) =>
  coveredSchema(what, `Number of ${what} in the document.`, 'Those that a run visited.');

const suggestedScenarioSchema = z
  .object({
    name: z.string().meta({ description: 'Name of the scenario.' }),
    pathway_id: z.string(),
    tester_persona_prompt: z.string().meta({ description: 'How the caller leads the agent there.' }),
    max_turns: z.int().meta({ description: 'Most turns of the caller.' }),
    assertions: z
      .array(
        z.object({
          type: z.literal('TRAVERSAL_MATCH'),
          name: z.string().meta({ description: 'Its name in results.' }),
          config: z
            .object({
              reference_path: z.array(z.string()).meta({ description: 'Nodes in their order.' }),
              mode: z.literal('subsequence').meta({ description: 'Other nodes may come between them.' }),
            })
            .meta({ description: 'What is checked.' }),
        }),
      )
      .meta({ description: 'That the path was taken.' }),
  })
  .meta({ id: 'SuggestedTestScenario' });

export const coverageSchema = z
  .object({
    pathway_id: z.string(),
    version_number: z.int().meta({ description: 'Version whose runs are counted.' }),
    runs: z.int().meta({
      description: 'Runs by text of this version that passed or failed, at most the latest 10,000.',
    }),
    nodes: visited('nodes'),
    edges: visited('edges'),
    missing_nodes: z
      .array(
        z.object({
          id: z.string().meta({ description: 'Id of the node.' }),
          name: z.string().meta({ description: 'Name of the node.' }),
        }),
      )
      .meta({ description: 'Nodes that no run visited.' }),
    missing_edges: z
      .array(
        z.object({
          id: z.string().meta({ description: 'Id of the edge.' }),
          source: z.string().meta({ description: 'Node that it leaves.' }),
          target: z.string().meta({ description: 'Node that it leads to.' }),
          label: z.string().meta({ description: 'When it is taken.' }),
          is_reachable: z.boolean().meta({ description: 'False: no path leads there from the start node.' }),
        }),
      )
      .meta({
        description: 'Edges that no run took. Edges between the same two nodes are covered together.',
      }),
    suggested_scenarios: z.array(suggestedScenarioSchema).meta({
      description:
        'Scenarios that together take all missing edges that can be reached, at most 50; `POST /v1/agent-testing/scenarios` takes each.',
    }),
  })
  .meta({ id: 'PathwayCoverage' });
export type Coverage = z.output<typeof coverageSchema>;
