import type { Redis } from '../../../base/redis.js';
import { RedisScript } from '../../../base/redis-script.js';
import { type CallCommand, lineScoreFactor, orderedCallSeconds } from '../../../contract/commands.js';
import {
  commandStream,
  orderedCallKey,
  orderLineKey,
  readyEdgesKey,
  stopChannel,
  waitingOrdersKey,
} from '../../../contract/keys.js';
import { DemarcError, type ErrorCode } from '../../../errors.js';

/** Orders in the stream that no edge has read; edges read them at once, whatever the limits are. */
const maximumUnread = 1_000;
/** Orders of all numbers that wait for their turn: some 10 MB of Redis. */
const maximumWaiting = 10_000;
/** What waiting orders leave behind when Redis loses the rest is forgotten after this long. */
const forgottenMilliseconds = 60_000;

const giveOrder = new RedisScript<
  [stream: string, line: string, waiting: string, readyEdges: string, call: string]
>('giveOrder', import.meta.url, ['give-order.lua']);

export interface OrderBounds {
  /** Orders of the number that may wait; undefined: it has no limits of its own to wait for. */
  readonly lineLength: number | undefined;
}

/**
 * Returns `stopped` for a call that was stopped before. Throws `DemarcError`: `NO_EDGE_READY`, `TOO_MANY_CALLS_WAITING`,
 * `NUMBER_QUEUE_FULL`; nothing was ordered then. Or `CALLS_UNAVAILABLE`.
 */
export async function giveToEdges(
  redis: Redis,
  command: CallCommand,
  { lineLength }: OrderBounds,
): Promise<'ordered' | 'stopped'> {
  const { call_id: id, number } = command;
  const until = Date.parse(command.wait_until ?? command.expires_at);
  const constants = [
    maximumUnread,
    maximumWaiting,
    forgottenMilliseconds,
    lineScoreFactor,
    orderedCallSeconds,
  ];
  const outcome = await unlessAway(() =>
    giveOrder.run(
      redis,
      [commandStream, orderLineKey(number), waitingOrdersKey, readyEdgesKey, orderedCallKey(id)],
      ...[JSON.stringify(command), id, lineLength ?? -1, until, ...constants],
    ),
  );
  if (outcome === 'no_edge') throw new DemarcError('NO_EDGE_READY');
  if (outcome === 'full') throw new DemarcError('TOO_MANY_CALLS_WAITING');
  if (outcome === 'line_full') throw new DemarcError('NUMBER_QUEUE_FULL');
  return outcome === 'stopped' ? 'stopped' : 'ordered';
}

/** Tells whichever edge has the call, or will have it, that it shall end. Throws `DemarcError` `CALLS_UNAVAILABLE`. */
export async function stopCall(redis: Redis, callId: string): Promise<void> {
  const key = orderedCallKey(callId);
  await unlessAway(async () => {
    // First the mark, then the word: an edge that claims the call in between reads the mark.
    await redis.multi().hset(key, 'stop', '1').expire(key, orderedCallSeconds).exec();
    await redis.publish(stopChannel, callId);
  });
}

/** What Redis answers. Throws `DemarcError` with the code when it does not. */
export async function unlessAway<Result>(
  act: () => Promise<Result>,
  code: ErrorCode = 'CALLS_UNAVAILABLE',
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DemarcError) throw error;
    throw new DemarcError(code);
  }
}
