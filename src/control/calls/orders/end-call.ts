import type { Kysely } from 'kysely';
import type { Redis } from '../../../base/redis.js';
import type { Database } from '../../database/tables.js';
import type { CallControls } from '../../fleet/call-controls.js';
import { readCall } from '../history/call-page.js';
import { storeLost } from '../lost/lost-records.js';
import { stoppedEnd } from './call-feeder.js';
import { stopCall } from './order-stream.js';
import { readOrder } from './read.js';

interface Deps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
  readonly controls: Pick<CallControls, 'act'>;
}

/**
 * Ends an answered call, cancels a ringing one, removes a queued one. `over`: it had ended before; undefined: the organization has
 * no such call. Throws `DemarcError`: `LIVE_CALL_UNAVAILABLE`, `CALLS_UNAVAILABLE`.
 */
export async function endCall(
  { database, redis, controls }: Deps,
  organizationId: string,
  callId: string,
): Promise<'ending' | 'over' | undefined> {
  const found = await readOrder(database, organizationId, callId);
  if (found === undefined) {
    if (await controls.act(organizationId, callId, { action: 'stop' })) return 'ending';
    return (await readCall(database, organizationId, callId)) === undefined ? undefined : 'over';
  }
  // A call given up as lost may still be active at an unreachable edge.
  if (found.row.outcome !== null && found.row.lost === null) return 'over';
  await stopCall(redis, callId);
  if (found.row.is_pending) await storeLost(database, found.row, stoppedEnd, '');
  return 'ending';
}
