import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { Subscriber } from '../../base/subscriber.js';
import {
  type CallControl,
  type CallControlReply,
  callControlChannel,
  callControlReplyKey,
  callControlReplyMilliseconds,
  callControlSchema,
} from '../../contract/call-control.js';
import { readJson } from '../../contract/read-json.js';
import type { Call } from '../call/call.js';
import type { CallTable } from '../call/call-table.js';
import type { RequestGate } from '../call/request-gate.js';
import { failureText } from '../sip/messages.js';
import { act } from './actions.js';

interface CallControlsDeps {
  readonly redis: Redis;
  /** As in `LivePublisher`. */
  readonly holder: string;
  readonly table: Pick<CallTable, 'find'>;
  readonly gate: RequestGate;
  readonly log: Logger;
}

/** Receives API requests about active calls and replies to each one, also if this process has no such call. */
export class CallControls {
  private readonly subscriber: Subscriber;

  constructor(private readonly deps: CallControlsDeps) {
    this.subscriber = new Subscriber({
      redis: deps.redis,
      name: 'demarc-edge-call-control',
      channels: { [callControlChannel]: (message) => this.onMessage(message) },
    });
  }

  start(): void {
    this.subscriber.start();
  }

  stop(): void {
    this.subscriber.stop();
  }

  private onMessage(message: string): void {
    const order = readJson(callControlSchema, message);
    if (order === undefined) return;
    const reply = (): void => {
      this.reply(order).catch((error: unknown) => {
        this.deps.log.warn({ error: failureText(error) }, 'Answering an API request failed.');
      });
    };
    // Control waits for each edge's reply: what concerns calls of others must not wait until ours are handed over.
    if (this.callOf(order) === undefined) reply();
    else this.deps.gate.pass(reply);
  }

  private async reply(order: CallControl): Promise<void> {
    const { redis, holder: owner } = this.deps;
    const reply: CallControlReply = { owner, ...(await this.answer(order)) };
    const key = callControlReplyKey(order.request_id);
    await redis.multi().rpush(key, JSON.stringify(reply)).pexpire(key, callControlReplyMilliseconds).exec();
  }

  private async answer(order: CallControl): Promise<Omit<CallControlReply, 'owner'>> {
    const call = this.callOf(order);
    return call === undefined ? { result: 'unknown', detail: null } : act(call, order);
  }

  private callOf({ call_id: id, organization }: CallControl): Call | undefined {
    const call = this.deps.table.find(id);
    return call?.state.organization === organization ? call : undefined;
  }
}
