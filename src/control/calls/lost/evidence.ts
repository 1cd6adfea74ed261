import type { Redis } from '../../../base/redis.js';
import { heldCallsKey } from '../../../contract/held-call.js';
import { writeProofKey } from '../../../contract/keys.js';

/** The engine keeps the dialogs of a lost edge for 30 s (`--keep-seconds`), in which another edge may continue the calls. */
export const heldPatienceMilliseconds = 35_000;

const proofMilliseconds = 60_000;

/**
 * Rejects while Redis refuses writes, as in a failover or with its memory full: then no edge can renew a lease, although reads
 * are answered, and a missing lease proves nothing.
 */
export async function proveWritable(redis: Redis): Promise<void> {
  await redis.set(writeProofKey, '1', 'PX', proofMilliseconds);
}

/** Ids of the process's calls that another edge can continue. */
export async function continuable(redis: Redis, owner: string): Promise<ReadonlySet<string>> {
  return new Set(await redis.hkeys(heldCallsKey(owner)));
}
