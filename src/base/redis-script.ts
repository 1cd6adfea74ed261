import { readFileSync } from 'node:fs';
import type { Redis } from './redis.js';

type Value = string | number | Buffer;

/** What `defineCommand` adds to a connection and to its pipelines. */
type Scripted = Record<string, (count: number, ...keysAndValues: readonly Value[]) => Promise<unknown>>;

/**
 * A Lua script of Redis, kept in `.lua` files beside the module that runs it. Redis gets the text once per connection; after
 * that only its SHA-1 travels, and a Redis that was restarted gets the text again (ioredis `defineCommand`).
 * @template Keys the keys in the order of KEYS
 */
export class RedisScript<Keys extends readonly string[]> {
  private lua: string | undefined;

  /**
   * @param name unique in the process
   * @param module `import.meta.url` of the module beside which the files are
   * @param files in the order in which they are concatenated: what is included comes first
   */
  constructor(
    private readonly name: string,
    private readonly module: string,
    private readonly files: readonly [string, ...string[]],
  ) {}

  /** The script's answer. Rejects as every command does, and with the script's own error. */
  run(redis: Redis, keys: Keys, ...values: readonly Value[]): Promise<unknown> {
    return this.defineOn(redis)[this.name]!(keys.length, ...keys, ...values);
  }

  /** As `run`, with octets in place of texts in the answer. */
  runForOctets(redis: Redis, keys: Keys, ...values: readonly Value[]): Promise<unknown> {
    return this.defineOn(redis)[`${this.name}Buffer`]!(keys.length, ...keys, ...values);
  }

  /** Runs it once for each call, in order and in one round trip; an error and an answer for each. */
  async runEach(
    redis: Redis,
    calls: readonly { readonly keys: Keys; readonly values: readonly Value[] }[],
  ): Promise<[error: Error | null, answer: unknown][]> {
    this.defineOn(redis);
    const pipeline = redis.pipeline();
    const scripted = pipeline as unknown as Scripted;
    for (const { keys, values } of calls) void scripted[this.name]!(keys.length, ...keys, ...values);
    return (await pipeline.exec())!;
  }

  private defineOn(redis: Redis): Scripted {
    const scripted = redis as unknown as Scripted;
    if (scripted[this.name] === undefined) {
      this.lua ??= this.files.map((file) => readFileSync(new URL(file, this.module), 'utf8')).join('');
      redis.defineCommand(this.name, { lua: this.lua });
    }
    return scripted;
  }
}
