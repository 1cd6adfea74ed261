import type { z } from 'zod';
import type { assertionSchema } from '../schemas/assertion.js';
import type { scenarioSchema } from '../schemas/scenario.js';
import type { AssertionRow, Scenario } from './scenario-storage.js';

export const assertionView = (row: AssertionRow): z.output<typeof assertionSchema> => ({
  id: row.id,
  type: row.type,
  name: row.name,
  config: row.config,
  is_required: row.is_required,
  weight: row.weight,
  order: row.position,
});

/** Without the key of the agent. */
export function scenarioView({ row, assertions }: Scenario): z.output<typeof scenarioSchema> {
  const { organization_id: org_id, agent, agent_key, deleted_at: _, created_at, updated_at, ...rest } = row;
  return {
    ...rest,
    org_id,
    agent: agent === null ? null : { ...agent, has_api_key: agent_key !== null },
    assertions: assertions.map(assertionView),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
