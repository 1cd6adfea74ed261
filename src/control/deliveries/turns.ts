import { groupBy } from '../../base/group-by.js';

/** A delivery that is due, with as much of it as decides whose turn it is. */
export interface DueDelivery {
  readonly id: string;
  readonly organizationId: string;
  readonly receiver: string;
  /** True: its receiver is paused, and this one finds out whether it responds again. */
  readonly isProbe: boolean;
}

export interface Slots {
  readonly all: number;
  readonly organization: number;
  readonly receiver: number;
}

/** In no id. */
const separator = '\n';
const receiverName = ({ organizationId, receiver }: DueDelivery): string =>
  `${organizationId}${separator}${receiver}`;

/**
 * Whose delivery is sent next in this process: organizations take turns, and the receivers of one organization among themselves.
 * Neither has more than its slots, so that those that hang leave room for the others.
 */
export class DeliveryTurns {
  /** Organization, or receiver of one → attempts in progress. */
  private readonly running = new Map<string, number>();
  /** The same → its last turn. */
  private readonly served = new Map<string, number>();
  private turn = 0;
  private inside = 0;

  constructor(private readonly slots: Slots) {}

  get free(): number {
    return this.slots.all - this.inside;
  }

  /** Organizations that use all their slots. */
  get full(): string[] {
    return [...this.running]
      .filter(([name, count]) => !name.includes(separator) && count >= this.slots.organization)
      .map(([name]) => name);
  }

  /** Takes slots for as many as fit; each must `leave`. @param due each receiver's in their order */
  enter<Due extends DueDelivery>(due: readonly Due[]): Due[] {
    const receivers = this.inTurn(groupBy(due, receiverName));
    let organizations = this.inTurn(groupBy(receivers, ([first]) => first!.organizationId));
    this.forgetOthers(due);
    const entered: Due[] = [];
    while (organizations.length > 0) {
      // One turn of each organization.
      organizations = organizations.filter((queues) => {
        const next = this.free > 0 ? this.take(queues) : undefined;
        if (next !== undefined) entered.push(next);
        return next !== undefined;
      });
    }
    return entered;
  }

  leave(delivery: DueDelivery): void {
    this.inside -= 1;
    for (const name of [delivery.organizationId, receiverName(delivery)]) {
      const count = this.count(name) - 1;
      if (count === 0) this.running.delete(name);
      else this.running.set(name, count);
    }
  }

  /** The next one of an organization; its receiver goes to the end of the order. */
  private take<Due extends DueDelivery>(receivers: Due[][]): Due | undefined {
    for (const [index, queue] of receivers.entries()) {
      const [first] = queue;
      if (first === undefined) continue;
      if (this.count(first.organizationId) >= this.slots.organization) return undefined;
      const name = receiverName(first);
      if (this.count(name) >= (first.isProbe ? 1 : this.slots.receiver)) continue;
      queue.shift();
      receivers.push(...receivers.splice(index, 1));
      this.inside += 1;
      for (const key of [first.organizationId, name]) {
        this.running.set(key, this.count(key) + 1);
        this.served.set(key, ++this.turn);
      }
      return first;
    }
    return undefined;
  }

  /** Those that had their turn longest ago first. */
  private inTurn<Item>(groups: ReadonlyMap<string, Item[]>): Item[][] {
    const servedAt = (name: string): number => this.served.get(name) ?? 0;
    return [...groups]
      .toSorted(([left], [right]) => servedAt(left) - servedAt(right))
      .map(([, items]) => items);
  }

  /** Removes organizations and receivers without waiting deliveries from the order. */
  private forgetOthers(due: readonly DueDelivery[]): void {
    const waiting = new Set(due.flatMap((delivery) => [delivery.organizationId, receiverName(delivery)]));
    for (const name of this.served.keys()) {
      if (!waiting.has(name) && this.count(name) === 0) this.served.delete(name);
    }
  }

  private count(name: string): number {
    return this.running.get(name) ?? 0;
  }
}
