import type { z } from 'zod';
import type { enhancedAnalyticsSchema } from '../schemas/analytics.js';

/** One step of runs from a scenario over nodes to their outcome. */
export interface FlowStep {
  readonly scenario_id: string;
  /** Null: the runs come from the scenario. */
  readonly source: string | null;
  /** Null: the runs end. */
  readonly target: string | null;
  readonly status: 'PASSED' | 'FAILED' | 'ERROR';
  readonly runs: number;
}

type Sankey = z.output<typeof enhancedAnalyticsSchema>['sankey_data'];

const outcomes = {
  PASSED: { id: 'outcome:passed', name: 'Passed', type: 'outcome', category: 'end' },
  FAILED: { id: 'outcome:failed', name: 'Failed', type: 'outcome', category: 'error' },
  ERROR: { id: 'outcome:error', name: 'Error', type: 'outcome', category: 'error' },
} as const satisfies Record<FlowStep['status'], Sankey['nodes'][number]>;

export interface FlowNames {
  /** By id. */
  readonly scenarios: ReadonlyMap<string, string>;
  readonly nodes: ReadonlyMap<string, string>;
  /** Ids of the nodes that end a conversation. */
  readonly finalNodes: ReadonlySet<string>;
}

/** The Sankey diagram of the steps; ids carry their type, because a scenario and a node may share one. */
export function sankeyOf(steps: readonly FlowStep[], names: FlowNames): Sankey {
  const nodes = new Map<string, Sankey['nodes'][number]>();
  const links = new Map<string, Sankey['links'][number]>();
  const scenario = (id: string): string => {
    const key = `scenario:${id}`;
    nodes.set(key, { id: key, name: names.scenarios.get(id) ?? id, type: 'scenario', category: 'start' });
    return key;
  };
  const node = (id: string): string => {
    const key = `node:${id}`;
    const category = names.finalNodes.has(id) ? 'end' : 'middle';
    nodes.set(key, { id: key, name: names.nodes.get(id) ?? id, type: 'node', category });
    return key;
  };
  const outcome = (status: FlowStep['status']): string => {
    nodes.set(outcomes[status].id, outcomes[status]);
    return outcomes[status].id;
  };
  for (const step of steps) {
    const source = step.source === null ? scenario(step.scenario_id) : node(step.source);
    const target = step.target === null ? outcome(step.status) : node(step.target);
    const key = `${source} ${target}`;
    const link = links.get(key) ?? { source, target, value: 0, pass_count: 0, fail_count: 0 };
    link.value += step.runs;
    if (step.status === 'PASSED') link.pass_count += step.runs;
    else link.fail_count += step.runs;
    links.set(key, link);
  }
  return { nodes: [...nodes.values()], links: [...links.values()] };
}
