import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from '../../base/redis.js';
import { DemarcError } from '../../errors.js';
import type { FleetReader } from './fleet-reader.js';

/** An edge replies within milliseconds, or within half a second if its rtpengine does not respond. */
const waitMilliseconds = 3_000;
const lookMilliseconds = 20;
/** Replies per read; more than the number of edges. */
const repliesAtOnce = 1_000;

export interface Question<Result> {
  readonly channel: string;
  readonly message: string;
  /** List that each edge puts one reply into. */
  readonly replyKey: string;
  /** `owner`: who replied; absent: it cannot be read. `result`: the answer; absent: that edge does not have it. */
  readonly read: (json: string) => {
    readonly owner?: string | undefined;
    readonly result?: Result | undefined;
  };
  readonly call: { readonly call_id: string; readonly organization: string };
  readonly waitMilliseconds?: number;
}

/**
 * Asks all edges for something about a call, until one has it. Undefined: no edge has the call. Throws `DemarcError`
 * `LIVE_CALL_UNAVAILABLE` when an edge that may have it does not answer; rejects when Redis does not.
 */
export async function askEdges<Result>(
  { redis, fleet }: { readonly redis: Redis; readonly fleet: Pick<FleetReader, 'edges' | 'listsCall'> },
  question: Question<Result>,
): Promise<Result | undefined> {
  const asked = await redis.publish(question.channel, question.message);
  const end = performance.now() + (question.waitMilliseconds ?? waitMilliseconds);
  const replied = new Set<string>();
  while (replied.size < asked && performance.now() < end) {
    await sleep(lookMilliseconds);
    const replies = (await redis.lpop(question.replyKey, repliesAtOnce)) ?? [];
    for (const json of replies) {
      const { owner, result } = question.read(json);
      if (result !== undefined) return result;
      replied.add(owner ?? json);
    }
  }
  await checkSilent(fleet, question.call, replied, replied.size < asked);
  return undefined;
}

/**
 * An edge that is alive but has not replied may have the call: it hangs, or just lost its connection to Redis. One that is gone may have
 * handed the call over, to an edge that replied before it had it.
 */
async function checkSilent(
  fleet: Pick<FleetReader, 'edges' | 'listsCall'>,
  call: Question<never>['call'],
  replied: ReadonlySet<string>,
  isLate: boolean,
): Promise<void> {
  const alive = (await fleet.edges()).flatMap(({ owner, isAlive }) => (isAlive ? owner : []));
  const silent = alive.filter((owner) => !replied.has(owner));
  const isSilent = isLate && silent.length > 0;
  if (!isSilent && !(await fleet.listsCall(isLate ? alive : silent, call))) return;
  throw new DemarcError('LIVE_CALL_UNAVAILABLE', 'an edge does not respond');
}
