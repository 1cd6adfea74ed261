import { sql } from 'kysely';
import { type SecretBox, SecretError, streamPlace } from '../../contract/secret.js';
import type { ControlDeps } from '../http/api-server.js';
import {
  type AgentRequest,
  areStored,
  checkAgentReachable,
  type StoredAgent,
  storedAgent,
  withStoredHeaders,
} from '../numbers/agent-streams.js';
import { markNumbersChanged } from '../numbers/outbox.js';
import type { Resealed } from '../secrets/secret-rotation.js';
import type { SealAgent } from './persona-storage.js';

/**
 * How the agent of a request is stored: header fields that it leaves out keep the values of the version before. Throws
 * `InvalidRequest` for one that may not be reached, and when sealed `DemarcError` `SECRET_KEY_MISSING`.
 */
export function sealAgent(
  { settings, secrets }: Pick<ControlDeps, 'settings' | 'secrets'>,
  organizationId: string,
  agent: AgentRequest | null | undefined,
): SealAgent | null | undefined {
  checkAgentReachable(settings, agent, 'agent');
  if (agent === null || agent === undefined) return agent;
  return (present) => sealed(agent, present, secrets, organizationId);
}

function sealed(
  agent: AgentRequest,
  present: StoredAgent | null,
  secrets: SecretBox,
  organizationId: string,
): StoredAgent {
  if (typeof agent === 'string') return storedAgent(agent, secrets, organizationId);
  const stored = present?.stream === undefined ? [] : [present.stream];
  const whole = withStoredHeaders(agent, stored, secrets, organizationId);
  // Sealing the same again gives another text, which would be a change of the draft.
  if (present !== null && areStored([whole], stored, secrets, organizationId)) return present;
  return storedAgent(whole, secrets, organizationId);
}

/** Re-seals the header fields of agents that an earlier key sealed. */
export async function resealPersonaAgents({
  database,
  secrets,
}: Pick<ControlDeps, 'database' | 'secrets'>): Promise<Resealed> {
  let resealed = 0;
  let unreadable = 0;
  const rows = await database
    .selectFrom('persona_versions')
    .select(['id', 'organization_id', 'persona_id', 'agent'])
    .where('agent', 'is not', null)
    .execute();
  for (const { id, organization_id, persona_id, agent } of rows) {
    const place = streamPlace(organization_id);
    const { stream } = agent ?? {};
    if (stream?.headers === undefined || !secrets.isOutdated(stream.headers, place)) continue;
    try {
      const changed = { ...agent, stream: { ...stream, headers: secrets.reseal(stream.headers, place) } };
      await database.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('persona_versions')
          .set({ agent: JSON.stringify(changed) })
          .where('id', '=', id)
          // Header fields replaced meanwhile are already sealed with the current key.
          .where(sql<boolean>`agent = ${JSON.stringify(agent)}::jsonb`)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return;
        resealed += 1;
        const numbers = await transaction
          .selectFrom('numbers')
          .select('number')
          .where('organization_id', '=', organization_id)
          .where('persona_id', '=', persona_id)
          .execute();
        await markNumbersChanged(
          transaction,
          numbers.map(({ number }) => number),
        );
      });
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      unreadable += 1;
    }
  }
  return { resealed, unreadable };
}
