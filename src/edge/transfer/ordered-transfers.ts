import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { Subscriber } from '../../base/subscriber.js';
import { readJson } from '../../contract/read-json.js';
import {
  transferChannel,
  transferOrderSchema,
  transferReplyKey,
  transferReplySeconds,
} from '../../contract/transfer.js';
import type { CallTable } from '../call/call-table.js';
import type { RequestGate } from '../call/request-gate.js';
import { failureText } from '../sip/messages.js';
import type { Transfers } from './transfers.js';

interface OrderedTransfersDeps {
  readonly redis: Redis;
  readonly table: CallTable;
  readonly transfers: Transfers;
  readonly gate: RequestGate;
  readonly log: Logger;
}

/** Receives transfers ordered by the API and replies for the calls of this process. Orders sent while Redis is down are lost. */
export class OrderedTransfers {
  private readonly subscriber: Subscriber;

  constructor(private readonly deps: OrderedTransfersDeps) {
    const { redis, gate } = deps;
    const hear = (message: string): void =>
      gate.pass(() => {
        this.heard(message).catch((error: unknown) => {
          deps.log.warn({ error: failureText(error) }, 'Answering an API transfer request failed.');
        });
      });
    this.subscriber = new Subscriber({
      redis,
      name: 'demarc-edge-transfers',
      channels: { [transferChannel]: hear },
    });
  }

  start(): void {
    this.subscriber.start();
  }

  stop(): void {
    this.subscriber.stop();
  }

  private async heard(message: string): Promise<void> {
    const order = readJson(transferOrderSchema, message);
    if (order === undefined) return;
    const { redis, table, transfers } = this.deps;
    const call = table.find(order.call_id);
    if (call === undefined || call.state.organization !== order.organization) return;
    const reply = await transfers.order(call, order);
    await redis.set(transferReplyKey(order.request_id), JSON.stringify(reply), 'EX', transferReplySeconds);
  }
}
