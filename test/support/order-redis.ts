import { EventEmitter } from 'node:events';
import { orderedCallKey } from '../../src/contract/keys.js';
import { MemoryRedis } from './memory-redis.js';

type Entry = readonly [id: string, fields: readonly string[]];

/**
 * A Redis with the stream of orders and what the scripts of `src/edge/outbound/pacing` do, by the clock of the test; the contract tests
 * run the scripts.
 */
export class OrderRedis extends MemoryRedis {
  /** Entries that no process has read, and those that one has read and not acknowledged. */
  readonly unread: Entry[] = [];
  readonly pending = new Map<string, { readonly entry: Entry; readonly member: string }>();
  /** Of the connection that reads. */
  isReaderUp = true;
  private readonly subscribing: EventEmitter[] = [];
  private hasGroup = false;
  private entries = 0;

  constructor() {
    super();
    this.defineScripts();
  }

  /** Control puts an order into the stream. */
  order(fields: readonly string[]): string {
    const id = `${Date.now()}-${this.entries++}`;
    this.unread.push([id, fields]);
    return id;
  }

  /** The next order that is taken is claimed, but the reply is lost. True, once that has happened. */
  takeThenFail(): () => boolean {
    const scripted = this as unknown as Record<string, (...values: never[]) => Promise<unknown>>;
    const take = scripted.takeOrder!;
    let isLost = false;
    scripted.takeOrder = async (...values) => {
      const taken = (await take(...values)) as [kind: string];
      if (taken[0] !== 'taken') return taken;
      isLost = true;
      scripted.takeOrder = take;
      throw new Error('Connection is closed.');
    };
    return () => isLost;
  }

  /** The subscribing connection was lost and is there again. */
  subscriptionReady(): void {
    for (const connection of this.subscribing) connection.emit('ready');
  }

  override duplicate({ connectionName }: { connectionName?: string } = {}): unknown {
    if (connectionName !== 'demarc-edge-commands') {
      const connection = super.duplicate() as EventEmitter;
      this.subscribing.push(connection);
      return connection;
    }
    const reader = Object.assign(new EventEmitter(), {
      disconnect: () => {},
      xreadgroup: async (...values: (string | number)[]) => this.read(String(values[2]), Number(values[4])),
    });
    return Object.defineProperty(reader, 'status', { get: () => (this.isReaderUp ? 'ready' : 'end') });
  }

  xgroup = async (): Promise<void> => {
    if (this.hasGroup) throw new Error('BUSYGROUP Consumer Group name already exists');
    this.hasGroup = true;
  };
  xautoclaim = async (_stream: string, _group: string, member: string): Promise<unknown> => {
    const taken = [...this.pending.values()].filter((each) => each.member !== member);
    for (const { entry } of taken) this.pending.set(entry[0], { entry, member });
    return ['0-0', taken.map(({ entry }) => entry)];
  };
  xack = async (_stream: string, _group: string, ...ids: string[]): Promise<void> => {
    for (const id of ids) this.pending.delete(id);
  };
  xdel = async (): Promise<void> => {};
  hsetnx = async (key: string, field: string, value: string): Promise<void> => {
    if (this.hashes.get(key)?.has(field) !== true) await this.hset(key, field, value);
  };

  private async read(member: string, count: number): Promise<unknown> {
    if (this.isDown) throw new Error('Connection is closed.');
    if (!this.hasGroup) throw new Error('NOGROUP No such consumer group');
    const entries = this.unread.splice(0, count);
    for (const entry of entries) this.pending.set(entry[0], { entry, member });
    if (entries.length > 0) return [['stream', entries]];
    await new Promise((resolve) => setTimeout(resolve, 50));
    return null;
  }

  private scores(key: string): Map<string, number> {
    const scores = this.sortedSets.get(key) ?? new Map<string, number>();
    this.sortedSets.set(key, scores);
    return scores;
  }

  /** Milliseconds to wait; 0: the slot is taken. */
  private waitFor(
    call: string,
    [slots, rate]: readonly string[],
    [most, interval, burst, lease]: readonly number[],
  ): number {
    const now = Date.now();
    const active = this.scores(slots!);
    for (const [id, until] of active) if (until <= now) active.delete(id);
    if (most! >= 0 && active.size >= most!) return 1_000;
    if (interval! > 0) {
      const at = Number(this.strings.get(rate!) ?? 0);
      const earliest = at - (burst! - 1) * interval!;
      if (earliest > now) return Math.ceil(earliest - now);
      this.strings.set(rate!, String(Math.max(at, now) + interval!));
    }
    active.set(call, now + lease!);
    return 0;
  }

  private claim(id: string, owner: string, taken: string): void {
    this.hashes.get(orderedCallKey(id))!.set('claimed_by', owner);
    this.sets.set(taken, new Set(this.sets.get(taken)).add(id));
  }

  private defineScripts(): void {
    this.script('arriveOrder', ([call, line, lines, waiting], [, entry, id, number, json, until, score]) => {
      const known = this.hashes.get(call!);
      if (known?.has('claimed_by') !== true && known?.has('command') !== true) {
        const fields = Object.entries({ ordered: '1', command: json!, until: until! });
        this.hashes.set(call!, new Map([...(known ?? []), ...fields]));
        this.scores(line!).set(id!, Number(score));
        this.scores(waiting!).set(id!, Number(until));
        if (!this.scores(lines!).has(number!)) this.scores(lines!).set(number!, 0);
      }
      this.pending.delete(entry!);
    });
    this.script('dueLines', ([lines]) => {
      const now = Date.now();
      const all = [...this.scores(lines!)];
      const later = all.filter(([, at]) => at > now).map(([, at]) => at - now);
      const due = all.filter(([, at]) => at <= now).map(([number]) => number);
      return [later.length === 0 ? '-1' : String(Math.min(...later)), ...due];
    });
    this.script('takeOrder', ([line, lines, slots, rate, waiting, taken], values) => {
      const [owner, number, prefix, most, interval, burst, lease] = values as string[];
      for (;;) {
        const [first] = [...this.scores(line!)].sort(([, left], [, right]) => left - right);
        if (first === undefined) {
          this.scores(lines!).delete(number!);
          return ['empty'];
        }
        const [id] = first;
        const order = this.hashes.get(`${prefix}${id}`)!;
        let isTaken = order.has('stop');
        if (!isTaken && Number(order.get('until')) < Date.now())
          order.set('claimed_by', owner!).set('phase', 'expired');
        else if (!isTaken) {
          const limits = [most, interval, burst, lease].map(Number);
          const milliseconds = this.waitFor(id, [slots!, rate!], limits);
          if (milliseconds > 0) {
            this.scores(lines!).set(number!, Date.now() + milliseconds);
            return ['wait', String(milliseconds)];
          }
          isTaken = true;
        }
        this.scores(line!).delete(id);
        this.scores(waiting!).delete(id);
        if (!isTaken) continue;
        this.claim(id, owner!, taken!);
        this.scores(lines!).set(number!, Date.now());
        return ['taken', order.get('command')];
      }
    });
    this.script('takeStoppedOrder', ([call, line, waiting, taken], [owner, id]) => {
      const order = this.hashes.get(call!);
      if (order?.has('claimed_by') !== false || !this.scores(line!).delete(id!)) return null;
      this.scores(waiting!).delete(id!);
      this.claim(id!, owner!, taken!);
      return order.get('command');
    });
    this.script('enterSlot', (keys, [id, ...limits]) => this.waitFor(id!, keys, limits.map(Number)));
    this.script('leaveSlot', ([slots, lines, taken], [number, id]) => {
      this.scores(slots!).delete(id!);
      this.sets.get(taken!)?.delete(id!);
      if (this.scores(lines!).has(number!)) this.scores(lines!).set(number!, Date.now());
    });
    this.script('renewSlots', ([slots], [lease, ...ids]) => {
      for (const id of ids) this.scores(slots!).set(id, Date.now() + Number(lease));
    });
    this.script('sayEdgeLives', ([ready, lease], [owner, milliseconds, isReady]) => {
      const stood = this.strings.has(lease!) ? 1 : 0;
      this.strings.set(lease!, '1');
      if (isReady === '1') this.scores(ready!).set(owner!, Date.now() + Number(milliseconds));
      else this.scores(ready!).delete(owner!);
      return stood;
    });
  }
}
