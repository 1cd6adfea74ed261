import { randomUUID } from 'node:crypto';
import {
  type CallAction,
  type CallControlReply,
  callControlChannel,
  callControlReplyKey,
  callControlReplySchema,
} from '../../../src/contract/call-control.js';
import {
  type TransferOrder,
  type TransferReply,
  transferChannel,
  transferReplyKey,
  transferReplySchema,
} from '../../../src/contract/transfer.js';
import { until } from '../../../src/testkit/waiting.js';
import type { CallBench } from '../call/bench.js';

/** Orders a transfer as control does. Throws when no edge answers. */
export async function orderTransfer(
  { redis }: Pick<CallBench, 'redis'>,
  callId: string,
  fields: Partial<TransferOrder> = {},
  milliseconds = 5_000,
): Promise<TransferReply> {
  const request_id = randomUUID();
  const message = { request_id, call_id: callId, organization: 'acme', target: '+14155550100', ...fields };
  await redis.publish(transferChannel, JSON.stringify(message));
  let json: string | null = null;
  await until(
    async () => {
      json = await redis.get(transferReplyKey(request_id));
      return json !== null;
    },
    milliseconds,
    'the edge answers',
  );
  return transferReplySchema.parse(JSON.parse(json!));
}

/** Begins a warm transfer, as soon as the edge has the ACK of its 200. */
export async function consult(
  bench: Pick<CallBench, 'redis'>,
  callId: string,
  target = '+14155550100',
): Promise<void> {
  const hasBegun = async (): Promise<boolean> => {
    const { result, detail } = await orderTransfer(bench, callId, { target, consults: true });
    if (result === 'begun' || result === 'conflict') return result === 'begun';
    throw new Error(`${result}: ${detail}`);
  };
  await until(hasBegun, 5_000, 'the transfer begins');
}

/** Completes a warm transfer, as soon as the edge has connected the agent with the target. */
export async function complete(bench: Pick<CallBench, 'redis'>, callId: string): Promise<CallControlReply> {
  let reply: CallControlReply | undefined;
  await until(
    async () => {
      reply = await askCall(bench, callId, { action: 'complete_transfer' });
      return reply.detail !== 'The target has not answered yet';
    },
    10_000,
    'the agent is connected',
  );
  return reply!;
}

/** The reply of the edge that has the call. */
export async function askCall(
  { redis }: Pick<CallBench, 'redis'>,
  callId: string,
  action: CallAction,
): Promise<CallControlReply> {
  const request_id = randomUUID();
  await redis.publish(
    callControlChannel,
    JSON.stringify({ request_id, call_id: callId, organization: 'acme', ...action }),
  );
  let reply: CallControlReply | undefined;
  await until(
    async () => {
      const replies = await redis.lrange(callControlReplyKey(request_id), 0, -1);
      reply = replies
        .map((json) => callControlReplySchema.parse(JSON.parse(json)))
        .find(({ result }) => result !== 'unknown');
      return reply !== undefined;
    },
    10_000,
    'the edge of the call replies',
  );
  return reply!;
}
