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
    const { redis, gate, log } = deps;
    const hear = (message: string): void =>
      gate.pass(() => {
        this.heard(message).catch((error: unknown) => {
          log.warn({ error: failureText(error) }, 'Answering an API request failed.');
        });
      });
    this.subscriber = new Subscriber({
      redis,
      name: 'demarc-edge-call-control',
      channels: { [callControlChannel]: hear },
    });
  }

  start(): void {
    this.subscriber.start();
  }

  stop(): void {
    this.subscriber.stop();
  }

  private async heard(message: string): Promise<void> {
    const order = readJson(callControlSchema, message);
    if (order === undefined) return;
    const { redis, holder: owner } = this.deps;
    const reply: CallControlReply = { owner, ...(await this.answer(order)) };
    const key = callControlReplyKey(order.request_id);
    await redis.multi().rpush(key, JSON.stringify(reply)).pexpire(key, callControlReplyMilliseconds).exec();
  }

  private async answer(order: CallControl): Promise<Omit<CallControlReply, 'owner'>> {
    const call = this.deps.table.find(order.call_id);
    if (call?.state.organization !== order.organization) return { result: 'unknown', detail: null };
    return act(call, order);
  }
}
