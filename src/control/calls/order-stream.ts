import type { Redis } from '../../base/redis.js';
import { type CallCommand, lineScoreFactor, orderedCallSeconds } from '../../contract/commands.js';
import {
  commandStream,
  orderedCallKey,
  orderLineKey,
  readyEdgesKey,
  stopChannel,
  waitingOrdersKey,
} from '../../contract/keys.js';
import { DemarcError, type ErrorCode } from '../../errors.js';

/** Orders in the stream that no edge has read; edges read them at once, whatever the limits are. */
const maximumUnread = 1_000;
/** Orders of all numbers that wait for their turn: some 10 MB of Redis. */
const maximumWaiting = 10_000;
/** What waiting orders leave behind when Redis loses the rest is forgotten after this long. */
const forgottenMilliseconds = 60_000;

/**
 * KEYS: stream, line, waiting, ready edges, call. ARGV: command, call id, most in the line (-1: any number), until, and the
 * constants. In one step, so that neither many requests at once nor a control that dies leave more or less than an order; an
 * order that is given again, because who gave it died before it could write that down, is there once.
 */
const orderScript = `
if redis.call('HEXISTS', KEYS[5], 'ordered') == 1 then return 'ordered' end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('HEXISTS', KEYS[5], 'stop') == 1 then return 'stopped' end
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now)
if redis.call('ZCARD', KEYS[4]) == 0 then return 'no_edge' end
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - ARGV[7])
if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[5]) then return 'full' end
if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[6]) then return 'full' end
if tonumber(ARGV[3]) >= 0 and redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) then return 'line_full' end
local id = redis.call('XADD', KEYS[1], '*', 'command', ARGV[1])
local milliseconds, sequence = string.match(id, '^(%d+)-(%d+)$')
local factor = tonumber(ARGV[8])
local score = tonumber(milliseconds) * factor + math.min(tonumber(sequence), factor - 1)
redis.call('ZADD', KEYS[2], string.format('%.0f', score), ARGV[2])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[2])
redis.call('HSET', KEYS[5], 'ordered', '1')
redis.call('EXPIRE', KEYS[5], ARGV[9])
return 'ordered'`;

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
  const keys = [
    ...[commandStream, orderLineKey(number), waitingOrdersKey, readyEdgesKey],
    orderedCallKey(id),
  ];
  const until = Date.parse(command.wait_until ?? command.expires_at);
  const constants = [
    maximumUnread,
    maximumWaiting,
    forgottenMilliseconds,
    lineScoreFactor,
    orderedCallSeconds,
  ];
  const outcome = await unlessAway(() =>
    redis.eval(
      orderScript,
      keys.length,
      ...keys,
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
