import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Redis } from '../../../base/redis.js';
import {
  type TransferOrder,
  transferChannel,
  transferModes,
  transferReplyKey,
  transferReplySchema,
} from '../../../contract/transfer.js';
import { DemarcError } from '../../../errors.js';
import { InvalidRequest } from '../../http/validation.js';
import { unlessRedisDown } from './order-stream.js';

/** The edge reads the number's configuration before it answers, within a second. */
const waitMilliseconds = 3_000;
const pollMilliseconds = 50;

export const transferBodySchema = z.strictObject({
  target: z
    .string()
    .min(2)
    .max(512)
    .meta({ description: 'An E.164 number with +, or a SIP URI', examples: ['+14155550100'] }),
  mode: z.enum(transferModes).optional().meta({ description: "Overrides the number's setting" }),
});

/**
 * Orders a transfer from the edge that has the call, as if the agent had sent REFER. Throws `DemarcError`: `NOT_FOUND` when no
 * edge has such a call of the organization, `TRANSFER_NOT_POSSIBLE`, `TRANSFER_FORBIDDEN`, `CALLS_UNAVAILABLE`; or
 * `InvalidRequest`.
 */
export async function orderTransfer(
  redis: Redis,
  organizationId: string,
  callId: string,
  body: Pick<TransferOrder, 'target' | 'mode' | 'consults'>,
): Promise<void> {
  const order: TransferOrder = {
    request_id: randomUUID(),
    call_id: callId,
    organization: organizationId,
    target: body.target,
    ...(body.mode === undefined ? {} : { mode: body.mode }),
    ...(body.consults === undefined ? {} : { consults: body.consults }),
  };
  const reply = await unlessRedisDown(() => ask(redis, order));
  requireTransfer(reply);
}

/** Throws what `orderTransfer` does. @param reply of the edge; undefined: none has the call */
export function requireTransfer(reply: z.infer<typeof transferReplySchema> | undefined): void {
  if (reply === undefined) throw new DemarcError('NOT_FOUND', 'Active call not found');
  const detail = reply.detail ?? '';
  if (reply.result === 'invalid') throw InvalidRequest.at('target', detail);
  if (reply.result === 'forbidden') throw new DemarcError('TRANSFER_FORBIDDEN', detail);
  if (reply.result === 'conflict') throw new DemarcError('TRANSFER_NOT_POSSIBLE', detail);
}

async function ask(redis: Redis, order: TransferOrder) {
  const listeners = await redis.publish(transferChannel, JSON.stringify(order));
  const end = performance.now() + waitMilliseconds;
  while (listeners > 0 && performance.now() < end) {
    await sleep(pollMilliseconds);
    const json = await redis.get(transferReplyKey(order.request_id));
    if (json !== null) return transferReplySchema.parse(JSON.parse(json));
  }
  return undefined;
}
