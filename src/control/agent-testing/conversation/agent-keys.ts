import { SecretError, type SecretPlace } from '../../../contract/secret.js';
import type { ControlDeps } from '../../http/api-server.js';
import type { Resealed } from '../../secrets/secret-rotation.js';

export const agentKeyPlace = (organization: string, scenarioId: string): SecretPlace => ({
  kind: 'agent key',
  organization,
  id: scenarioId,
});

/** Re-seals the keys of agents that an earlier key sealed, or that are not bound to their scenario. */
export async function resealAgentKeys({
  database,
  secrets,
}: Pick<ControlDeps, 'database' | 'secrets'>): Promise<Resealed> {
  let resealed = 0;
  let unreadable = 0;
  const rows = await database
    .selectFrom('agent_test_scenarios')
    .select(['organization_id', 'id', 'agent_key'])
    .where('agent_key', 'is not', null)
    .execute();
  for (const { organization_id, id, agent_key } of rows) {
    const place = agentKeyPlace(organization_id, id);
    if (agent_key === null || !secrets.isOutdated(agent_key, place)) continue;
    try {
      const { numUpdatedRows } = await database
        .updateTable('agent_test_scenarios')
        .set({ agent_key: secrets.reseal(agent_key, place) })
        .where('organization_id', '=', organization_id)
        .where('id', '=', id)
        // A key replaced meanwhile is already sealed with the current key.
        .where('agent_key', '=', agent_key)
        .executeTakeFirst();
      resealed += Number(numUpdatedRows);
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      unreadable += 1;
    }
  }
  return { resealed, unreadable };
}
