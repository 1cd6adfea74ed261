import type { Kysely } from 'kysely';
import type { NoticeSettings } from '../../../config/notice-settings.js';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import { checkWebhookUrl } from '../../deliveries/webhook/webhook-url.js';
import { InvalidRequest } from '../../http/validation.js';
import { pathways } from '../../pathways/index.js';
import { personas } from '../../personas/index.js';
import type { AgentInput } from '../schemas/scenario.js';
import { destinationProblem } from '../voice/destination.js';

interface Target {
  readonly pathway_id?: string | null | undefined;
  readonly persona_id?: string | null | undefined;
  readonly agent?: AgentInput | null | undefined;
  readonly voice?: { readonly destination?: string | undefined } | null | undefined;
}

/** Throws `InvalidRequest` for a target that does not exist or cannot be called, or at an address that this service does not send to. */
export async function checkTargetExists(
  { database, notices }: { readonly database: Kysely<Database>; readonly notices: NoticeSettings },
  organizationId: string,
  { persona_id: personaId, pathway_id: pathwayId, agent, voice }: Target,
): Promise<void> {
  checkWebhookUrl(notices, agent?.url, 'agent.url');
  if (personaId !== undefined && personaId !== null)
    await required(personas.read(database, organizationId, personaId), 'persona_id', personaId);
  if (pathwayId !== undefined && pathwayId !== null)
    await required(pathways.read(database, organizationId, pathwayId), 'pathway_id', pathwayId);
  const problem = await destinationProblem(database, organizationId, voice?.destination);
  if (problem !== undefined) throw InvalidRequest.at('voice.destination', problem);
}

/** Throws `InvalidRequest` where the target is not found. */
async function required(reading: Promise<unknown>, field: string, id: string): Promise<void> {
  await reading.catch((error: unknown) => {
    if (!(error instanceof DemarcError) || error.code !== 'NOT_FOUND') throw error;
    const what = field.replace('_id', '');
    throw InvalidRequest.at(field, `${id} is not one of your ${what}s, or is deleted.`);
  });
}
