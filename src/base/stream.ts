import type { Redis } from './redis.js';

/** One entry of a stream whose entries have one field, of JSON. */
export interface StreamEntry {
  /** `milliseconds-sequence`. */
  readonly id: string;
  /** Undefined: the entry lacks the field. */
  readonly json: string | undefined;
}

/** An entry as Redis returns it; null where it was deleted. */
type RawEntry = readonly [id: string, fields: readonly string[] | null];
type Reply = readonly (readonly [stream: string, entries: readonly RawEntry[]])[] | null;

const entryOf = ([id, fields]: RawEntry, field: string): StreamEntry => {
  const at = fields?.findIndex((name, index) => index % 2 === 0 && name === field) ?? -1;
  return { id, json: at < 0 ? undefined : fields?.[at + 1] };
};

export interface ReadBounds {
  readonly count: number;
  /** How long a read waits for the first entry. */
  readonly blockMilliseconds: number;
}

/** Entries after the position, oldest first. Rejects while Redis is down. */
export async function readAfter(
  reader: Redis,
  { stream, field, position }: { readonly stream: string; readonly field: string; readonly position: string },
  { count, blockMilliseconds }: ReadBounds,
): Promise<StreamEntry[]> {
  refuseWhenDown(reader);
  const reply: Reply = await reader.xread(
    ...(['COUNT', count, 'BLOCK', blockMilliseconds] as const),
    ...(['STREAMS', stream, position] as const),
  );
  return (reply?.[0]?.[1] ?? []).map((entry) => entryOf(entry, field));
}

export interface StreamGroupOptions extends ReadBounds {
  readonly stream: string;
  readonly field: string;
  readonly group: string;
  /** Names this member, never used again after it. */
  readonly member: string;
  /** Entries that another member read and did not acknowledge within this time are taken over. */
  readonly takeOverMilliseconds: number;
  /** True: after a failure `read` first gives what this member has not acknowledged; for members that handle one batch at a time. */
  readonly readsAgain?: boolean;
  readonly redis: Redis;
  /** A separate connection: reading blocks it. */
  readonly reader: Redis;
}

/**
 * A member of a consumer group: the processes of one group share a stream's entries. An entry is given to one of them, and to
 * another one when that one dies before it has acknowledged.
 */
export class StreamGroup {
  private isCreated = false;
  /** Entries may be this member's without its knowledge: an answer or an acknowledgement was lost. */
  private mayHoldEntries = false;
  private tookOverAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: StreamGroupOptions) {}

  /** New entries; none when the time is over. Rejects while Redis is down. */
  async read(): Promise<StreamEntry[]> {
    const { reader } = this.options;
    refuseWhenDown(reader);
    await this.create();
    try {
      if (this.options.readsAgain === true && this.mayHoldEntries) {
        const held = await this.readAfter('0');
        if (held.length > 0) return held;
        this.mayHoldEntries = false;
      }
      return await this.readAfter('>');
    } catch (error) {
      this.mayHoldEntries = true;
      return this.createAgain(error);
    }
  }

  /** `>`: entries that no member has; `0`: those that this member has and did not acknowledge. */
  private async readAfter(position: '>' | '0'): Promise<StreamEntry[]> {
    const { reader, stream, field, group, member, count, blockMilliseconds } = this.options;
    const reply = (await reader.xreadgroup(
      ...(['GROUP', group, member, 'COUNT', count, 'BLOCK', blockMilliseconds] as const),
      ...(['STREAMS', stream, position] as const),
    )) as Reply;
    return (reply?.[0]?.[1] ?? []).map((entry) => entryOf(entry, field));
  }

  /**
   * Entries of members that died, or hang, before they acknowledged, in batches; each batch must be acknowledged before the next
   * one. Returns nothing within half the time after the last check. Rejects while Redis is down.
   */
  async *takeOver(): AsyncGenerator<StreamEntry[]> {
    const { redis, reader, stream, field, group, member, count, takeOverMilliseconds } = this.options;
    if (performance.now() - this.tookOverAt < takeOverMilliseconds / 2) return;
    refuseWhenDown(reader);
    await this.create();
    this.tookOverAt = performance.now();
    let cursor = '0-0';
    do {
      const reply = await redis
        .xautoclaim(stream, group, member, takeOverMilliseconds, cursor, 'COUNT', count)
        .catch((error: unknown) => this.createAgain(error));
      const [next, entries] = reply as [cursor?: string, entries?: (RawEntry | null)[]];
      cursor = next ?? '0-0';
      const taken = (entries ?? []).filter((entry) => entry !== null).map((entry) => entryOf(entry, field));
      if (taken.length > 0) yield taken;
    } while (cursor !== '0-0');
  }

  /** Entries of the stream from an id on, those of other members too: `-`, or `(` and the id of the last one before. Rejects while Redis is down. */
  async range(from: string): Promise<StreamEntry[]> {
    const { redis, stream, field, count } = this.options;
    const entries = await redis.xrange(stream, from, '+', 'COUNT', count);
    return entries.map((entry) => entryOf(entry, field));
  }

  async acknowledge(entries: readonly Pick<StreamEntry, 'id'>[]): Promise<void> {
    const { redis, stream, group } = this.options;
    try {
      await redis.xack(stream, group, ...entries.map(({ id }) => id));
    } catch (error) {
      this.mayHoldEntries = true;
      throw error;
    }
  }

  private async create(): Promise<void> {
    if (this.isCreated) return;
    const { redis, stream, group } = this.options;
    await redis.xgroup('CREATE', stream, group, '0', 'MKSTREAM').catch((error: Error) => {
      if (!error.message.startsWith('BUSYGROUP')) throw error;
    });
    this.isCreated = true;
  }

  /** Redis was emptied: the group is gone with the stream. Nothing is to be read then. */
  private createAgain(error: unknown): [] {
    if (!(error instanceof Error && error.message.startsWith('NOGROUP'))) throw error;
    this.isCreated = false;
    return [];
  }
}

function refuseWhenDown({ status }: Redis): void {
  if (status !== 'ready') throw new Error('Redis is down');
}
