import type { Clock } from '../base/clock.js';
import type { Received } from '../engine/transport/flow.js';
import { type MemoryTransport, received, type Sent } from './memory-transport.js';

export interface Faults {
  /** Probabilities, 0 to 1. */
  readonly loss: number;
  readonly duplication: number;
  /** Milliseconds, shortest and longest; each message takes a random time between them, so messages overtake each other. */
  readonly delay: readonly [number, number];
}

/** One side of a link: a transport, and the `transactions` of the engine above it. */
export interface LinkEnd {
  readonly transport: MemoryTransport;
  readonly layer: { receive(message: Received): void };
}

/** Connects two in-memory transports by a path that loses, duplicates, delays and reorders datagrams. It only delays streams. */
export class FaultyLink {
  delivered = 0;
  lost = 0;
  private readonly streamBusyUntil = new Map<LinkEnd, number>();

  constructor(
    private readonly clock: Clock,
    private readonly random: () => number,
    private readonly faults: Faults,
    left: LinkEnd,
    right: LinkEnd,
  ) {
    left.transport.onSent = (sent) => this.carry(sent, left, right);
    right.transport.onSent = (sent) => this.carry(sent, right, left);
  }

  private carry(sent: Sent, from: LinkEnd, to: LinkEnd): void {
    if (sent.flow.protocol !== 'udp') {
      const at = Math.max(this.clock.now() + this.travelTime(), this.streamBusyUntil.get(to) ?? 0);
      this.streamBusyUntil.set(to, at);
      this.clock.after(at - this.clock.now(), () => this.arrive(sent, from, to));
      return;
    }
    if (this.random() < this.faults.loss) this.lost++;
    else this.clock.after(this.travelTime(), () => this.arrive(sent, from, to));
    if (this.random() < this.faults.duplication) {
      this.clock.after(this.travelTime(), () => this.arrive(sent, from, to));
    }
  }

  private travelTime(): number {
    const [shortest, longest] = this.faults.delay;
    return shortest + this.random() * (longest - shortest);
  }

  private arrive(sent: Sent, from: LinkEnd, to: LinkEnd): void {
    this.delivered++;
    const { protocol } = sent.flow;
    const port = protocol === 'tls' ? 5061 : 5060;
    to.layer.receive(received(sent.bytes, to.transport.flow(protocol, from.transport.address, port)));
  }
}
