import { SecretError } from '../../../contract/secret.js';
import type { Resealed } from '../../secrets/secret-rotation.js';
import type { ScenarioStorageDeps } from './scenario-storage.js';

/** Re-seals the keys of agents that were sealed with an earlier key. */
export async function resealAgentKeys({ database, secrets }: ScenarioStorageDeps): Promise<Resealed> {
  let resealed = 0;
  let unreadable = 0;
  const rows = await database
    .selectFrom('agent_test_scenarios')
    .select(['organization_id', 'id', 'agent_key'])
    .where('agent_key', 'is not', null)
    .execute();
  for (const { organization_id, id, agent_key } of rows) {
    if (agent_key === null || !secrets.isOutdated(agent_key)) continue;
    try {
      const { numUpdatedRows } = await database
        .updateTable('agent_test_scenarios')
        .set({ agent_key: secrets.seal(secrets.open(agent_key)) })
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
