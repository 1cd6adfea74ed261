import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { Subscriber } from '../../base/subscriber.js';
import { readJson } from '../../contract/read-json.js';
import {
  type TransferOrder,
  type TransferReply,
  transferChannel,
  transferOrderSchema,
  transferReplyKey,
  transferReplySeconds,
} from '../../contract/transfer.js';
import { ApiRequests, movingText } from '../call/api-requests.js';
import type { Call } from '../call/call.js';
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
    const requests = new ApiRequests<TransferOrder>({
      redis,
      channel: transferChannel,
      gate,
      callOf: (order) => this.callOf(order),
      carryOut: (order) => this.reply(order, this.begin(order)),
      refuse: (order) => this.reply(order, { result: 'conflict', detail: movingText }),
      unknown: () => {},
    });
    const hear = (message: string): void => {
      const order = readJson(transferOrderSchema, message);
      if (order !== undefined) requests.receive(order, message);
    };
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

  private callOf({ call_id: id, organization }: TransferOrder): Call | undefined {
    const call = this.deps.table.find(id);
    return call?.state.organization === organization ? call : undefined;
  }

  /** Undefined: the call has ended meanwhile. */
  private async begin(order: TransferOrder): Promise<TransferReply | undefined> {
    const call = this.callOf(order);
    return call && (await this.deps.transfers.order(call, order));
  }

  private reply(order: TransferOrder, outcome: TransferReply | Promise<TransferReply | undefined>): void {
    this.write(order, outcome).catch((error: unknown) => {
      this.deps.log.warn({ error: failureText(error) }, 'Answering an API transfer request failed.');
    });
  }

  private async write(
    { request_id: id }: TransferOrder,
    outcome: TransferReply | Promise<TransferReply | undefined>,
  ): Promise<void> {
    const reply = await outcome;
    if (reply === undefined) return;
    await this.deps.redis.set(transferReplyKey(id), JSON.stringify(reply), 'EX', transferReplySeconds);
  }
}
