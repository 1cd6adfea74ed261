import { EventEmitter } from 'node:events';
import type { Redis } from '../../src/base/redis.js';

type Text = string | number | Buffer;
type Command = (...values: never[]) => unknown;

/** Octets are kept as Latin-1. */
const textOf = (value: Text): string => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value));
const octetsOf = (value: string | undefined): Buffer | null =>
  value === undefined ? null : Buffer.from(value, 'latin1');

/** Commands of Redis over maps, for code that a unit test runs without a server. Nothing expires: a test deletes what would. */
export class MemoryRedis extends EventEmitter {
  status = 'ready';
  /** Every command rejects, as while the server is unreachable. */
  isDown = false;
  readonly strings = new Map<string, string>();
  readonly hashes = new Map<string, Map<string, string>>();
  readonly sets = new Map<string, Set<string>>();
  readonly streams = new Map<string, string[]>();
  /** Scores by member. */
  readonly sortedSets = new Map<string, Map<string, number>>();
  readonly lists = new Map<string, string[]>();
  /** Milliseconds that the last command gave a key. */
  readonly lifetimes = new Map<string, number>();
  readonly published: (readonly [channel: string, message: string])[] = [];
  /** Other processes that get what is published. */
  subscribers = 0;
  private readonly subscriptions = new Set<readonly [channel: string, connection: EventEmitter]>();

  get asRedis(): Redis {
    return this as unknown as Redis;
  }

  /** Runs a script of the code with these commands in place of its Lua text. */
  script(name: string, run: (keys: string[], values: string[]) => unknown): void {
    const answer = this.command((count: number, ...all: Text[]) =>
      run(all.slice(0, count).map(textOf), all.slice(count).map(textOf)),
    );
    Object.assign(this, { [name]: answer, [`${name}Buffer`]: answer });
  }

  get = this.command((key: string) => this.strings.get(key) ?? null);
  getBuffer = this.command((key: string) => octetsOf(this.strings.get(key)));
  mget = this.command((...keys: string[]) => keys.map((key) => this.strings.get(key) ?? null));
  exists = this.command((...keys: string[]) => keys.filter((key) => this.has(key)).length);
  set = this.command((key: string, value: string, ...options: Text[]) => {
    if (options.includes('NX') && this.strings.has(key)) return null;
    this.strings.set(key, value);
    const at = options.indexOf('PX');
    if (at >= 0) this.lifetimes.set(key, Number(options[at + 1]));
    return 'OK';
  });
  del = this.command((...keys: string[]) => {
    for (const kind of [this.strings, this.hashes, this.sets]) for (const key of keys) kind.delete(key);
  });
  expire = this.command((key: string, seconds: number) => void this.lifetimes.set(key, 1_000 * seconds));
  /** 1 where there is such a key. */
  pexpire = this.command((key: string, milliseconds: number) => {
    this.lifetimes.set(key, milliseconds);
    return this.has(key) ? 1 : 0;
  });
  /** As if the last command had been the last moment. */
  pttl = this.command((key: string) => this.lifetimes.get(key) ?? -2);
  zadd = this.command((key: string, score: Text, member: string) => {
    this.sortedSets.set(key, new Map(this.sortedSets.get(key)).set(member, Number(score)));
  });
  zrangebyscore = this.command((key: string, from: Text, to: '+inf') =>
    [...(this.sortedSets.get(key) ?? [])]
      .filter(([, score]) => to === '+inf' && score >= Number(from))
      .map(([member]) => member),
  );
  time = this.command(() => [Math.floor(Date.now() / 1_000), (Date.now() % 1_000) * 1_000].map(String));
  zrem = this.command((key: string, member: string) => void this.sortedSets.get(key)?.delete(member));
  zremrangebyscore = this.command((key: string, _from: Text, to: Text) => {
    for (const [member, score] of this.sortedSets.get(key) ?? [])
      if (score <= Number(to)) this.sortedSets.get(key)!.delete(member);
  });
  hget = this.command((key: string, field: string) => this.hashes.get(key)?.get(field) ?? null);
  hmget = this.command((key: string, ...fields: string[]) =>
    fields.map((field) => this.hashes.get(key)?.get(field) ?? null),
  );
  hmgetBuffer = this.command((key: string, ...fields: string[]) =>
    fields.map((field) => octetsOf(this.hashes.get(key)?.get(field))),
  );
  hgetBuffer = this.command((key: string, field: string) => octetsOf(this.hashes.get(key)?.get(field)));
  hgetallBuffer = this.command((key: string) =>
    Object.fromEntries([...(this.hashes.get(key) ?? [])].map(([field, value]) => [field, octetsOf(value)])),
  );
  hgetall = this.command((key: string) => Object.fromEntries(this.hashes.get(key) ?? []));
  hkeys = this.command((key: string) => [...(this.hashes.get(key)?.keys() ?? [])]);
  hset = this.command((key: string, ...fields: Text[] | [Readonly<Record<string, Text>>]) => {
    const hash = this.hashes.get(key) ?? new Map<string, string>();
    const pairs = fields.flatMap((each) =>
      typeof each === 'object' && !Buffer.isBuffer(each) ? Object.entries(each).flat() : [each],
    );
    for (let at = 0; at < pairs.length; at += 2) hash.set(textOf(pairs[at]!), textOf(pairs[at + 1]!));
    this.hashes.set(key, hash);
  });
  hdel = this.command((key: string, ...fields: string[]) => {
    for (const field of fields) this.hashes.get(key)?.delete(field);
    if (this.hashes.get(key)?.size === 0) this.hashes.delete(key);
  });
  sadd = this.command((key: string, ...members: string[]) => {
    this.sets.set(key, new Set([...(this.sets.get(key) ?? []), ...members]));
  });
  srem = this.command((key: string, ...members: string[]) => {
    for (const member of members) this.sets.get(key)?.delete(member);
  });
  smembers = this.command((key: string) => [...(this.sets.get(key) ?? [])]);
  xadd = this.command((key: string, ...values: Text[]) => {
    this.streams.set(key, [...(this.streams.get(key) ?? []), String(values.at(-1))]);
  });
  rpush = this.command((key: string, ...values: string[]) => {
    this.lists.set(key, [...(this.lists.get(key) ?? []), ...values]);
  });
  hscan = this.command((key: string) => ['0', [...(this.hashes.get(key) ?? [])].flat()]);
  publish = this.command((channel: string, message: string) => {
    this.published.push([channel, message]);
    this.deliver(channel, message);
    return this.subscribers;
  });

  /** The connection of one process, which can be lost while those of the others stay. */
  connect(): { readonly redis: Redis; lose(): void } {
    let isLost = false;
    const refuse = async (): Promise<never> => {
      throw unreachable();
    };
    const chain: object = new Proxy({}, { get: (_target, name) => (name === 'exec' ? refuse : () => chain) });
    const lost = (name: string | symbol): unknown => {
      if (name === 'status') return 'end';
      return name === 'multi' || name === 'pipeline' ? () => chain : refuse;
    };
    const redis = new Proxy(this, {
      get: (target, name) => {
        if (isLost && !(name in EventEmitter.prototype)) return lost(name);
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    return {
      redis: redis as unknown as Redis,
      lose: () => {
        isLost = true;
      },
    };
  }

  disconnect(): void {}

  /** A connection that subscribes. */
  duplicate(): unknown {
    const connection = Object.assign(new EventEmitter(), {
      subscribe: async (...channels: string[]) => {
        for (const channel of channels) this.subscriptions.add([channel, connection]);
      },
      ping: async () => 'PONG',
      disconnect: () => {
        for (const each of this.subscriptions) if (each[1] === connection) this.subscriptions.delete(each);
      },
    });
    queueMicrotask(() => connection.emit('ready'));
    return connection;
  }

  /** A message of another process. */
  deliver(channel: string, message: string): void {
    for (const [name, connection] of this.subscriptions)
      if (name === channel) connection.emit('message', channel, message);
  }

  /** Queued commands run in one turn at `exec`. */
  multi(): unknown {
    const queue: (() => Promise<unknown>)[] = [];
    const chain: unknown = new Proxy(
      {},
      {
        get: (_target, name: string) => {
          if (name === 'length') return queue.length;
          if (name === 'exec')
            return async () => {
              if (this.isDown) throw unreachable();
              return Promise.all(queue.map(async (run) => [null, await run()]));
            };
          return (...values: never[]) => {
            const commands = this as unknown as Record<string, (...values: never[]) => Promise<unknown>>;
            queue.push(() => commands[name]!(...values));
            return chain;
          };
        },
      },
    );
    return chain;
  }

  pipeline(): unknown {
    return this.multi();
  }

  /** A key of a kind that `exists` sees. */
  private has(key: string): boolean {
    return this.strings.has(key) || this.hashes.has(key) || this.sets.has(key);
  }

  private command<Run extends Command>(run: Run): (...values: Parameters<Run>) => Promise<unknown> {
    return async (...values) => {
      if (this.isDown) throw unreachable();
      return run(...(values as never[]));
    };
  }
}

const unreachable = (): Error => new Error('Connection is closed.');
