import type { Kysely } from 'kysely';
import type { Redis } from '../../../base/redis.js';
import type { Database } from '../../database/tables.js';
import type { Delivery } from '../../deliveries/sender.js';
import { type LiveState, readLive } from './live-state.js';
import { readOrder } from './read.js';
import { type OrderedCallDetail, progressSoFar, transferView, viewOf } from './view.js';

interface Deps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
}

/** The call as `GET /v1/calls/{call_id}` shows it; undefined if the organization has no such call. */
export async function callResult(
  { database, redis }: Deps,
  organizationId: string,
  callId: string,
): Promise<OrderedCallDetail | undefined> {
  const found = await readOrder(database, organizationId, callId);
  if (found === undefined) return undefined;
  const live: LiveState = found.row.outcome === null ? await readLive(redis, callId) : { kind: 'unknown' };
  const { task, tools, persona_id, pathway_id, pathway_version, voice, outcome } = found.row;
  const soFar = outcome === null ? progressSoFar(live) : undefined;
  return {
    ...viewOf(found.row, live, found.detail),
    task,
    tools,
    persona_id,
    pathway_id,
    pathway_version,
    voice,
    ringing_at: soFar?.ringing_at ?? found.ringingAt,
    attempts: soFar?.attempts ?? [...found.attempts],
    ...transferView(found.transfers),
  };
}

/** The body of the webhook for an ended call. */
export const callResultBody =
  (deps: Deps) =>
  (delivery: Delivery): Promise<OrderedCallDetail | undefined> =>
    callResult(deps, delivery.organization_id, delivery.subject);
