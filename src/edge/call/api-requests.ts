import { pause } from '../../base/pause.js';
import type { Redis } from '../../base/redis.js';
import type { Call } from './call.js';
import type { RequestGate } from './request-gate.js';

export interface ApiRequestsDeps<Order> {
  readonly redis: Redis;
  /** On which control publishes them to all edges. */
  readonly channel: string;
  readonly gate: RequestGate;
  /** The call that it concerns, if this process has it. */
  readonly callOf: (order: Order) => Call | undefined;
  /** Carries it out and replies. Never throws. */
  readonly carryOut: (order: Order) => void;
  /** Replies that the call is on its way to an edge that is not there yet. Never throws. */
  readonly refuse: (order: Order) => void;
  /** This process has no such call. Never throws. */
  readonly unknown: (order: Order) => void;
}

/** What the API says of such a call. */
export const movingText = 'The call is moving to another edge. Try again';

/** Longer than control waits. */
const rememberedMilliseconds = 10_000;
const maximumRemembered = 10_000;
/** As long as control waits for a reply. */
const arrivalMilliseconds = 9_000;
const pollMilliseconds = 50;

/**
 * Requests of the API about active calls, which control publishes to all edges. Those that wait at the gate of an edge that leaves its
 * calls are published once more by that edge: the one that continues the call has read them before it had the call.
 */
export class ApiRequests<Order extends { readonly request_id: string }> {
  /** Of the last seconds, by id: the oldest first. */
  private readonly known = new Map<string, { readonly isHandled: boolean; readonly at: number }>();

  constructor(private readonly deps: ApiRequestsDeps<Order>) {}

  /** @param message from which the order was read */
  receive(order: Order, message: string): void {
    const { callOf, unknown } = this.deps;
    const known = this.known.get(order.request_id);
    if (known?.isHandled === true) return;
    if (callOf(order) !== undefined) this.handle(order, message);
    else {
      // A second time, because its edge has left the call.
      this.remember(order, known !== undefined);
      if (known === undefined) unknown(order);
      else void this.handleOnArrival(order, message);
    }
  }

  private async handleOnArrival(order: Order, message: string): Promise<void> {
    const until = performance.now() + arrivalMilliseconds;
    while (performance.now() < until) {
      if (this.deps.callOf(order)?.state.phase === 'confirmed') {
        this.handle(order, message);
        return;
      }
      await pause(pollMilliseconds);
    }
  }

  private handle(order: Order, message: string): void {
    const { gate, carryOut, refuse } = this.deps;
    this.remember(order, true);
    gate.pass(
      () => carryOut(order),
      (hasSuccessor) => {
        if (hasSuccessor) this.passOn(message);
        else refuse(order);
      },
    );
  }

  private passOn(message: string): void {
    const { redis, channel } = this.deps;
    // Control reports that no edge has replied.
    redis.publish(channel, message).catch(() => {});
  }

  private remember({ request_id: id }: Order, isHandled: boolean): void {
    const now = performance.now();
    for (const [old, { at }] of this.known) {
      if (now - at < rememberedMilliseconds && this.known.size < maximumRemembered) break;
      this.known.delete(old);
    }
    this.known.delete(id);
    this.known.set(id, { isHandled, at: now });
  }
}
