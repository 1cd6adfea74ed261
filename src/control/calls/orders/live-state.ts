import { isRedisDown, type Redis } from '../../../base/redis.js';
import type { OrderedCall } from '../../../contract/commands.js';
import { edgeLeaseKey, orderedCallKey } from '../../../contract/keys.js';

/** The state that edges report for a call without a record yet. */
export type LiveState =
  /** Redis does not respond. */
  | { readonly kind: 'unknown' }
  /** No edge has claimed it. */
  | { readonly kind: 'waiting'; readonly call: OrderedCall }
  | { readonly kind: 'claimed'; readonly call: OrderedCall; readonly isEdgeAlive: boolean };

/** While Redis is down the state of active calls is unknown. */
export async function readLive(redis: Redis, callId: string): Promise<LiveState> {
  try {
    const call = (await redis.hgetall(orderedCallKey(callId))) as OrderedCall;
    if (call.claimed_by === undefined) return { kind: 'waiting', call };
    const isEdgeAlive = (await redis.exists(edgeLeaseKey(call.claimed_by))) === 1;
    return { kind: 'claimed', call, isEdgeAlive };
  } catch (error) {
    if (!isRedisDown(error)) throw error;
    return { kind: 'unknown' };
  }
}
