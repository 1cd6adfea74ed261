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
import { ApiRequests, movingText } from '../call/api-requests.js';
import type { Call } from '../call/call.js';
import type { CallTable } from '../call/call-table.js';
import type { RequestGate } from '../call/request-gate.js';
import { failureText } from '../sip/messages.js';
import { act } from './actions.js';
import { conflict, type Outcome } from './outcome.js';

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
  private readonly requests: ApiRequests<CallControl>;

  constructor(private readonly deps: CallControlsDeps) {
    const { redis, gate } = deps;
    const reply = (order: CallControl) => this.reply(order, this.answer(order));
    this.requests = new ApiRequests<CallControl>({
      redis,
      channel: callControlChannel,
      gate,
      callOf: (order) => this.callOf(order),
      carryOut: reply,
      refuse: (order) => this.reply(order, conflict(movingText)),
      // At once: control waits for each edge.
      unknown: reply,
    });
    this.subscriber = new Subscriber({
      redis,
      name: 'demarc-edge-call-control',
      channels: {
        [callControlChannel]: (message) => {
          const order = readJson(callControlSchema, message);
          if (order !== undefined) this.requests.receive(order, message);
        },
      },
    });
  }

  start(): void {
    this.subscriber.start();
  }

  stop(): void {
    this.subscriber.stop();
  }

  private reply(order: CallControl, outcome: Outcome | Promise<Outcome>): void {
    this.write(order, outcome).catch((error: unknown) => {
      this.deps.log.warn({ error: failureText(error) }, 'Answering an API request failed.');
    });
  }

  private async write(order: CallControl, outcome: Outcome | Promise<Outcome>): Promise<void> {
    const { redis, holder: owner } = this.deps;
    const reply: CallControlReply = { owner, ...(await outcome) };
    const key = callControlReplyKey(order.request_id);
    await redis.multi().rpush(key, JSON.stringify(reply)).pexpire(key, callControlReplyMilliseconds).exec();
  }

  private async answer(order: CallControl): Promise<Outcome> {
    const call = this.callOf(order);
    return call === undefined ? { result: 'unknown', detail: null } : act(call, order);
  }

  private callOf({ call_id: id, organization }: CallControl): Call | undefined {
    const call = this.deps.table.find(id);
    return call?.state.organization === organization ? call : undefined;
  }
}
