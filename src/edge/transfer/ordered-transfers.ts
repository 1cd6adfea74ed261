import { readJson } from '../../contract/read-json.js';
import {
  transferChannel,
  transferOrderSchema,
  transferReplyKey,
  transferReplySeconds,
} from '../../contract/transfer.js';
import type { CallTable } from '../call/call-table.js';
import { failureText } from '../call/engine-link.js';
import type { Logger } from '../log.js';
import type { Redis } from '../redis.js';
import type { Transfers } from './transfers.js';

interface OrderedTransfersParts {
  readonly redis: Redis;
  readonly table: CallTable;
  readonly transfers: Transfers;
  readonly log: Logger;
}

/** Hears of transfers that the API orders, and answers for the calls of this process. What comes while Redis is away is lost. */
export class OrderedTransfers {
  private subscriber: Redis | undefined;
  private stopped = false;

  constructor(private readonly parts: OrderedTransfersParts) {}

  start(): void {
    const { redis } = this.parts;
    const subscriber = redis.duplicate({ autoResubscribe: false, connectionName: 'demarc-edge-transfers' });
    this.subscriber = subscriber;
    subscriber.on('error', () => {});
    subscriber.on('ready', () => {
      subscriber.subscribe(transferChannel).catch(() => subscriber.disconnect(!this.stopped));
    });
    subscriber.on('message', (_channel: string, message: string) => {
      this.heard(message).catch((error: unknown) => {
        this.parts.log.warn({ error: failureText(error) }, 'A transfer by the API could not be answered.');
      });
    });
  }

  stop(): void {
    this.stopped = true;
    this.subscriber?.disconnect();
  }

  private async heard(message: string): Promise<void> {
    const order = readJson(transferOrderSchema, message);
    if (order === undefined) return;
    const { redis, table, transfers } = this.parts;
    const call = table.find(order.call_id);
    if (call === undefined || call.state.organization !== order.organization) return;
    const reply = await transfers.order(call, order);
    await redis.set(transferReplyKey(order.request_id), JSON.stringify(reply), 'EX', transferReplySeconds);
  }
}
